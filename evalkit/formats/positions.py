"""Where a value stands in the text of its file, found only when somebody asks."""

import json
import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple, Protocol

from evalkit.formats.paths import JsonPath

_skip_space = re.compile(r"[ \t\n\r]*").match
_decode = json.JSONDecoder().raw_decode
_FEW_PLACES = 20
"""So many places are found by counting lines, before it pays to know where each line starts."""


class Place(NamedTuple):
    """A place in a text: 1-based line, and 1-based column in characters."""

    line: int
    column: int


class Positions(Protocol):
    """Finds the places of a file's values."""

    def place(self, path: JsonPath, *, key: bool = False) -> Place:
        """Find the value at a path, or the key before it.

        Of a path that goes on where nothing is, the last value that exists is taken.
        """


class Lines:
    """The lines of a text, for turning offsets into places."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._asked = 0

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(found.end() for found in re.finditer("\n", self._text))]

    def place(self, offset: int) -> Place:
        """The place of a character."""
        self._asked += 1
        if self._asked <= _FEW_PLACES:
            return Place(self._text.count("\n", 0, offset) + 1, offset - self._text.rfind("\n", 0, offset))
        line = bisect_right(self._starts, offset)
        return Place(line, offset - self._starts[line - 1] + 1)


class Member(NamedTuple):
    """A member of an object or an item of a list: its key or index, and the offsets of key and value."""

    step: str | int
    key: int
    value: int


class JsonPositions:
    """The places in a JSON text that is known to be valid; each object or list is walked once, and as far as needed."""

    def __init__(self, text: str, *, repeated_keys: bool = True) -> None:
        """Prepare to find places.

        Args:
            text: The text.
            repeated_keys: Whether an object may have a key twice, so that it has to be walked to its end.
        """
        self._text = text
        self._repeated_keys = repeated_keys
        self._walked: dict[int, tuple[dict[str | int, Member], Iterator[Member]]] = {}

    @cached_property
    def _lines(self) -> Lines:
        return Lines(self._text)

    @cached_property
    def start(self) -> int:
        """The offset of the top value."""
        return self._skip(0)

    def place(self, path: JsonPath, *, key: bool = False) -> Place:
        """Find the value at a path, or the key before it."""
        found, whole = self._follow(path)
        return self._lines.place(found.key if key and whole else found.value)

    def find(self, path: JsonPath) -> Member | None:
        """Find the member at a path; None if the text has none."""
        found, whole = self._follow(path)
        return found if whole else None

    def end(self, offset: int) -> int:
        """Where the value or key that starts at an offset ends."""
        return _decode(self._text, offset)[1]

    def at(self, offset: int) -> Place:
        """The place of a character."""
        return self._lines.place(offset)

    def walk(self, offset: int) -> Iterator[Member]:
        """Yield every member of the object or list at an offset, repeated keys too; nothing for other values."""
        text, opener = self._text, self._text[offset]
        if opener not in "{[":
            return
        at = self._skip(offset + 1)
        index = 0
        while text[at] not in "}]":
            step: str | int = index
            key = at
            if opener == "{":
                step, at = _decode(text, at)
                at = self._skip(self._skip(at) + 1)
            yield Member(step, key, at)
            try:
                _, at = _decode(text, at)
            except RecursionError:  # the text was parsed with a few frames less; what follows is not worth more
                return
            at = self._skip(at)
            if text[at] == ",":
                at = self._skip(at + 1)
            index += 1

    def _follow(self, path: JsonPath) -> tuple[Member, bool]:
        """Go along a path as far as it leads, and tell whether that was to its end."""
        found = Member("", self.start, self.start)
        for step in path:
            inner = self._member(found.value, step)
            if inner is None:
                return found, False
            found = inner
        return found, True

    def _member(self, offset: int, step: str | int) -> Member | None:
        """Find a member of the object or list at an offset; the last of a name, as JSON's readers do."""
        if offset not in self._walked:
            self._walked[offset] = ({}, self.walk(offset))
        known, rest = self._walked[offset]
        only = isinstance(step, int) or not self._repeated_keys
        if only and step in known:
            return known[step]
        for member in rest:
            known[member.step] = member
            if only and member.step == step:
                break
        return known.get(step)

    def _skip(self, at: int) -> int:
        found = _skip_space(self._text, at)
        return found.end() if found else at
