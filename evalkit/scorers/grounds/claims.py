"""What an answer states: numbers, identifiers, dates, quotations and states.

Not claims are list markers, ordinals, and what somebody would look up nowhere: small talk, advice in commands.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import pairwise
from typing import Literal

from evalkit.answers.numerals import (
    DIGITS,
    WORDS,
    Quantity,
    hedged_before,
    other_readings,
    quantity,
    read_token,
)
from evalkit.answers.tokens import tokens
from evalkit.answers.units import UNITS, Unit, unit_after
from evalkit.scorers.grounds.moments import blank_dates, dates
from evalkit.scorers.grounds.names import is_identifier
from evalkit.scorers.grounds.statuses import Status, is_state
from evalkit.scorers.grounds.words import EVERYDAY

Kind = Literal["number", "identifier", "date", "quotation", "status"]

_LIST_MARKER = re.compile(r"^[ \t]*\(?\d+[.)](?=\s)", re.MULTILINE)
_QUOTATION = re.compile(
    r"(?<![\w\"])\"([^\"\n]{2,300})\"(?![\w\"])|“([^”\n]{2,300})”|„([^“\n]{2,300})“|«([^»\n]{2,300})»"
)
_CODE = re.compile(r"(?<!`)(`{1,3})(?!`)([^`]{1,300})\1(?!`)")
_COMMAND = re.compile(
    r"^\$?\s*(?:(?:sudo|kubectl|docker|helm|curl|kafka-[\w-]+|git|systemctl|journalctl|adk|logcli|promtool)\b"
    r"|[a-z][\w.-]*(?: [\w./-]+)* --?[a-z])"
)
_GROUPS = re.compile(r"(?<=\d)[\u00a0\u202f\u2009'\u2019](?=\d{3}(?!\d))")
_SPACED = re.compile(r"(?<![\d.,:/-])\d{1,3}(?: \d{3})+(?![\d.:/-])")
_DECIMAL_COMMA = re.compile(r"(?<![\d.,])\d+,(?:\d{1,2}|\d{4,})(?![\d,])")
_WORD = re.compile(rf"\b(?:{'|'.join(sorted(WORDS, key=len, reverse=True))})\b(?!-)", re.IGNORECASE)
_PAIR = re.compile(r"(?<![\w=-])[A-Za-z_][\w./-]*=[A-Za-z_][\w.-]*(?![\w=])")
_SPAN = re.compile(
    r"\b(?:for|after|every|than) (?:a|an|one) (second|minute|hour|day|week|year)\b(?! or\b)", re.IGNORECASE
)
_FOLD = re.compile(rf"\b({'|'.join(sorted(WORDS, key=len, reverse=True))})-?fold\b", re.IGNORECASE)
_DIGITS = re.compile(DIGITS)
_UNIT_OF = {
    name: span
    for span, names in {
        "days": "d day days",
        "hours": "h hr hrs hour hours",
        "minutes": "m min mins minute minutes",
        "seconds": "s sec secs second seconds",
    }.items()
    for name in names.split()
}
"""The units of times told in several, each by what is written."""

_PART = re.compile(rf"(\d+) ?({'|'.join(sorted(_UNIT_OF, key=len, reverse=True))})\b")
_COMPOUND = re.compile(rf"(?<![\w.,])(?:{_PART.pattern}(?:,? and |, ?| )?){{2,4}}(?<![ ,])(?![\w-])")
_INDEX = re.compile(r"/\d+")
"""What is left of "`orders`/2" without the name."""

_VAGUE = re.compile(r"\b(?:zero|one)$", re.IGNORECASE)
_SINGLE = re.compile(
    r"\b(?:(?:only|just|exactly) one|a single|one(?= (?:of|out of) (?:(?:the|its|these|all|your) )?(?:\d"
    rf"|(?:{'|'.join(WORDS)})\b)))\b",
    re.IGNORECASE,
)
"""One of several, which counts what follows; `one` alone has other meanings."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One thing that a text states.

    Attributes:
        kind: What it is.
        text: As written, without the punctuation around it.
        start: Where it stands.
        quantity: Of a number.
        readings: What else a number may be, each a set of numbers that must all be there.
        status: Of a state.
        pattern: Of a date: a regular expression over ISO timestamps.
        vague: Whether it only counts, as `only one`, and needs no source by itself.
    """

    kind: Kind
    text: str
    start: int = 0
    quantity: Quantity | None = None
    readings: tuple[tuple[Quantity, ...], ...] = ()
    status: Status | None = None
    pattern: str = ""
    vague: bool = False

    @property
    def key(self) -> object:
        """What makes two claims the same."""
        if self.vague:
            return "one", self.start
        if self.quantity is not None:
            return self.quantity.number, self.quantity.unit
        return self.kind, self.text.casefold()


def claims(text: str, identifiers: re.Pattern[str] | None = None) -> tuple[Claim, ...]:
    """Return what the text states, in order.

    Args:
        text: An answer, or a part of one.
        identifiers: What is an identifier besides what looks like one.
    """
    text = _LIST_MARKER.sub(lambda match: " " * len(match[0]), text)
    text = _GROUPS.sub(",", text)
    found = [*_quotations(text)]
    text = blank_quotations(text)
    found += [Claim("date", match.text, match.start, pattern=match.pattern) for match in dates(text)]
    text = blank_dates(text)
    special = [*_grouped(text), *_compound(text)]
    found += special
    for claim in special:
        text = text[: claim.start] + " " * len(claim.text) + text[claim.start + len(claim.text) :]
    found += _pairs(text)
    found += _in_words(text)
    for token, start in tokens(text):
        found += _of_token(text, token, start, identifiers)
    return tuple(sorted(found, key=lambda claim: claim.start))


def _quotations(text: str) -> Iterator[Claim]:
    for match in _QUOTATION.finditer(text):
        said = next(group for group in match.groups() if group).strip(" .,;:!?…")
        yield Claim("quotation" if " " in said or not is_identifier(said) else "identifier", said, match.start())
    for match in _CODE.finditer(text):
        said = match[2].strip()
        if " " not in said and not any(map(str.isdigit, said)) and said.strip(".,:"):
            yield Claim("identifier", said, match.start(2))
        elif " " in said and not _COMMAND.match(said) and "\n" not in said:
            yield Claim("quotation", said, match.start())
        elif not _COMMAND.match(said):
            yield from (replace(claim, start=claim.start + match.start(2)) for claim in claims(match[2]))


def blank_quotations(text: str) -> str:
    """Replace quotations and code by spaces."""
    for pattern in (_QUOTATION, _CODE):
        text = pattern.sub(lambda match: " " * len(match[0]), text)
    return text


def _grouped(text: str) -> Iterator[Claim]:
    """Yield numbers that may be one or several: `1 240`, `12,5`."""
    for match in _SPACED.finditer(text):
        whole = quantity(match[0].replace(" ", ""), Unit(""))
        yield Claim("number", match[0], match.start(), whole, (tuple(quantity(p, Unit("")) for p in match[0].split()),))
    for match in _DECIMAL_COMMA.finditer(text):
        unit, end = unit_after(text, match.end())
        whole = quantity(match[0].replace(",", "."), unit or Unit(""))
        parts = tuple(quantity(part, Unit("")) for part in match[0].split(","))
        yield Claim("number", text[match.start() : end], match.start(), whole, (parts,))


def _compound(text: str) -> Iterator[Claim]:
    """Yield times told in several units: `1 h 41 min`."""
    for match in _COMPOUND.finditer(text):
        parts = [quantity(digits, UNITS[_UNIT_OF[unit]]) for digits, unit in _PART.findall(match[0])]
        falling = all(one.unit.factor > other.unit.factor for one, other in pairwise(parts))
        if falling:
            least = parts[-1].unit
            whole = sum((part.base for part in parts), Decimal(0)) / least.factor
            hedged = hedged_before(text, match.start())
            number = replace(quantity(f"{whole.normalize():f}", least, hedged=hedged), step=Decimal(1), rounded=True)
            yield Claim("number", match[0], match.start(), number, (tuple(parts),))


def _in_words(text: str) -> Iterator[Claim]:
    for match in _SINGLE.finditer(text):
        yield Claim("number", match[0], match.start(), quantity("1", Unit("")), vague=True)
    for match in _SPAN.finditer(text):
        yield Claim("number", match[0], match.start(), quantity("1", UNITS[match[1].casefold()]))
    for match in _FOLD.finditer(text):
        number = quantity(str(WORDS[match[1].casefold()]), Unit(""), hedged=True)
        yield Claim("number", match[0], match.start(), number)
    for match in _WORD.finditer(text):
        if _VAGUE.search(match[0]) or (text[: match.start()].endswith("-")):
            continue
        unit, end = unit_after(text, match.end())
        hedged = hedged_before(text, match.start())
        number = quantity(str(WORDS[match[0].casefold()]), unit or Unit(""), hedged=hedged)
        yield Claim("number", text[match.start() : end], match.start(), number)


def _pairs(text: str) -> Iterator[Claim]:
    """Yield labels with their values: `tier=web`."""
    for match in _PAIR.finditer(text):
        yield Claim("identifier", match[0].rstrip("."), match.start())


def _of_token(text: str, token: str, start: int, identifiers: re.Pattern[str] | None) -> Iterator[Claim]:
    if token.casefold() in EVERYDAY or is_state(token) or _FOLD.fullmatch(token):
        return
    read = read_token(token)
    hedged = hedged_before(text, start)
    if len(read) == 1:
        (number,) = read
        unit, end = unit_after(text, start + len(token)) if number.unit == Unit("") else (None, start + len(token))
        written = token if not token.startswith(("~", "≈")) else token[1:]
        digits = _digits_of(written)
        number = quantity(digits, unit or number.unit, hedged=hedged or written != token) if digits else number
        others = tuple((other,) for other in other_readings(token))
        yield Claim("number", text[start:end] if unit else token, start, number, others)
    elif read:
        places = [match.start() for match in _DIGITS.finditer(token)]
        for place, number in zip(places, read, strict=False):
            yield Claim("number", str(number.number), start + place, number)
    elif token in UNITS:
        return
    elif _INDEX.fullmatch(token):
        place = start + token.find("/") + 1
        yield Claim("number", token.strip("/"), place, quantity(token.strip("/"), Unit("")))
    elif is_identifier(token) or (identifiers and identifiers.fullmatch(token)):
        yield Claim("identifier", token, start)


def _digits_of(token: str) -> str:
    found = re.match(r"[$€£]?([-+]?[\d,]*\d(?:\.\d+)?)", token)
    return found[1] if found else ""
