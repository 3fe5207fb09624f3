"""A file that is parsed but not yet understood, and problems that point into it."""

from collections.abc import Iterable
from dataclasses import dataclass

from evalkit.cases import Json
from evalkit.errors import Problem
from evalkit.formats.paths import JsonPath, write_path
from evalkit.formats.positions import Positions
from evalkit.formats.rules import RULES

MAX_DEPTH = 201
"""Levels of nesting that ADK's JSON parser reads, the top value being the first."""


@dataclass(frozen=True, slots=True)
class Document:
    """A parsed file.

    Attributes:
        file: The file as the user named it.
        value: What it says, as plain JSON.
        positions: Where in the text each part of it stands.
    """

    file: str
    value: Json
    positions: Positions

    def problem(self, rule: str, path: JsonPath, message: str, hint: str | None = None) -> Problem:
        """Make a problem that points at a value, or at its key if the rule says so."""
        place = self.positions.place(path, key=RULES[rule].at_key)
        return Problem(
            file=self.file,
            rule=rule,
            message=message,
            path=write_path(path),
            line=place.line,
            column=place.column,
            hint=hint,
            severity=RULES[rule].severity,
        )


def nesting(value: Json) -> int:
    """Count how many objects and lists stand inside one another, the value itself included."""
    levels = 0
    level = [value] if isinstance(value, dict | list) else []
    while level:
        levels += 1
        level = [item for parent in level for item in items(parent) if isinstance(item, dict | list)]
    return levels


def items(value: Json) -> Iterable[Json]:
    """The values inside an object or a list."""
    inner: Iterable[Json] = value.values() if isinstance(value, dict) else value
    return inner
