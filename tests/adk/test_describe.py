"""What is written down of live servers, for each way in which toolsets can be told apart."""

import asyncio
import sys
from types import ModuleType, SimpleNamespace

import pytest
from google.adk.agents import LlmAgent
from google.adk.tools.base_tool import BaseTool
from google.adk.tools.function_tool import FunctionTool
from google.adk.tools.mcp_tool import McpToolset, SseConnectionParams, StdioConnectionParams
from google.adk.tools.mcp_tool.mcp_session_manager import MCPSessionManager
from google.adk.tools.toolbox_toolset import ToolboxToolset
from mcp import StdioServerParameters, types

from evalkit.adk.pairing import entries, pair
from evalkit.adk.servers import find
from evalkit.adk.toolsets import describe
from evalkit.errors import AgentLoadError

MODEL = "gemini-2.5-flash"


class Session:
    """A server that lists one tool and two resources."""

    async def list_tools(self):
        tool = {
            "name": "query",
            "title": "Query",
            "inputSchema": {"type": "object"},
            "annotations": {"readOnlyHint": True},
            "icons": [{"src": "data:,"}],
            "_meta": {"ui": {"visibility": ["model"]}},
        }
        return types.ListToolsResult.model_validate({"tools": [tool]})

    async def list_resources(self):
        listed = [
            {"name": "rates", "uri": "memo://rates", "mimeType": "text/plain"},
            {"name": "logo", "uri": "memo://l"},
        ]
        return types.ListResourcesResult.model_validate({"resources": listed})

    async def read_resource(self, uri):
        content = {"text": "an hour costs 90"} if str(uri) == "memo://rates" else {"blob": "aGk="}
        return types.ReadResourceResult.model_validate({"contents": [{"uri": str(uri), **content}]})


@pytest.fixture
def opened(monkeypatch):
    """The managers that were asked for a session; none of them has a server."""
    asked = []

    async def create_session(self, headers=None):
        asked.append(self)
        return Session()

    monkeypatch.setattr(MCPSessionManager, "create_session", create_session)
    return asked


@pytest.fixture
def listed(monkeypatch, opened):
    """Describe an agent with these tools, and check that its toolsets can be paired with what was written down."""

    def listed(*tools, timeout=None):
        module = ModuleType("described_agent")
        module.root_agent = LlmAgent(name="desk", model=MODEL, tools=list(tools))
        monkeypatch.setitem(sys.modules, "described_agent", module)
        section = describe("described_agent", timeout=timeout)
        assert pair(find(module.root_agent), entries(section)).faults == ()
        return section

    return listed


def stdio(*words, **options):
    params = StdioConnectionParams(server_params=StdioServerParameters(command=words[0], args=list(words[1:])))
    return McpToolset(connection_params=params, **options)


def sse(url, **options):
    return McpToolset(connection_params=SseConnectionParams(url=url), **options)


def test_a_tool_is_written_in_the_spelling_of_mocks_files_without_what_no_model_sees(listed):
    assert listed(stdio("npx", "server-files"))["server-files"]["tools"] == [
        {
            "name": "query",
            "title": "Query",
            "input_schema": {"type": "object"},
            "annotations": {"readOnlyHint": True},
            "meta": {"ui": {"visibility": ["model"]}},
        }
    ]


def test_resources_are_written_down_where_the_toolset_offers_them(listed):
    assert listed(stdio("npx", "server-files", use_mcp_resources=True))["server-files"]["resources"] == [
        {"name": "rates", "uri": "memo://rates", "mime_type": "text/plain", "text": "an hour costs 90"},
        {"name": "logo", "uri": "memo://l", "blob": "aGk="},
    ]


def test_one_toolset_needs_no_match(listed):
    assert list(listed(stdio("npx", "server-files"))["server-files"]) == ["tools"]


def test_several_are_told_apart_by_what_they_run_or_where_they_are(listed):
    section = listed(
        stdio("npx", "server-files", "--key", "secret"),
        sse("http://mail.example/sse?key=secret"),
        stdio("npx", "server-git", tool_name_prefix="git"),
        stdio("/opt/git/server-files"),
    )
    assert {name: said.get("match") for name, said in section.items()} == {
        "server-files": {"command": {"$glob": "npx *server-files*"}},
        "mail.example": {"url": {"$glob": "http://mail.example/sse*"}},
        "git": None,
        "server-files-2": {"command": "server-files"},
    }


def test_toolsets_of_one_server_are_asked_once(listed, opened):
    section = listed(stdio("npx", "files", tool_filter=["query"]), stdio("npx", "files", tool_name_prefix="all"))
    assert (list(section), len(opened)) == (["files"], 1)


def test_an_agent_without_servers_has_nothing_to_write_down(listed):
    assert listed() == {}


def test_toolsets_of_other_kinds_tell_what_their_tools_declare(listed, monkeypatch):
    def lookup(name: str) -> dict:
        """Look a name up."""
        return {}

    class Remote:
        def __init__(self, **_):
            pass

        async def get_tools(self, readonly_context=None):
            return [FunctionTool(lookup), BaseTool(name="ping", description="Ping.")]

        async def close(self):
            pass

    monkeypatch.setitem(sys.modules, "toolbox_adk", SimpleNamespace(ToolboxToolset=Remote))
    (lookup_tool, ping) = listed(ToolboxToolset("http://toolbox.example"))["ToolboxToolset"]["tools"]
    assert (lookup_tool["name"], lookup_tool["description"]) == ("lookup", "Look a name up.")
    assert lookup_tool["input_schema"]["required"] == ["name"]
    assert ping == {"name": "ping", "description": "Ping.", "input_schema": {"type": "object"}}


def test_every_toolset_is_closed_also_when_one_cannot_be_asked(listed, monkeypatch):
    closed = []

    async def close(self):
        closed.append(self.connection_params.url)

    async def refuse(self):
        raise OSError("no\nroute")

    monkeypatch.setattr(McpToolset, "close", close)
    monkeypatch.setattr(Session, "list_tools", refuse)
    with pytest.raises(AgentLoadError) as caught:
        listed(sse("http://a.example/"), sse("http://b.example/"))
    assert str(caught.value).startswith(
        "toolset 1 of agent desk (http://a.example/) cannot be asked for its tools: the server gave no answer: no route"
    )
    assert closed == ["http://a.example/", "http://b.example/"]


def test_what_is_said_again_and_again_is_told_once_with_what_may_help(listed, monkeypatch):
    async def refuse(self):
        raise OSError("the server gave no answer: the server gave no answer: closed")

    monkeypatch.setattr(Session, "list_tools", refuse)
    with pytest.raises(AgentLoadError) as caught:
        listed(sse("http://a.example/"))
    assert str(caught.value).endswith(
        ": the server gave no answer: closed; is the server up, and does the agent's environment (its .env) have what"
        " it needs?"
    )


def test_a_server_that_takes_too_long_is_named_and_closed(listed, monkeypatch):
    closed = []

    async def close(self):
        closed.append(self.connection_params.url)

    async def hang(self):
        await asyncio.Event().wait()

    monkeypatch.setattr(McpToolset, "close", close)
    monkeypatch.setattr(Session, "list_tools", hang)
    with pytest.raises(
        AgentLoadError, match=r"toolset 1 .* \(http://a\.example/\) did not list its tools within 0\.01 s"
    ):
        listed(sse("http://a.example/"), timeout=0.01)
    assert closed == ["http://a.example/"]
