"""How each agent gets its turn: the transfers and calls of agent tools that lead to it, the shortest way first."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from evalkit.models.tree import EXIT_LOOP, TRANSFER, AgentTree


@dataclass(frozen=True, slots=True)
class Entry:
    """A call that brings an agent or workflow into play.

    Attributes:
        by: Who makes it.
        tool: The agent tool, or `transfer_to_agent`.
        target: Who then runs.
    """

    by: str
    tool: str
    target: str


Way = tuple[Entry, ...]


def ways(tree: AgentTree) -> dict[str, Way]:
    """Return the way to every agent that can be reached, in the order in which they are; the root's is empty."""
    found: dict[str, Way] = {}
    queue: deque[tuple[str, Way]] = deque([(tree.root, ())])
    while queue:
        head, way = queue.popleft()
        for name in _in_order(tree, head):
            if name not in found:
                found[name] = way
                queue.extend((entry.target, (*way, entry)) for entry in _entries(tree, name))
    return {name: found[name] for name in tree.agents if name in found}


def in_charge(tree: AgentTree, way: Way) -> str:
    """Name who gives the user the answer at the end of a way: whom the last transfer handed over to, else the root."""
    return next((entry.target for entry in reversed(way) if entry.tool == TRANSFER), tree.root)


def loop_exits(tree: AgentTree, way: Way) -> tuple[str, ...]:
    """Name the agents that have to call `exit_loop` so that the loops which run at the end of a way come to an end."""
    running = tree.scope(way[-1].target if way else tree.root)
    loops = [agent for agent in tree.agents.values() if agent.name in running and agent.kind == "loop"]
    holders = [[name for name in tree.holders(EXIT_LOOP) if name in tree.scope(loop.name)] for loop in loops]
    return tuple(dict.fromkeys(names[-1] for names in holders if names))


def _in_order(tree: AgentTree, head: str) -> Iterator[str]:
    scope = tree.scope(head)
    return (name for name in tree.agents if name in scope)


def _entries(tree: AgentTree, name: str) -> Iterator[Entry]:
    agent = tree.get(name)
    yield from (Entry(name, tool, target) for tool, target in agent.agent_tools.items())
    yield from (Entry(name, TRANSFER, target) for target in agent.transfers)
