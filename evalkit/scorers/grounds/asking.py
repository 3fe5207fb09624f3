"""What the words around a number ask a reader to compute, and what two numbers make then."""

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple, Self

from evalkit.answers.numerals import Quantity
from evalkit.scorers.grounds.figures import slack_of

_DIFFERENCE = re.compile(
    r"\b(?:more|less|fewer|missing|lacking|lack|lacks|short|ahead|left|remaining|remain|remains|difference|gap|apart"
    r"|another|additional|further|extra|by|free|unavailable|unready|unused|than|grew|rose|fell|dropped|added|lost"
    r"|within|headroom"
    r"|later|earlier|other|others|rest|to go|outstanding|still|until|off|away|not|yet|few|surplus|excess|instead"
    r"|spare)\b|n['\u2019]t\b",
    re.IGNORECASE,
)
_SUM = re.compile(
    r"\b(?:total|totals|together|altogether|combined|sum|sums|overall|in all|all|both|across)\b", re.IGNORECASE
)
_RATIO = re.compile(
    r"\btimes (?:as|its|the|their|that|what|more|higher|larger)\b|\b(?:ratio|fold|share|average|mean)\b|%"
    r"|(?<![a-z])[x\u00d7]\b",
    re.IGNORECASE,
)
_EXCESS = re.compile(r"\b(?:more|extra|surplus|excess|above|over|additional|too many)\b", re.IGNORECASE)
_RATE = re.compile(r" per |\b(?:a minute|an hour|a day)\b|/(?:min|h|day)\b", re.IGNORECASE)
_CHANGE = re.compile(
    r"\b(?:above|below|higher|lower|more|less|fewer|increased?|decreased?|up|down|rose|grew|fell|dropped|jumped|growth"
    r"|larger|smaller|faster|slower)\b",
    re.IGNORECASE,
)


class Asks(NamedTuple):
    """What the words around a number ask for."""

    difference: bool
    total: bool
    ratio: bool
    change: bool
    excess: bool

    @classmethod
    def of(cls, claim: Quantity, words: str) -> Self:
        """Read what the words around a claim ask for; a share asks for a ratio by itself."""
        share = claim.unit.dimension == "percent"
        return cls(
            difference=bool(_DIFFERENCE.search(words)),
            total=bool(_SUM.search(words)),
            ratio=share or bool(_RATIO.search(words) or _RATE.search(words)),
            change=share and bool(_CHANGE.search(words)),
            excess=bool(_EXCESS.search(words)),
        )


def near(claim: Quantity, value: Decimal) -> bool:
    """Tell whether a number is the one that is claimed, as far as the claim is rounded."""
    base = abs(claim.base) if claim.unit.dimension != "percent" else abs(claim.number)
    exact = base == abs(value)
    if exact or not (claim.rounded or claim.hedged):
        return exact
    slack = slack_of(claim) * claim.unit.factor
    return abs(base - abs(value)) <= slack


def of_pair(low: Decimal, high: Decimal, asks: Asks, percent: Decimal) -> Iterator[Decimal]:
    """Yield what two numbers make; one that is 0 or 1 makes nothing new."""
    if asks.difference and low:
        yield high - low
    if asks.total and low:
        yield high + low
    if asks.change and low > 0:
        yield (high - low) / low * percent
        yield (high - low) / high * percent
    if asks.ratio and low > 0:
        yield low / high * percent
        if low != 1:
            yield high / low
            yield Decimal(round(high / low)) if high > low * 2 else high / low
