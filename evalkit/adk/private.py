"""Every name of google-adk that evalkit uses although ADK does not document it. Each has a test.

ADK has no public hook below a tool or below an agent's choice of model, so these few names are what the edges hold on
to. `check()` finds out at once, with one line, when a release of ADK has moved one of them.
"""

from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import Any

from google.adk.agents import BaseAgent, LlmAgent
from google.adk.flows.llm_flows.extensions import _agent_transfer
from google.adk.models.base_llm import BaseLlm
from google.adk.models.registry import LLMRegistry
from google.adk.tools import _node_tool
from google.adk.tools.base_tool import BaseTool
from google.adk.tools.base_toolset import BaseToolset
from google.adk.tools.function_tool import FunctionTool
from google.adk.version import __version__ as adk_version
from google.adk.workflow import BaseNode

from evalkit.errors import AdkVersionError

INVOKE_CALLABLE = "_invoke_callable"
"""`FunctionTool` calls its function through this method, and only so unless the function is a generator."""

RUN_GENERATOR = "_run_generator_as_node"
"""`FunctionTool` runs a generator function through this method, around `_invoke_callable`."""

STATIC_CHILDREN = "_iter_static_children"
"""Every node tells its direct children with this method: sub-agents, nodes of a graph, nodes used as tools."""

DECLARATION = "_get_declaration"
"""Every tool builds what the model is told about it with this method."""

AGENT_NAME_LABEL = "adk_agent_name"
"""The label that ADK puts on a model request to say which agent asks."""

NO_CONTENT = "MODEL_RETURNED_NO_CONTENT"
"""The error code of an event by which ADK says that a model answered, and with nothing."""

REJECTED_REPLY = {"error": "This tool call is rejected."}
"""What ADK tells the model in a tool's place after the user refused the call."""

NODE_IN_WRAPPER = "_node"
"""A parallel worker holds the node it runs in this attribute."""

DEFAULT_MODEL = "_default_model"
"""`LlmAgent` keeps here the model of agents that neither have nor inherit one."""

IS_SELECTED = "_is_tool_selected"
"""Every toolset applies its `tool_filter` with this method."""

AUTH_CONFIG = "_auth_config"
"""A `CredentialManager` keeps here which credential it is for."""

SESSION_MANAGER = "_mcp_session_manager"
"""An `McpToolset` gets its sessions, and those of its tools, from the manager in this attribute."""

LISTS_RESOURCES = "_use_mcp_resources"
"""An `McpToolset` in which this is true also offers the server's resources."""

TOOL_LIST_KEY = "_tool_list_cache_key"
"""An `McpToolset` asks this method under which key it keeps what `tools/list` said; None keeps nothing."""

WITH_SESSION = "_execute_with_session"
"""An `McpToolset` does with this method whatever needs a session, except calls of tools."""

OPENAPI_TOOLS = "_tools"
"""An `OpenAPIToolset` makes its tools at once and keeps them here."""

SEND_REQUEST = "_request"
"""The function through which every `RestApiTool` sends its request."""

RESOLVE_HOST = "_resolve_direct_addresses"
"""The function by which `RestApiTool` looks up a host's addresses, which it does before it sends."""

LOAD_GOOGLE_API = "_load_toolset_with_oidc_auth"
"""A `GoogleApiToolset` fetches the API's description with this method, in its constructor."""

PREPARE_API_HUB = "_prepare_toolset"
"""An `APIHubToolset` fetches its specification with this method, in its constructor or when first asked for tools."""

PARSE_INTEGRATION = "_parse_spec_to_toolset"
"""An `ApplicationIntegrationToolset` makes its tools with this method out of what its clients fetched."""

LITELLM_ARGUMENTS = "_additional_args"
"""A `LiteLlm` keeps in this attribute what it hands on to LiteLLM, such as an `api_key`."""

LATE: Mapping[str, tuple[str, ...]] = {
    "google.adk.auth.credential_manager": ("CredentialManager.get_auth_credential",),
    "google.adk.tools.apihub_tool.apihub_toolset": (f"APIHubToolset.{PREPARE_API_HUB}",),
    "google.adk.tools.application_integration_tool.application_integration_toolset": (
        f"ApplicationIntegrationToolset.{PARSE_INTEGRATION}",
    ),
    "google.adk.tools.application_integration_tool.clients.connections_client": (
        "ConnectionsClient.get_connection_details",
    ),
    "google.adk.tools.application_integration_tool.clients.integration_client": (
        "IntegrationClient.get_openapi_spec_for_connection",
        "IntegrationClient.get_openapi_spec_for_integration",
    ),
    "google.adk.tools.google_api_tool.google_api_toolset": (f"GoogleApiToolset.{LOAD_GOOGLE_API}",),
    "google.adk.tools.mcp_tool.mcp_session_manager": ("MCPSessionManager.create_session",),
    "google.adk.tools.mcp_tool.mcp_toolset": (f"McpToolset.{TOOL_LIST_KEY}", f"McpToolset.{WITH_SESSION}"),
    "google.adk.tools.openapi_tool.openapi_spec_parser.rest_api_tool": (SEND_REQUEST, RESOLVE_HOST),
    "google.adk.tools.openapi_tool.openapi_spec_parser.tool_auth_handler": (
        "ToolAuthHandler.prepare_auth_credentials",
    ),
}
"""What the edges replace in modules that load slowly or need an extra: looked at only once an agent has loaded them."""

