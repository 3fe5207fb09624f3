"""Is a fact told of what it belongs to?

A fact belongs to a name if one record holds both, or a record inside or around it. It belongs to another if it is only
found in siblings of the named one's records: another item of the list, another reply of the same tool. Whatever else
stands apart, such as replies of different tools, is left alone: answers bring things together.
"""

from collections.abc import Iterable, Sequence

from evalkit.cases import Json
from evalkit.scorers.grounds.evidence import shown
from evalkit.scorers.grounds.facts import Facts
from evalkit.scorers.grounds.scenes import Anchor

_ENOUGH = 32
"""Places at which a fact or a name is looked at."""


def owner(facts: Facts, leaves: Sequence[int], anchors: Iterable[Anchor], *, of_each: bool = False) -> Anchor | None:
    """Return a name that a fact is told of and does not belong to; None if it belongs, or nobody can tell.

    Args:
        facts: What was shown.
        leaves: Where the fact was shown.
        anchors: The names that it is told of; it has to belong to one of them.
        of_each: Whether it has to belong to each of them.
    """
    nodes = [facts.leaves[leaf].node for leaf in leaves[:_ENOUGH]]
    if not nodes or 0 in nodes:
        return None
    wrong: Anchor | None = None
    for anchor in narrowest(facts, list(anchors)):
        relations = {facts.relation(one, node) for one in anchor.nodes[:_ENOUGH] for node in nodes}
        if "same" in relations:
            if not of_each:
                return None
        elif "sibling" in relations:
            wrong = wrong or anchor
    return wrong


def narrowest(facts: Facts, anchors: Sequence[Anchor]) -> list[Anchor]:
    """Leave out names that another one narrows down: of `partition 2 of orders` the topic, which has several."""
    return [
        anchor
        for anchor in anchors
        if not any(_inside(facts, other, anchor) and not _inside(facts, anchor, other) for other in anchors)
    ]


def _inside(facts: Facts, inner: Anchor, outer: Anchor) -> bool:
    around = set(outer.nodes)
    return all(not around.isdisjoint(facts.ancestors(node)) for node in inner.nodes[:_ENOUGH])


def within(facts: Facts, node: int, top: int) -> bool:
    """Tell whether a node is inside another, or is it."""
    return top in facts.ancestors(node)


def misplaced(facts: Facts, leaves: Sequence[int], wrong: Anchor) -> str:
    """Say of whom something is told and whose it is."""
    leaf = facts.leaves[leaves[0]]
    return f"is not said of `{wrong.text}`: {whose(facts, leaf.node)} has {shown(leaf)}"


def whose(facts: Facts, node: int) -> str:
    """Name a record by its first text."""
    for above in facts.ancestors(node):
        value: Json = facts.values[above]
        if isinstance(value, dict):
            name = next((v for k, v in value.items() if isinstance(v, str) and k != "status"), None)
            name = name or next((f"{k} {v}" for k, v in value.items() if isinstance(v, int)), None)
            if name:
                return f"`{name}`"
    return "another"
