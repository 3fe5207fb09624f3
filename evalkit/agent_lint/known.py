"""What an agent knows when it makes a call: what the user said, and what it was told and shown up to then.

Names are found however they are written (`order processor` for `order-processor`), numbers also as words, in another
unit, or as what two known numbers add up to: what a model can make of what it knows is nothing to warn of.
"""

import json
import re
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from itertools import combinations

from evalkit.agent_lint import words
from evalkit.cases import Json

_JOINTS = re.compile(r"[/:@,]+")
_SCHEME = re.compile(r"^[a-z][a-z0-9+.-]*://", re.IGNORECASE)
_SHORTEST_PART = 3
_SHORTEST_STEM = 4
_FACTORS = [Decimal(factor) for factor in (7, 24, 60, 100, 168, 1000, 1024, 3600, 86_400, 10**6, 1024**2, 86_400_000)]
"""Between units of time, of size and of shares."""

_MOST_DIGITS = 40
"""Numbers with more of them are ids, and would overflow when they are multiplied."""

_FEW = 40
"""With more numbers than that, sums of two of them are not looked at: they would explain anything."""


class Known:
    """Collects texts and values, and tells whether a value comes from them."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._folded = ""
        self._stems: frozenset[str] = frozenset()
        self._numbers: frozenset[Decimal] = frozenset()

    def add(self, value: Json) -> None:
        """Add a text, or a JSON value with its keys."""
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
        self._texts.append(text)
        self._folded += "\n" + words.fold(text)
        self._stems |= words.stems(text)
        periods = {seconds / unit for _, seconds in words.periods(text) for unit in words.UNITS.values()}
        self._numbers |= words.numbers(text) | periods

    @property
    def latin(self) -> bool:
        """Whether everything is in the Latin script; words in another one do not resemble the names they stand for."""
        return all(char.isascii() or not char.isalpha() or char < "\u0250" for text in self._texts for char in text)

    def says(self, pattern: re.Pattern[str]) -> bool:
        """Tell whether a pattern is found in anything that was said."""
        return any(map(pattern.search, self._texts))

    def has_name(self, name: str) -> bool:
        """Tell whether a name, or a part of it that is a name too, was mentioned."""
        name = _SCHEME.sub("", name)
        return self._has(name) or any(
            len(part) >= _SHORTEST_PART and self._has(part) for part in _JOINTS.split(name) if part != name
        )

    def has_word(self, word: str) -> bool:
        """Tell whether a plain word was mentioned, or one that shortens or lengthens it: prod for production."""
        word = word.casefold()
        return self._has(word) or any(
            len(one) >= _SHORTEST_STEM and (word.startswith(one) or one.startswith(word)) for one in self._stems
        )

    def has_number(self, number: Decimal) -> bool:
        """Tell whether a number was mentioned, or follows from what was."""
        known = self._numbers
        number = abs(number)
        if number in known or any({number * factor, number / factor} & known for factor in _FACTORS):
            return True
        pairs = combinations(known, 2) if len(known) <= _FEW else ()
        return any(number in (one + other, abs(one - other), one * other) for one, other in pairs)

    def _has(self, name: str) -> bool:
        folded = words.fold(name)
        if not folded or folded in self._folded or words.fold(words.stem(name.casefold())) in self._folded:
            return True
        own = {words.stem(part) for part in words.parts(name)}
        return bool(own) and all(part in self._stems or _is_known_number(part, self._numbers) for part in own)


def _is_known_number(part: str, known: frozenset[Decimal]) -> bool:
    return part.isdigit() and Decimal(part) in known


def as_number(value: Json) -> Decimal | None:
    """Read a number, also one that is written as text; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = Decimal(str(value).strip())
    except InvalidOperation:
        return None
    return number if number.is_finite() and abs(number.adjusted()) < _MOST_DIGITS else None


def schema_text(schema: Mapping[str, Json]) -> str:
    """Return what a declaration says as text: the names, descriptions, choices and defaults in it."""
    return json.dumps(schema, ensure_ascii=False, default=str)
