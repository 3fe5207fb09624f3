"""Text without what does not matter when one looks for a text in another: case, markup, spacing, trivial punctuation.

What stays are words and numbers, and `¦` where a clause ended. Names keep the signs inside them (`kube-system`,
`my.example.com:80`), numbers their sign, point and unit. Numbers in words become digits where they can mean nothing
else; thousands lose their separators.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence

from evalkit.answers.numerals import WORDS

END = "\u00a6"
"""Stands where a clause ended."""

_DASHES = {ord(sign): "-" for sign in "\u2010\u2011\u2012\u2013\u2212"} | {ord("\u2014"): f" {END} "}
_DROPPED = dict.fromkeys(map(ord, "'\"`*~\u2018\u2019\u201c\u201d\u00b4"))
_SPACED = dict.fromkeys(map(ord, "()[]{}|"), " ")
_SIGNS = {**_DASHES, **_DROPPED, **_SPACED}

_EMPHASIS = re.compile(r"(?<!\w)_+|_+(?!\w)")
_LINE_MARK = re.compile(r"^\s*(?:#{1,6}|>|[-+\u2022]|\d+[.)])\s", re.MULTILINE)
_LONE_DASH = re.compile(r"(?<!\S)-+(?!\S)")
_CLAUSE_END = re.compile(r"(?:[.,;:!?]|\u2026)+(?=\s|$)|\n")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_WITH_UNIT = re.compile(r"(?<![\w.:/-])(\d+(?:\.\d+)?)([a-z%]+)(?![\w-])")

_SCALES = {"hundred": 100, "thousand": 1000}
_BEFORE = """no any every some each the this that another which"""
_AFTER = """of another or that who which to can is was has must should would by and"""
_BEFORE_A_PRONOUN, _AFTER_A_PRONOUN = frozenset(_BEFORE.split()), frozenset(_AFTER.split())


def plain(text: str) -> str:
    """Return a text without what does not matter."""
    text = unicodedata.normalize("NFKC", text).casefold().translate(_SIGNS)
    text = _LONE_DASH.sub(" ", _LINE_MARK.sub(" ", _EMPHASIS.sub("", text)))
    text = _WITH_UNIT.sub(r"\1 \2", _THOUSANDS.sub("", text))
    words = _CLAUSE_END.sub(f" {END} ", text).split()
    return " ".join(_with_digits(words))


def _with_digits(words: Sequence[str]) -> Iterator[str]:
    """Write numbers in digits: `five`, `twenty-one`, `twenty one`, `two hundred`."""
    at = 0
    while at < len(words):
        number, taken = _number(words, at)
        yield words[at] if number is None else str(number)
        at += taken


def _number(words: Sequence[str], at: int) -> tuple[int | None, int]:
    """Read a number in words; None where there is none, or where it may be something else. Also how long it is."""
    word, after = words[at], words[at + 1] if at + 1 < len(words) else ""
    if word not in WORDS or word == "dozen" or (word == "one" and _is_pronoun(words, at, after)):
        return None, 1
    joined = f"{word}-{after}"
    if joined in WORDS:
        return WORDS[joined], 2
    if after not in _SCALES:
        return WORDS[word], 1
    beyond = words[at + 2] if at + 2 < len(words) else ""
    if beyond == "and" or beyond in WORDS or beyond in _SCALES:
        return None, 2  # a longer number, which nobody writes in words in a report
    return WORDS[word] * _SCALES[after], 2


def _is_pronoun(words: Sequence[str], at: int, after: str) -> bool:
    before = words[at - 1] if at else ""
    return before in _BEFORE_A_PRONOUN or after in _AFTER_A_PRONOUN
