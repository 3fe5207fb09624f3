"""Cases before they are written."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from evalkit.cases import Json, ToolCall
from evalkit.models.facts import ToolFacts

Ending = Literal[
    "answered",  # the turn ends with the answer
    "confirmed",  # it ends with a question, which the user answers in a second turn
    "blocked",  # a callback answers in a tool's place
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """An example of a tool's use: what it is called with, and what it replies.

    Attributes:
        agent: Who calls it.
        mocked: Whether a mock gives the reply; ADK's own tools and agents run for real.
    """

    agent: str
    tool: ToolFacts
    args: Mapping[str, Json]
    reply: Json = None
    mocked: bool = True

    @property
    def call(self) -> ToolCall:
        """The call that the case expects."""
        return ToolCall(name=self.tool.name, args=self.args, agent=self.agent)


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """One case.

    Attributes:
        eval_id: Its id in the evalset.
        subject: What it is an example of: a tool, or an agent.
        agent: Who has the tool, or is the agent.
        exchanges: Every call in order, the subject's at `at`, calls that lead there before and what ends a loop behind.
        at: The index of the subject's call; for one of an agent or of small talk, that of the last.
        answer: What the agent says in the end; None leaves the case without an expected answer.
        must_say: A value of the reply that the answer has to contain.
        route: The specialists that are to work; None where there is only one agent.
        forbidden: Tools that must not be called.
        ending: How it ends, as a rehearsal found out.
        refusal: What the callback answered.
        exact: Whether ADK sees exactly these calls, as a rehearsal found out.
        fault: Why golden mode cannot play it as it is.
    """

    eval_id: str
    subject: str
    agent: str
    prompt: str
    exchanges: tuple[Exchange, ...] = ()
    at: int = 0
    answer: str | None
    must_say: str | None = None
    route: tuple[str, ...] | None = None
    forbidden: tuple[str, ...] = ()
    ending: Ending = "answered"
    refusal: Json = None
    exact: bool = False
    fault: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Drafts:
    """What is to be written.

    Attributes:
        left_out: Tools without a case, each with why.
    """

    drafts: tuple[Draft, ...]
    left_out: Mapping[str, str] = field(default_factory=dict)
