"""Tools that mocks files give to an agent: which of them it lacks, and which agent of a team gets them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from evalkit.models.declarations import Declaration
from evalkit.models.facts import Profile, ToolFacts
from evalkit.models.tree import CONTROL_TOOLS, AgentTree
from evalkit.routes import ProvidedTool

_MOST_NAMED = 8
"""Tools that a message names; the rest is counted."""


@dataclass(frozen=True, slots=True)
class Provision:
    """What a team is given for a case.

    Attributes:
        tree: The team, with the tools.
        agent: Who gets them: the root, or in a workflow the first agent with a model; None if none has one.
        tools: Those that no agent of the team has.
    """

    tree: AgentTree
    agent: str | None = None
    tools: tuple[ProvidedTool, ...] = ()

    @property
    def note(self) -> str | None:
        """Say what was given, for whoever reads the results; None if nothing was."""
        if not self.tools:
            return None
        names = [tool.name for tool in self.tools]
        rest = len(names) - _MOST_NAMED
        listed = ", ".join(names[:_MOST_NAMED]) + (f" and {rest} more" if rest > 0 else "")
        if self.agent is None:
            return f"the mocks provide {listed}, and there is no agent with a model to give them to"
        return f"{self.agent} was given tools that it does not have itself, by `provides` of its mocks: {listed}"


def provision(tree: AgentTree, provided: Mapping[str, ProvidedTool]) -> Provision:
    """Give a team the tools that none of its agents has; what ADK steers itself with is never given.

    Args:
        tree: The team; of toolsets whose tools nobody knows beforehand it has none.
        provided: What the mocks files of a case provide, by name.
    """
    if not provided:
        return Provision(tree)
    known = CONTROL_TOOLS.union(*(agent.tools for agent in tree.agents.values()))
    tools = tuple(tool for name, tool in provided.items() if name not in known)
    agent = _receiver(tree)
    if not tools or agent is None:
        return Provision(tree, agent, tools)
    receiver = tree.get(agent)
    given = replace(receiver, tools=(*receiver.tools, *(tool.name for tool in tools)))
    return Provision(replace(tree, agents={**tree.agents, agent: given}), agent, tools)


def with_given(profiles: Mapping[str, Profile], given: Provision) -> dict[str, Profile]:
    """Add to what is known of each agent the tools that it is given."""
    profile = profiles.get(given.agent or "")
    if profile is None:
        return dict(profiles)
    tools = {tool.name: _facts_of(tool) for tool in given.tools}
    return {**profiles, profile.name: replace(profile, tools={**profile.tools, **tools})}


def _facts_of(tool: ProvidedTool) -> ToolFacts:
    return ToolFacts(name=tool.name, declaration=Declaration(tool.name, tool.parameters), docstring=tool.description)


def _receiver(tree: AgentTree) -> str | None:
    with_model = [agent.name for agent in tree.agents.values() if agent.kind == "llm"]
    return tree.root if tree.root in with_model else next(iter(with_model), None)
