"""What a text states: the numbers and identifiers in it.

A *number* is digits, perhaps with a sign, thousands separators, a decimal point, a percent sign or a unit; the unit
is not compared. `2/3` and `3-5` are two numbers each. Not claims: list markers, ordinals, dates and numbers in words.

An *identifier* is an ASCII word that prose would not have: with a digit, `_`, `.`, `/`, `:`, `@` or `-` inside (times,
dates, versions, addresses, UUIDs, names of hosts and topics), or in camel case. Not claims: English compounds such as
`up-to-date` (told by their small words, so a name such as `log-in-service` is passed over), alternatives such as
`and/or`, and some names that everybody in operations uses.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from evalkit.scorers.prose import EVERYDAY, SMALL_WORDS

_DIGITS = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"
_UNIT = (
    r"%|°[CF]?|[€$£]|x|[kKMGTP]i?[Bb]?(?:ps)?|[Bb](?:ps)?|bytes?|bits?|bn|[nuµm]s|m|s|secs?|seconds?|mins?|minutes?"
    r"|h|hrs?|hours?|d|days?|w|weeks?|y|years?|[kMG]?Hz|qps|rps|rpm|pp"
)
_NUMERAL = re.compile(rf"[~≈$€£]?(?P<number>[-+]?(?:{_DIGITS}))(?P<unit>{_UNIT})?(?:/(?:{_UNIT}))?")
_SEVERAL = re.compile(rf"(?:{_DIGITS})(?:{_UNIT})?(?:[-/x](?:{_DIGITS})(?:{_UNIT})?)+")
_MODIFIER = re.compile(rf"(?P<number>{_DIGITS})(?:-[a-z]+)+")  # a 3-node cluster
_DATE = re.compile(r"\d{4}-\d\d(?:-\d\d)?")
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)", re.IGNORECASE)

_LIST_MARKER = re.compile(r"^[ \t]*\(?\d+[.)](?=\s)", re.MULTILINE)
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec)(?:uary|ruary|ch|il|ust|tember|ober|ember)?\b\.?"
_DAY = r"(?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?"
_DATE_IN_WORDS = re.compile(rf"\b(?:{_DAY}\s+(?:of\s+)?)?{_MONTH}(?:\s+{_DAY}\b)?(?:,?\s+\d{{4}}\b)?")

# A word ends at a space, at punctuation that names do not have, and where a script without spaces begins.
_SCRIPTS_WITHOUT_SPACES = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3000-\u30ff\u3400-\u9fff\uac00-\ud7af\uff00-\uff0f"
_QUOTES_AND_DASHES = "\"'`\u00b4\u2018\u2019\u201c\u201d\u00ab\u00bb\u2013\u2014\u2026"
_TOKEN = re.compile(
    rf"(?:[^\s{_QUOTES_AND_DASHES}<>()\[\]{{}},;|=*!?{_SCRIPTS_WITHOUT_SPACES}]|(?<=\d),(?=\d{{3}}(?!\d)))+"
)

_INSIDE = re.compile(r"(?<=\w)[-_./:@\\](?=\w)|^[/~.]\w")
_CAMEL = re.compile(r"[a-z][A-Z]|[A-Z]{2}[a-z]{2}")


@dataclass(frozen=True, slots=True)
class Claim:
    """One thing that a text states.

    Attributes:
        text: As written, without the punctuation around it.
        number: Its value if it is a number; None for an identifier.
        percent: Whether the number has a percent sign.
    """

    text: str
    number: Decimal | None = None
    percent: bool = False


def claims(text: str) -> tuple[Claim, ...]:
    """Return what the text states, each thing once, in order."""
    text = _LIST_MARKER.sub(" ", _DATE_IN_WORDS.sub(" ", text))
    found: dict[object, Claim] = {}
    for token in tokens(text):
        for claim in _read(token):
            key = claim.text.casefold() if claim.number is None else (claim.number, claim.percent)
            found.setdefault(key, claim)
    return tuple(found.values())


def tokens(text: str) -> Iterator[str]:
    """Yield the words of a text without the punctuation around them."""
    for match in _TOKEN.finditer(text.replace("\N{MINUS SIGN}", "-")):
        token = match[0].rstrip(".:-/\\#~&^+").lstrip(":#&^")
        while token[:1] == token[-1:] == "_":  # emphasis, unlike the start of `__consumer_offsets`
            token = token[1:-1]
        signed = token[:1] in ("-", "+") and token[1:2].isdigit()
        if not signed:
            token = token.lstrip("-+")
        if token:
            yield token


def numbers(token: str) -> tuple[Claim, ...]:
    """Read a word as one number or several; empty if it is something else."""
    whole = _NUMERAL.fullmatch(token)
    if whole:
        return (_number(token, whole["number"], percent=whole["unit"] == "%"),)
    if _SEVERAL.fullmatch(token) and not _DATE.fullmatch(token):
        return tuple(_number(part, part, percent=token.endswith("%")) for part in re.findall(_DIGITS, token))
    modifier = _MODIFIER.fullmatch(token)
    return (_number(token, modifier["number"]),) if modifier else ()


def _read(token: str) -> tuple[Claim, ...]:
    if token.casefold() in EVERYDAY or _ORDINAL.fullmatch(token):
        return ()
    return numbers(token) or ((Claim(token),) if _is_identifier(token) else ())


def _is_identifier(word: str) -> bool:
    word = word.strip("_")
    if not word.isascii() or not any(char.isalnum() for char in word):
        return False
    parts = word.casefold().split("-")
    if len(parts) > 1 and all(part.isalpha() for part in parts):
        return SMALL_WORDS.isdisjoint(parts)
    has_digit = any(char.isdigit() for char in word)
    return has_digit or bool(_INSIDE.search(word)) or bool(_CAMEL.search(word))


def _number(text: str, digits: str, *, percent: bool = False) -> Claim:
    return Claim(text, Decimal(digits.replace(",", "")), percent)
