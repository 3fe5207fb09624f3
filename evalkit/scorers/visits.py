"""Who was brought into play in a turn, in order: a turn's calls and words, read as visits to agents.

An *entry* is a call that brings an agent into play: an agent tool, a `single_turn` or `task` sub-agent called like a
tool, or a transfer. A *visit* is an agent in play, from its entry until somebody else of its level acts. What a workflow
runs by itself is the workflow's work: its members belong to its visit. What happens inside an agent tool is a level of
its own, so agents that work side by side stay apart. An agent that acts without an entry, because an earlier turn handed
over to it or because code made it run, is a visit all the same: authors of calls and words tell.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from evalkit.models.tree import TRANSFER, AgentTree
from evalkit.traces import CallStatus, ToolEvent, TurnTrace, Utterance

_ENTERED: frozenset[CallStatus] = frozenset({"agent", "control", "answered", "real", "raised", "missed"})
"""Whoever is called so was brought into play, by itself or by a mock; a call that was blocked or refused arrives nowhere."""


@dataclass(slots=True)
class Visit:
    """An agent or workflow in play.

    Attributes:
        agent: Who was brought into play.
        entry: The call that did it; None if it was in play already.
        members: Of a workflow, whoever of it acted, in order and each once; workflows inside it stand before theirs.
        worked: Whether it did anything but hand over to others.
    """

    agent: str
    entry: ToolEvent | None = None
    members: list[str] = field(default_factory=list)
    worked: bool = False


def target_of(name: str, args: Mapping[str, Any], caller: str | None, tree: AgentTree) -> str | None:
    """Name the agent that a call brings into play; None if it is no entry, as far as the tree knows."""
    if name == TRANSFER:
        target = args.get("agent_name")
        return target if isinstance(target, str) else None
    if caller in tree.agents:
        return tree.get(caller).agent_tools.get(name)
    return next((agent.agent_tools[name] for agent in tree.agents.values() if name in agent.agent_tools), None)


def visits(happened: TurnTrace, tree: AgentTree, rank: Callable[[str], int]) -> list[Visit]:
    """Read a turn as visits.

    Args:
        happened: The turn.
        tree: The agents that are known.
        rank: Where an agent is expected. Calls made together have no order, so their visits are put in that of `rank`.
    """
    return _Walk(happened, tree, rank).level(None, tree.root)


class _Walk:
    """Walks a turn level by level: the top, then the inside of each agent tool where it is called."""

    def __init__(self, happened: TurnTrace, tree: AgentTree, rank: Callable[[str], int]) -> None:
        self._tree = tree
        self._rank = rank
        self._levels: dict[str | None, list[ToolEvent | Utterance]] = {}
        known = {event.id for event in happened.tools}
        for deed in _in_order(happened):
            self._levels.setdefault(deed.parent if deed.parent in known else None, []).append(deed)

    def level(self, parent: str | None, start: str, entry: ToolEvent | None = None) -> list[Visit]:
        """Return the visits of one level, which begins with `start` in play; at the top that is shown once it acts."""
        current = Visit(start, entry)
        found = [current]
        for _, together in groupby(self._levels.get(parent, ()), key=_group):
            branches: list[list[Visit]] = []
            for deed in together:
                if not self._belongs(deed.agent, current):
                    current = Visit(self._tree.head(deed.agent))
                    found.append(current)
                self._note(deed, current)
                target = self._entered(deed)
                if target and isinstance(deed, ToolEvent) and deed.name == TRANSFER:
                    current = Visit(target, deed)
                    found.append(current)
                elif target and isinstance(deed, ToolEvent):
                    branches.append(self.level(deed.id, target, deed))
            branches.sort(key=self._earliest)
            found += [visit for branch in branches for visit in branch]
        return found

    def _belongs(self, agent: str, visit: Visit) -> bool:
        return agent in self._tree.scope(visit.agent)

    def _note(self, deed: ToolEvent | Utterance, visit: Visit) -> None:
        visit.worked |= isinstance(deed, Utterance) or deed.name != TRANSFER
        for name in self._path(visit.agent, deed.agent):
            if name not in visit.members:
                visit.members.append(name)

    def _path(self, head: str, agent: str) -> list[str]:
        """Name the workflows between a workflow and an agent inside it, outermost first, and the agent."""
        if head == agent:
            return []
        inner = next((one for one in self._tree.get(head).members if agent in self._tree.scope(one)), agent)
        return [inner, *self._path(inner, agent)]

    def _entered(self, deed: ToolEvent | Utterance) -> str | None:
        if isinstance(deed, Utterance) or deed.status not in _ENTERED:
            return None
        target = target_of(deed.name, deed.args, deed.agent, self._tree)
        return deed.name if target is None and deed.status == "agent" else target

    def _earliest(self, branch: Sequence[Visit]) -> int:
        return min(self._rank(visit.agent) for visit in branch)


def _in_order(happened: TurnTrace) -> Iterator[ToolEvent | Utterance]:
    """Yield calls and words in the order in which they came."""
    words = list(happened.said)
    for index, event in enumerate(happened.tools):
        while words and words[0].after <= index:
            yield words.pop(0)
        yield event
    yield from words


def _group(deed: ToolEvent | Utterance) -> int | None:
    return deed.group if isinstance(deed, ToolEvent) else None
