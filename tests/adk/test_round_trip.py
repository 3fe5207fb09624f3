"""What ADK would record of a run, as `adk web` saves it into an evalset, is replayed as the same run."""

import pytest

from evalkit.adk.events import TurnRecorder, to_message
from evalkit.formats.steps import read_steps

TRANSFER = "transfer_to_agent"
TOOLS = ("get_lag", "list_pods", "get_disk", "whoami", "write_note")


def triage(call):
    yield call(TRANSFER, agent_name="triage")
    yield call("get_lag", "check_lag", group="a")
    yield call("get_disk", "check_disk", host="h")
    yield call("write_note", "summary", text="n")


def repair(call):
    yield call(TRANSFER, agent_name="repair")
    yield call("write_note", "actor", text="a")
    yield call("whoami", "verifier")
    yield call("write_note", "actor", text="b")
    yield call("exit_loop")


SHAPES = {
    "small talk": lambda _: [],
    "transfer": lambda call: [call(TRANSFER, agent_name="k8s"), call("list_pods", namespace="x")],
    "sequence with parallel members": triage,
    "loop with exit": repair,
    "loop without exit": lambda call: [call(TRANSFER, agent_name="repair"), call("write_note", "actor", text="a")],
    "loop without a call": lambda call: [call(TRANSFER, agent_name="repair")],
    "single_turn": lambda call: [call("once", request="?"), call("get_disk", "once", host="h")],
    "task": lambda call: [call("task", request="?"), call("get_disk", "task", host="h")],
    "there and back": lambda call: [
        call(TRANSFER, agent_name="k8s"),
        call(TRANSFER, agent_name="crew"),
        call("whoami", "crew"),
    ],
}


def seen(outcome):
    """What a run shows: who called what under whom, and what was said."""
    turn = outcome.trace.turns[0]
    calls = [(made.agent, made.name, made.args, made.status) for made in turn.tools]
    return calls, [(said.agent, said.text) for said in turn.said], turn.final.text, turn.adk_calls


def recorded(events):
    """The turn as ADK's own evaluation would write it down."""
    from google.adk.evaluation.evaluation_generator import EvaluationGenerator

    (invocation,) = EvaluationGenerator.convert_events_to_eval_invocations(events)
    data = invocation.intermediate_data.model_dump(mode="json", exclude_none=True)
    for event in data["invocation_events"]:
        event.setdefault("content", None)
    return read_steps(data, "$"), to_message(invocation.final_response)


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_a_recorded_run_is_replayed_as_it_was(crew, make, run, monkeypatch, shape):
    events = []
    take = TurnRecorder.take

    def keep(self, event, within=None):
        take(self, event, within)
        if within is None:
            events.append(event)

    monkeypatch.setattr(TurnRecorder, "take", keep)
    mocks = [make.route(tool) for tool in TOOLS]
    first = run.one(crew, make.turn(*shape(make.call)), mocks=mocks)
    (steps, layout), final = recorded(events)
    assert layout == "events"
    again = run.one(crew, {**make.turn(final=final), "steps": steps, "layout": layout}, mocks=mocks)
    assert again.failure is None
    assert again.trace.turns[0].golden.leftover == ()
    assert again.trace.turns[0].golden.added == ()
    assert seen(again) == seen(first)
