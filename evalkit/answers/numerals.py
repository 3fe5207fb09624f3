"""Numbers as they are written: separators of several locales, signs, units, words, and how exact they are meant."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from evalkit.answers.units import UNITS, Unit, unit_after, unit_of

DIGITS = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"
_UNIT = (
    r"%|°[CF]?|[€$£]|x|[kKMGTP]i?[Bb]?(?:ps)?|[Bb](?:ps)?|bytes?|bits?|bn|[nuµμm]s|m|s|secs?|seconds?|mins?|minutes?"
    r"|h|hrs?|hours?|d|days?|w|weeks?|y|years?|[kMG]?Hz|qps|rps|rpm|pp"
)
_NUMERAL = re.compile(rf"[~≈$€£]?(?P<number>[-+]?(?:{DIGITS}))(?P<unit>{_UNIT})?(?:/(?:{_UNIT}))?")
_SEVERAL = re.compile(rf"(?:{DIGITS})(?:{_UNIT})?(?:[-/x](?:{DIGITS})(?:{_UNIT})?)+")
_MODIFIER = re.compile(rf"(?P<number>{DIGITS})(?:-[a-z]+)+")  # a 3-node cluster
_DATE = re.compile(r"\d{4}-\d\d(?:-\d\d)?")
_PARTS = re.compile(DIGITS)

_SMALL = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
nineteen
"""
_BIG = "twenty thirty forty fifty sixty seventy eighty ninety"
_ONES = _SMALL.split()
_TENS = {word: 10 * tens for tens, word in enumerate(_BIG.split(), 2)}
WORDS: Mapping[str, int] = {
    **{word: number for number, word in enumerate(_ONES)},
    **_TENS,
    **{f"{tens}-{one}": ten + number for tens, ten in _TENS.items() for number, one in enumerate(_ONES[:10]) if number},
    "dozen": 12,
}
"""Numbers in words, up to a hundred."""

_HEDGE = re.compile(
    r"(?:about|around|roughly|approximately|approx\.?|circa|ca\.|nearly|almost|over|under|some|more than|less than"
    r"|fewer than|at least|at most|up to|just|close to|[~≈])[ \t]*$",
    re.IGNORECASE,
)
_ENOUGH_DIGITS = 2
"""A number with fewer significant digits is not taken as rounded, unless it says so."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with its unit.

    Attributes:
        number: As written.
        unit: Its unit; one without a dimension if none is written.
        step: The place value of its last digit that counts, in its unit.
        rounded: Whether it may stand for a number that rounds to it.
        hedged: Whether the text says so, as in `about 5`.
    """

    number: Decimal
    unit: Unit = field(default_factory=lambda: Unit(""))
    step: Decimal = Decimal(0)
    rounded: bool = False
    hedged: bool = False

    @property
    def base(self) -> Decimal:
        """The number in the base unit of its dimension."""
        return self.number * self.unit.factor


def read_token(token: str) -> tuple[Quantity, ...]:
    """Read a word as one number or several; empty if it is something else."""
    whole = _NUMERAL.fullmatch(token)
    if whole:
        written = whole["unit"] or ""
        unit = unit_of(written) or Unit("other" if written else "")
        return (quantity(whole["number"], unit),)
    if _SEVERAL.fullmatch(token) and not _DATE.fullmatch(token):
        shared = UNITS["%"] if token.endswith("%") else Unit("")
        return tuple(quantity(part, shared) for part in _PARTS.findall(token))
    modifier = _MODIFIER.fullmatch(token)
    if not modifier:
        return ()
    after, _ = unit_after(token, modifier.end("number"))
    return (quantity(modifier["number"], after or Unit("")),)


def quantity(digits: str, unit: Unit, *, hedged: bool = False) -> Quantity:
    """Build a quantity from the digits as written, with `,` between thousands and `.` before decimals."""
    plain = digits.replace(",", "")
    number = Decimal(plain)
    _, figures, exponent = number.as_tuple()
    places = int(exponent)
    if places >= 0:
        trimmed = plain.lstrip("-+").rstrip("0")
        zeros = len(plain.lstrip("-+")) - len(trimmed)
        step, counting = (Decimal(10) ** zeros if hedged else Decimal(1)), len(trimmed) if hedged else len(figures)
    else:
        step, counting = Decimal(10) ** places, len(plain.lstrip("-+0.").replace(".", ""))
    exact = places < 0 and unit.dimension == "percent"  # `0.4 %` is told of 0.41 %
    measured = places < 0 or unit.dimension != "" or unit.factor != 1
    rounded = hedged or exact or (counting >= _ENOUGH_DIGITS and measured)
    return Quantity(number, unit, step, rounded, hedged)


def hedged_before(text: str, start: int) -> bool:
    """Tell whether a number that starts there is said to be about right."""
    return bool(_HEDGE.search(text, max(0, start - 20), start))


def other_readings(token: str) -> Iterator[Quantity]:
    """Yield what else a number may be: `4.870` has thousands in German, `12,5` a decimal comma in most of Europe."""
    if re.fullmatch(r"[-+]?\d{1,3}(?:\.\d{3})+(?:,\d+)?", token):
        yield quantity(token.replace(".", "").replace(",", "."), Unit(""))
    elif re.fullmatch(r"[-+]?\d+,\d+", token):
        yield quantity(token.replace(",", "."), Unit(""))
