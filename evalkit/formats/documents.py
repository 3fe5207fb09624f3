"""A file that is parsed but not yet understood, and problems that point into it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from evalkit.cases import Json
from evalkit.errors import Fix, Problem, Severity
from evalkit.formats.paths import JsonPath, write_path
from evalkit.formats.positions import Positions
from evalkit.formats.rules import RULES
from evalkit.formats.spelling import to_camel

MAX_DEPTH = 201
"""Levels of nesting that ADK's JSON parser reads, the top value being the first."""


@dataclass(frozen=True, slots=True)
class Document:
    """A parsed file.

    Attributes:
        file: The file as the user named it.
        value: What it says, as plain JSON.
        positions: Where in the text each part of it stands.
        renamed: Keys of the top value that the text writes in another way, with that way.
    """

    file: str
    value: Json
    positions: Positions
    renamed: Mapping[str, str] = field(default_factory=dict)

    def written(self, path: JsonPath) -> JsonPath:
        """The path of a value in the text."""
        top = self.renamed.get(str(path[0])) if path and self.renamed else None
        return path if top is None else (top, *path[1:])

    def spelled(self, path: JsonPath) -> JsonPath:
        """A path whose keys are in snake_case, with each key as the value has it."""
        value: Json = self.value
        steps: list[str | int] = []
        for step in path:
            if isinstance(value, dict):
                steps.append(to_camel(step) if step not in value and to_camel(str(step)) in value else step)
                value = value.get(steps[-1])
            else:
                steps.append(step)
                value = value[step] if isinstance(value, list) and isinstance(step, int) else None
        return tuple(steps)

    def problem(
        self,
        rule: str,
        path: JsonPath,
        message: str,
        hint: str | None = None,
        *,
        severity: Severity | None = None,
        fixes: tuple[Fix, ...] = (),
    ) -> Problem:
        """Make a problem that points at a value, or at its key if the rule says so.

        Args:
            rule: Its name in `RULES`.
            path: The faulty value.
            message: What is wrong.
            hint: What to write instead, if that is known.
            severity: The rule's own by default.
            fixes: The changes that remove the problem, if they need no judgement.
        """
        path = self.written(path)
        place = self.positions.place(path, key=RULES[rule].at_key)
        return Problem(
            file=self.file,
            rule=rule,
            message=message,
            path=write_path(path),
            line=place.line,
            column=place.column,
            hint=hint,
            severity=severity or RULES[rule].severity,
            fixes=fixes,
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
