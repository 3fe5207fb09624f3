"""Graphs of other shapes than a straight line, replayed by the golden rule."""

import pytest
from google.adk.agents import LlmAgent
from google.adk.events import Event
from google.adk.tools.agent_tool import AgentTool
from google.adk.workflow import JoinNode, Workflow, node

from evalkit.traces import GoldenReport

MODEL = "gemini-2.5-flash"
CLEAN = GoldenReport(final_given=True)


def get_lag(group: str) -> dict:
    """Return the lag of a consumer group."""
    raise AssertionError(f"the real get_lag ran for {group}")


def write_note(text: str) -> dict:
    """Write a note."""
    raise AssertionError(f"the real write_note ran: {text}")


def agent(name, *tools, **fields):
    return LlmAgent(name=name, model=MODEL, tools=list(tools), **fields)


@pytest.fixture
def replay(make, run):
    """Play one turn and return its outcome, without failure or miss."""

    def replay(root, *steps, **fields):
        outcome = run.one(root, make.turn(*steps, **fields), mocks=[make.route("get_lag"), make.route("write_note")])
        assert outcome.failure is None
        assert outcome.trace.misses == ()
        return outcome

    return replay


def test_branches_side_by_side_take_their_own_calls_in_any_order(replay, make, run):
    one, two, last = agent("one", get_lag), agent("two", write_note), agent("last")
    join = JoinNode(name="join")
    flow = Workflow(name="flow", edges=[("START", (one, two), join, last)])
    outcome = replay(flow, make.call("write_note", text="x"), make.call("get_lag", group="a"))
    assert sorted(run.tools(outcome)) == [("one", "get_lag", "answered"), ("two", "write_note", "answered")]
    assert outcome.trace.turns[0].final_agent == "last"
    assert outcome.trace.turns[0].golden == CLEAN


def test_a_worker_that_runs_once_for_each_item_takes_one_call_each_time(replay, make, run):
    def split(node_input: str) -> list[str]:
        return ["a", "b"]

    worker = node(agent("worker", get_lag), parallel_worker=True)
    flow = Workflow(name="flow", edges=[("START", split, worker, agent("last"))])
    outcome = replay(flow, make.call("get_lag", group="a"), make.call("get_lag", group="b"))
    assert sorted(made.args["group"] for made in outcome.trace.turns[0].tools) == ["a", "b"]
    assert outcome.trace.turns[0].golden == CLEAN


def test_a_circle_is_walked_as_often_as_the_router_says(replay, make, run):
    rounds = []

    def again(node_input: str):
        rounds.append(node_input)
        return Event(route="again" if len(rounds) < 2 else "done")

    actor, last = agent("actor", get_lag), agent("last", write_note)
    flow = Workflow(name="flow", edges=[("START", actor, again), (again, {"again": actor, "done": last})])
    calls = [make.call("get_lag", group="a"), make.call("write_note", text="x")]
    outcome = replay(flow, *calls)
    assert run.tools(outcome) == [("actor", "get_lag", "answered"), ("last", "write_note", "answered")]
    assert len(rounds) == 2
    assert outcome.trace.turns[0].final.text == "the end"
    assert outcome.trace.turns[0].golden == CLEAN


def test_a_workflow_in_a_workflow_is_part_of_its_scope(replay, make, run):
    inner = Workflow(name="inner", edges=[("START", agent("first", get_lag), agent("second", write_note))])
    flow = Workflow(name="flow", edges=[("START", inner, agent("last"))])
    outcome = replay(flow, make.call("get_lag", group="a"), make.call("write_note", text="x"))
    assert run.tools(outcome) == [("first", "get_lag", "answered"), ("second", "write_note", "answered")]
    assert [(said.agent, said.text) for said in outcome.trace.turns[0].said] == [
        ("first", "Done."),
        ("second", "Done."),
        ("last", "the end"),
    ]


def test_agent_tools_within_agent_tools_nest(replay, make, run):
    deep = agent("deep", get_lag)
    middle = agent("middle", AgentTool(deep))
    calls = [make.call("middle", request="1"), make.call("deep", request="2"), make.call("get_lag", group="a")]
    replies = {"deep": {"result": "75"}, "middle": {"result": "it is 75"}}
    outcome = replay(agent("root", AgentTool(middle)), *calls, replies=replies)
    assert run.tools(outcome, "id", "agent", "name", "parent") == [
        ("call-1", "root", "middle", None),
        ("call-2", "middle", "deep", "call-1"),
        ("call-3", "deep", "get_lag", "call-2"),
    ]
    assert [(said.agent, said.text, said.parent) for said in outcome.trace.turns[0].said] == [
        ("deep", "75", "call-2"),
        ("middle", "it is 75", "call-1"),
        ("root", "the end", None),
    ]


def test_an_agent_that_calls_itself_as_a_tool_keeps_its_calls_apart(replay, make, run):
    root = agent("root", get_lag)
    root.tools.append(AgentTool(root))
    calls = [make.call("get_lag", group="a"), make.call("root", request="again"), make.call("get_lag", group="b")]
    outcome = replay(root, *calls)
    assert run.tools(outcome, "name", "args", "status", "parent") == [
        ("get_lag", {"group": "a"}, "answered", None),
        ("root", {"request": "again"}, "agent", None),
        ("get_lag", {"group": "b"}, "answered", "call-2"),
    ]


def test_a_workflow_behind_an_agent_tool_answers_through_its_last_member(replay, make, run):
    flow = Workflow(name="flow", edges=[("START", agent("first", get_lag), agent("second"))], input_schema=str)
    root = LlmAgent(name="root", model=MODEL, tools=[flow])
    outcome = replay(
        root, make.call("flow", request="?"), make.call("get_lag", group="a"), replies={"flow": {"result": "75"}}
    )
    assert [(said.agent, said.text) for said in outcome.trace.turns[0].said] == [
        ("first", "Done."),
        ("second", "75"),
        ("root", "the end"),
    ]
    assert outcome.trace.turns[0].golden == CLEAN


@pytest.mark.parametrize("parallel", [False, True], ids=["one after the other", "in one event"])
def test_two_calls_of_one_agent_tool_get_their_own_replies(replay, make, run, parallel):
    root = agent("root", AgentTool(agent("inner")))
    calls = [make.call("inner", request="1"), make.call("inner", request="2")]
    steps = [make.event("root", *calls)] if parallel else calls
    outcome = replay(root, *steps, replies=[("inner", {"result": "one"}), ("inner", {"result": "two"})])
    assert sorted(made.reply["result"] for made in outcome.trace.turns[0].tools) == ["one", "two"]
