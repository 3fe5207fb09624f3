"""Hand-made events become a trace: calls under their parents, what was said, the answer as ADK chooses it."""

import pytest
from google.adk.events import Event, EventActions
from google.genai import types

from evalkit.adk.events import OpenCall, TurnRecorder
from evalkit.adk.playing import Answered, Playing
from evalkit.cases import Message
from evalkit.mocks.backend import Backend
from evalkit.models.tree import Agent, AgentTree
from evalkit.traces import Usage

USER = Message(role="user", parts=({"text": "go"},))


@pytest.fixture
def playing():
    agents = (
        Agent(name="root", tools=("kafka", "whoami", "job"), agent_tools={"kafka": "kafka", "job": "job"}),
        Agent(name="kafka", tools=("get_lag",), parent="root"),
        Agent(name="job", task=True, parent="root"),
    )
    tree = AgentTree(root="root", agents={agent.name: agent for agent in agents})
    return Playing(tree=tree, backend=Backend(None, None, ()))


def said(text, author="root", *, thought=False, **fields):
    return Event(
        author=author, content=types.Content(role="model", parts=[types.Part(text=text, thought=thought)]), **fields
    )


def called(*calls, author="root", **fields):
    parts = [types.Part(function_call=types.FunctionCall(id=key, name=name, args={"n": key})) for key, name in calls]
    return Event(author=author, content=types.Content(role="model", parts=parts), **fields)


def replied(key, name, response, author="root", **fields):
    part = types.Part(function_response=types.FunctionResponse(id=key, name=name, response=response))
    return Event(author=author, content=types.Content(role="user", parts=[part]), **fields)


@pytest.fixture
def record(playing):
    """Take these events, pairs of event and surrounding call or bare events, and return the trace."""

    def record(*events, open_calls=None):
        recorder = TurnRecorder(playing, USER, open_calls or {})
        for event in events:
            recorder.take(*event) if isinstance(event, tuple) else recorder.take(event)
        record.recorder = recorder
        return recorder.trace(None)

    return record


def test_a_call_has_its_reply_group_and_author(record):
    trace = record(called(("1", "whoami"), ("2", "get_x")), replied("2", "get_x", {"x": 1}), called(("3", "whoami")))
    assert [(made.id, made.agent, made.group, made.reply) for made in trace.tools] == [
        ("1", "root", 1, None),
        ("2", "root", 1, {"x": 1}),
        ("3", "root", 2, None),
    ]


def test_what_happens_within_an_agent_tool_stands_under_its_call_and_adk_does_not_count_it(record):
    inside = called(("2", "get_lag"), author="kafka")
    trace = record(called(("1", "kafka")), (inside, "1"), (said("75", "kafka"), "1"), said("done"))
    assert [(made.name, made.parent) for made in trace.tools] == [("kafka", None), ("get_lag", "1")]
    assert [(one.agent, one.text, one.parent, one.final) for one in trace.said] == [
        ("kafka", "75", "1", False),
        ("root", "done", None, True),
    ]
    assert [made.name for made in trace.adk_calls] == ["kafka"]
    assert trace.final_agent == "root"


@pytest.mark.parametrize(
    ("branch", "parent"),
    [("root@1.kafka@c1", "c1"), ("kafka@c1", "c1"), ("kafka@c1.x@9", "c1"), ("root.kafka", None), (None, None)],
)
def test_what_happens_in_a_calls_branch_stands_under_it_and_counts(record, branch, parent):
    trace = record(called(("c1", "kafka")), called(("c2", "get_lag"), author="kafka", branch=branch))
    assert trace.tools[1].parent == parent
    assert [made.name for made in trace.adk_calls] == ["kafka", "get_lag"]


def test_a_branch_within_an_agent_tool_is_nearer_than_the_agent_tool(record):
    inner = called(("c3", "whoami"), author="once", branch="once@c2")
    trace = record(called(("c1", "kafka")), (called(("c2", "once"), author="kafka"), "c1"), (inner, "c1"))
    assert [(made.name, made.parent) for made in trace.tools] == [("kafka", None), ("once", "c1"), ("whoami", "c2")]


