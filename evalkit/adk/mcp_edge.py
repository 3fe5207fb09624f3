"""MCP at its session: an `McpToolset` never connects, and ADK's own code runs down to `session.call_tool`.

What the server lists comes from the `toolsets:` of the case's mocks files, what its tools answer from their routes.
This module loads the MCP SDK, so it is itself loaded only when an agent has done so.
"""

from collections.abc import Awaitable, Callable
from functools import lru_cache
from types import ModuleType
from typing import Any

from mcp import types

from evalkit.adk import private
from evalkit.adk.mcp_results import result_of
from evalkit.adk.pairing import Entry, JsonObject
from evalkit.adk.patches import Patches
from evalkit.adk.playing import CURRENT
from evalkit.adk.tool_edge import answer_below
from evalkit.errors import FakeError
from evalkit.traces import Failure

Connect = Callable[[], Awaitable[Any]]

_TOOL_KEYS = {"input_schema": "inputSchema", "output_schema": "outputSchema", "meta": "_meta"}
_RESOURCE_KEYS = {"mime_type": "mimeType", "meta": "_meta"}
_CONTENTS = ("text", "blob")

_MCP_ERRORS = frozenset({"MCPError", "McpError"})
"""What mocks may call the error of an MCP server: the names that the two major versions of the SDK have for it."""


def replace_sessions(patches: Patches, module: ModuleType) -> None:
    """Give every toolset a stand-in for its session, as soon as ADK's session manager is loaded."""
    private.check_late(module)
    patches.wrap_family(module.MCPSessionManager, "create_session", _at_create_session)


def forget_lists(patches: Patches, module: ModuleType) -> None:
    """Keep toolsets from remembering what `tools/list` said: the next case may have another mocks file."""
    private.check_late(module)
    patches.wrap(module.McpToolset, private.TOOL_LIST_KEY, _no_key)


def _no_key(original: Callable[..., str | None]) -> Callable[..., str | None]:
    def tool_list_cache_key(self: Any, headers: dict[str, str]) -> str | None:
        return original(self, headers) if CURRENT.get() is None else None

    return tool_list_cache_key


def _at_create_session(original: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    async def create_session(self: Any, *args: Any, **kwargs: Any) -> Any:
        if CURRENT.get() is None:
            return await original(self, *args, **kwargs)
        return ReplayedSession(self, lambda: original(self, *args, **kwargs))

    return create_session


class ReplayedSession:
    """Stands in for the `mcp.ClientSession` of one request. It holds nothing, so nothing has to be closed.

    Args:
        manager: The session manager that was asked for a session.
        connect: Opens a real one, for routes that pass through.
    """

    def __init__(self, manager: object, connect: Connect) -> None:
        self._manager = manager
        self._connect = connect

    async def list_tools(self, *_: Any, **__: Any) -> types.ListToolsResult:
        """Answer `tools/list` from the mocks file."""
        return _tools(self._entry("tools/list"))

    async def call_tool(
        self, name: str, arguments: dict[str, Any] | None = None, *args: Any, **kwargs: Any
    ) -> types.CallToolResult:
        """Answer `tools/call` from the case's mocks, with what a real session would return or raise."""

        async def really() -> Any:
            return await (await self._connect()).call_tool(name, arguments, *args, **kwargs)

        try:
            answer = await answer_below(f"the MCP request tools/call {name}", really)
        except Exception as error:
            if type(error).__name__ in _MCP_ERRORS and not hasattr(error, "error"):  # named so by a mock
                raise private.mcp_error(str(error)) from error
            raise
        return answer if isinstance(answer, types.CallToolResult) else result_of(answer, name, self._schema(name))

    async def list_resources(self, *_: Any, **__: Any) -> types.ListResourcesResult:
        """Answer `resources/list` from the mocks file."""
        resources = self._entry("resources/list").resources
        listed = [{key: value for key, value in one.items() if key not in _CONTENTS} for one in resources]
        return types.ListResourcesResult.model_validate({"resources": [_spelt(one, _RESOURCE_KEYS) for one in listed]})

    async def read_resource(self, uri: Any, *_: Any, **__: Any) -> types.ReadResourceResult:
        """Answer `resources/read` from the mocks file."""
        resources = self._entry("resources/read").resources
        contents = [_contents(one) for one in resources if one["uri"] == str(uri)]
        if not contents:
            raise private.mcp_error(f"Unknown resource: {uri}")
        return types.ReadResourceResult.model_validate({"contents": contents})

    def __getattr__(self, name: str) -> Any:
        """Refuse what else a session can do, so that nothing seems to work that was never answered."""
        if name.startswith("_"):
            raise AttributeError(name)
        raise _refused(f"the agent used `{name}` of an MCP session; replay answers only tools and resources")

    def _schema(self, tool: str) -> JsonObject | None:
        playing = CURRENT.get()
        entry = playing.toolsets.entry_of_manager(self._manager) if playing else None
        listed: JsonObject = next((one for one in entry.tools if one["name"] == tool), {}) if entry else {}
        schema: JsonObject | None = listed.get("output_schema", listed.get("outputSchema"))
        return schema

    def _entry(self, request: str) -> Entry:
        playing = CURRENT.get()
        entry = playing.toolsets.entry_of_manager(self._manager) if playing else None
        if entry is None:
            raise _refused(f"an MCP server was asked for {request}, but nothing under toolsets: speaks of it")
        return entry


@lru_cache(maxsize=64)
def _tools(entry: Entry) -> types.ListToolsResult:
    """Make what the session's `list_tools` returns, once for all cases with the same mocks file."""
    nothing: JsonObject = {"inputSchema": {"type": "object", "properties": {}}}
    tools = [{**nothing, **_spelt(tool, _TOOL_KEYS)} for tool in entry.tools]
    return types.ListToolsResult.model_validate({"tools": tools})


def _contents(resource: JsonObject) -> dict[str, Any]:
    kept = {key: resource[key] for key in ("uri", "mime_type", "mimeType", *_CONTENTS) if key in resource}
    return {"text": "", **_spelt(kept, _RESOURCE_KEYS)} if "blob" not in kept else _spelt(kept, _RESOURCE_KEYS)


def _spelt(said: JsonObject, keys: dict[str, str]) -> dict[str, Any]:
    """Give a mocks file's keys the spelling of the protocol; what is null is left out."""
    return {keys.get(key, key): value for key, value in said.items() if value is not None}


def _refused(message: str) -> FakeError:
    playing = CURRENT.get()
    if playing is not None:
        playing.fail(Failure(kind="case_error", message=message))  # ADK goes on without what the session was for
    return FakeError(message)
