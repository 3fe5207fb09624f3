"""The agent tree as a trace keeps it: what scorers need to know of agents that were never called."""

from collections.abc import Sequence

from evalkit.models.tree import Agent, AgentTree
from evalkit.traces import KnownAgent


def known_agents(tree: AgentTree, *, complete: bool = True) -> tuple[KnownAgent, ...]:
    """Reduce a tree to what a trace keeps, the root first.

    Args:
        tree: The agents.
        complete: Whether their tools are all there are: a toolset may offer others when it is asked.
    """
    others = (agent for agent in tree.agents.values() if agent.name != tree.root)
    return tuple(
        KnownAgent(
            name=agent.name,
            kind=agent.kind,
            agent_tools=agent.agent_tools,
            members=agent.members,
            tools=agent.tools if complete else (),
        )
        for agent in (tree.get(tree.root), *others)
    )


def tree_of(known: Sequence[KnownAgent]) -> AgentTree:
    """Rebuild the tree from what a trace kept; its agents have no tools but agent tools, and no transfers."""
    parents = {member: agent.name for agent in reversed(known) for member in agent.members}
    agents = (
        Agent(
            name=agent.name,
            kind=agent.kind,
            agent_tools=agent.agent_tools,
            members=agent.members,
            parent=parents.get(agent.name),
        )
        for agent in known
    )
    return AgentTree(root=known[0].name if known else "", agents={agent.name: agent for agent in agents})
