"""The case that is being played, as the edges see it.

ADK calls the edges from deep inside its own tasks, so they find the case through a context variable, which every task
inherits from the one that started it. That is also what keeps concurrent cases on one agent object apart.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any

from google.adk.events import Event

from evalkit.adk.pairing import Pairing
from evalkit.adk.survey import Declarations
from evalkit.cases import ToolCall
from evalkit.mocks.backend import Backend
from evalkit.mocks.below.case import CaseFakes
from evalkit.models.golden import GoldenTurn
from evalkit.models.tree import AgentTree
from evalkit.routes import ProvidedTool
from evalkit.traces import CallStatus, Failure


def any_fits(name: str, patterns: Sequence[str]) -> bool:
    """Tell whether a name fits one of several shell patterns."""
    return any(fnmatchcase(name, pattern) for pattern in patterns)


@dataclass(slots=True)
class Answered:
    """How a call was answered, noted by the tool edge under the call's id."""

    status: CallStatus
    route: str | None = None
    error: str | None = None
    seconds: float = 0.0


@dataclass(slots=True)
class Playing:
    """One case in play.

    Attributes:
        tree: The agents.
        backend: What tools answer.
        toolsets: What toolsets list, as the case's mocks files say it.
        provided: The tools that the case's mocks files give to an agent.
        golden: The script of the turn in play; None outside golden mode.
        passthrough: Whether the command line lets real tools run where a route says so.
        mocked: Shell patterns of the tools that mocks answer, where the others run for real; None if mocks answer all.
        below: The case's fakes below its tools; tools without a route of their own then run for real.
        turn: 0-based turn in play.
        sent: Arguments as the model sent them, by call id.
        scripted: The golden call that was played under an id; None for calls that golden mode added.
        delegated: The id of the call by which each agent was last delegated to.
        answered: What the tool edge noted, by call id.
        misfits: Sentences about arguments that do not fit their declaration, in this turn.
        observe: Takes each event of a nested run, with the id of the call within which it runs.
        declarations: What tools declare, remembered from case to case.
        offered: Names of the tools each agent's last request listed.
        models: The model's name of each agent that was asked.
        notes: Facts worth telling, each once.
        raised: Exceptions that came out of a tool, whatever became of them.
        model_errors: Exceptions that came out of an agent's own model, each with what to say of it.
        model_down: What to say of the last one, if no model has answered since.
        asked_again: How often a model was asked again after which answer.
        deadline: When the case's time is up, by the clock that `time.monotonic` reads: until then a busy model is asked
            again. None where it is not, as in a test that runs its agent itself.
        failure: The first failure that the edges themselves saw.
        calls_made: How many scripted calls have been given out, for their ids.
    """

    tree: AgentTree
    backend: Backend
    toolsets: Pairing = field(default_factory=Pairing)
    provided: tuple[ProvidedTool, ...] = ()
    golden: GoldenTurn | None = None
    passthrough: bool = False
    mocked: Sequence[str] | None = None
    below: CaseFakes | None = None
    turn: int = 0
    sent: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    scripted: dict[str, ToolCall | None] = field(default_factory=dict)
    delegated: dict[str, str] = field(default_factory=dict)
    answered: dict[str, Answered] = field(default_factory=dict)
    observe: Callable[[Event, str], None] | None = None
    misfits: list[str] = field(default_factory=list)
    offered: dict[str, frozenset[str]] = field(default_factory=dict)
    declarations: Declarations = field(default_factory=Declarations)
    models: dict[str, str] = field(default_factory=dict)
    notes: dict[str, None] = field(default_factory=dict)
    raised: list[BaseException] = field(default_factory=list)
    model_errors: list[tuple[BaseException, str]] = field(default_factory=list)
    model_down: str | None = None
    asked_again: Counter[str] = field(default_factory=Counter)
    deadline: float | None = None
    failure: Failure | None = None
    calls_made: int = 0

    def is_mocked(self, tool: str) -> bool:
        """Tell whether mocks answer a tool's calls, or nothing does."""
        return self.mocked is None or any_fits(tool, self.mocked)

    def note(self, text: str) -> None:
        """Keep a fact worth telling."""
        self.notes[text] = None

    def fail(self, failure: Failure) -> None:
        """Keep the first failure, whatever the agent's own error handling makes of it."""
        self.failure = self.failure or failure


CURRENT: ContextVar[Playing | None] = ContextVar("evalkit_playing", default=None)
"""The case in play, None outside of evalkit."""

INSIDE: ContextVar[str | None] = ContextVar("evalkit_inside", default=None)
"""The id of the agent-tool call within which code runs, None at the top."""
