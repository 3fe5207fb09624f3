"""Dates and times of day as people write them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_MONTH = (
    r"(?P<month>Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?"
    r"|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\b\.?"
)
_DAY = r"(?P<{}>0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?"
_DATE = re.compile(
    rf"\b(?:{_DAY.format('before')}\s+(?:of\s+)?)?{_MONTH}(?:\s+{_DAY.format('after')}\b(?!:))?"
    r"(?:,?\s+(?P<year>\d{4})\b)?"
)
_HOUR = re.compile(r"\b(1[0-2]|0?[1-9])(?::([0-5]\d))?\s?([ap])\.?m\b\.?", re.IGNORECASE)
_ISO = re.compile(r"\b(\d{4})-(\d\d)-(\d\d)\b")
_NUMERIC = re.compile(r"\b(0?[1-9]|[12]\d|3[01])([./])(0?[1-9]|1[0-2])\2(\d{4})\b")


@dataclass(frozen=True, slots=True)
class Moment:
    """A date or a time of day: what to look for, as regular expression over ISO timestamps."""

    text: str
    start: int
    pattern: str


def dates(text: str) -> Iterator[Moment]:
    """Yield the dates in words, dates in numbers other than ISO, and hours with `am` or `pm`."""
    for match in _DATE.finditer(text):
        day = match["before"] or match["after"]
        if day or match["year"]:
            month = _MONTHS.index(match["month"][:3].casefold()) + 1
            year = match["year"] or r"\d{4}"
            yield Moment(match[0], match.start(), f"{year}-{month:02}-" + (f"{int(day):02}" if day else r"\d\d"))
    for match in _HOUR.finditer(text):
        hour = int(match[1]) % 12 + (12 if match[3].casefold() == "p" else 0)
        yield Moment(match[0], match.start(), rf"(?<![\d:]){hour:02}:{match[2] or '00'}")
    for match in _NUMERIC.finditer(text):
        one, other, year = int(match[1]), int(match[3]), match[4]
        yield Moment(match[0], match.start(), rf"{year}-(?:{other:02}-{one:02}|{one:02}-{other:02})")


def blank_dates(text: str) -> str:
    """Replace what `dates` reads by spaces."""
    for moment in dates(text):
        text = text[: moment.start] + " " * len(moment.text) + text[moment.start + len(moment.text) :]
    return text
