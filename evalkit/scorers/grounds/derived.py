"""Numbers that nobody was shown and every reader computes.

- How many things a list has, and how many of them have the same value in a field: `two of three pods are Running`.
- How often a tool was called.
- The sum of a field over a list: `75 records in all`. Not where the list's record states it itself, as `total_lag` does
  for `lag`: an answer that differs from it is wrong, whatever the list adds up to. Of those records alone that have a
  text in common, where the sentence names it: the lag of one topic.
- Where the answer's words ask for it: the sum, difference or ratio of two numbers of one key, or of one record and
  noun: `9 replicas are missing` of 40 desired and 31 available.
- How long something took, between two times of one record.

Differences of any two numbers would found almost every small number, so they need a word such as `more` or `missing`.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime
from decimal import Decimal
from functools import lru_cache
from itertools import combinations, islice, permutations, product

from evalkit.answers.numerals import Quantity
from evalkit.answers.units import key_words
from evalkit.cases import Json
from evalkit.scorers.grounds.asking import Asks, near, of_pair
from evalkit.scorers.grounds.facts import Facts
from evalkit.scorers.grounds.fields import fields, is_number
from evalkit.scorers.grounds.figures import Figures

_CALLS = re.compile(
    r"\b(?:calls?|times|attempts?|tries|steps?|changes?|actions?|checks?|requests?|quer\w+|tools?)\b", re.IGNORECASE
)
_WHOLES = "desired wanted expected total limit max maximum capacity end previous requested target all size"
_WHOLE = frozenset(_WHOLES.split())
_PER = {
    **dict.fromkeys(("per minute", "a minute", "/min"), 60),
    **dict.fromkeys(("per hour", "an hour", "/h"), 3600),
    **dict.fromkeys(("per day", "a day", "/day"), 86400),
}
_OF = re.compile(r"\b(?:of|out of)\b|/")
_MOST_LINES = 500
_FEW = 6
"""Times in a reply between which a reader computes although they stand in different records."""

_MOST_GROUPS = 60
_MOST_PAIRS = 40
"""Numbers of one key that are compared with each other; a reader does not compute with more."""


class Derived:
    """Computes, when asked, what a reader would."""

    def __init__(self, facts: Facts, figures: Figures) -> None:
        self._facts = facts
        self._figures = figures
        self._nodes = 0
        self._counts: set[int] = set()
        self._sums: set[Decimal] = set()
        self._sums_of: dict[Decimal, set[str]] = defaultdict(set)
        self._alike: list[list[Decimal]] = []
        self._parts: list[tuple[Decimal, Decimal, bool]] = []
        self._rests: list[tuple[Decimal, Decimal, str]] = []
        self._known_durations: list[float] = []
        self._read = 0

    def holds(self, claim: Quantity, words: str, beside: Sequence[Decimal] = (), sentence: str = "") -> bool:
        """Tell whether the number follows from others, given the words around it and the numbers beside it."""
        self._catch_up()
        number = abs(claim.number)
        if claim.unit.dimension == "seconds":
            return any(near(claim, Decimal(seconds)) for seconds in self._known_durations)
        if number == number.to_integral_value() and not claim.unit.dimension:
            if int(number) in self._counts:
                return True
            if _CALLS.search(words) and int(number) in (len(self._facts.calls), *Counter(self._facts.calls).values()):
                return True
        if any(near(claim, total) for total in self._sums) or self._is_sum_of(claim, sentence.casefold()):
            return True
        if self._is_rest(claim, words, beside) or self._counts_lines(claim, words):
            return True
        return self._computes(claim, words, beside)

    def follows(self, claim: Quantity, words: str) -> bool:
        """Tell whether the number follows from others although it was shown, as something else."""
        return self._computes(claim, words) or self._counts_lines(claim, words)

    def _computes(self, claim: Quantity, words: str, beside: Sequence[Decimal] = ()) -> bool:
        """Tell whether the number is the sum, difference or ratio that the words around it ask for."""
        return any(near(claim, value) for value in self._computed(claim, words, beside))

    def _is_sum_of(self, claim: Quantity, sentence: str) -> bool:
        """Tell whether the number is what the records add up to that have a text which the sentence names."""
        return any(
            near(claim, total) and any(text in sentence for text in texts) for total, texts in self._sums_of.items()
        )

    def _is_rest(self, claim: Quantity, words: str, beside: Sequence[Decimal]) -> bool:
        """Tell whether `146 of 148` are those that are not the two that the record of the 148 counts."""
        if claim.unit.dimension or not _OF.search(words):
            return False
        for whole in beside:
            rest = whole - claim.number
            nodes = (
                {self._facts.leaves[leaf].node for leaf in self._figures.find(Quantity(whole))} if rest > 0 else set()
            )
            if any(self._facts.leaves[leaf].node in nodes for leaf in self._figures.find(Quantity(rest))):
                return True
            if any(self._has_list(node, rest) for node in nodes):
                return True
        return False

    def _has_list(self, node: int, length: Decimal) -> bool:
        """Tell whether a record has a list of so many: six partitions, of which those in a list are something else."""
        record = self._facts.values[node]
        values = record.values() if isinstance(record, dict) else ()
        return any(isinstance(value, list) and len(value) == length for value in values)

    def _counts_lines(self, claim: Quantity, words: str) -> bool:
        """Tell whether so many lines of a log have one of the words: `two warnings`."""
        if claim.unit.dimension or claim.number != claim.number.to_integral_value():
            return False
        wanted = [word.rstrip("s") for word in re.findall(r"[a-z]{4,}", words.casefold())]
        for leaf in self._facts.leaves:
            if isinstance(leaf.value, str) and "\n" in leaf.value:
                lines = leaf.value.casefold().splitlines()[:_MOST_LINES]
                if any(sum(word in line for line in lines) == claim.number for word in wanted):
                    return True
        return False

    def _computed(self, claim: Quantity, words: str, beside: Sequence[Decimal]) -> Iterator[Decimal]:
        asks = Asks.of(claim, words)
        if not any(asks):
            return
        self._catch_up()
        percent = Decimal(100 if claim.unit.dimension == "percent" else 1)
        for span, seconds in _PER.items():
            if span in words.casefold():
                yield from (number * seconds for number in beside)
        for low, high in combinations(sorted(set(beside)), 2):
            yield from of_pair(low, high, asks, percent)
        for group in self._alike:
            if asks.total:
                yield sum(group, Decimal(0))
            if asks.ratio:
                yield sum(group, Decimal(0)) / len(group)
                yield from (part / sum(group, Decimal(0)) * percent for part in group if part)
            for low, high in combinations(sorted(set(group)), 2):
                yield from of_pair(low, high, asks, percent)
        for low, high, exceeds in self._parts:
            if asks.excess or not exceeds:
                yield from of_pair(low, high, asks, percent)
        for low, high, noun in self._rests if asks.difference else ():
            if noun in words.casefold():
                yield high - low

    def _groups(self) -> Iterator[list[Decimal]]:
        """Yield the numbers of each key, where there are several."""
        by_key: dict[tuple[str, int], list[Decimal]] = defaultdict(list)
        position, last = 0, -1
        for figure in self._figures.all:
            leaf = self._facts.leaves[figure.leaf]
            position, last = (position + 1 if figure.leaf == last else 0), figure.leaf
            if leaf.key and not leaf.is_key:
                by_key[leaf.key, position].append(figure.quantity.base)  # in `1GiB / 4GiB` the first and the second
        yield from (sorted(group)[:_MOST_PAIRS] for group in by_key.values() if len(group) > 1)

    def _pairs(self) -> Iterator[tuple[Decimal, Decimal, bool]]:
        """Yield parts and wholes: two numbers of one record and noun, of which one is what there is to be.

        With them is whether that is exceeded: 52 pods are 12 more than the 40 desired.
        """
        by_record: dict[tuple[int, str], list[tuple[Decimal, bool]]] = defaultdict(list)
        for figure in self._figures.all:
            leaf = self._facts.leaves[figure.leaf]
            noun, whole = _part_of(leaf.key)
            if noun and not leaf.is_key:
                by_record[leaf.node, noun].append((figure.quantity.base, whole))
        for numbers in by_record.values():
            for (low, least), (high, most) in combinations(sorted(numbers), 2):
                if least or most:
                    yield low, high, not most

    def _remainders(self) -> Iterator[tuple[Decimal, Decimal, str]]:
        """Yield, of each count of a noun, the other counts of its record: of 148 partitions two are something else."""
        counts: dict[int, list[tuple[Decimal, Sequence[str]]]] = defaultdict(list)
        for leaf in self._facts.leaves:
            if leaf.key.endswith("count") and is_number(leaf.value):
                counts[leaf.node].append((Decimal(str(leaf.value)), key_words(leaf.key)[:-1]))
        for entries in counts.values():
            for (high, noun), (low, _) in permutations(entries, 2):
                if len(noun) == 1 and 0 < low < high:
                    yield low, high, noun[0]

    def _durations(self) -> Iterator[float]:
        by_record: dict[int, list[datetime]] = defaultdict(list)
        by_reply: dict[int, set[datetime]] = defaultdict(set)
        for leaf in self._facts.leaves:
            if isinstance(leaf.value, str) and leaf.value[:4].isdigit() and leaf.value[4:5] == "-":
                moment = _moment(leaf.value)
                if moment is not None:
                    by_record[leaf.node].append(moment)
                    by_reply[self._facts.reply_of(leaf.node)].add(moment)
        few = [sorted(moments) for moments in by_reply.values() if len(moments) <= _FEW]
        for moments in (*by_record.values(), *few):
            for one, other in combinations(moments[:_MOST_PAIRS], 2):
                yield abs((other - one).total_seconds())

    def _catch_up(self) -> None:
        if self._read == len(self._facts.leaves):
            return
        self._read = len(self._facts.leaves)
        self._alike = list(islice(self._groups(), _MOST_GROUPS))
        self._parts = list(islice(self._pairs(), _MOST_GROUPS * _MOST_PAIRS))
        self._rests = list(islice(self._remainders(), _MOST_GROUPS * _MOST_PAIRS))
        self._known_durations = list(islice(self._durations(), _MOST_GROUPS * _MOST_PAIRS))
        for node in range(self._nodes, len(self._facts.values)):
            value = self._facts.values[node]
            if isinstance(value, list | tuple):
                self._of_list(node, value)
            elif isinstance(value, dict) and self._facts.parents[node] and len(value) and _alike(value):
                self._counts.add(len(value))
        self._nodes = len(self._facts.values)

    def _of_list(self, node: int, items: Sequence[Json]) -> None:
        self._counts.add(len(items))
        for key, counter, numbers in self._facts.once(node, fields):
            self._counts.update(counter.values())
            if len(numbers) > 1 and len(numbers) == len(items) and not self._states_total(node, key):
                self._sums.add(sum(numbers, Decimal(0)))
        for total, text in _sums_of_groups(items[:_MOST_LINES]):
            self._sums_of[total].add(text.casefold())

    def _states_total(self, node: int, key: str) -> bool:
        """Tell whether the record that a list stands in has the sum of one of its fields."""
        record = self._facts.values[self._facts.parents[node]]
        words = {*key_words(key)}
        totals = ({*key_words(str(name))} for name in record) if isinstance(record, dict) else ()
        return any("total" in total and total <= {"total", *words} for total in totals)


def _sums_of_groups(items: Sequence[Json]) -> Iterator[tuple[Decimal, str]]:
    """Yield what the numbers of those records add up to that have a text in common, with it: the lag of one topic."""
    groups: dict[tuple[str, str, str], list[Decimal]] = defaultdict(list)
    for item in items:
        if isinstance(item, dict):
            texts = [(key, value) for key, value in item.items() if isinstance(value, str)][:_FEW]
            numbers = [(key, Decimal(str(value))) for key, value in item.items() if is_number(value)][:_FEW]
            for (key, text), (name, number) in product(texts, numbers):
                groups[key, text, name].append(number)
    for (_, text, _), group in groups.items():
        if 1 < len(group) < len(items):
            yield sum(group, Decimal(0)), text


@lru_cache(maxsize=10_000)
def _part_of(key: str) -> tuple[str, bool]:
    """Return what a key's number is of, and whether it is of all there is to be: `memory_limit` is, of memory."""
    words = [word for word in key_words(key) if word != "count"]
    plain = [word for word in words if word not in _WHOLE] or words
    return (plain[-1], len(words) == 1 or len(plain) < len(words)) if words else ("", False)


def _alike(value: dict[str, Json]) -> bool:
    return len({type(item) for item in value.values()}) == 1


def _moment(text: str) -> datetime | None:
    try:
        found = datetime.fromisoformat(text.replace(" UTC", "").replace(" +0000", "+00:00"))
    except ValueError:
        return None
    return found.replace(tzinfo=None)
