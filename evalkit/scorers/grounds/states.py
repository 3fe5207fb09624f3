"""Do things have the state that an answer gives them?

A state is shown by a text (`"state": "Running"`), by a truth value under its name (`"healthy": false`), or by a count
(`"offline_count": 0`). A text of another state of the same family, or a denial, shows the contrary.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from evalkit.cases import Json
from evalkit.matching.differences import shorten
from evalkit.scorers.grounds.belonging import within
from evalkit.scorers.grounds.facts import ROOT, Facts, Leaf
from evalkit.scorers.grounds.scenes import Anchor
from evalkit.scorers.grounds.statuses import OPPOSITE, RIVALS, SAME, WORDS, Status, statuses
from evalkit.scorers.grounds.units import key_words

_ENVELOPE = frozenset({"status", "ok", "success"})
"""Keys that say whether a tool did its work, at the top of its reply."""

_SHOWN = 60
_LONG = 2_000
"""Longer texts are logs: what they tell is past, and of many things."""

_ALL = re.compile(r"\b(?:all|both|every|each|everything|everyone)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Evidence:
    """A leaf that shows a state, or the contrary."""

    leaf: int
    word: str
    holds: bool


class States:
    """Finds what shows a state."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._read = 0
        self._shown: dict[str, list[Evidence]] = defaultdict(list)

    def contradiction(self, status: Status, anchors: Sequence[Anchor], around: str) -> Evidence | None:
        """Return what shows that a state is not as told; None if it is, or nothing shows anything."""
        evidence = self.of(status.word)
        if not anchors:
            if not status.denied and _ALL.search(around):
                return next((item for item in evidence if not item.holds), None)
            return _against(status, evidence)
        for anchor in anchors:
            if anchor is anchors[0] or anchor.keys & anchors[0].keys:
                found = _against(status, self._about(evidence, anchor))
                if found:
                    return found
        return None

    def of(self, word: str) -> list[Evidence]:
        """Return everything that shows a state or its contrary."""
        self._catch_up()
        return self._shown.get(word, [])

    def misplaced(self, status: Status, anchors: Sequence[Anchor]) -> Anchor | None:
        """Return the name that a state is told of while only its siblings are shown to have it."""
        shown = [
            self._facts.leaves[item.leaf].node
            for item in self.of(status.word)
            if item.holds and not is_count(self._facts.leaves[item.leaf].value)
        ]
        if status.denied or not shown:
            return None
        for anchor in anchors:
            relations = {self._facts.relation(one, node) for one in anchor.nodes[:16] for node in shown[:64]}
            if "same" not in relations and "sibling" in relations:
                return anchor
        return None

    def numbers(self, status: Status, anchors: Sequence[Anchor]) -> set[int]:
        """Return how many things may be said to have a state, or not to have it."""
        found: set[int] = set()
        by_list: dict[int, set[int]] = defaultdict(set)
        for item in self.of(status.word):
            leaf = self._facts.leaves[item.leaf]
            if is_count(leaf.value):
                if (item.word in SAME[status.word]) is not status.denied and self._told_of(leaf, anchors):
                    found.add(leaf.value)
            elif item.holds is not status.denied:
                above = self._facts.parents[leaf.node]
                if self._facts.lists[above] and self._told_of(leaf, anchors):
                    by_list[above].add(leaf.node)
        return found | {len(items) for items in by_list.values()}

    def _told_of(self, leaf: Leaf, anchors: Sequence[Anchor]) -> bool:
        return not anchors or any(
            self._facts.relation(one, leaf.node) == "same" for anchor in anchors for one in anchor.nodes[:16]
        )

    def _about(self, evidence: Sequence[Evidence], anchor: Anchor) -> list[Evidence]:
        """Return the evidence nearest to a name: in its record, else in the one around it, and so on."""
        found: list[Evidence] = []
        for top in anchor.nodes[:16]:
            for node in self._facts.ancestors(top):
                if node == ROOT or self._facts.lists[node]:
                    break
                inside = [item for item in evidence if self._is_inside(item, node)]
                if inside:
                    found += inside
                    break
        return found

    def _is_inside(self, item: Evidence, node: int) -> bool:
        return within(self._facts, self._facts.leaves[item.leaf].node, node)

    def _catch_up(self) -> None:
        for index in range(self._read, len(self._facts.leaves)):
            leaf = self._facts.leaves[index]
            said = self._read_leaf(leaf)
            if not said:
                continue
            a_count = is_count(leaf.value)
            for word, holds in said:
                self._note(SAME[word], Evidence(index, word, holds))
                if holds and not a_count:
                    self._note(RIVALS[word], Evidence(index, word, holds=False))
                elif not holds:
                    self._note(OPPOSITE.get(word, ()), Evidence(index, word, holds=True))
        self._read = len(self._facts.leaves)

    def _note(self, words: Iterable[str], evidence: Evidence) -> None:
        for word in words:
            self._shown[word].append(evidence)

    def _is_condition(self, leaf: Leaf) -> bool:
        """Whether a record is a condition of Kubernetes: its type is no state, but what the state is about."""
        record = self._facts.values[leaf.node]
        return isinstance(record, dict) and str(record.get("status")) in ("True", "False", "Unknown")

    def _read_leaf(self, leaf: Leaf) -> Sequence[tuple[str, bool]]:
        """Return the states that a leaf shows, and whether they hold."""
        value = leaf.value
        if leaf.is_key or leaf.node == ROOT:
            return ()
        if isinstance(value, str):
            outer = leaf.key in _ENVELOPE and self._facts.parents[leaf.node] == ROOT
            skipped = outer or len(value) > _LONG or (leaf.key == "type" and self._is_condition(leaf))
            return () if skipped else _words_of_text(value)
        words = _words_of_key(leaf.key)
        return [(word, value > 0) for word in words] if words and isinstance(value, int) else ()


def is_count(value: Json) -> bool:
    """Tell whether a value is a whole number."""
    return isinstance(value, int) and not isinstance(value, bool)


@lru_cache(maxsize=10_000)
def _words_of_key(key: str) -> tuple[str, ...]:
    return tuple(word for word in key_words(key) if word in WORDS)


@lru_cache(maxsize=10_000)
def _words_of_text(text: str) -> tuple[tuple[str, bool], ...]:
    return tuple((status.word, not status.denied) for status in statuses(text, asserted=False))


def shown(leaf: Leaf) -> str:
    """Write a leaf as its key and value."""
    value: Json = leaf.value
    text = str(value).lower() if isinstance(value, bool) else str(value)
    text = shorten(text, _SHOWN)
    return f"`{leaf.key}: {text}`" if leaf.key else f"`{text}`"


def _against(status: Status, evidence: Sequence[Evidence]) -> Evidence | None:
    """Return evidence against a state if there is none for it."""
    if any(item.holds is not status.denied for item in evidence):
        return None
    return evidence[0] if evidence else None