@pytest.mark.parametrize(
    ("events", "final", "agent"),
    [
        ([said("a"), said("b", "k8s")], "b", "k8s"),
        (
            [
                said("a"),
                called(("1", "exit_loop")),
                replied("1", "exit_loop", {}, actions=EventActions(skip_summarization=True)),
            ],
            "a",
            "root",
        ),
        ([said("a"), called(("1", "restart"), long_running_tool_ids={"1"})], "a", "root"),
        ([said("a"), said("half", partial=True)], "a", "root"),
        ([said("a"), Event(author="root", content=types.Content(role="model", parts=[]))], "a", "root"),
        ([said("a"), said("by the user", "user")], "a", "root"),
        ([called(("1", "restart"), long_running_tool_ids={"1"})], "", "root"),
    ],
    ids=[
        "the last",
        "not a silent one",
        "not a waiting call",
        "not a part",
        "not an empty one",
        "not the user's",
        "silence",
    ],
)
def test_the_answer_is_the_last_final_response_with_text(record, events, final, agent):
    trace = record(*events)
    assert (trace.final.text, trace.final_agent) == (final, agent)


def test_thoughts_stay_in_the_answer_and_out_of_what_was_said(record):
    content = types.Content(role="model", parts=[types.Part(text="hm", thought=True), types.Part(text="75")])
    trace = record(Event(author="root", content=content))
    assert trace.final.parts == ({"text": "hm", "thought": True}, {"text": "75"})
    assert [one.text for one in trace.said] == ["75"]


def test_tokens_are_added_up_and_models_calls_counted_as_adk_counts_them(record):
    usage = types.GenerateContentResponseUsageMetadata(
        prompt_token_count=10, candidates_token_count=2, total_token_count=12
    )
    trace = record(
        said("a", usage_metadata=usage), said("b", usage_metadata=usage), said("c", model_version="m"), said("d")
    )
    assert (trace.usage.model_calls, trace.usage.input_tokens, trace.usage.output_tokens) == (3, 20, 4)
    assert trace.usage.total_tokens == 24


def test_tokens_are_told_apart_by_the_agent_that_used_them(record):
    usage = types.GenerateContentResponseUsageMetadata(
        prompt_token_count=10, candidates_token_count=2, total_token_count=15
    )
    inner = said("b", "kafka", usage_metadata=usage)
    trace = record(called(("1", "kafka"), usage_metadata=usage), (inner, "1"), said("c", usage_metadata=usage))
    by_agent = {agent: (used.model_calls, used.total_tokens) for agent, used in trace.usage_by_agent.items()}
    assert by_agent == {"root": (2, 30), "kafka": (1, 15)}
    assert trace.usage == sum(trace.usage_by_agent.values(), start=Usage())


@pytest.mark.parametrize(
    ("name", "noted", "event", "status"),
    [
        ("whoami", Answered(status="answered"), replied("1", "whoami", {}), "answered"),
        ("whoami", None, replied("1", "whoami", {}), "blocked"),
        ("whoami", None, None, "unanswered"),
        ("transfer_to_agent", None, None, "control"),
        ("job", None, None, "agent"),
        ("nope", None, replied("1", "nope", {"error": "no such tool"}), "unknown"),
        ("whoami", None, replied("1", "whoami", {"error": "This tool call is rejected."}), "rejected"),
    ],
)
def test_the_status_says_how_far_a_call_came(record, playing, name, noted, event, status):
    playing.offered["root"] = frozenset({"whoami", "job", "kafka"})
    if noted:
        playing.answered["1"] = noted
    (made,) = record(called(("1", name)), *([event] if event else [])).tools
    assert made.status == status


def test_a_call_of_an_earlier_turn_that_goes_on_is_marked_as_resumed(record):
    trace = record(
        replied("old", "drop", {"ok": 1}), open_calls={"old": OpenCall("drop", {"t": "a"}, waits_for_user=False)}
    )
    (made,) = trace.tools
    assert (made.id, made.args, made.reply, made.resumed, made.group) == ("old", {"t": "a"}, {"ok": 1}, True, 0)


def test_what_may_go_on_later_is_what_waits_and_what_runs_long(record):
    confirmation = EventActions(requested_tool_confirmations={"1": {"hint": "?"}})
    record(
        called(("1", "drop"), ("2", "whoami")),
        called(("3", "adk_request_confirmation"), long_running_tool_ids={"3"}),
        replied("1", "drop", {"error": "?"}, actions=confirmation),
        replied("2", "whoami", {}),
    )
    still_open = record.recorder.still_open()
    assert {key: (call.name, call.waits_for_user) for key, call in still_open.items()} == {
        "1": ("drop", False),
        "3": ("adk_request_confirmation", True),
    }


def test_a_reply_that_is_no_json_is_kept_as_json(record):
    trace = record(called(("1", "whoami")), replied("1", "whoami", {"of": (1, types.Part(text="x"))}))
    assert trace.tools[0].reply["of"][0] == 1
    assert trace.tools[0].reply["of"][1]["text"] == "x"