_REQUIRED: tuple[tuple[object, str], ...] = (
    (FunctionTool, INVOKE_CALLABLE),
    (FunctionTool, RUN_GENERATOR),
    (BaseNode, STATIC_CHILDREN),
    (BaseTool, DECLARATION),
    (BaseTool, "run_async"),
    (BaseToolset, "get_tools"),
    (BaseToolset, IS_SELECTED),
    (BaseLlm, "generate_content_async"),
    (BaseLlm, "connect"),
    (LLMRegistry, "new_llm"),
    (LlmAgent, "canonical_model"),
    (LlmAgent, DEFAULT_MODEL),
    (_agent_transfer, "_get_transfer_targets"),
    (_node_tool, "NodeTool"),
)


def check(required: Sequence[tuple[object, str]] = _REQUIRED) -> None:
    """Make sure that this google-adk has all that the edges hold on to.

    Raises:
        AdkVersionError: A name is gone; the message is one line with ADK's version.
    """
    for owner, name in required:
        if not hasattr(owner, name):
            where = getattr(owner, "__name__", repr(owner))
            raise AdkVersionError(
                f"google-adk {adk_version} has no {where}.{name}, which evalkit replaces while it plays a case;"
                " install a google-adk that this evalkit knows (2.13) or a newer evalkit"
            )


def check_late(module: ModuleType) -> None:
    """Make sure that a module that has just been loaded has what `LATE` names in it.

    Raises:
        AdkVersionError: A name is gone.
    """
    for path in LATE[module.__name__]:
        owner: object = module
        for name in path.split("."):
            check([(owner, name)])
            owner = getattr(owner, name)


def transfer_targets(agent: BaseAgent) -> list[BaseAgent]:
    """Return the agents that this agent can transfer to."""
    return list(_agent_transfer._get_transfer_targets(agent))


def static_children(node: BaseNode) -> list[BaseNode]:
    """Return a node's direct children as far as they are known before it runs."""
    return list(getattr(node, STATIC_CHILDREN)())


def wrapped_node(node: BaseNode) -> BaseNode | None:
    """Return the node inside a wrapper such as a parallel worker."""
    inner = getattr(node, NODE_IN_WRAPPER, None)
    return inner if isinstance(inner, BaseNode) else None


def node_in_tool(tool: object) -> BaseNode | None:
    """Return the node that runs when this tool is called, if it is a node offered as a tool."""
    return tool.node if isinstance(tool, _node_tool.NodeTool) else None


def declaration(tool: BaseTool) -> Any:
    """Return the tool's `FunctionDeclaration`, None if the model is told nothing about it."""
    build: Callable[[], Any] = getattr(tool, DECLARATION)
    return build()


def default_model() -> str:
    """Name the model of agents that neither have nor inherit one."""
    model = getattr(LlmAgent, DEFAULT_MODEL)
    return model if isinstance(model, str) else str(model.model)


def load_litellm() -> None:
    """Load LiteLLM as ADK does when such a model is first asked, which takes many seconds.

    Raises:
        ImportError: It is not installed.
    """
    from google.adk.models import lite_llm

    lite_llm._ensure_litellm_imported()


def litellm_arguments(model: BaseLlm) -> Mapping[str, Any]:
    """Return what a model hands on to LiteLLM with each request; empty for any other model."""
    return getattr(model, LITELLM_ARGUMENTS, None) or {}


def is_selected(toolset: BaseToolset, tool: BaseTool, context: Any) -> bool:
    """Tell whether the toolset's `tool_filter` lets a tool through."""
    return bool(getattr(toolset, IS_SELECTED)(tool, context))


def mcp_error(message: str) -> Exception:
    """Build the exception by which an MCP server's error reaches its client; its name depends on the SDK's version."""
    from google.adk.dependencies import _mcp  # loads the MCP SDK, which is an extra

    code = -32603  # JSON-RPC's "internal error"
    build: Callable[..., Exception] = _mcp.McpError
    return build(code, message) if _mcp.IS_MCP_SDK_V2 else build(_mcp.types.ErrorData(code=code, message=message))
