"""Identifiers: words that prose would not have.

An identifier is an ASCII word with a digit, `_`, `.`, `/`, `:`, `@` or `-` inside (times, versions, addresses, UUIDs,
names of hosts and topics), or in camel case. None are English compounds such as `up-to-date` (told by their small
words, so a name such as `log-in-service` is passed over), alternatives such as `and/or`, and some names that everybody
in operations uses.
"""

import re

from evalkit.scorers.grounds.words import EVERYDAY, SMALL_WORDS

NUMBERED_NAME = re.compile(r"[a-z]+(?:[-_][a-z]+)*[-_](\d+)", re.IGNORECASE)
TIME_OF_DAY = re.compile(r"\d{1,2}:\d\d")
_CLASS = re.compile(r"[1-5]xx", re.IGNORECASE)  # of HTTP's statuses
_RATE = re.compile(r"[a-z]+/(?:s|sec|second|min|minute|h|hour|day)", re.IGNORECASE)
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)", re.IGNORECASE)
_INSIDE = re.compile(r"(?<=\w)[-_./:@\\](?=\w)|^[/~.]\w")
_CAMEL = re.compile(r"[a-z][A-Z]|[A-Z]{2}[a-z]{2}")
_JOINT = re.compile(r"[/:@]+")


def is_identifier(word: str) -> bool:
    """Tell whether a word of an answer is a name of something."""
    if word.casefold() in EVERYDAY or _ORDINAL.fullmatch(word) or _CLASS.fullmatch(word) or _RATE.fullmatch(word):
        return False
    word = word.strip("_")
    if not word.isascii() or not any(char.isalnum() for char in word):
        return False
    parts = word.casefold().split("-")
    if len(parts) > 1 and all(part.isalpha() for part in parts):
        return SMALL_WORDS.isdisjoint(parts)
    has_digit = any(char.isdigit() for char in word)
    return has_digit or bool(_INSIDE.search(word)) or bool(_CAMEL.search(word))


def parts_of(word: str) -> list[str]:
    """Split `host:port`, `namespace/name` and the like; a time of day has no parts of its own."""
    if TIME_OF_DAY.match(word):
        return []
    parts = [part for part in _JOINT.split(word) if part]
    return [] if len(parts) == 1 else parts
