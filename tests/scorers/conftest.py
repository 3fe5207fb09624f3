"""Builders of the values that scorers read, so that a test says only what it is about."""

from types import SimpleNamespace

import pytest

from evalkit.cases import (
    CallPattern,
    Case,
    Criterion,
    Expectation,
    Message,
    SessionInput,
    Step,
    ToolCall,
    TrajectoryRule,
    Turn,
)
from evalkit.traces import GoldenReport, KnownAgent, ToolEvent, Trace, TurnTrace, Utterance


def said(text, *, thought=None):
    """A message of the agent, perhaps with a thought before it; None for silence."""
    if text is None:
        return None
    thoughts = ({"text": thought, "thought": True},) if thought else ()
    return Message(role="model", parts=(*thoughts, {"text": text}))


def call(name, /, where="", agent=None, **args):
    return ToolCall(name=name, args=args, where=where, agent=agent)


def event(name, status="answered", agent="root", *, args=None, **fields):
    """A call that was made; it plays the golden call at "" unless `golden` says otherwise."""
    fields = {"id": name, "golden": "", **fields}
    return ToolEvent(name=name, args=args or {}, agent=agent, status=status, **fields)


def turn(calls=(), final=None, *, index=0, user="Hello", recorded=True, **fields):
    """A turn that expects these calls, one a step; `recorded=False` leaves intermediate_data out."""
    steps = tuple(Step(agent=one.agent, calls=(one,)) for one in calls) if recorded else None
    message = Message(role="user", parts=({"text": user},))
    final = said(final) if isinstance(final, str) else final
    return Turn(index=index, user=message, steps=steps, final=final, **fields)


def expecting(*, response=None, state=None, route=None, **trajectory):
    """An entry of `expect`; keywords beyond response, state and route are those of `trajectory`."""
    rule = TrajectoryRule(**trajectory) if trajectory else None
    return Expectation(trajectory=rule, response=response, state=state, route=route)


def happened(calls=(), final=None, *, tools=(), user="Hello", golden=None, **fields):
    """A turn in which ADK saw these calls."""
    message = Message(role="user", parts=({"text": user},))
    final = said(final) if isinstance(final, str) else final
    return TurnTrace(user=message, adk_calls=tuple(calls), final=final, tools=tuple(tools), golden=golden, **fields)


def agent(name, kind="llm", *, tools=(), members=()):
    """An agent of the tree; `tools` are those of its tools that are agents."""
    return KnownAgent(name=name, kind=kind, agent_tools={tool: tool for tool in tools}, members=tuple(members))


def spoke(agent, text="Done.", **fields):
    """Something that an agent said."""
    return Utterance(agent=agent, text=text, **fields)


def case(*turns, state=None, final_state=None):
    session = SessionInput(app_name="app", user_id="user", state=state) if state is not None else None
    return Case(eval_id="one", turns=turns, session=session, final_state=final_state)


def trace(*turns, mode="live", **fields):
    return Trace(mode=mode, turns=turns, **fields)


def pattern(name, /, status=None, **args):
    return CallPattern(name=name, args=args or None, status=status)


class Story:
    """Writes what happened: entries and work, each at the top or inside an agent-tool call, with a model turn each."""

    def __init__(self):
        self.tools = []
        self.words = []

    def call(self, agent, name, status="answered", *, parent=None, group=None, golden=None, added=False, **args):
        number = len(self.tools) + 1
        fields = {"id": f"c{number}", "parent": parent, "group": group or number, "golden": golden, "added": added}
        self.tools.append(event(name, status, agent, args=args, **fields))
        return self

    def asks(self, agent, name, **fields):
        return self.call(agent, name, "agent", **fields)

    def transfers(self, agent, target, **fields):
        return self.call(agent, "transfer_to_agent", "control", agent_name=target, **fields)

    def speaks(self, agent, parent=None):
        self.words.append(spoke(agent, parent=parent, after=len(self.tools)))
        return self

    def happened(self, **fields):
        return happened(tools=self.tools, said=tuple(self.words), **fields)


@pytest.fixture
def make():
    """The builders by name."""
    return SimpleNamespace(
        agent=agent,
        said=said,
        spoke=spoke,
        call=call,
        event=event,
        turn=turn,
        expecting=expecting,
        happened=happened,
        case=case,
        trace=trace,
        pattern=pattern,
        report=GoldenReport,
    )


@pytest.fixture
def crew(make):
    """An orchestrator with two agent tools, one of which has one itself, and with workflows to transfer to."""
    return (
        make.agent("crew", tools=("kafka", "docker")),
        make.agent("kafka", tools=("dns",)),
        make.agent("docker"),
        make.agent("dns"),
        make.agent("k8s"),
        make.agent("triage", "sequence", members=("checks", "summary")),
        make.agent("checks", "parallel", members=("check_lag", "check_disk")),
        make.agent("check_lag"),
        make.agent("check_disk"),
        make.agent("summary"),
        make.agent("graph", "graph", members=("sort", "refund", "billing")),
        make.agent("sort"),
        make.agent("refund"),
        make.agent("billing"),
    )


@pytest.fixture
def story():
    """Begin to tell what happened in a turn."""
    return Story


@pytest.fixture
def score():
    """Apply a metric by name: `score(name, case, trace, **options)`."""
    from evalkit.scorers import load

    def apply(name, case, trace, **options):
        return load(name)(case, trace, Criterion(name=name, threshold=1.0, options=options))

    return apply
