"""The toolset edge: no toolset connects. What it lists stands in the mocks file, what its tools answer too.

MCP toolsets and OpenAPI tools run as in production down to their session or request. ADK's other toolsets that would
ask a server for their tools list what the mocks file describes, and so does any toolset that an entry's `match` names;
their tools are answered as a whole. A toolset of the user's own that no entry names runs its own code.

Everything here waits for the agent to load what is replaced: the MCP SDK alone takes a second to import.
"""

import importlib
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from types import ModuleType
from typing import Any

from google.adk.tools.base_tool import BaseTool
from google.adk.tools.base_toolset import BaseToolset
from google.adk.tools.tool_context import ToolContext
from google.genai import types

from evalkit.adk import private
from evalkit.adk.imports import Action, when_imported
from evalkit.adk.pairing import Entry, JsonObject, missing
from evalkit.adk.patches import Patches
from evalkit.adk.playing import CURRENT, Playing
from evalkit.adk.servers import MCP, kinds, look_at, needs_server
from evalkit.errors import FakeError
from evalkit.traces import Failure

GetTools = Callable[..., Awaitable[list[BaseTool]]]

_ADK_TOOLS = "google.adk.tools"
_INTEGRATION = f"{_ADK_TOOLS}.application_integration_tool"
_OPENAPI = f"{_ADK_TOOLS}.openapi_tool.openapi_spec_parser"

_REPLACED_WHEN_LOADED: Mapping[str, str] = {
    "google.adk.auth.credential_manager": "evalkit.adk.credential_edge:replace_fetching",
    f"{_OPENAPI}.tool_auth_handler": "evalkit.adk.credential_edge:replace_preparing",
    f"{_OPENAPI}.rest_api_tool": "evalkit.adk.openapi_edge:replace_requests",
    f"{_ADK_TOOLS}.mcp_tool.mcp_session_manager": "evalkit.adk.mcp_edge:replace_sessions",
    f"{_ADK_TOOLS}.mcp_tool.mcp_toolset": "evalkit.adk.mcp_edge:forget_lists",
    f"{_ADK_TOOLS}.apihub_tool.apihub_toolset": "evalkit.adk.constructors:keep_api_hub_offline",
    f"{_ADK_TOOLS}.google_api_tool.google_api_toolset": "evalkit.adk.constructors:keep_google_apis_offline",
    f"{_INTEGRATION}.application_integration_toolset": "evalkit.adk.constructors:keep_integrations_offline",
    f"{_INTEGRATION}.clients.connections_client": "evalkit.adk.constructors:keep_connections_offline",
    f"{_INTEGRATION}.clients.integration_client": "evalkit.adk.constructors:keep_integration_client_offline",
}
"""Who replaces what in which module of ADK."""


@contextmanager
def offline_toolsets(patches: Patches) -> Iterator[None]:
    """Keep toolsets from connecting until `patches` is left.

    Some of them connect in their constructor, so this should stand before the agent is imported.
    """
    patches.wrap_family(BaseToolset, "get_tools", _at_get_tools)
    with when_imported({module: _action(patches, place) for module, place in _REPLACED_WHEN_LOADED.items()}):
        yield


def _action(patches: Patches, place: str) -> Action:
    module_name, _, function = place.partition(":")

    def replace(module: ModuleType) -> None:
        getattr(importlib.import_module(module_name), function)(patches, module)

    return replace


def _at_get_tools(original: GetTools) -> GetTools:
    async def get_tools(self: BaseToolset, *args: Any, **kwargs: Any) -> list[BaseTool]:
        playing = CURRENT.get()
        if playing is None:
            return await original(self, *args, **kwargs)
        entry = playing.toolsets.entry(self)
        if entry is None and needs_server(self):
            raise _unknown(playing, self)
        if entry is None or MCP in kinds(self):
            return await _asked(playing, self, original(self, *args, **kwargs))
        context = args[0] if args else kwargs.get("readonly_context")
        tools = [DescribedTool(entry, described) for described in entry.tools]
        return [tool for tool in tools if private.is_selected(self, tool, context)]

    return get_tools


async def _asked(playing: Playing, toolset: BaseToolset, tools: Awaitable[list[BaseTool]]) -> list[BaseTool]:
    try:
        return await tools
    except Exception as error:
        name = type(toolset).__name__
        playing.note(f"{name} could not tell its tools, so the agent ran without them: {type(error).__name__}: {error}")
        raise


def _unknown(playing: Playing, toolset: BaseToolset) -> FakeError:
    """Fail the case, since ADK would go on without the toolset's tools."""
    message = missing(look_at(toolset))
    playing.fail(Failure(kind="case_error", message=message))
    return FakeError(message)


class DescribedTool(BaseTool):
    """A tool of which no more is known than what a mocks file says; the tool edge answers its calls as a whole."""

    def __init__(self, entry: Entry, described: JsonObject) -> None:
        super().__init__(name=described["name"], description=described.get("description") or "")
        self._entry = entry
        self._schema = described.get("input_schema", described.get("inputSchema"))

    def _get_declaration(self) -> types.FunctionDeclaration:
        schema = self._schema or {"type": "object", "properties": {}}
        return types.FunctionDeclaration(name=self.name, description=self.description, parameters_json_schema=schema)

    async def run_async(self, *, args: dict[str, Any], tool_context: ToolContext) -> Any:  # noqa: ARG002 - ADK's signature
        """Refuse: only a route that passes through comes here, and there is nothing to pass through to."""
        raise FakeError(f"{self.name} is only described, under toolsets.{self._entry.name}; it cannot pass through")
