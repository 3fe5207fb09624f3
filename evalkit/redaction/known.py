"""Secrets whose values are known, and where they stand in a text."""

import re
from collections.abc import Iterator

from evalkit.redaction.encodings import traces
from evalkit.redaction.hits import Hit
from evalkit.redaction.suspicion import CUT
from evalkit.searching import Searcher, new_searcher

MOST = 2_000
"""So many values are remembered at most. Those of the environment come first, and no run has so many."""

_TOGETHER = 16
"""Values that are searched for at once."""

_SURE = 12
"""Characters from which a value is itself also as a part of a longer word."""

_LEAST_OF_CUT = 8
"""Characters of a secret that make its beginning worth hiding, where the rest was left out."""

_CUT = re.compile(CUT)


class KnownSecrets:
    """Values with their names; to look whether a text has one of them is fast, however many they are."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._spellings: list[tuple[str, str]] = []
        self._searchers: list[Searcher] = []
        self._searched = 0

    def __len__(self) -> int:
        return len(self._names)

    def __contains__(self, value: str) -> bool:
        return value in self._names

    def add(self, value: str, name: str) -> bool:
        """Remember a value; return whether it is new."""
        if value in self._names or len(self._names) >= MOST:
            return False
        self._names[value] = name
        as_bytes = value.encode(errors="surrogatepass").decode("latin-1")  # as it reads where bytes were decoded
        self._spellings += [(spelling, value) for spelling in {value, as_bytes}]
        return True

    def may_be_in(self, text: str) -> bool:
        """Tell whether one of them, or its beginning, may stand in a text, in any encoding; it may be wrong."""
        if self._searched < len(self._names):
            self._search_for_all()
        return any(finds(text) for finds in self._searchers)

    def hits(self, text: str) -> Iterator[Hit]:
        """Yield where they stand in a text as they are, and where one begins whose end was left out."""
        cuts = [found.start() for found in _CUT.finditer(text)]
        for spelling, value in self._spellings:
            if spelling in text:
                end = len(spelling)
                yield from (Hit(start, start + end, value, self._names[value]) for start in _places(spelling, text))
        for value, name in self._names.items() if cuts else ():
            for end in cuts if len(value) >= _LEAST_OF_CUT else ():
                if begun := _begun(value, text[max(0, end - len(value)) : end]):
                    yield Hit(end - begun, end, value, name)

    def _search_for_all(self) -> None:
        """Make the searchers for new values; that of the last, incomplete block is made anew."""
        values = list(self._names)
        del self._searchers[self._searched // _TOGETHER :]
        for start in range(len(self._searchers) * _TOGETHER, len(values), _TOGETHER):
            pieces = {piece for value in values[start : start + _TOGETHER] for piece in traces(value, _LEAST_OF_CUT)}
            self._searchers.append(new_searcher("|".join(map(re.escape, sorted(pieces)))))
        self._searched = len(values)


def _places(value: str, text: str) -> Iterator[int]:
    """Yield where a value begins in a text; a short one does not count inside of a word."""
    start = text.find(value)
    while start >= 0:
        around = text[max(0, start - 1) : start] + text[start + len(value) : start + len(value) + 1]
        if len(value) >= _SURE or not any(map(str.isalnum, around)):
            yield start
        start = text.find(value, start + 1)


def _begun(value: str, before: str) -> int:
    """Count how many first characters of a value stand at the end of a text."""
    start = before.find(value[:_LEAST_OF_CUT])
    while start >= 0:
        if value.startswith(before[start:]):
            return len(before) - start
        start = before.find(value[:_LEAST_OF_CUT], start + 1)
    return 0
