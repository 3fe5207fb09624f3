"""What can be known of an agent without running it: its tools, its instructions and its models, as plain values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from evalkit.cases import Json
from evalkit.models.declarations import Declaration
from evalkit.models.tree import CONTROL_TOOLS, AgentTree


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolFacts:
    """One tool of one agent.

    Attributes:
        declaration: What the model is told about its arguments; None if that is not known.
        defaults: The defaults of its parameters, as far as they are JSON.
        docstring: What the model reads about it.
        returns: The JSON Schema of its return annotation; None if it has none that says anything.
        reply_keys: The keys that its docstring says every reply has, unless the reply tells of an error.
        reply_types: The JSON Schema of those of them whose type it tells.
        answers: The JSON Schema of what its server answers, as an MCP server or an OpenAPI specification declares it.
    """

    name: str
    declaration: Declaration | None = None
    defaults: Mapping[str, Json] = field(default_factory=dict)
    docstring: str = ""
    returns: Mapping[str, Any] | None = None
    reply_keys: tuple[str, ...] = ()
    reply_types: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    answers: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """One agent that has a model.

    Attributes:
        tools: Its tools by name; those that ADK adds by itself are not among them.
        instruction: What it is told, as far as that is fixed text.
        told_at_run_time: Whether a function makes a part of its instruction.
        model: The model that it names itself; None if it inherits one or falls back to ADK's default.
        fallback: ADK's default, if the agent would use that; None if it has or inherits a model.
        output_schema: The JSON Schema that its answers have; None if it answers in any words.
    """

    name: str
    tools: Mapping[str, ToolFacts] = field(default_factory=dict)
    instruction: str = ""
    told_at_run_time: bool = False
    model: str | None = None
    fallback: str | None = None
    output_schema: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentFacts:
    """An agent with everything below it.

    Attributes:
        reference: The agent's folder or module, as the user named it.
        tree: Its agents, with the tools of toolsets as far as they could be listed.
        profiles: Its agents that have a model, by name.
        unlisted: What may have more tools or agents than could be listed without running or connecting anything, in
            words: toolsets that ask a server, and code that may bring in others.
        toolset_faults: Why the toolsets and the `toolsets:` of the mocks do not fit together, one sentence each.
    """

    reference: str
    tree: AgentTree
    profiles: Mapping[str, Profile] = field(default_factory=dict)
    unlisted: tuple[str, ...] = ()
    toolset_faults: tuple[str, ...] = ()

    @property
    def tool_names(self) -> frozenset[str]:
        """The names of all tools that some agent is known to have, ADK's own control tools left out."""
        return frozenset(tool for agent in self.tree.agents.values() for tool in agent.tools) - CONTROL_TOOLS

    def tools(self, name: str, owner: str | None = None) -> tuple[ToolFacts, ...]:
        """Return what is known of a tool: of each agent's that has one of this name, or of the owner's."""
        known = self.profiles.get(owner or "")
        holders = [known] if known else self.profiles.values()
        return tuple(profile.tools[name] for profile in holders if name in profile.tools)
