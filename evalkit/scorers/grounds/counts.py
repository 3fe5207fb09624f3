"""How many of something there are, by the noun that an answer counts it with: `3 members`."""

import re
from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache

from evalkit.answers.units import key_words
from evalkit.scorers.grounds.evidence import is_count
from evalkit.scorers.grounds.facts import ROOT, Facts
from evalkit.scorers.grounds.fields import fields
from evalkit.scorers.grounds.scenes import Anchor, stem

_MANY = 200
_PLACES = 16
_Counted = tuple[int, frozenset[int]]
_SMALL_WORDS = (
    "over across among within of out in on at by from to is are was were the a an and or with for per has have"
)
_PASSED_OVER = frozenset(_SMALL_WORDS.split())


class Counts:
    """Finds the numbers that count things of a noun."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._leaves = 0
        self._nodes = 0
        self._keys: set[str] = set()
        self._singular: set[str] = set()
        self._by_noun: dict[str, list[_Counted]] = defaultdict(list)

    def of_noun(self, after: str, anchors: Sequence[Anchor]) -> tuple[str, set[int]]:
        """Return the noun that follows a number, and every number of such things that was shown.

        Args:
            after: What stands behind the number.
            anchors: The names of which it is told.
        """
        self._catch_up()
        for noun in re.findall(r"[A-Za-z-]+", after)[:3] if after[:1] in (" ", "\t", "\u00a0") else ():
            if noun.casefold() in _PASSED_OVER:
                break
            known = self._by_noun.get(stem(noun))
            if known and noun.endswith("s"):
                near = self._near(known, anchors) if anchors else known
                return noun, set().union(*(counts for _, counts in near))
        return "", set()

    def is_key(self, word: str) -> bool:
        """Tell whether a word is, in the singular, part of a key: `revision 42` counts nothing."""
        self._catch_up()
        return word.casefold() in self._singular

    def _near(self, known: Sequence[_Counted], anchors: Sequence[Anchor]) -> list[_Counted]:
        """Keep what counts things of the names, or around them; everything where nothing does."""
        named = {node for anchor in anchors for node in anchor.nodes[:_PLACES]}
        around = {above for node in named for above in self._facts.ancestors(node)}
        if len(known) > _MANY:  # to look for the rest would take long, and answers seldom speak of it
            return [entry for entry in known if entry[0] in around] or list(known)
        relation = self._facts.relation
        near = [entry for entry in known if any(relation(node, entry[0]) == "same" for node in named)]
        return near or list(known)

    def _catch_up(self) -> None:
        for index in range(self._leaves, len(self._facts.leaves)):
            leaf = self._facts.leaves[index]
            if leaf.key not in self._keys:
                self._keys.add(leaf.key)
                self._singular.update(word for word in key_words(leaf.key) if not word.endswith("s"))
            if not leaf.is_key and is_count(leaf.value):
                for noun in _nouns(leaf.key):
                    self._by_noun[noun].append((leaf.node, frozenset((leaf.value,))))
        self._leaves = len(self._facts.leaves)
        for node in range(self._nodes or 1, len(self._facts.values)):
            items = self._facts.values[node]
            if isinstance(items, list) and self._facts.parents[node] != ROOT:
                counts = {len(items)}
                for key, counter, numbers in self._facts.once(node, fields):
                    counts.update(counter.values())
                    whole = sum(numbers)
                    if is_counting(key) and len(numbers) == len(items) and whole == int(whole):
                        own = key_words(key) if key != "count" else key_words(self._facts.labels[node])
                        for word in own:
                            self._by_noun[stem(word)].append((self._facts.parents[node], frozenset((int(whole),))))
                for word in key_words(self._facts.labels[node]):
                    self._by_noun[stem(word)].append((self._facts.parents[node], frozenset(counts)))
        self._nodes = len(self._facts.values)


@lru_cache(maxsize=10_000)
def _nouns(key: str) -> tuple[str, ...]:
    """Return the nouns of which a key's number counts things; none if it counts nothing."""
    return tuple(map(stem, key_words(key))) if is_counting(key) else ()


def is_counting(key: str) -> bool:
    """Tell whether a key's number counts something: `pod_count`, `ready_replicas`, `replication_factor`."""
    words = key_words(key.strip())
    return bool(words) and (words[-1] in ("count", "total", "number", "factor") or words[-1].endswith("s"))
