"""Every name of google-adk that evalkit uses although ADK does not document it. Each has a test.

ADK has no public hook below a tool or below an agent's choice of model, so these few names are what the edges hold on
to. `check()` finds out at once, with one line, when a release of ADK has moved one of them.
"""

from collections.abc import Callable, Sequence
from typing import Any

from google.adk.agents import BaseAgent, LlmAgent
from google.adk.flows.llm_flows.extensions import _agent_transfer
from google.adk.models.base_llm import BaseLlm
from google.adk.models.registry import LLMRegistry
from google.adk.tools import _node_tool
from google.adk.tools.base_tool import BaseTool
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

REJECTED_REPLY = {"error": "This tool call is rejected."}
"""What ADK tells the model in a tool's place after the user refused the call."""

NODE_IN_WRAPPER = "_node"
"""A parallel worker holds the node it runs in this attribute."""

_REQUIRED: tuple[tuple[object, str], ...] = (
    (FunctionTool, INVOKE_CALLABLE),
    (FunctionTool, RUN_GENERATOR),
    (BaseNode, STATIC_CHILDREN),
    (BaseTool, DECLARATION),
    (BaseTool, "run_async"),
    (BaseLlm, "generate_content_async"),
    (BaseLlm, "connect"),
    (LLMRegistry, "new_llm"),
    (LlmAgent, "canonical_model"),
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
