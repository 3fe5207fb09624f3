"""Do things have the state that an answer gives them?

A state is shown by a text (`"state": "Running"`), by a truth value under its name (`"healthy": false`), by a count
(`"offline_count": 0`), or by a list (`"offline_partitions": []`). A text of another state of the same family, or a
denial, shows the contrary.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from evalkit.answers.units import key_words
from evalkit.scorers.grounds.belonging import within
from evalkit.scorers.grounds.evidence import Evidence, is_code, is_count, states_of, words_of_key
from evalkit.scorers.grounds.facts import ROOT, Facts
from evalkit.scorers.grounds.scenes import Anchor
from evalkit.scorers.grounds.statuses import OPPOSITE, RIVALS, SAME, Status

_WHOLES = frozenset({"desired", "wanted", "expected", "total", "target"})
_STANDS_FOR = {"healthy": ("ready", "running", "available"), "unhealthy": ("unready", "unavailable")}
"""What people call healthy where nothing shows whether it is."""

_ENOUGH = 16


class States:
    """Finds what shows a state."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._read = 0
        self._nodes = 1
        self._shown: dict[str, list[Evidence]] = defaultdict(list)

    def contradiction(
        self,
        status: Status,
        anchors: Sequence[Anchor],
        among: Sequence[Anchor],
        *,
        now: bool = False,
        counted: bool = False,
    ) -> Evidence | None:
        """Return what shows that a state is not as told; None if it is, or nothing shows anything.

        Args:
            status: What is told.
            anchors: The names of which it is told.
            among: The names of the whole sentence: what is told of all that are there is told of these.
            now: Whether it is told of what is, which only the last reply to a call shows.
            counted: Whether it is told of so many: what counts them does not say that it is so of none.
        """
        evidence = [item for item in self.of(status.word) if not (counted and item.counts and not status.scope)]
        if now:
            evidence = [item for item in evidence if not self._facts.is_outdated(item.node)] or evidence
        if status.scope:
            return self._exception(status, evidence, among)
        if not anchors:
            return _against(status, evidence)
        first: Anchor | None = None
        for anchor in anchors:
            about = self._about(evidence, anchor)
            if about and (first is None or anchor.keys & first.keys):
                first = first or anchor
                found = _against(status, about)
                if found:
                    return found
        return None

    def of(self, word: str) -> list[Evidence]:
        """Return everything that shows a state or its contrary."""
        self._catch_up()
        found = self._shown.get(word, [])
        if found:
            return found
        instead = next(filter(None, (self._shown.get(other, []) for other in _STANDS_FOR.get(word, ()))), [])
        return [replace(item, holds=False) if item.holds and self._falls_short(item) else item for item in instead]

    def misplaced(self, status: Status, anchors: Sequence[Anchor]) -> Anchor | None:
        """Return the name that a state is told of while only its siblings are shown to have it."""
        shown = [item.node for item in self.of(status.word) if item.holds and not item.counts]
        if status.denied or status.scope or not shown:
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
            if item.counts:
                if self._told_of(item, anchors):
                    alike = (item.word not in RIVALS[status.word]) is not status.denied
                    found.update((item.value,) if alike else (whole - item.value for whole in self._wholes(item)))
            elif item.holds is not status.denied:
                above = self._facts.parents[item.node]
                if self._facts.lists[above] and self._told_of(item, anchors):
                    by_list[above].add(item.node)
        return found | {len(items) for items in by_list.values()}

    def _told_of(self, item: Evidence, anchors: Sequence[Anchor]) -> bool:
        return not anchors or any(
            self._facts.relation(one, item.node) == "same" for anchor in anchors for one in anchor.nodes[:_ENOUGH]
        )

    def _exception(self, status: Status, evidence: Sequence[Evidence], among: Sequence[Anchor]) -> Evidence | None:
        """Return what is not so, where a state is told of all, or denied of all."""
        about = [item for item in evidence if self._told_of(item, among)] if among else evidence
        by_record: dict[int, list[Evidence]] = defaultdict(list)
        for item in about:
            if not self._facts.is_outdated(item.node):
                by_record[item.node].append(item)
        for items in by_record.values():
            if status.denied:
                found = next((item for item in items if item.holds), None)
            else:
                fully = any(item.holds and not self._falls_short(item) for item in items)
                found = None if fully else items[0]
            if found is not None:
                return found
        return None

    def _falls_short(self, item: Evidence) -> bool:
        """Tell whether a count is less than there are or should be: 37 `ready_replicas` of 40 `desired_replicas`."""
        return item.counts and any(whole > item.value for whole in self._wholes(item))

    def _wholes(self, item: Evidence) -> Iterator[int]:
        """Yield how many there are, or should be, of what a count counts some of."""
        record = self._facts.values[item.node]
        words = [word for word in key_words(item.key) if word != "count"]
        for key, value in record.items() if words and isinstance(record, dict) else ():
            others = [word for word in key_words(str(key)) if word != "count"]
            same = others[-1:] == words[-1:] and (len(others) == 1 or not _WHOLES.isdisjoint(others))
            if (same or (words == [item.word] and others == ["replicas"])) and is_count(value):
                yield value

    def _about(self, evidence: Sequence[Evidence], anchor: Anchor) -> list[Evidence]:
        """Return the evidence nearest to a name: in its record, else in the one around it, and so on."""
        found: list[Evidence] = []
        for top in anchor.nodes[:_ENOUGH]:
            for node in self._facts.ancestors(top):
                if node == ROOT or self._facts.lists[node]:
                    break
                inside = [item for item in evidence if within(self._facts, item.node, node)]
                if inside:
                    found += inside
                    break
        return found

    def _catch_up(self) -> None:
        for index in range(self._read, len(self._facts.leaves)):
            leaf = self._facts.leaves[index]
            for word, holds in states_of(self._facts, leaf):
                self._note(Evidence(leaf.node, leaf.key, leaf.value, word, holds))
        self._read = len(self._facts.leaves)
        for node in range(self._nodes, len(self._facts.values)):
            items, label = self._facts.values[node], self._facts.labels[node]
            if isinstance(items, list):
                for word in words_of_key(label):
                    if word == "insync":  # of one thing only: how many of its copies are
                        continue
                    self._note(Evidence(self._facts.parents[node], label, len(items), word, bool(items)))
        self._nodes = len(self._facts.values)

    def _note(self, item: Evidence) -> None:
        self._add(SAME[item.word], item)
        contrary = Evidence(item.node, item.key, item.value, item.word, not item.holds)
        if is_code(item.key):
            return
        if item.holds and not item.counts:
            self._add(RIVALS[item.word], contrary)
        elif not item.holds or item.word in _TELLING:
            self._add(OPPOSITE.get(item.word, ()), contrary)

    def _add(self, words: Iterable[str], item: Evidence) -> None:
        for word in words:
            self._shown[word].append(item)


_TELLING = frozenset({"underreplicated", "lagging"})
"""Of which one is enough for the contrary not to be so of all."""


def _against(status: Status, evidence: Sequence[Evidence]) -> Evidence | None:
    """Return evidence against a state if there is none for it."""
    if any(item.holds is not status.denied for item in evidence):
        return None
    return evidence[0] if evidence else None
