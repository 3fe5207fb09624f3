"""Looking at an agent without running it: its tree as plain data, and what its tools declare."""

import inspect
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from google.adk.agents import BaseAgent, LlmAgent, LoopAgent, ParallelAgent, SequentialAgent
from google.adk.tools.agent_tool import AgentTool
from google.adk.tools.base_tool import BaseTool
from google.adk.tools.base_toolset import BaseToolset
from google.adk.tools.function_tool import FunctionTool
from google.adk.workflow import BaseNode, FunctionNode, Workflow

from evalkit.adk import private
from evalkit.models.declarations import Declaration
from evalkit.models.tree import Agent, AgentTree, Kind

_KINDS: tuple[tuple[type, Kind], ...] = (
    (LlmAgent, "llm"),
    (SequentialAgent, "sequence"),
    (LoopAgent, "loop"),
    (ParallelAgent, "parallel"),
    (Workflow, "graph"),
)


def survey(root: BaseNode) -> AgentTree:
    """Describe every agent, workflow and node that is known before the root runs."""
    agents: dict[str, Agent] = {}
    for node, parent in _walk(root, _children):
        agents.setdefault(node.name, _describe(node, parent))
    return AgentTree(root=root.name, agents=agents)


def llm_agents(root: BaseNode) -> list[LlmAgent]:
    """List the agents that have a model, of the root and everything below it, each once."""
    return [node for node, _ in _walk(root, _children) if isinstance(node, LlmAgent)]


def toolsets_of_agent_tools(root: BaseNode) -> list[BaseToolset]:
    """List the toolsets of agents that run only as somebody's tool; ADK's runner closes just those of the others."""
    by_runner = {id(toolset) for node, _ in _walk(root, private.static_children) for toolset in _toolsets(node)}
    every = {id(toolset): toolset for node, _ in _walk(root, _children) for toolset in _toolsets(node)}
    return [toolset for key, toolset in every.items() if key not in by_runner]


def toolsets(root: BaseNode) -> list[tuple[str, BaseToolset]]:
    """List the toolsets of every agent, each with the agent's name; one that agents share stands with each of them."""
    return [(node.name, toolset) for node, _ in _walk(root, _children) for toolset in _toolsets(node)]


def _walk(root: BaseNode, children: Callable[[BaseNode], list[BaseNode]]) -> Iterator[tuple[BaseNode, str | None]]:
    """Visit every node once, breadth first, with its parent's name."""
    waiting: list[tuple[BaseNode, str | None]] = [(root, None)]
    seen: set[int] = set()
    while waiting:
        node, parent = waiting.pop(0)
        if id(node) not in seen:
            seen.add(id(node))
            yield node, parent
            waiting += [(child, node.name) for child in children(node)]


def _toolsets(node: BaseNode) -> list[BaseToolset]:
    return [tool for tool in getattr(node, "tools", None) or () if isinstance(tool, BaseToolset)]


def _describe(node: BaseNode, parent: str | None) -> Agent:
    kind: Kind = next((kind for base, kind in _KINDS if isinstance(node, base)), "custom")
    if not isinstance(node, LlmAgent):
        members = tuple(child.name for child in _children(node))
        last = _last_asked(node) if isinstance(node, Workflow) else ()
        return Agent(name=node.name, kind=kind, members=members, last=last, repeats=_repeats(node), parent=parent)
    return Agent(
        name=node.name,
        tools=tuple(name for tool in node.tools if (name := _name(tool))),
        agent_tools={name: agent.name for tool in node.tools if (name := _name(tool)) and (agent := agent_in(tool))},
        transfers=_transfers(node),
        task=node.mode == "task",
        parent=parent,
    )


def _transfers(agent: LlmAgent) -> tuple[str, ...]:
    targets = private.transfer_targets(agent)
    if agent.mode in ("single_turn", "task"):  # called like a function: it answers its caller, it does not hand over
        targets = [target for target in targets if target in agent.sub_agents]
    return tuple(target.name for target in targets)


def _children(node: BaseNode) -> list[BaseNode]:
    children = [private.wrapped_node(child) or child for child in private.static_children(node)]  # of the same name
    agents = [agent for tool in getattr(node, "tools", None) or () if (agent := agent_in(tool))]
    return list({id(child): child for child in (*children, *agents)}.values())


