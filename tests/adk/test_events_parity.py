"""The view as ADK sees it equals what ADK's own evaluation makes of the same events."""

import random

import pytest
from google.adk.events import Event, EventActions
from google.genai import types

from evalkit.adk.events import TurnRecorder, to_message
from evalkit.adk.playing import Playing
from evalkit.cases import Message
from evalkit.mocks.backend import Backend
from evalkit.models.tree import AgentTree

SEQUENCES = 100


def part(chance):
    """Make a part of any kind that an event may have."""
    number = chance.randrange(1000)
    return chance.choice(
        [
            types.Part(text=f"text {number}"),
            types.Part(text=f"thought {number}", thought=True),
            types.Part(text=""),
            types.Part(function_call=types.FunctionCall(id=f"c{number}", name=f"tool{number % 3}", args={"n": number})),
            types.Part(function_call=types.FunctionCall(id=f"c{number}", name="bare")),
            types.Part(function_response=types.FunctionResponse(id=f"c{number}", name="tool", response={"n": 1})),
            types.Part(inline_data=types.Blob(data=b"x", mime_type="image/png")),
        ]
    )


def event(chance):
    """Make an event of any kind that a run may yield."""
    parts = [part(chance) for _ in range(chance.choice([0, 1, 1, 1, 2, 3]))]
    content = types.Content(role="model", parts=parts) if chance.random() < 0.9 else None
    ids = {one.function_call.id for one in parts if one.function_call}
    return Event(
        author=chance.choice(["root", "kafka", "user", "once"]),
        invocation_id="i",
        content=content,
        long_running_tool_ids=ids if chance.random() < 0.2 else None,
        actions=EventActions(skip_summarization=True if chance.random() < 0.2 else None),
    )


@pytest.mark.parametrize("seed", range(4))
def test_final_response_and_calls_equal_adks_on_random_events(seed):
    from google.adk.evaluation.eval_case import get_all_tool_calls
    from google.adk.evaluation.evaluation_generator import EvaluationGenerator

    chance = random.Random(seed)  # noqa: S311 - the same sequences each time
    for _ in range(SEQUENCES):
        events = [event(chance) for _ in range(chance.randrange(1, 9))]
        playing = Playing(tree=AgentTree(root="root", agents={}), backend=Backend(None, None, ()))
        recorder = TurnRecorder(playing, Message(role="user"), {})
        for one in events:
            recorder.take(one)
        ours = recorder.trace(None)
        (adks,) = EvaluationGenerator.convert_events_to_eval_invocations(events)
        assert ours.final == (to_message(adks.final_response) if adks.final_response else None)
        wanted = [(call.name, call.args or {}) for call in get_all_tool_calls(adks.intermediate_data)]
        assert [(call.name, call.args) for call in ours.adk_calls] == wanted
