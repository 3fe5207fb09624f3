"""Toolsets that would ask a server for their tools list what the mocks file describes instead."""

import asyncio
import sys
from types import ModuleType

import pytest
from google.adk.agents import LlmAgent
from google.adk.tools.apihub_tool import APIHubToolset
from google.adk.tools.application_integration_tool import ApplicationIntegrationToolset
from google.adk.tools.base_tool import BaseTool
from google.adk.tools.base_toolset import BaseToolset
from google.adk.tools.toolbox_toolset import ToolboxToolset

from evalkit.adk.edges import edges
from evalkit.errors import AgentLoadError
from evalkit.traces import Failure

MODEL = "gemini-2.5-flash"
QUERY = {
    "name": "query",
    "description": "Run a query.",
    "input_schema": {"type": "object", "properties": {"sql": {"type": "string"}}, "required": ["sql"]},
}
DROP = {"name": "drop", "inputSchema": {"type": "object"}}
TOOLS = {"base": {"tools": [QUERY, DROP]}}


class Remote:
    """A client of a toolbox server that is not there."""

    def __init__(self, **_):
        self.closed = 0

    async def get_tools(self, readonly_context=None):
        raise AssertionError("the server was asked")

    async def close(self):
        self.closed += 1


@pytest.fixture
def toolbox(monkeypatch):
    package = ModuleType("toolbox_adk")
    package.ToolboxToolset = Remote
    monkeypatch.setitem(sys.modules, "toolbox_adk", package)
    return ToolboxToolset("http://toolbox.example")


def analyst(*toolsets, **fields):
    return LlmAgent(name="analyst", model=MODEL, tools=list(toolsets), **fields)


def test_its_tools_are_those_of_the_mocks_file_and_answered_by_routes(toolbox, make, run):
    turn = make.turn(make.call("query", sql="select 1"), make.call("query", text="?"))
    routes = [make.route("query", {"rows": 1}, args={"sql": "select 1"}), make.route("query", {"rows": 0})]
    outcome = run.one(analyst(toolbox), turn, mocks=routes, toolsets=TOOLS)
    assert run.tools(outcome, "status", "reply") == [("answered", {"rows": 1}), ("answered", {"rows": 0})]
    assert outcome.trace.turns[0].golden.misfits == (
        "$[1]: `query` takes no argument `text` (its arguments: sql)",
        "$[1]: `query` needs the argument `sql`",
    )
    assert toolbox._delegate.closed == 1


def test_a_filter_and_a_prefix_work_as_in_production(toolbox, make, run):
    toolbox.tool_filter, toolbox.tool_name_prefix = ["query"], "db"
    turn = make.turn(make.call("db_query", sql="select 1"), make.call("db_drop", "analyst"))
    outcome = run.one(analyst(toolbox), turn, mocks=[make.route("db_query")], toolsets=TOOLS)
    assert run.tools(outcome, "name", "status") == [("db_query", "answered"), ("db_drop", "unknown")]


def test_without_an_entry_it_is_named_when_the_agent_is_loaded(toolbox, make, run):
    with pytest.raises(AgentLoadError, match=r"^toolset 1 of agent analyst \(ToolboxToolset\) has no entry under"):
        run.one(analyst(toolbox), make.turn())


def test_a_route_cannot_pass_through_to_a_tool_that_is_only_described(toolbox, make, run):
    route = make.route("query", passthrough=True)
    turn = make.turn(make.call("query", sql="select 1"))
    outcome = run.one(analyst(toolbox), turn, mocks=[route], toolsets=TOOLS, passthrough=True)
    message = "query is only described, under toolsets.base; it cannot pass through"
    assert outcome.failure == Failure(kind="case_error", message=message)


class Own(BaseToolset):
    """A toolset that only its author knows."""

    async def get_tools(self, readonly_context=None):
        raise OSError("no route to host")


def test_any_toolset_can_be_described_by_a_match_that_names_it(make, run):
    toolsets = {"base": {**TOOLS["base"], "match": {"type": "Own"}}}
    turn = make.turn(make.call("query", sql="select 1"))
    outcome = run.one(analyst(Own()), turn, mocks=[make.route("query")], toolsets=toolsets)
    assert run.tools(outcome, "status") == [("answered",)]


def test_any_other_toolset_runs_its_own_code_and_its_failure_is_noted(make, run):
    outcome = run.one(analyst(Own()), make.turn())
    assert outcome.failure is None
    assert outcome.trace.notes == (
        "Own could not tell its tools, so the agent ran without them: OSError: no route to host",
    )


@pytest.fixture
def google_client(monkeypatch):
    """The names of Google's API client, which is an extra; whoever uses one of them fails."""
    for name in ("googleapiclient", "googleapiclient.discovery", "googleapiclient.errors", "httplib2"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    sys.modules["googleapiclient.discovery"].build = None
    sys.modules["googleapiclient.errors"].HttpError = OSError


def calendar():
    from google.adk.tools.google_api_tool import GoogleApiToolset

    return GoogleApiToolset("calendar", "v3")


@pytest.mark.parametrize(
    "make_toolset",
    [
        calendar,
        lambda: APIHubToolset(apihub_resource_name="projects/p/locations/l/apis/a"),
        lambda: ApplicationIntegrationToolset(project="p", location="l", integration="i", triggers=["t"]),
        lambda: ApplicationIntegrationToolset(project="p", location="l", connection="c", actions=["a"]),
    ],
    ids=["google api", "api hub", "integration", "connection"],
)
def test_a_toolset_that_connects_when_it_is_made_does_not(make_toolset, google_client, make, run):
    with edges():
        toolset = make_toolset()
    turn = make.turn(make.call("query", sql="select 1"))
    outcome = run.one(analyst(toolset), turn, mocks=[make.route("query")], toolsets=TOOLS)
    assert outcome.failure is None
    assert run.tools(outcome, "status") == [("answered",)]


def test_outside_of_a_case_a_toolset_tells_its_own_tools():
    class Local(BaseToolset):
        async def get_tools(self, readonly_context=None):
            return [BaseTool(name="own", description="")]

    with edges():
        assert [tool.name for tool in asyncio.run(Local().get_tools())] == ["own"]
