"""The numbers in what was shown: by value as written, and by what they measure."""

import bisect
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache

from evalkit.answers.numerals import Quantity, read_token
from evalkit.answers.tokens import tokens
from evalkit.answers.units import UNITS, Dimension, Unit, unit_after, unit_of_key
from evalkit.cases import Json
from evalkit.scorers.grounds.facts import ROOT, Facts
from evalkit.scorers.grounds.names import NUMBERED_NAME, parts_of
from evalkit.scorers.grounds.passages import spaced

_HUNDRED = Decimal(100)
_DIGIT = re.compile(r"\d")
_LONG = 2_000
_PLAINLY = re.compile(
    r"(?<![\w.,:/+-])(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
    r"(?:([A-Za-zµ%]{1,7})| ([A-Za-zµ%]{1,12}))?(?![\w-]|[.:/]\d)"
    r"|(?<=:)(\d{2,5})(?![\w.:-])"
)
_MILLICORES = re.compile(r"(\d+)m")
_CLOSE = Decimal("1e-9")
_ABOUT = Decimal(2)
"""Points of which `about 70 %` may be wrong."""

_NONE = Unit("")


@dataclass(frozen=True, slots=True)
class Figure:
    """A number that was shown: what it is, and the leaf that has it."""

    quantity: Quantity
    leaf: int


