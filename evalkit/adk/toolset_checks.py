"""Do a mocks file and the agent's toolsets fit together? Asked once, when the agent is loaded."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from google.adk.workflow import BaseNode

from evalkit.adk.pairing import Pairing, entries, pair
from evalkit.adk.servers import Found, find, own_tools
from evalkit.errors import AgentLoadError
from evalkit.models.owners import did_you_mean
from evalkit.models.tree import CONTROL_TOOLS, AgentTree
from evalkit.routes import MockSet, ProvidedTool, Route

JsonObject = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Mocks:
    """The mocks files that one case is played with: its own, and that of its evalset's folder."""

    own: MockSet | None = None
    folder: MockSet | None = None

    @property
    def file(self) -> str:
        """The file in which a user would look first."""
        return next((mocks.file for mocks in (self.folder, self.own) if mocks), "mocks.yaml")

    @property
    def toolsets(self) -> dict[str, JsonObject]:
        """What both say of toolsets; the case's own file wins."""
        return {name: said for mocks in (self.folder, self.own) if mocks for name, said in mocks.toolsets.items()}

    @property
    def provided(self) -> dict[str, ProvidedTool]:
        """The tools that both give to the agent, by name; the case's own file wins."""
        return {tool.name: tool for mocks in (self.folder, self.own) if mocks for tool in mocks.provides}

    @property
    def routes(self) -> tuple[Route, ...]:
        """The routes of both."""
        return tuple(route for mocks in (self.own, self.folder) if mocks for route in mocks.routes)


class AgentToolsets:
    """The toolsets of one agent.

    Attributes:
        found: Each of them, in the order of the agents.
    """

    def __init__(self, root: BaseNode) -> None:
        self.found = find(root)
        self._pairings: dict[tuple[tuple[str, int], ...], tuple[Pairing, Mapping[str, JsonObject]]] = {}

    def paired(self, section: Mapping[str, JsonObject], file: str = "mocks.yaml") -> Pairing:
        """Find the entry of each toolset; equal sections of equal files are looked at once."""
        if not self.found and not section:
            return Pairing()
        key = tuple((name, id(said)) for name, said in section.items())
        if key not in self._pairings:  # the section is kept too, so that no other can get its members' ids
            self._pairings[key] = pair(self.found, entries(section), file), section
        return self._pairings[key][0]

    def completed(self, tree: AgentTree, mocks: Iterable[Mocks]) -> AgentTree:
        """Add the tools of toolsets to the agents, after a check of every mocks file against them.

        Raises:
            AgentLoadError: They do not fit together; the message has a line for each fault.
        """
        offered: dict[str, dict[str, None]] = {}
        faults: dict[str, None] = {}
        for one in _each_once(mocks):
            pairing = self.paired(one.toolsets, one.file)
            unknown = self._unknown_tools(tree, one, pairing)
            faults |= dict.fromkeys((*pairing.faults, *unknown, *_impossible_replies(one, pairing)))
            for found, names in self._offered(pairing):
                for agent in found.agents:
                    offered.setdefault(agent, {}).update(dict.fromkeys(names))
        if faults:
            raise AgentLoadError("\n".join(faults))
        agents = {
            name: replace(agent, tools=tuple(dict.fromkeys((*agent.tools, *offered.get(name, ())))))
            for name, agent in tree.agents.items()
        }
        return replace(tree, agents=agents)

    def _offered(self, pairing: Pairing) -> Iterator[tuple[Found, Sequence[str]]]:
        """Yield the tools of each toolset that are known beforehand, named as the model sees them."""
        for found in self.found:
            entry = pairing.entry(found.toolset)
            names = found.names(str(tool["name"]) for tool in entry.tools) if entry else own_tools(found)
            if names is not None:
                yield found, names

    def _unknown_tools(self, tree: AgentTree, mocks: Mocks, pairing: Pairing) -> Iterator[str]:
        """Say which routes name a tool that nobody has; only where every toolset tells its tools."""
        told = dict(self._offered(pairing))
        if not self.found or pairing.faults or len(told) < len(self.found):
            return
        known = {name for names in told.values() for name in names} | CONTROL_TOOLS
        known |= {tool for agent in tree.agents.values() for tool in agent.tools} | mocks.provided.keys()
        for route in mocks.routes:
            if route.tool not in known:
                hidden = _hidden_by(route.tool, pairing)
                yield f"{route.label or route.tool}: no agent has a tool named {route.tool}" + (
                    hidden or f"{did_you_mean(route.tool, known)}, and no toolset lists it"
                )


def _impossible_replies(mocks: Mocks, pairing: Pairing) -> Iterator[str]:
    """Say which routes return what no MCP server could answer."""
    listed = {
        found.name_of(tool["name"]): tool for found, entry in pairing.pairs if found.is_mcp for tool in entry.tools
    }
    routes = [route for route in mocks.routes if route.tool in listed]
    if not routes:
        return
    from evalkit.adk.mcp_results import fault_of  # loads the MCP SDK, which an agent with an MCP toolset has loaded

    for route in routes:
        tool = listed[route.tool]
        for reply in (reply for reply in route.replies if reply.raises is None):
            fault = fault_of(reply.value, tool["name"], tool.get("output_schema", tool.get("outputSchema")))
            if fault:
                yield f"{route.label or route.tool}: {fault}"


def _hidden_by(tool: str, pairing: Pairing) -> str | None:
    """Say why a tool that a server lists is not the agent's, or is called otherwise."""
    for found, entry in pairing.pairs:
        if any(tool == listed["name"] for listed in entry.tools):
            shown = found.name_of(tool)
            where = f"toolsets.{entry.name} lists it, and {found.label}"
            return f"; {where} calls it {shown}" if shown else f"; {where} leaves it out by its tool_filter"
    return None


def _each_once(mocks: Iterable[Mocks]) -> list[Mocks]:
    return list({(id(one.own), id(one.folder)): one for one in mocks}.values())
