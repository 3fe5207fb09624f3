"""Is what an answer compares as it says? `A has more than B`, `A has the most`, `it fell from 3 to 5`.

A comparison is looked at where it can be: of two names that have a number each in the sentence, or whose records have
the key that the sentence speaks of. Anything else is left alone.
"""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from evalkit.answers.numerals import DIGITS, read_token
from evalkit.answers.units import key_words
from evalkit.scorers.grounds.facts import Facts
from evalkit.scorers.grounds.figures import Figures
from evalkit.scorers.grounds.scenes import Anchor, stem

_UP = "more|higher|larger|bigger|greater|further|farther|worse|longer|heavier|busier"
_DOWN = "less|fewer|lower|smaller|shorter|lighter|better"
_THAN = re.compile(rf"\b(?:(?P<up>{_UP})|(?:{_DOWN}))\b[^.;|]{{0,60}}?\bthan\b", re.IGNORECASE)
_MOST = re.compile(
    rf"\b(?:(?P<up>most(?! of\b| likely\b| recent\w*\b)|highest|largest|biggest|greatest|longest|heaviest|busiest"
    rf"|the (?:{_UP})(?! than))|(?:least(?! \d)|lowest|smallest|fewest|shortest|the (?:{_DOWN})(?! than)))\b",
    re.IGNORECASE,
)
_FROM_TO = re.compile(
    rf"\b(?:(?P<up>rose|risen|grew|grown|increased?|jumped|climbed|raised?|went up|scaled up|up)"
    rf"|(?:fell|fallen|dropped|decreased?|lowered|reduced|shrank|went down|scaled down|down))"
    rf"(?: \w+){{0,4}}? from (?P<low>{DIGITS})(?: \w+)? to (?P<high>{DIGITS})",
    re.IGNORECASE,
)
_NUMBER_OF_NAME = re.compile(rf"[*_`]*\s*(?:\((?:\w+ ){{0,2}}|has |with |at )({DIGITS})", re.IGNORECASE)
_SYNONYMS = {"behind": "lag", "backlog": "lag", "messages": "lag", "records": "lag", "processor": "cpu"}
_ROOT = 4
"""Letters that a verb and its noun have in common: `leads`, `leader_count`."""

_ENOUGH = 200


class Comparisons:
    """Looks comparisons up."""

    def __init__(self, facts: Facts, figures: Figures) -> None:
        self._facts = facts
        self._figures = figures

    def wrong(self, sentence: str, start: int, anchors: Sequence[Anchor]) -> Iterator[tuple[str, str]]:
        """Yield each comparison of a sentence that is the other way round, with why."""
        for match in _FROM_TO.finditer(sentence):
            low, high = (Decimal(match[name].replace(",", "")) for name in ("low", "high"))
            if low != high and (low < high) is not bool(match["up"]):
                yield match[0], f"from {low} to {high} is the other way"
        for match in _THAN.finditer(sentence):
            before = [one for one in anchors if one.start < start + match.start()]
            after = [one for one in anchors if one.start >= start + match.end()]
            if before and after:
                why = self._other_way(sentence, start, before[-1], after[0], up=bool(match["up"]))
                if why:
                    yield match[0], why
        for match in _MOST.finditer(sentence):
            subject = _subject(sentence, start, match, anchors)
            why = self._beaten(sentence, subject, up=bool(match["up"])) if subject else None
            if why:
                yield match[0], why

    def _other_way(self, sentence: str, start: int, one: Anchor, other: Anchor, *, up: bool) -> str | None:
        pairs = [(_own_number(sentence, start, one), _own_number(sentence, start, other))]
        if None in pairs[0]:
            of_one, of_other = ({**self._numbers(name, self._keys(sentence))} for name in (one, other))
            pairs = [(of_one[key], of_other[key]) for key in of_one if key in of_other]
        told = [(a, b) for a, b in pairs if a is not None and b is not None]
        if told and all(a != b and (a > b) is not up for a, b in told):
            return f"`{one.text}` has {told[0][0]} and `{other.text}` {told[0][1]}"
        return None

    def _beaten(self, sentence: str, subject: Anchor, *, up: bool) -> str | None:
        """Say who has more, or less, than a thing that is told to have the most, or the least."""
        whys = []
        own = self._numbers(subject, self._keys(sentence))
        for key, number in own.items():
            rivals = [value for node, value in self._all(key) if self._is_sibling(node, subject)]
            if all(value == number for value in rivals):
                continue
            best = max(rivals, default=number) if up else min(rivals, default=number)
            beaten = best > number if up else best < number
            if not beaten:
                return None
            whys.append(f"`{subject.text}` has {number} as `{key}`, another has {best}")
        return whys[0] if whys else None

    def _keys(self, sentence: str) -> set[str]:
        """Return the words of a sentence by which keys are known."""
        words = [word.casefold() for word in re.findall(r"[A-Za-z]+", sentence)]
        return {stem(_SYNONYMS.get(word, word))[:_ROOT] for word in words}

    def _numbers(self, name: Anchor, words: set[str]) -> dict[str, Decimal]:
        """Return the numbers of a name's own record, by the keys that the words speak of."""
        found: dict[str, Decimal] = {}
        for figure in self._figures.all:
            leaf = self._facts.leaves[figure.leaf]
            known = [stem(word) for word in key_words(leaf.key) if word not in ("count", "total", "id")]
            if leaf.node in name.nodes and known and leaf.key not in name.keys and known[0][:_ROOT] in words:
                found.setdefault(leaf.key, figure.quantity.base)
        return found

    def _all(self, key: str) -> Iterator[tuple[int, Decimal]]:
        for figure in self._figures.all:
            leaf = self._facts.leaves[figure.leaf]
            if leaf.key == key and not self._facts.is_outdated(leaf.node):
                yield leaf.node, figure.quantity.base

    def _is_sibling(self, node: int, name: Anchor) -> bool:
        return any(self._facts.relation(one, node) == "sibling" for one in name.nodes[:_ENOUGH])


def _subject(sentence: str, start: int, match: re.Match[str], anchors: Sequence[Anchor]) -> Anchor | None:
    """Return the one of which a superlative is told: named before it in its clause, or right behind it."""
    clause = max(sentence.rfind(joint, 0, match.start()) for joint in (";", ", ", " while ", " but ", " whereas "))
    before = [one for one in anchors if start + clause < one.start < start + match.start()]
    if before:
        return before[0]
    after = [one for one in anchors if one.start >= start + match.end()]
    between = sentence[match.end() : after[0].start - start] if after else ""
    if after and re.search(r"\b(?:is|by|are)\W*$|:\W*$", between):
        return after[0]
    return next((one for one in anchors if one.start < start + match.start()), None)


def _own_number(sentence: str, start: int, name: Anchor) -> Decimal | None:
    found = _NUMBER_OF_NAME.match(sentence, name.start - start + len(name.text))
    if not found:
        return None
    read = read_token(found[1])
    return read[0].base if len(read) == 1 else None