def agent_in(tool: Any) -> BaseNode | None:
    """Return the agent or workflow that runs when this tool is called; a function is none, even as a node."""
    if isinstance(tool, AgentTool):
        return tool.agent
    node = tool if isinstance(tool, BaseNode) else private.node_in_tool(tool)
    return None if isinstance(node, FunctionNode) else node


def _name(tool: Any) -> str | None:
    if isinstance(tool, BaseToolset):
        return None
    if isinstance(tool, BaseTool | BaseNode):
        return tool.name
    return FunctionTool(tool).name


def _repeats(node: BaseNode) -> bool:
    """Tell whether a node's members may run again: in a loop, and in a graph with a circle."""
    if not isinstance(node, Workflow) or node.graph is None:
        return isinstance(node, LoopAgent)
    following: dict[str, set[str]] = {}
    for edge in node.graph.edges:
        following.setdefault(edge.from_node.name, set()).add(edge.to_node.name)
    reached = {name: set(after) for name, after in following.items()}
    for _ in reached:
        for after in reached.values():
            after.update(*(reached.get(name, ()) for name in tuple(after)))
    return any(name in after for name, after in reached.items())


def _last_asked(workflow: Workflow) -> tuple[str, ...]:
    """Name the nodes after which no other agent runs: terminal ones, or what leads to a terminal function."""
    if workflow.graph is None:
        return ()
    following: dict[str, list[BaseNode]] = {}
    before: dict[str, list[BaseNode]] = {}
    for edge in workflow.graph.edges:
        following.setdefault(edge.from_node.name, []).append(edge.to_node)
        before.setdefault(edge.to_node.name, []).append(edge.from_node)
    waiting = [node for node in workflow.graph.nodes if node.name not in following]
    found: dict[str, None] = {}
    seen: set[str] = set()
    while waiting:
        node = waiting.pop()
        if node.name in seen:
            continue
        seen.add(node.name)
        if isinstance(node, BaseAgent | Workflow) or private.wrapped_node(node):
            found[node.name] = None
        else:
            waiting += before.get(node.name, [])
    return tuple(found)


def declaration_of(tool: BaseTool) -> Declaration | None:
    """Return what the model is told about the tool's arguments; None for tools that the model's backend runs itself."""
    declared = private.declaration(tool)
    return Declaration(tool.name, schema_of(declared), open_ended=_takes_any(tool)) if declared else None


_MOST_REMEMBERED = 1000
"""Toolsets may make their tools anew at every turn; with so many declarations remembered, all are forgotten."""


class Declarations:
    """Remembers what each tool declares: building it anew at every call would take more time than the call.

    ADK wraps a plain function, and what an MCP server lists, in a new tool at every request; what such a tool declares
    hangs on the function or on what was listed, and on its name, before which a toolset may put a prefix.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[int, str], tuple[object, Declaration | None]] = {}

    def of(self, tool: BaseTool) -> Declaration | None:
        """Return what the model is told about the tool's arguments, as `declaration_of` does."""
        source: object = tool.func if type(tool) is FunctionTool else getattr(tool, "raw_mcp_tool", tool)
        key = (id(source), tool.name)
        known = self._known.get(key)
        if known is None or known[0] is not source:
            if len(self._known) >= _MOST_REMEMBERED:
                self._known.clear()
            known = self._known[key] = (source, declaration_of(tool))
        return known[1]


def schema_of(declared: Any) -> dict[str, Any] | None:
    """Return the JSON Schema of the arguments in a `FunctionDeclaration`; None for a tool that takes none."""
    schema: dict[str, Any] | None = declared.parameters_json_schema
    if schema is None and declared.parameters is not None:
        schema = declared.parameters.json_schema.model_dump(exclude_none=True, by_alias=True, mode="json")
    return schema


def _takes_any(tool: BaseTool) -> bool:
    function = getattr(tool, "func", None)
    if function is None:
        return False
    try:
        parameters: Iterable[inspect.Parameter] = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return True
    return any(parameter.kind is inspect.Parameter.VAR_KEYWORD for parameter in parameters)
