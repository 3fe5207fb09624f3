"""A file that is parsed but not yet understood, and problems that point into it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice

from evalkit.cases import Json
from evalkit.errors import Fix, Problem, Severity
from evalkit.formats.paths import JsonPath, write_path
from evalkit.formats.positions import Positions
from evalkit.formats.rules import RULES
from evalkit.formats.spelling import to_camel

_NESTED = (dict, list)
MAX_DEPTH = 201
"""Levels of nesting that ADK's JSON parser reads, the top value being the first, what is in the innermost the last."""
MOCKS_DEPTH = 100
"""Levels of objects and lists in a mocks file or a reply file, as many as a stored run keeps of a reply."""
MOST_FAULTS = 2000
"""So many faults of one file are described; whoever has more is served by less."""


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

    def most(self, problems: Iterator[Problem], severity: Severity = "error") -> Iterator[Problem]:
        """Yield problems; in place of those that are too many, one of a severity that says so."""
        yield from islice(problems, MOST_FAULTS)
        if next(problems, None) is not None:
            yield self.too_many_faults(severity)

    def too_many_faults(self, severity: Severity = "error") -> Problem:
        """Make the problem that stands for all that are not described."""
        message = f"the file has more than {MOST_FAULTS:,} faults, of which the first are described"
        return self.problem("too-many-faults", (), message, "mend these first", severity=severity)


def nesting(value: Json) -> int:
    """Count how many values stand inside one another, the value itself and the innermost included."""
    levels, level = 0, [value]
    while level:
        levels += 1
        parents = [item for item in level if isinstance(item, _NESTED)]
        level = [item for parent in parents for item in (parent.values() if isinstance(parent, dict) else parent)]
    return levels
