"""Where claims may come from: everything a conversation has shown the agent so far.

A number is found by value in numbers of the replies and in the words of their strings: 75 in `75.0`, `"lag=75"` and
`broker-75`, never in 175. Dates, times, versions and addresses are words of their own and lend no numbers. A list or an
object lends its length, for answers that count. An identifier is found as a whole word, in any case: not `broker-2` in
`broker-22`, but `payments.dlq` in `payments.dlq.retry`, `10:15` in a timestamp, and `shop/api` where `shop` and `api`
both occur.
"""

import math
import re
from decimal import Decimal

from evalkit.cases import Json
from evalkit.scorers.claims import Claim, numbers, tokens

_TIMESTAMP = re.compile(r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?(?:\.\d+)?)(Z|[+-]\d\d:?\d\d)?", re.IGNORECASE)
_NUMBERED_NAME = re.compile(r"[a-z]+(?:[-_][a-z]+)*[-_](\d+)", re.IGNORECASE)
_VERSION = re.compile(r"v\d+(?:\.\d+)+", re.IGNORECASE)
_TIME_OF_DAY = re.compile(r"\d{1,2}:\d\d")
_JOINT = re.compile(r"[/:@]+")
_PERCENT = Decimal(100)


class Sources:
    """Collects what the agent was shown, and looks claims up in it."""

    def __init__(self) -> None:
        self._numbers: set[Decimal] = set()
        self._texts: list[str] = [""]

    def add(self, value: Json) -> None:
        """Add a JSON value: keys, strings, numbers, and how many things are in it."""
        self._add(value)
        self._texts = ["\n".join(self._texts)]

    def hold(self, claim: Claim) -> bool:
        """Tell whether the claim comes from here."""
        if claim.number is None:
            return self._has(claim.text) or self._has_parts(claim.text)
        return claim.number in self._numbers or (claim.percent and claim.number / _PERCENT in self._numbers)

    def _add(self, value: Json) -> None:
        match value:
            case str():
                self._add_text(value)
            case bool() | None:
                pass
            case int() | float():
                if math.isfinite(value):
                    self._add_number(Decimal(str(value)))
                    self._texts.append(str(value))
            case dict():
                self._numbers.add(Decimal(len(value)))
                for key, item in value.items():
                    self._add_text(str(key))
                    self._add(item)
            case list() | tuple():
                self._numbers.add(Decimal(len(value)))
                for item in value:
                    self._add(item)

    def _add_text(self, text: str) -> None:
        text = _spaced(text)
        self._texts.append(text)
        for token in tokens(_TIMESTAMP.sub(" ", text)):
            for word in {token, *token.split(","), *self._parts(token)}:
                self._add_numbers_of(word)

    def _add_numbers_of(self, word: str) -> None:
        for claim in numbers(word):
            if claim.number is not None:
                self._add_number(claim.number)
        named = _NUMBERED_NAME.fullmatch(word)
        if named:
            self._add_number(Decimal(named[1]))

    def _add_number(self, number: Decimal) -> None:
        self._numbers.update((number, abs(number)))

    def _has(self, word: str) -> bool:
        word = _spaced(word)
        if _VERSION.fullmatch(word):
            word = word[1:]
        before = r"(?<![a-z0-9_.:-])v?" if word[:1].isdigit() else r"(?<![a-z0-9_-])"
        return bool(re.search(rf"{before}{re.escape(word)}(?![a-z0-9_-]|\.\d)", self._texts[0], re.IGNORECASE))

    def _has_parts(self, word: str) -> bool:
        parts = self._parts(word)
        return bool(parts) and all(self._has(part) for part in parts)

    @staticmethod
    def _parts(word: str) -> list[str]:
        """Split `host:port`, `namespace/name` and the like; a time of day has no parts of its own."""
        parts = [part for part in _JOINT.split(word) if part]
        return [] if len(parts) == 1 or _TIME_OF_DAY.match(word) else parts


def _spaced(text: str) -> str:
    """Set timestamps apart in date, time and zone, so that each can be cited alone."""
    return _TIMESTAMP.sub(lambda match: " ".join(part for part in match.groups() if part), text)
