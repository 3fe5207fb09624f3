"""What should happen: cases, turns, expected calls, expectations and criteria.

Plain values without I/O. `formats` makes them out of files and writes them back; everything else only reads them.
A key that evalkit does not interpret is kept, under its snake_case name, in the `extra` of the value it belongs to, so
that writing a file back loses nothing.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from evalkit.expectations import Budget, CallPattern, Expectation, NumberRule, ResponseRule, TrajectoryRule
from evalkit.gold import Gold
from evalkit.setups import LiveSetup, PriorEvent

__all__ = [
    "Budget",
    "CallPattern",
    "Case",
    "CaseSet",
    "Config",
    "Criterion",
    "Expectation",
    "Gate",
    "Json",
    "ListForm",
    "Message",
    "NumberRule",
    "ResponseRule",
    "SessionInput",
    "Step",
    "ToolCall",
    "ToolReply",
    "TrajectoryRule",
    "Turn",
    "same_answer",
]

Json = Any
"""A JSON value: None, bool, int, float, str, list or dict with string keys."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """What a user or an agent said: a role, and parts as in `google.genai.types.Content`, as dicts in snake_case.

    `bare` is True if the file has no list of parts at all, which ADK tells apart from an empty one.
    """

    role: str | None = None
    parts: tuple[Mapping[str, Any], ...] = ()
    bare: bool = field(default=False, compare=False)

    @property
    def text(self) -> str:
        """The text that counts as said: text parts joined by newlines, thoughts left out."""
        return "\n".join(part["text"] for part in self.parts if part.get("text") and not part.get("thought"))

    @property
    def function_responses(self) -> tuple[Mapping[str, Any], ...]:
        """The function responses among the parts, such as the answer to a confirmation."""
        return tuple(part["function_response"] for part in self.parts if part.get("function_response"))


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """One call of a tool.

    Attributes:
        name: The tool's name.
        args: The arguments as the model gives them; absent arguments are empty.
        agent: Who makes the call, if the case recorded it (the event's author).
        id: The recorded call id; ids are never compared.
        where: JSON path of the call in its file, for messages.
    """

    name: str
    args: Mapping[str, Any] = field(default_factory=dict)
    agent: str | None = None
    id: str | None = None
    where: str = field(default="", compare=False)
    extra: Mapping[str, Any] = field(default_factory=dict, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolReply:
    """What a tool answered in the recording: the case's own mock, and an expected tool response."""

    name: str
    response: Mapping[str, Any]
    agent: str | None = None
    id: str | None = None
    where: str = field(default="", compare=False)
    extra: Mapping[str, Any] = field(default_factory=dict, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One expected model turn: the calls made together and the text said beside or instead of them.

    A recorded `invocation_events` entry is one step; in a flat list each call is a step of its own, and so is each
    intermediate response. `agent` is None where the file does not say who acts. `replies` are the function responses
    that the recorded event carries; in a flat list they are steps of their own, at the end.
    """

    agent: str | None = None
    calls: tuple[ToolCall, ...] = ()
    replies: tuple[ToolReply, ...] = ()
    message: Message | None = None
    extra: Mapping[str, Any] = field(default_factory=dict, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One user message and what should follow.

    Attributes:
        index: 0-based position in the conversation.
        user: What the user says.
        final: The expected final response, or None if the case gives none.
        steps: The expected model turns in order; None if the case has no `intermediate_data` at all, which is not the
            same as expecting no calls.
        layout: How the file writes the steps, so that a writer can keep it.
        expect: The matching entry of `evalkit.expect`.
        where: JSON path of the turn in its file.
        calls: Every expected call of the steps in file order, as ADK's `get_all_tool_calls` returns them.
    """

    index: int
    user: Message
    final: Message | None = None
    steps: tuple[Step, ...] | None = None
    layout: Literal["flat", "events"] = "flat"
    invocation_id: str = ""
    rubrics: tuple[Mapping[str, Any], ...] | None = None
    expect: Expectation = field(default_factory=Expectation)
    where: str = field(default="", compare=False)
    extra: Mapping[str, Any] = field(default_factory=dict, compare=False)

    calls: tuple[ToolCall, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        calls = tuple([call for step in self.steps or () for call in step.calls])  # a list first: twice as fast
        object.__setattr__(self, "calls", calls)

    @property
    def replies(self) -> tuple[ToolReply, ...]:
        """Every recorded tool response in file order."""
        return tuple(reply for step in self.steps or () for reply in step.replies)


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionInput:
    """How a case's session starts."""

    app_name: str
    user_id: str
    session_id: str | None = None
    state: Mapping[str, Any] = field(default_factory=dict)
    extra: Mapping[str, Any] = field(default_factory=dict, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """How often a case must pass to count as passed; without either word, always.

    Attributes:
        min_pass_rate: The share of runs that must pass: above 0, as a gate that asks for nothing would judge nothing.
        min_lower_bound: What the lower bound of the pass rate's 95% interval must reach.
    """

    min_pass_rate: float | None = None
    min_lower_bound: float | None = None

    def __bool__(self) -> bool:
        """Tell whether it says anything."""
        return self.min_pass_rate is not None or self.min_lower_bound is not None


ALWAYS = Gate()
"""Every run must pass."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One conversation with what should happen.

    Attributes:
        eval_id: Unique within its file.
        turns: The conversation; None for a `conversation_scenario`.
        scenario: The scenario as ADK's schema has it, for a simulated user.
        final_state: ADK's `final_session_state`, which ADK defines and never reads; patterns are allowed.
        gate: How often it must pass where it is played several times.
        mocks: The case's own mocks file, relative to the evalset's folder.
        skip: Why the case is not run, if so.
        known_failing: Why the case is known to fail, if so; it then does not gate.
        source: Where a converted case comes from.
        prior_events: What the session holds before the first turn.
        live: What a live run sets up around it.
        gold: The file with what is read only after the answer, relative to the evalset's folder.
        opened: What that file says of the case; None until the answer is there, and it is never stored.
        where: JSON path of the case in its file.
    """

    eval_id: str
    turns: tuple[Turn, ...] | None = None
    scenario: Mapping[str, Any] | None = None
    session: SessionInput | None = None
    rubrics: tuple[Mapping[str, Any], ...] | None = None
    final_state: Mapping[str, Any] | None = None
    tags: tuple[str, ...] = ()
    skip: str | None = None
    known_failing: str | None = None
    gate: Gate = ALWAYS
    mocks: str | None = None
    source: Mapping[str, Any] | None = None
    prior_events: tuple[PriorEvent, ...] = ()
    live: LiveSetup | None = None
    gold: str | None = None
    opened: Gold | None = field(default=None, compare=False)
    where: str = field(default="", compare=False)
    line: int | None = field(default=None, compare=False)
    extra: Mapping[str, Any] = field(default_factory=dict, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ListForm:
    """One of the two list forms of evalsets that ADK used before its evalset schema.

    Attributes:
        kind: `wrapped`, a list of cases, for `adk eval`; `flat`, the turns of one case, for AgentEvaluator.
        first_turn: The keys of the first turn, by which AgentEvaluator decides whether it can judge the file.
    """

    kind: Literal["wrapped", "flat"]
    first_turn: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseSet:
    """The cases of one file.

    Attributes:
        form: The old list form that the file has; None for today's evalset.
    """

    eval_set_id: str
    cases: tuple[Case, ...]
    file: str = ""
    name: str | None = None
    description: str | None = None
    form: ListForm | None = field(default=None, compare=False)
    extra: Mapping[str, Any] = field(default_factory=dict, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Criterion:
    """A metric's name with its threshold and options.

    Attributes:
        name: The metric, as in `test_config.json`.
        threshold: The score at or above which it passes; None for metrics of `expect`, which need none.
        gate: False makes it informative.
        options: Everything else under the metric in the config, keys in snake_case.
        custom_function: Dotted path of the user's own function, from `custom_metrics`.
    """

    name: str
    threshold: float | None = None
    gate: bool = True
    options: Mapping[str, Any] = field(default_factory=dict)
    custom_function: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """The criteria that apply to a file, and where they come from.

    Attributes:
        criteria: In file order.
        origin: The config file's path, or `ADK's defaults`.
    """

    criteria: tuple[Criterion, ...]
    origin: str
    extra: Mapping[str, Any] = field(default_factory=dict, compare=False)


def same_answer(one: str, other: str) -> bool:
    """Tell whether two answers say the same: equal text, or equal JSON, which ADK may write with other spaces."""
    if one == other:
        return True
    try:
        return bool(json.loads(one) == json.loads(other))
    except ValueError:
        return False
