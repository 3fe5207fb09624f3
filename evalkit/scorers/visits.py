"""Who was brought into play in a turn, in order: a turn's calls and words, read as visits to agents.

An *entry* is a call that brings an agent into play: an agent tool, a `single_turn` or `task` sub-agent called like a
tool, or a transfer. A *visit* is an agent in play, from its entry until somebody else of its level acts. What a
workflow runs by itself is the workflow's work: its members belong to its visit. What happens inside an agent tool is a
level of its own, so agents that work side by side stay apart. An agent that acts without an entry, because an earlier
turn handed over to it or because code made it run, is a visit all the same: the authors of calls and words tell.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from evalkit.matching import show
from evalkit.models.tree import TRANSFER, AgentTree
from evalkit.scorers.calls import show_call
from evalkit.traces import CallStatus, ToolEvent, TurnTrace, Utterance

Deed = ToolEvent | Utterance
Levels = Mapping[str | None, Sequence[Deed]]
"""What was done at the top, under None, and inside each call, under the call's id; in order."""

_ENTERED: frozenset[CallStatus] = frozenset({"agent", "control", "answered", "real", "raised", "missed"})
"""Whoever is called so is in play, itself or by a mock; a call that was blocked or refused arrives nowhere."""


@dataclass(slots=True)
class Visit:
    """An agent or workflow in play.

    Attributes:
        agent: Who was brought into play.
        entry: The call that did it; None if it was in play already.
        members: Whoever of a workflow acted, in order; workflows inside it stand before their own members.
        worked: Whether it did anything but hand over to others.
    """

    agent: str
    entry: ToolEvent | None = None
    members: dict[str, None] = field(default_factory=dict)
    worked: bool = False

    @property
    def handed_over(self) -> bool:
        """Whether a transfer brought it into play, so that its caller is out of it."""
        return self.entry is not None and self.entry.name == TRANSFER


def target_of(name: str, args: Mapping[str, Any], caller: str | None, tree: AgentTree) -> str | None:
    """Name the agent that a call brings into play; None if it is no entry, as far as the tree knows."""
    if name == TRANSFER:
        target = args.get("agent_name")
        return target if isinstance(target, str) else None
    if caller and caller in tree.agents:
        return tree.get(caller).agent_tools.get(name)
    return next((agent.agent_tools[name] for agent in tree.agents.values() if name in agent.agent_tools), None)


def visits(happened: TurnTrace, tree: AgentTree, rank: Callable[[str], int]) -> list[Visit]:
    """Read a turn as visits; the first is the root's, whether it acted or not.

    Args:
        happened: The turn.
        tree: The agents that are known.
        rank: Where an agent is expected. Calls made together have no order, so their visits are put in that of `rank`.
    """
    return _Walk(happened, tree, rank).level(None, Visit(tree.root))


def tell(happened: TurnTrace) -> Iterator[str]:
    """Tell a turn in indented lines: who called or said what, nested calls beneath the one inside which they were."""
    return _lines(_levels(happened), None, "  ")


def _lines(levels: Levels, parent: str | None, margin: str) -> Iterator[str]:
    for deed in levels.get(parent, ()):
        if isinstance(deed, Utterance):
            yield f"{margin}{deed.agent}: {show(deed.text)}"
        else:
            yield f"{margin}{deed.agent}: {show_call(deed.name, deed.args)}"
            yield from _lines(levels, deed.id, f"{margin}    ")


class _Walk:
    """Walks a turn level by level: the top, and the inside of each agent tool where it is called."""

    def __init__(self, happened: TurnTrace, tree: AgentTree, rank: Callable[[str], int]) -> None:
        self._tree = tree
        self._rank = rank
        self._levels = _levels(happened)

    def level(self, parent: str | None, current: Visit) -> list[Visit]:
        """Return the visits of one level, which begins with `current`."""
        found = [current]
        for _, together in groupby(self._levels.get(parent, ()), key=_made_together):
            inside: list[list[Visit]] = []
            for deed in together:
                if deed.agent not in self._tree.scope(current.agent):
                    current = Visit(self._tree.head(deed.agent))
                    found.append(current)
                self._note(deed, current)
                entered = self._entered(deed)
                if entered and entered.handed_over:
                    current = entered
                    found.append(current)
                elif entered and entered.entry:
                    inside.append(self.level(entered.entry.id, entered))
            inside.sort(key=self._earliest)
            found += [visit for branch in inside for visit in branch]
        return found

    def _note(self, deed: Deed, visit: Visit) -> None:
        visit.worked |= isinstance(deed, Utterance) or deed.name != TRANSFER
        visit.members |= dict.fromkeys(self._path(visit.agent, deed.agent))

    def _path(self, head: str, agent: str) -> list[str]:
        """Name the workflows between a workflow and an agent inside it, outermost first, and then the agent."""
        if head == agent:
            return []
        inner = next(one for one in self._tree.get(head).members if agent in self._tree.scope(one))
        return [inner, *self._path(inner, agent)]

    def _entered(self, deed: Deed) -> Visit | None:
        if isinstance(deed, Utterance) or deed.status not in _ENTERED:
            return None
        target = target_of(deed.name, deed.args, deed.agent, self._tree)
        if target is None and deed.status == "agent":
            target = deed.name  # made at run time, so the tree does not know it
        return Visit(target, deed) if target else None

    def _earliest(self, branch: Sequence[Visit]) -> int:
        return min(self._rank(visit.agent) for visit in branch)


def _levels(happened: TurnTrace) -> Levels:
    levels: dict[str | None, list[Deed]] = {}
    known = {event.id for event in happened.tools}
    for deed in _in_order(happened):
        levels.setdefault(deed.parent if deed.parent in known else None, []).append(deed)
    return levels


def _in_order(happened: TurnTrace) -> Iterator[Deed]:
    """Yield calls and words in the order in which they came."""
    words = list(happened.said)
    for index, event in enumerate(happened.tools):
        while words and words[0].after <= index:
            yield words.pop(0)
        yield event
    yield from words


def _made_together(deed: Deed) -> int | str | None:
    """Return what the calls of one model turn share, and no other."""
    return None if isinstance(deed, Utterance) else deed.group or deed.id
