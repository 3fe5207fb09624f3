"""The toolsets of an agent, and the servers behind them: what they are called, and which tools they offer."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from typing import Any
from urllib.parse import urlsplit

from google.adk.tools.base_toolset import BaseToolset
from google.adk.workflow import BaseNode

from evalkit.adk import private, survey

MCP = "McpToolset"
OPENAPI = "OpenAPIToolset"

_CONNECTING = frozenset({"APIHubToolset", "ApplicationIntegrationToolset", "GoogleApiToolset", "ToolboxToolset"})
"""ADK's other toolsets that ask a server for their tools: by name, because importing them loads clouds' libraries."""

_RESOURCE_TOOL = "load_mcp_resource"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Found:
    """One toolset of an agent.

    Attributes:
        agents: The agents that have it.
        number: 1-based, among the toolsets of the first of them.
        facts: What a `match` in a mocks file can speak of: `type`, `agent`, `prefix`, `command`, `url`.
        server: What it connects to; toolsets with equal ones talk to the same server. None if that is not known.
    """

    toolset: BaseToolset
    agents: tuple[str, ...]
    number: int
    facts: Mapping[str, str] = field(default_factory=dict)
    server: tuple[str, ...] | None = None

    @property
    def is_mcp(self) -> bool:
        """Whether its server speaks MCP, so that its session is replaced."""
        return MCP in kinds(self.toolset)

    @property
    def connects(self) -> bool:
        """Whether it asks a server for its tools, so that it cannot do without an entry in the mocks file."""
        return needs_server(self.toolset)

    @property
    def prefix(self) -> str | None:
        """What ADK puts before the names of its tools."""
        return self.toolset.tool_name_prefix or None

    @property
    def label(self) -> str:
        """What messages call it. A command's further arguments may hold secrets and stay out."""
        place = address(self)
        if not self.agents:
            return f"a toolset that was made at run time ({place})"
        return f"toolset {self.number} of agent {self.agents[0]} ({place})"

    def name_of(self, listed: str) -> str | None:
        """Return the name by which the model knows a tool that the server lists; None if the filter leaves it out.

        A filter that is a function is not asked, since it may depend on the session.
        """
        allowed = self.toolset.tool_filter
        if isinstance(allowed, list) and listed not in allowed:
            return None
        return f"{self.prefix}_{listed}" if self.prefix else listed

    def names(self, listed: Iterable[str]) -> tuple[str, ...]:
        """Name the tools as the model sees them, out of those that the server lists."""
        names = [name for tool in listed if (name := self.name_of(tool))]
        if getattr(self.toolset, private.LISTS_RESOURCES, False):
            names.append(f"{self.prefix}_{_RESOURCE_TOOL}" if self.prefix else _RESOURCE_TOOL)
        return tuple(names)


def find(root: BaseNode) -> tuple[Found, ...]:
    """List the toolsets of an agent and of all agents below it, each once."""
    found: dict[int, Found] = {}
    count: dict[str, int] = {}
    for agent, outer in survey.toolsets(root):
        for toolset in _with_inner(outer):
            count[agent] = count.get(agent, 0) + 1
            known = found.get(id(toolset))
            one = replace(known, agents=(*known.agents, agent)) if known else look_at(toolset, agent, count[agent])
            found[id(toolset)] = one
    return tuple(found.values())


def _with_inner(toolset: BaseToolset) -> Iterator[BaseToolset]:
    """Yield a toolset and those that it is made of, such as the ones that a `SkillToolset` may bring into play."""
    yield toolset
    if not needs_server(toolset):
        for value in vars(toolset).values():
            inner = value if isinstance(value, list | tuple) else (value,)
            yield from (one for one in inner if isinstance(one, BaseToolset))


def look_at(toolset: BaseToolset, agent: str | None = None, number: int = 0) -> Found:
    """Say what is known of a toolset without asking it; no agent has one that is made at run time."""
    words, url = _connection(toolset)
    known = {
        "type": type(toolset).__name__,
        "agent": agent,
        "prefix": toolset.tool_name_prefix,
        "command": " ".join(map(_portable, words)),
        "url": url,
    }
    facts = {key: str(value) for key, value in known.items() if value}
    server = tuple(words) or ((url,) if url else None)
    return Found(toolset=toolset, agents=(agent,) if agent else (), number=number, facts=facts, server=server)


def address(found: Found) -> str:
    """Say in a few words where a toolset's tools come from."""
    words, url = _connection(found.toolset)
    if words:
        return f"stdio: {' '.join(map(_portable, (words[0], *subject(words)[:1])))}"
    return without_secrets(url) if url else found.facts["type"]


def subject(words: Sequence[str]) -> list[str]:
    """Return the arguments of a command that are no options: a script, a module or a package comes first."""
    return [word for word in words[1:] if not word.startswith("-")]


def without_secrets(url: str) -> str:
    """Leave out of an address what may hold a secret: user, query and fragment."""
    parts = urlsplit(url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment="").geturl()


def own_tools(found: Found) -> tuple[str, ...] | None:
    """Name the tools of a toolset that knows them without asking a server; None if only its own code can tell."""
    if OPENAPI not in kinds(found.toolset):
        return None
    return found.names(tool.name for tool in getattr(found.toolset, private.OPENAPI_TOOLS))


def needs_server(toolset: BaseToolset) -> bool:
    """Tell whether a toolset asks a server for its tools."""
    return bool(kinds(toolset) & {MCP, *_CONNECTING})


def kinds(value: object) -> set[str]:
    """Name the classes of a value."""
    return {base.__name__ for base in type(value).__mro__}


def _connection(toolset: BaseToolset) -> tuple[tuple[str, ...], str | None]:
    """Return the command line or the address by which an MCP server is reached."""
    params: Any = getattr(toolset, "connection_params", None) if MCP in kinds(toolset) else None
    server = getattr(params, "server_params", params)
    command, url = getattr(server, "command", None), getattr(params, "url", None)
    return ((str(command), *map(str, server.args)) if command else ()), url


def _portable(word: str) -> str:
    """Leave out of a command line the folders, which differ from one machine to the next."""
    return PurePath(word).name if PurePath(word).is_absolute() else word
