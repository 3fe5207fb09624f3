"""The tool edge: what a tool calls is replaced, everything around it runs as in production."""

import pytest
from google.adk.agents import LlmAgent
from google.adk.agents.run_config import ToolThreadPoolConfig
from google.adk.tools import ToolContext
from google.adk.tools.agent_tool import AgentTool
from google.adk.tools.base_tool import BaseTool
from google.adk.tools.function_tool import FunctionTool
from google.adk.tools.load_memory_tool import load_memory_tool
from google.adk.workflow import FunctionNode, Workflow
from google.genai import types

from evalkit.mocks.backend import NEUTRAL_REPLY

MODEL = "gemini-2.5-flash"


def get_lag(group: str) -> dict:
    """Return the lag of a consumer group."""
    raise AssertionError(f"the real get_lag ran for {group}")


async def get_later(group: str) -> dict:
    """Return the lag of a consumer group, later."""
    raise AssertionError(f"the real get_later ran for {group}")


def stream(group: str):
    """Yield the lag of a consumer group."""
    raise AssertionError(f"the real stream ran for {group}")
    yield


async def stream_later(group: str):
    """Yield the lag of a consumer group, later."""
    raise AssertionError(f"the real stream_later ran for {group}")
    yield


def remember(group: str, tool_context: ToolContext) -> dict:
    """Write the group into the state."""
    raise AssertionError(f"the real remember ran for {group}")


class Probe(BaseTool):
    """A tool of a kind that only its author knows."""

    async def run_async(self, *, args, tool_context):
        raise AssertionError("the real probe ran")

    def _get_declaration(self):
        return types.FunctionDeclaration(name=self.name, parameters={"type": "OBJECT"})


class Impatient(FunctionTool):
    """A function tool that calls its function past ADK."""

    async def run_async(self, *, args, tool_context):
        return self.func(**args)


@pytest.fixture
def use(make, run):
    """Play one call of a tool that an agent has, with these mocks; returns the outcome without failure."""

    def use(tool, name, args=None, *, routes=(), allowed=False, **fields):
        agent = LlmAgent(name="one", model=MODEL, tools=[tool], **fields)
        turn = make.turn(make.call(name, "one", **(args or {})))
        outcome = run.one(agent, turn, mocks=routes, passthrough=allowed)
        assert outcome.failure is None
        return outcome

    return use


def reply(outcome):
    return outcome.trace.turns[0].tools[0].reply


def status(outcome):
    return outcome.trace.turns[0].tools[0].status


@pytest.mark.parametrize("function", [get_lag, get_later, stream, stream_later], ids=lambda one: one.__name__)
def test_any_kind_of_function_is_answered_in_its_place(use, make, function):
    name = function.__name__
    outcome = use(function, name, {"group": "a"}, routes=[make.route(name, {"lag": 75}, args={"group": "a"})])
    (made,) = outcome.trace.turns[0].tools
    assert (made.status, made.reply, made.route, made.golden) == ("answered", {"lag": 75}, f"m.yaml {name}", "$[0]")
    assert made.seconds > 0


def test_what_is_no_dict_reaches_the_model_as_adk_wraps_it(use, make):
    assert reply(use(get_lag, "get_lag", {"group": "a"}, routes=[make.route("get_lag", 75)])) == {"result": 75}


def test_a_miss_is_told_in_neutral_words_and_kept_for_the_report(use, make):
    outcome = use(get_lag, "get_lag", {"group": "b"}, routes=[make.route("get_lag", 75, args={"group": "a"})])
    assert (status(outcome), reply(outcome)) == ("missed", NEUTRAL_REPLY)
    (miss,) = outcome.trace.misses
    assert (miss.tool, miss.agent, miss.args, miss.closest) == ("get_lag", "one", {"group": "b"}, "m.yaml get_lag")
    assert miss.differences == ('$.group: wanted "a", found "b"',)


def test_routes_see_the_arguments_as_the_model_sent_them(use, make):
    def change(tool, args, tool_context):
        args["group"] = "changed"

    routes = [make.route("get_lag", {"lag": 75}, args={"group": "a"})]
    outcome = use(get_lag, "get_lag", {"group": "a"}, routes=routes, before_tool_callback=change)
    assert (status(outcome), reply(outcome)) == ("answered", {"lag": 75})
    assert outcome.trace.turns[0].tools[0].args == {"group": "a"}


