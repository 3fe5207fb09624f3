"""Texts that were shown, as they are searched: names as a whole, passages whatever their quotes."""

import re
from collections.abc import Iterator

_TIMESTAMP = re.compile(r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?(?:\.\d+)?) ?(Z|[+-]\d\d:?\d\d)?", re.IGNORECASE)
_SECONDS = re.compile(r"\d\d:\d\d:\d\d")
_QUOTES = {ord(char): None for char in "\"'`\u00b4\u2018\u2019\u201c\u201d\u00ab\u00bb\u201e\\"}


def spaced(text: str) -> str:
    """Set timestamps apart in date, time and zone, so that each can be cited alone."""
    return _TIMESTAMP.sub(lambda match: " ".join(part for part in match.groups() if part), text)


def plain(text: str) -> str:
    """Return a text without quotes, with single spaces, in one case."""
    return " ".join(text.translate(_QUOTES).casefold().split())


def places_of(text: str, word: str) -> Iterator[int]:
    """Yield where a word stands as a whole; a number also behind the `v` of a version."""
    if word[:1] == "v" and word[1:2].isdigit() and "." in word:
        word = word[1:]
    version, of_time = word[:1].isdigit(), bool(_SECONDS.fullmatch(word))
    joints = ("_.-" if "." in word and ":" not in word else "_.:-") if version else "_-"
    place = text.find(word) if word else -1
    while place >= 0:
        before = place - 1
        if version and before >= 0 and text[before] == "v":
            before -= 1
        if not _joins(text, before, joints) and not _goes_on(text, place + len(word), of_time=of_time):
            yield place
        place = text.find(word, place + 1)


def _joins(text: str, place: int, joints: str) -> bool:
    return place >= 0 and (_is_letter(text[place]) or text[place] in joints)


def _goes_on(text: str, place: int, *, of_time: bool = False) -> bool:
    following = text[place : place + 2]
    if not following or (of_time and following[0] == "."):
        return False
    return _is_letter(following[0]) or following[0] in "_-" or (following[0] == "." and following[1:].isdigit())


def _is_letter(char: str) -> bool:
    """Tell whether a name goes on with this; scripts without spaces begin a word of their own."""
    return char.isascii() and char.isalnum()
