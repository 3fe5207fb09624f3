"""Mocks files against the agent's toolsets: what does not fit is named when the agent is loaded."""

import pytest
from google.adk.agents import LlmAgent
from google.adk.tools.base_toolset import BaseToolset
from google.adk.tools.mcp_tool import McpToolset, StdioConnectionParams
from google.adk.workflow import FunctionNode, Workflow
from mcp import StdioServerParameters

from evalkit.adk.survey import survey
from evalkit.adk.target import AdkTarget
from evalkit.adk.toolset_checks import AgentToolsets, Mocks
from evalkit.errors import AgentLoadError
from evalkit.routes import MockSet, ProvidedTool, Reply, Route

MODEL = "gemini-2.5-flash"
SERVER = "toolset 1 of agent desk (stdio: npx server-sums)"
INTEGER = {"type": "object", "properties": {"result": {"type": "integer"}}, "required": ["result"]}
SUMS = {"sums": {"tools": [{"name": "add"}, {"name": "pay"}, {"name": "count", "output_schema": INTEGER}]}}


def sums(**options):
    params = StdioConnectionParams(server_params=StdioServerParameters(command="npx", args=["server-sums"]))
    return McpToolset(connection_params=params, **options)


def get_lag(group: str) -> dict:
    """Return the lag of a group."""
    return {}


def desk(*tools, **fields):
    return LlmAgent(name="desk", model=MODEL, tools=[get_lag, *tools], **fields)


def mocks(*routes, toolsets=SUMS, file="m.yaml"):
    return MockSet(file=file, routes=routes, toolsets=toolsets)


def route(tool, value=None, **fields):
    return Route(tool=tool, replies=(Reply(value=value),), label=f"m.yaml:4 {tool}", **fields)


def faults(root, *files):
    """What is wrong with each of these files as a folder's, line by line; nothing if the agent can be played."""
    try:
        AgentToolsets(root).completed(survey(root), [Mocks(folder=file) for file in files])
    except AgentLoadError as error:
        return str(error).splitlines()
    return []


def test_routes_of_every_kind_of_tool_fit():
    routes = [route("add"), route("get_lag"), route("transfer_to_agent"), route("helper", agent="desk")]
    root = desk(sums(), sub_agents=[LlmAgent(name="helper", model=MODEL, mode="single_turn")])
    assert faults(root, mocks(*routes)) == []


def test_a_route_of_a_tool_that_the_mocks_provide_fits():
    given = MockSet(
        file="m.yaml", routes=(route("describe"),), toolsets=SUMS, provides=(ProvidedTool(name="describe"),)
    )
    assert faults(desk(sums()), given) == []


@pytest.mark.parametrize(
    ("options", "tool", "fault"),
    [
        ({}, "ad", "no agent has a tool named ad (did you mean add?), and no toolset lists it"),
        ({}, "get_lags", "no agent has a tool named get_lags (did you mean get_lag?), and no toolset lists it"),
        ({}, "refund", "no agent has a tool named refund, and no toolset lists it"),
        (
            {"tool_filter": ["pay"]},
            "add",
            f"no agent has a tool named add; toolsets.sums lists it, and {SERVER} leaves it out by its tool_filter",
        ),
        (
            {"tool_name_prefix": "acme"},
            "add",
            f"no agent has a tool named add; toolsets.sums lists it, and {SERVER} calls it acme_add",
        ),
        ({}, "load_mcp_resource", "no agent has a tool named load_mcp_resource, and no toolset lists it"),
    ],
)
def test_a_route_for_a_tool_that_nobody_has_is_named(options, tool, fault):
    assert faults(desk(sums(**options)), mocks(route(tool))) == [f"m.yaml:4 {tool}: {fault}"]


def test_a_filter_that_is_a_function_may_let_every_tool_through():
    def never(tool, readonly_context=None):
        return False

    assert faults(desk(sums(tool_filter=never)), mocks(route("add"))) == []


def test_resources_bring_a_tool_of_their_own():
    options = {"use_mcp_resources": True, "tool_name_prefix": "acme"}
    assert faults(desk(sums(**options)), mocks(route("acme_load_mcp_resource"))) == []


def test_an_agent_without_toolsets_may_get_its_tools_from_anywhere():
    assert faults(desk(), mocks(route("refund"), toolsets={})) == []


def test_where_a_toolset_of_the_users_own_may_have_the_tool_nothing_is_said():
    class Own(BaseToolset):
        async def get_tools(self, readonly_context=None):
            raise AssertionError("it was asked")

    assert faults(desk(sums(), Own()), mocks(route("refund"))) == []


@pytest.mark.parametrize(
    ("value", "fault"),
    [
        ("three", 'Invalid structured content returned by tool count: "three" is not of type "integer"'),
        ({"total": 3}, 'Invalid structured content returned by tool count: "result" is a required property'),
        (None, 'Invalid structured content returned by tool count: null is not of type "integer"'),
        (
            {"content": [{"type": "text", "text": "3"}]},
            "Tool count has an output schema but did not return structured content",
        ),
    ],
)
def test_a_reply_that_the_output_schema_does_not_allow_is_named(value, fault):
    assert faults(desk(sums()), mocks(route("count", value))) == [f"m.yaml:4 count: {fault}"]


def test_a_reply_that_is_no_result_of_mcp_is_named():
    (fault,) = faults(desk(sums()), mocks(route("add", {"content": [{"type": "text", "txt": "3"}]})))
    assert fault.startswith("m.yaml:4 add: add returns what is no MCP result: content.0.")
    assert fault.endswith("text: Field required")


def test_an_error_need_not_fit_the_output_schema():
    assert faults(desk(sums()), mocks(route("count", {"content": [], "isError": True}))) == []


def test_each_mocks_file_is_checked_and_each_fault_told_once():
    empty, other = mocks(toolsets={}, file="a/mocks.yaml"), mocks(route("ad"), file="b/mocks.yaml")
    found = faults(desk(sums()), empty, other, empty)
    assert [fault.partition(";")[0] for fault in found] == [
        "toolset 1 of agent desk (stdio: npx server-sums) has no entry under toolsets: in a/mocks.yaml",
        "m.yaml:4 ad: no agent has a tool named ad (did you mean add?), and no toolset lists it",
    ]


def test_a_cases_own_file_adds_entries_and_wins(make):
    folder = mocks(toolsets={"sums": {"tools": [{"name": "old"}]}})
    own = mocks(route("add"), file="own.yaml")
    target = AdkTarget(make.loaded(desk(sums())), mocks=[Mocks(own, folder)])
    assert target.tools() == {"desk": ("get_lag", "add", "pay", "count")}
    assert (Mocks(own, folder).file, Mocks(own).file, Mocks().file) == ("m.yaml", "own.yaml", "mocks.yaml")


def test_the_tools_of_toolsets_are_part_of_the_tree_under_every_agent_that_has_them(make):
    shared = sums(tool_filter=["pay"], tool_name_prefix="acme")
    root = desk(shared, sub_agents=[LlmAgent(name="back", model=MODEL, tools=[shared])])
    tree = AdkTarget(make.loaded(root), mocks=[Mocks(folder=mocks())]).tree
    assert {name: agent.tools for name, agent in tree.agents.items()} == {
        "desk": ("get_lag", "acme_pay"),
        "back": ("acme_pay",),
    }


def test_a_workflow_without_agents_has_nothing_to_check():
    flow = Workflow(name="flow", edges=[("START", FunctionNode(func=get_lag))])
    assert faults(flow, mocks(toolsets={})) == []