def test_a_callback_that_answers_first_keeps_the_call_from_the_mocks(use):
    def refuse(tool, args, tool_context):
        return {"no": tool.name}

    outcome = use(get_lag, "get_lag", {"group": "a"}, before_tool_callback=refuse)
    assert (status(outcome), reply(outcome)) == ("blocked", {"no": "get_lag"})
    assert outcome.trace.misses == ()


def test_a_callback_after_the_tool_sees_the_mocks_reply_and_may_change_it(use, make):
    def add(tool, args, tool_context, tool_response):
        return {**tool_response, "seen": args}

    routes = [make.route("get_lag", {"lag": 75})]
    outcome = use(get_lag, "get_lag", {"group": "a"}, routes=routes, after_tool_callback=add)
    assert (status(outcome), reply(outcome)) == ("answered", {"lag": 75, "seen": {"group": "a"}})


def test_a_tool_that_takes_a_tool_context_is_noted(use, make):
    outcome = use(remember, "remember", {"group": "a"}, routes=[make.route("remember")])
    assert status(outcome) == "answered"
    (note,) = outcome.trace.notes
    assert note == (
        "`remember` takes a tool context: it was mocked, so what it writes to the state and the confirmations it asks"
        " for itself did not run"
    )


def test_a_tool_of_another_kind_is_answered_as_a_whole(use, make):
    outcome = use(Probe(name="probe", description=""), "probe", {"x": 1}, routes=[make.route("probe", {"seen": True})])
    assert (status(outcome), reply(outcome)) == ("answered", {"seen": True})


def test_a_function_tool_that_goes_past_adk_is_answered_as_a_whole_and_noted(use, make):
    outcome = use(Impatient(get_lag), "get_lag", {"group": "a"}, routes=[make.route("get_lag", {"lag": 75})])
    assert (status(outcome), reply(outcome)) == ("answered", {"lag": 75})
    assert outcome.trace.notes == (
        "`get_lag` has a `run_async` of its own: it was answered as a whole, its code did not run",
    )


def test_an_agent_tool_that_a_route_names_is_not_run(use, make, run):
    inner = LlmAgent(name="inner", model=MODEL, tools=[get_lag])
    outcome = use(AgentTool(inner), "inner", {"request": "?"}, routes=[make.route("inner", {"result": "mocked"})])
    assert (status(outcome), reply(outcome)) == ("answered", {"result": "mocked"})
    assert outcome.trace.models == {"one": MODEL}


def test_adks_own_memory_tool_runs_for_real(use):
    outcome = use(load_memory_tool, "load_memory", {"query": "lag"})
    assert (status(outcome), reply(outcome)) == ("control", {"result": {"memories": []}})
    assert outcome.trace.misses == ()


def test_a_loop_exit_that_the_team_wrote_itself_runs_for_real(use):
    def exit_loop(tool_context: ToolContext) -> dict:
        """Leave the loop."""
        tool_context.actions.escalate = True
        return {"left": True}

    outcome = use(exit_loop, "exit_loop")
    assert (status(outcome), reply(outcome)) == ("control", {"left": True})


def test_a_function_offered_as_a_node_is_mocked(use, make):
    outcome = use(FunctionNode(func=get_lag), "get_lag", {"group": "a"}, routes=[make.route("get_lag", {"lag": 75})])
    assert (status(outcome), reply(outcome)) == ("answered", {"lag": 75})


def test_a_workflow_offered_as_a_tool_runs_for_real(make, run):
    inner = LlmAgent(name="inner", model=MODEL, tools=[get_lag])
    flow = Workflow(name="flow", edges=[("START", inner)], input_schema=str)
    agent = LlmAgent(name="one", model=MODEL, tools=[flow])
    turn = make.turn(make.call("flow", request="?"), make.call("get_lag", group="a"))
    outcome = run.one(agent, turn, mocks=[make.route("get_lag")])
    assert run.tools(outcome, "agent", "name", "status", "parent") == [
        ("one", "flow", "agent", None),
        ("inner", "get_lag", "answered", "call-1"),
    ]


def test_tools_on_a_thread_pool_are_answered_too(use, make):
    def on_threads(callback_context):
        config = callback_context.get_invocation_context().run_config
        config.tool_thread_pool_config = ToolThreadPoolConfig(max_workers=2)

    routes = [make.route("get_lag", {"lag": 75})]
    outcome = use(get_lag, "get_lag", {"group": "a"}, routes=routes, before_agent_callback=on_threads)
    assert (status(outcome), reply(outcome)) == ("answered", {"lag": 75})
