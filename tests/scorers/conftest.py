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
from evalkit.traces import GoldenReport, ToolEvent, Trace, TurnTrace


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


def expecting(*, response=None, state=None, **trajectory):
    """An entry of `expect`; keywords beyond response and state are those of `trajectory`."""
    rule = TrajectoryRule(**trajectory) if trajectory else None
    return Expectation(trajectory=rule, response=response, state=state)


def happened(calls=(), final=None, *, tools=(), user="Hello", golden=None, **fields):
    """A turn in which ADK saw these calls."""
    message = Message(role="user", parts=({"text": user},))
    final = said(final) if isinstance(final, str) else final
    return TurnTrace(user=message, adk_calls=tuple(calls), final=final, tools=tuple(tools), golden=golden, **fields)


def case(*turns, state=None, final_state=None):
    session = SessionInput(app_name="app", user_id="user", state=state) if state is not None else None
    return Case(eval_id="one", turns=turns, session=session, final_state=final_state)


def trace(*turns, mode="live", **fields):
    return Trace(mode=mode, turns=turns, **fields)


def pattern(name, /, **args):
    return CallPattern(name=name, args=args or None)


@pytest.fixture
def make():
    """The builders by name."""
    return SimpleNamespace(
        said=said,
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
def score():
    """Apply a metric by name: `score(name, case, trace, **options)`."""
    from evalkit.scorers import load

    def apply(name, case, trace, **options):
        return load(name)(case, trace, Criterion(name=name, threshold=1.0, options=options))

    return apply
