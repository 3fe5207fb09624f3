"""What did happen: tool events, turns, traces, and outcomes.

A trace has two views. The *full* view (`TurnTrace.tools`, `said`) holds everything, calls inside agent tools included,
each under its parent. The view *as ADK sees it* (`adk_calls`, `final`) holds what `adk eval` would score.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from evalkit.cases import Message, ToolCall
from evalkit.stage_records import StageRecord

CallStatus = Literal[
    "answered",  # a mock answered in place of the tool's function
    "control",  # ADK's own tool ran: transfer_to_agent, exit_loop, set_model_response, …
    "agent",  # an agent tool or sub-agent ran
    "real",  # the tool's own code ran: over a backend fake, or let through on purpose
    "missed",  # the call reached the tool and no mock matched
    "raised",  # the mock or the tool raised
    "blocked",  # a callback answered before the tool was reached
    "refused",  # ADK turned the call away before the function: missing or wrong arguments
    "waiting",  # the tool asks the user for confirmation first
    "rejected",  # the user refused the confirmation
    "unknown",  # the agent has no tool of that name
    "unanswered",  # the turn ended before a reply came
]


AgentKind = Literal["llm", "sequence", "loop", "parallel", "graph", "custom"]
"""How an agent runs: `llm` by a model, the others run members, a graph and a custom one by code that may choose."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownAgent:
    """An agent or workflow that was known before anything ran.

    Attributes:
        agent_tools: For each of its tools that is an agent, that agent's name.
        members: Whom it runs by itself, in order: the members of a workflow.
        tools: The names of its tools, agent tools among them; empty where toolsets may offer others when asked.
    """

    name: str
    kind: AgentKind = "llm"
    agent_tools: Mapping[str, str] = field(default_factory=dict)
    members: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens and model calls; zero where the model reports nothing."""

    model_calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    total_tokens: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        """Both together."""
        return Usage(
            model_calls=self.model_calls + other.model_calls,
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            total_tokens=self.total_tokens + other.total_tokens,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolEvent:
    """One call that the agent really made, and what came back.

    Attributes:
        agent: The name of the agent that made the call.
        parent: The id of the agent-tool call inside which it was made, or None at the top.
        reply: What the model was told, None if nothing.
        error: The exception's type and message for `raised`.
        route: Which mock answered, such as `mocks.yaml:12 get_consumer_lag`; None otherwise.
        golden: The place of the golden call that it plays (`ToolCall.where`); None for any other call.
        added: True if golden mode made the call on its own (a transfer that the case does not list).
        resumed: True if the call was made in an earlier turn and went on in this one, after the user answered.
        group: Calls with the same number were asked for in one model turn.
        started: Seconds since the turn began.
        seconds: How long the call took.
    """

    id: str
    name: str
    args: Mapping[str, Any]
    agent: str
    status: CallStatus
    parent: str | None = None
    reply: Any = None
    error: str | None = None
    route: str | None = None
    golden: str | None = None
    added: bool = False
    resumed: bool = False
    group: int = 0
    started: float = 0.0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Utterance:
    """Something an agent said.

    Attributes:
        text: Without thoughts.
        parent: The id of the agent-tool call inside which it was said, or None at the top.
        final: True if ADK takes it as the turn's answer.
        after: How many calls of the turn had been asked for before, so that calls and words have one order.
    """

    agent: str
    text: str
    parent: str | None = None
    final: bool = False
    after: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldenReport:
    """How the playing of a golden turn went.

    Attributes:
        leftover: Golden calls that nobody asked for, each with a sentence that says who owns it and who was asked.
        added: Transfers that golden mode made because the owner of a call is reached only so.
        faults: Why the turn could not be played as written (an ambiguous owner, a call nobody has, too many turns).
        misfits: Calls whose arguments do not fit the tool's declaration, one sentence each.
        changed: True if what the agent finally said differs from the golden answer.
        final_given: True if the golden answer was handed to the agent that owes it.
        guided: True if the case had to say who makes a call, by `expect.route` or a recorded author, because several
            agents could. A property of the case rather than of the playing, so it makes no two reports differ.
    """

    leftover: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()
    misfits: tuple[str, ...] = ()
    changed: bool = False
    final_given: bool = False
    guided: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnTrace:
    """One turn as it happened.

    Attributes:
        user: What was sent, ids of confirmations filled in.
        tools: Every call, in the order in which it was asked for.
        said: Everything said, in order.
        final: The turn's answer, thought parts included; None if the agent fell silent.
        adk_calls: The calls as `adk eval` counts them.
        usage: Of all model calls together.
        usage_by_agent: The same for each agent that was asked, nested ones included.
        golden: Only in golden mode.
        seconds: Wall-clock time of the turn.
    """

    user: Message
    tools: tuple[ToolEvent, ...] = ()
    said: tuple[Utterance, ...] = ()
    final: Message | None = None
    final_agent: str | None = None
    adk_calls: tuple[ToolCall, ...] = ()
    usage: Usage = field(default_factory=Usage)
    usage_by_agent: Mapping[str, Usage] = field(default_factory=dict)
    golden: GoldenReport | None = None
    seconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Miss:
    """A call that no mock answered.

    Attributes:
        turn: 0-based turn in which it happened.
        closest: The label of the nearest route, None if the tool has none.
        differences: What that route wanted and what it found, one line each.
        message: The whole story in one sentence.
    """

    turn: int
    tool: str
    agent: str
    args: Mapping[str, Any]
    closest: str | None
    differences: tuple[str, ...]
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BackendEvent:
    """A request or a program's call that reached a fake below the tools.

    Attributes:
        target: The service's environment variable or address, or the program.
        request: What was asked, in one line: `GET /api/v1/query?query=up`, `docker ps --format json`.
        reply: What came back, in one line: `200, 512 bytes`, `exit code 0, 40 bytes`; for a miss what it was told.
        route: Which route answered; None for a miss.
        turn: 0-based turn in which it happened.
        started: Seconds since the case began.
        seconds: How long the answer took.
    """

    kind: Literal["http", "command"]
    target: str
    request: str
    reply: str
    route: str | None = None
    turn: int = 0
    started: float = 0.0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """One case as it happened.

    Attributes:
        mode: Where model turns came from: golden, cassette or live.
        turns: Up to and including the turn in which the case ended, if it ended early.
        state: The session's state at the end.
        states: The session's state after each turn.
        misses: Calls without an answer.
        unused_routes: Routes of the case's own mocks file that answered nothing.
        notes: Facts worth telling, such as a mocked tool whose own state writes did not run.
        models: The model's name for each agent that was asked.
        agents: Every agent and workflow that was known before anything ran, the root first.
        backend_events: What the fakes below the tools were asked, in order.
        has_evidence: Whether there was a mock to be asked that tells of something found, rather than of an error.
    """

    mode: str
    turns: tuple[TurnTrace, ...] = ()
    state: Mapping[str, Any] = field(default_factory=dict)
    states: tuple[Mapping[str, Any], ...] = ()
    misses: tuple[Miss, ...] = ()
    unused_routes: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    models: Mapping[str, str] = field(default_factory=dict)
    agents: tuple[KnownAgent, ...] = ()
    backend_events: tuple[BackendEvent, ...] = ()
    has_evidence: bool = False


FailureKind = Literal[
    "timeout_exceeded",  # the case used up its time: failed
    "agent_error",  # the agent, a callback or a plugin raised: error
    "tool_error",  # a tool or its mock raised and nothing handled it: error
    "model_error",  # the model failed after retries, or somebody called a model outside the agent's turn: error
    "case_error",  # the case cannot be played as written: error
    "setup_failed",  # what a live run sets up before the case failed, and the agent was not asked: error
    "worker_died",  # the process that played the case ended: error
    "interrupted",  # the user pressed Ctrl-C, or --fail-fast stopped the run: inconclusive
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """Why a case ended early: its kind, a message for the user, and where it was raised (`file:line in name`)."""

    kind: FailureKind
    message: str
    where: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """A case that was played: a trace, or a failure with the trace so far, or a reason for not playing it.

    Attributes:
        file: The evalset file as the user named it.
        eval_id: The case.
        run: 0-based repeat.
        skipped: Why nothing was played, if so.
        seconds: Wall-clock time of the case.
        stage: What was set up around it, if anything was.
        answered_at: When the agent was done, of a case whose expectation is kept in a gold file.
        workdir: Where such a case was played.
    """

    file: str
    eval_id: str
    run: int = 0
    trace: Trace | None = None
    failure: Failure | None = None
    skipped: str | None = None
    seconds: float = 0.0
    stage: StageRecord | None = None
    answered_at: datetime | None = None
    workdir: str | None = None
