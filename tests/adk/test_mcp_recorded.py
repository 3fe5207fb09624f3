"""A real MCP server over standard input and output: recorded once, replayed when it is gone."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from google.adk.agents import LlmAgent
from google.adk.tools.mcp_tool import McpToolset, StdioConnectionParams
from mcp import StdioServerParameters

from evalkit.adk.load import loaded_agent
from evalkit.adk.toolsets import describe
from evalkit.errors import AgentLoadError
from evalkit.formats import mocks as mocks_format

SAMPLE = Path(__file__).parent / "mcp_agent"


@pytest.fixture(scope="module")
def recording(tmp_path_factory):
    """A copy of the sample agent, what its server listed, and how often it was started; the server is deleted."""
    folder = tmp_path_factory.mktemp("agents") / "mcp_agent"
    shutil.copytree(SAMPLE, folder, ignore=shutil.ignore_patterns("__pycache__"))
    section = describe(str(folder))
    (folder / "server.py").unlink()
    starts = folder / "starts.txt"
    return SimpleNamespace(folder=folder, section=section, starts=lambda: starts.read_text().count("started"))


@pytest.fixture
def agent(recording):
    with loaded_agent(str(recording.folder)) as agent:
        yield agent


def test_what_the_server_lists_is_written_down(recording):
    assert list(recording.section) == ["server"]
    tools = {tool["name"]: tool for tool in recording.section["server"]["tools"]}
    assert list(tools) == ["add", "divide", "pay"]
    assert tools["add"]["description"] == "Add two numbers."
    assert tools["add"]["input_schema"]["required"] == ["a", "b"]
    assert tools["add"]["output_schema"]["properties"]["result"]["type"] == "integer"
    assert "output_schema" not in tools["pay"]
    assert "resources" not in recording.section["server"]
    assert recording.starts() == 1


def test_what_is_written_down_is_a_good_mocks_file(recording, tmp_path):
    path = tmp_path / "mocks.json"
    path.write_text(json.dumps({"toolsets": recording.section}), encoding="utf-8")
    loaded = mocks_format.read(path)
    assert loaded.problems == ()
    assert loaded.value.toolsets == recording.section


def test_cases_are_replayed_side_by_side_without_the_server(recording, agent, make, run, monkeypatch):
    closed = []

    async def close(self):
        closed.append("closed")

    monkeypatch.setattr(McpToolset, "close", close)
    routes = [make.route("add", n + 1, args={"a": n}) for n in range(8)]
    cases = [make.case(f"c{n}", make.turn(make.call("add", a=n, b=1))) for n in range(8)]
    outcomes = run.cases(agent, cases, routes, toolsets=recording.section, concurrency=4)
    for n in range(8):
        (event,) = outcomes[f"c{n}"].trace.turns[0].tools
        assert (event.status, event.reply["structuredContent"]) == ("answered", {"result": n + 1})
        assert outcomes[f"c{n}"].trace.turns[0].golden.misfits == ()
    assert closed == ["closed"]
    assert recording.starts() == 1


def test_a_reply_that_the_server_could_not_give_is_named_before_anything_is_played(recording, agent, make, run):
    with pytest.raises(AgentLoadError) as caught:
        run.cases(agent, [], [make.route("add", "three")], toolsets=recording.section)
    assert str(caught.value) == (
        'm.yaml add: Invalid structured content returned by tool add: "three" is not of type "integer"'
    )


def test_a_server_that_cannot_be_asked_is_told_with_its_toolset(recording):
    with pytest.raises(AgentLoadError) as caught:
        describe(str(recording.folder))
    command = Path(sys.executable).name
    assert str(caught.value).startswith(
        f"toolset 1 of agent clerk (stdio: {command} server.py) cannot be asked for its tools: "
    )


@pytest.fixture
def live(tmp_path):
    """A toolset whose server is there, with a filter and a prefix."""
    shutil.copy(SAMPLE / "server.py", tmp_path)
    server = StdioServerParameters(command=sys.executable, args=[str(tmp_path / "server.py")])
    connection = StdioConnectionParams(server_params=server, timeout=60)
    return McpToolset(connection_params=connection, tool_filter=["divide"], tool_name_prefix="sums")


def test_a_route_that_passes_through_reaches_the_real_server(live, make, run):
    agent = LlmAgent(name="clerk", model="gemini-2.5-flash", tools=[live])
    listed = {"sums": {"tools": [{"name": "divide"}, {"name": "pay"}]}}
    routes = [make.route("sums_divide", args={"b": 0}, passthrough=True), make.route("sums_divide", 7)]
    turn = make.turn(make.call("sums_divide", a=1, b=0), make.call("sums_divide", a=1, b=2))
    outcome = run.one(agent, turn, mocks=routes, toolsets=listed, passthrough=True, timeout=60)
    real, mocked = outcome.trace.turns[0].tools
    assert (real.status, real.reply["isError"]) == ("real", True)
    assert "divide" in real.reply["content"][0]["text"]
    assert (mocked.status, mocked.reply["content"][0]["text"]) == ("answered", "7")


def test_case_17_of_the_shared_cases_holds(shared, make, run):
    """An MCP toolset whose list and answers come from the file: nothing connects, and cases run side by side."""
    given = json.loads((shared / "cases" / "17_toolset_mock_without_server.json").read_text())["input"]
    nowhere = StdioConnectionParams(server_params=StdioServerParameters(command="/no/such/server"))
    agent = LlmAgent(name="one", model="gemini-2.5-flash", tools=[McpToolset(connection_params=nowhere)])
    (tool,) = given["toolset"]["tools"]
    schema = {"type": "object", "properties": {name: {"type": kind} for name, kind in tool["parameters"].items()}}
    toolsets = {given["toolset"]["name"]: {"tools": [{"name": tool["name"], "input_schema": schema}]}}
    routes = [make.route(mock["tool"], mock["response"], args=mock["args"]) for mock in given["mocks"]]
    cases = []
    for written in given["evalset"]["eval_cases"]:
        (turn,) = written["conversation"]
        calls = [make.call(use["name"], **use["args"]) for use in turn["intermediate_data"]["tool_uses"]]
        cases.append(make.case(written["eval_id"], make.turn(*calls, final=turn["final_response"]["parts"][0]["text"])))
    outcomes = run.cases(agent, cases, routes, toolsets=toolsets, concurrency=given["run"]["parallel"])
    for name, total in (("a", 3), ("b", 4)):
        assert outcomes[name].failure is None
        (event,) = outcomes[name].trace.turns[0].tools
        assert (event.status, event.reply["structuredContent"]) == ("answered", {"sum": total})
        assert outcomes[name].trace.turns[0].golden.final_given
    with pytest.raises(AgentLoadError, match=r"^m.yaml ad: no agent has a tool named ad \(did you mean add\?\)"):
        run.cases(agent, cases, [make.route("ad", {"sum": 3})], toolsets=toolsets)


def test_the_mcp_sdk_is_loaded_only_by_an_agent_that_uses_it(clean_env):
    program = """
import sys
from evalkit.adk import edges, target
with edges.edges():
    assert "mcp" not in sys.modules
    from google.adk.tools.mcp_tool.mcp_session_manager import MCPSessionManager
    replaced = MCPSessionManager.create_session
assert "mcp" in sys.modules
assert MCPSessionManager.create_session is not replaced
"""
    done = subprocess.run([sys.executable, "-c", program], env=clean_env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