class Figures:
    """Looks numbers up by value; a measure also by what it is in other units."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._read = 0
        self._as_written: dict[Decimal, list[Figure]] = defaultdict(list)
        self._measured: dict[Dimension, list[tuple[float, int]]] = defaultdict(list)
        self._all: list[Figure] = []

    @property
    def all(self) -> Sequence[Figure]:
        """Every number that was shown."""
        self._catch_up()
        return self._all

    def find(self, claim: Quantity, *, rounding: bool = True) -> list[int]:
        """Return the leaves that have the number, or one that it stands for."""
        self._catch_up()
        found = dict.fromkeys(figure.leaf for figure in self._plainly(claim))
        if claim.unit.dimension in ("bytes", "seconds"):
            found |= dict.fromkeys(self._by_measure(claim, rounding=rounding))
        elif rounding and claim.rounded:
            found |= dict.fromkeys(self._rounded(claim))
        elif claim.unit.factor != 1:
            found |= dict.fromkeys(figure.leaf for figure in self._as_written.get(claim.base, ()))
        return list(found)

    def said(self, claim: Quantity) -> bool:
        """Tell whether the user has said the number, or the state of the session has it."""
        self._catch_up()
        found = self._as_written.get(abs(claim.number), ())
        return any(self._facts.leaves[figure.leaf].node == ROOT for figure in found)

    def _plainly(self, claim: Quantity) -> Iterator[Figure]:
        """Yield the same number, unless it measures something else."""
        for figure in self._as_written.get(abs(claim.number), ()):
            single = claim.number == 1 and claim.unit.dimension and not figure.quantity.unit.dimension
            if not single and _agree(claim.unit.dimension, claim.unit.factor, figure.quantity.unit):
                yield figure
        if claim.unit.dimension == "percent":
            for figure in self._as_written.get(abs(claim.number) / _HUNDRED, ()):
                if figure.quantity.unit.dimension in ("", "other"):
                    yield figure

    def _by_measure(self, claim: Quantity, *, rounding: bool) -> Iterator[int]:
        for factor in {claim.unit.factor, claim.unit.also or claim.unit.factor}:
            base = abs(claim.number) * factor
            slack = slack_of(claim) * factor if rounding else Decimal(0)
            for figure in self._between(claim.unit.dimension, base - slack, base + slack):
                if factor == claim.unit.factor or figure.quantity.unit.factor == 1:
                    yield figure.leaf
        if claim.unit.dimension == "seconds" and claim.unit.factor < 1:  # a metric tells 0.48, and means seconds
            for figure in self._between("", abs(claim.base), abs(claim.base)):
                if not figure.quantity.unit.dimension and figure.quantity.number % 1:
                    yield figure.leaf

    def _rounded(self, claim: Quantity) -> Iterator[int]:
        base, slack = abs(claim.base), slack_of(claim) * claim.unit.factor
        for figure in self._between("", base - slack, base + slack):
            if _agree(claim.unit.dimension, claim.unit.factor, figure.quantity.unit) or claim.unit.factor != 1:
                yield figure.leaf
        if claim.unit.dimension == "percent":
            low, high = (base - slack) / _HUNDRED, (base + slack) / _HUNDRED
            yield from (figure.leaf for figure in self._between("", low, high) if not figure.quantity.unit.dimension)

    def _between(self, dimension: Dimension, low: Decimal, high: Decimal) -> Iterator[Figure]:
        """Yield the figures of a dimension within bounds; "" has all of them as written."""
        entries = self._measured[dimension]
        least = float(low) * (1 - 1e-12)
        most = float(high) * (1 + 1e-12)
        for index in range(bisect.bisect_left(entries, (least, -1)), len(entries)):
            if entries[index][0] > most:
                return
            yield self._all[entries[index][1]]

    def _catch_up(self) -> None:
        """Read what was added since the last look."""
        if self._read == len(self._facts.leaves):
            return
        for index in range(self._read, len(self._facts.leaves)):
            leaf = self._facts.leaves[index]
            for quantity in _quantities(leaf.value, "" if leaf.is_key else leaf.key):
                self._add(Figure(quantity, index))
        self._read = len(self._facts.leaves)
        for entries in self._measured.values():
            entries.sort()

    def _add(self, figure: Figure) -> None:
        place, quantity = len(self._all), figure.quantity
        self._all.append(figure)
        self._as_written[abs(quantity.number)].append(figure)
        self._measured[""].append((float(abs(quantity.number)), place))
        if quantity.unit.dimension in ("bytes", "seconds"):
            self._measured[quantity.unit.dimension].append((float(abs(quantity.base)), place))


def slack_of(claim: Quantity) -> Decimal:
    """How far the true number may be from what is said: half a step, or one if it is said to be about right."""
    if not claim.rounded:
        return abs(claim.number) * _CLOSE
    about = min(claim.step, _ABOUT) if claim.unit.dimension == "percent" else claim.step
    return about if claim.hedged else claim.step / 2


def _agree(dimension: Dimension, factor: Decimal, shown: Unit) -> bool:
    """Tell whether a number that is said to be so much of something may be one that is shown as so much of that."""
    if not dimension or dimension == "other" or shown.dimension in ("", "other"):
        return True
    return dimension == shown.dimension and factor == shown.factor


def _quantities(value: Json, key: str) -> Iterator[Quantity]:
    if isinstance(value, bool):
        return
    unit = unit_of_key(key) if key else _NONE
    if isinstance(value, int | float):
        yield Quantity(Decimal(str(value)), unit)
    elif isinstance(value, str):
        for quantity in in_text(value):
            known = quantity.unit.dimension or quantity.unit.factor != 1 or not unit.dimension
            bare = value.strip().lstrip("+-").replace(".", "", 1).isdigit()
            yield quantity if known or not bare else replace(quantity, unit=unit)
        cores = _MILLICORES.fullmatch(value)
        if cores and "cpu" in key.casefold():
            yield Quantity(Decimal(cores[1]) / 1000)


def _in_log(text: str) -> Iterator[Quantity]:
    """Read the numbers of a long text, without those that are parts of names: logs have many."""
    found = dict.fromkeys((match[1] or match[4], match[2] or match[3]) for match in _PLAINLY.finditer(spaced(text)))
    for digits, unit in found:
        yield Quantity(Decimal(digits.replace(",", "")), UNITS.get(unit, _NONE) if unit else _NONE)


@lru_cache(maxsize=20_000)
def in_text(text: str) -> tuple[Quantity, ...]:
    """Read the numbers of a text: of its words, and of the parts of `host:port`, `a,b`, `name-7` and the like."""
    if not _DIGIT.search(text):
        return ()
    if len(text) > _LONG:
        return tuple(_in_log(text))
    text = spaced(text)
    found: dict[Quantity, None] = {}
    for token, start in tokens(text):
        if not _DIGIT.search(token):
            continue
        for word in dict.fromkeys((token, *token.split(","), *parts_of(token))):
            for quantity in read_token(word):
                if word == token and not quantity.unit.dimension:
                    unit, _ = unit_after(text, start + len(token))
                    found[replace(quantity, unit=unit or quantity.unit)] = None
                else:
                    found[quantity] = None
            named = NUMBERED_NAME.fullmatch(word)
            if named:
                found[Quantity(Decimal(named[1]))] = None
    return tuple(found)
