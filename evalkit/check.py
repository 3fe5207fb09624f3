"""Checking files: every problem of every file in one go, each with its place, each cause once."""

import math
import os
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from evalkit.bundles import Reader
from evalkit.errors import Problem, SelectionError
from evalkit.formats import mocks as mocks_format
from evalkit.formats.collector import paused_collector
from evalkit.formats.documents import Document
from evalkit.formats.files import (
    CONFIG_NAME,
    HOLMES_NAME,
    RECORDING_SUFFIX,
    YAML_SUFFIXES,
    FileKind,
    Found,
    discover,
    overlooked,
    read_bytes,
)
from evalkit.formats.json_text import parse_json
from evalkit.formats.other_files import OtherKind, other_kind
from evalkit.formats.paths import read_path, write_path
from evalkit.formats.rules import RULES, UNREADABLE

_CONFIG_ENDINGS = ("test_config.json", "eval_config.json")
_SEVERITIES = ("error", "warning", "note")
_ASIDES = {"undiscovered-name", "other-kind", "too-many-faults"}
"""Rules about a file as a whole, which come after everything that stands in it."""
_LONGEST = 2_000
"""Characters of a path or a message that are shown."""
_PLACED = 20
"""So many places of a cause are looked for; each takes a moment, and few are told."""
_MANY = 3
"""So many further places of a cause are listed by line; the rest is counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckReport:
    """What came of checking files.

    Attributes:
        files: Every file that was read, as the user named it.
        problems: File by file, and in the order of their places.
    """

    files: tuple[str, ...]
    problems: tuple[Problem, ...]

    def count(self, severity: str) -> int:
        """How many problems have a severity."""
        return sum(problem.severity == severity for problem in self.problems)

    @property
    def fixable(self) -> int:
        """How many problems `check --fix` surely removes."""
        return sum(problem.fixable for problem in self.problems)

    def without(self, rules: Collection[str]) -> "CheckReport":
        """The report without the problems of some rules."""
        return replace(self, problems=tuple(problem for problem in self.problems if problem.rule not in rules))


@paused_collector()
def check(paths: Sequence[str | Path]) -> CheckReport:
    """Check the evalsets, configs and mocks files that the paths name, and those that belong to the evalsets.

    Raises:
        SelectionError: A path does not exist, or there is nothing to check.
    """
    reader = survey(paths)
    files = tuple(map(str, reader.files))
    return CheckReport(files=files, problems=tidy(reader.problems, files))


def survey(paths: Sequence[str | Path]) -> Reader:
    """Read what `check` reads; the reader has each problem by itself, some without a place yet.

    Raises:
        SelectionError: A path does not exist, or there is nothing to check.
    """
    found, passed_over = discover(paths), overlooked(paths)
    if not found:
        raise SelectionError(_nothing(paths, passed_over))
    reader = Reader(whole=False)
    named = {os.path.realpath(path) for path in paths}
    for file in found:
        if file.kind == "holmes":
            reader.fixture(file.path, named=os.path.realpath(file.path) in named)
        elif file.kind != "gold" or os.path.realpath(file.path) in named or _is_gold(file.path):
            _read(reader, file)
    reader.finish()
    reader.problems += map(_overlooked, passed_over)
    return reader


def tidy(
    problems: Iterable[Problem], files: Sequence[str] = (), texts: Mapping[str, bytes] | None = None
) -> tuple[Problem, ...]:
    """Give each problem its place, report each cause once, and sort by file, severity and place.

    Args:
        problems: In any order; those of values have a path and no line yet.
        files: The order of the files; others follow.
        texts: What to take for the content of files, in place of what they have.
    """
    order = {file: index for index, file in enumerate(files)}
    placed = sorted(
        dict.fromkeys(_placed(problems, texts or {})),
        key=lambda problem: (
            order.get(problem.file, len(order)),
            problem.file,
            _SEVERITIES.index(problem.severity),
            problem.rule in _ASIDES,
            problem.line or (0 if problem.rule in UNREADABLE else math.inf),
            problem.column or 0,
        ),
    )
    return _without_secrets(tuple(map(_shortened, _folded(placed))))


def _nothing(paths: Sequence[str | Path], passed_over: Sequence[Path]) -> str:
    named = ", ".join(map(str, paths))
    meant = f"; {passed_over[0]} looks like an evalset, but for its name" if passed_over else ""
    return (
        f"{named}: nothing to check here (*.evalset.json, *.test.json, {CONFIG_NAME}, mocks.yaml, {HOLMES_NAME}){meant}"
    )


def _read(reader: Reader, found: Found) -> None:
    """Read a file, and what belongs to it; of a file whose name says nothing, tell from its content what it is."""
    if found.path.suffix == RECORDING_SUFFIX and reader.recording(found.path):
        return
    document = None if found.kind else _document(str(found.path))
    kind = found.kind or _kind_by_content(found.path, document)
    if isinstance(kind, OtherKind):
        reader.other(found.path, kind)
    elif kind == "config":
        reader.config(found.path)
    elif kind == "mocks":
        reader.mocks(found.path)
    elif kind == "gold":
        reader.gold(found.path)
    else:
        reader.evalset(found.path)
    if document and isinstance(kind, str) and kind in _UNDISCOVERED and not found.path.name.endswith(CONFIG_NAME):
        reader.problems.append(_name_note(found.path, *_UNDISCOVERED[kind]))


def _is_gold(path: Path) -> bool:
    """Tell whether a file that was found by its name is a gold file: others may be called so, too."""
    document = _document(str(path))
    return document is None or (isinstance(document.value, dict) and "cases" in document.value)


def _kind_by_content(path: Path, document: Document | None) -> FileKind | OtherKind:
    """Tell what a file is whose name does not say it; what cannot be told is taken for an evalset."""
    if path.name.endswith(_CONFIG_ENDINGS):
        return "config"
    value = document.value if document and isinstance(document.value, dict) else {}
    other = other_kind(value)
    if other is not None:
        return "config" if "criteria" in value else other if other.schema else "evalset"
    if any(isinstance(item, dict) and "criteria" in item for item in value.values()):
        return "config"  # with its criteria one level down, as in files for ADK's optimizer
    if {"version", "cases"} <= value.keys():
        return "gold"
    return "mocks" if value.keys() & {"tools", "agents", "toolsets", "backends"} else "evalset"


_UNDISCOVERED: Mapping[str, tuple[str, str]] = {
    "evalset": (
        "`adk web` finds *.evalset.json alone, AgentEvaluator in a folder *.test.json alone, `evalkit run` these two",
        "name it *.evalset.json",
    ),
    "config": (
        f"ADK and evalkit take {CONFIG_NAME} beside an evalset alone",
        f"name it {CONFIG_NAME}, or name it in the command: `adk eval --config_file_path`, `evalkit run --config`",
    ),
}
"""By kind, the names that are found, and what to do about another."""


def _name_note(path: Path, message: str, hint: str) -> Problem:
    rule = "undiscovered-name"
    severity = RULES[rule].severity
    return Problem(file=str(path), rule=rule, message=message, hint=hint, severity=severity, line=1, column=1)


def _overlooked(path: Path) -> Problem:
    message, hint = _UNDISCOVERED["evalset"]
    return _name_note(path, f"this looks like an evalset and was not checked: {message}", hint)


def _placed(problems: Iterable[Problem], texts: Mapping[str, bytes]) -> Iterable[Problem]:
    """Find the lines of problems that have only a path; of many that are alike, of the first, which are enough."""
    documents: dict[str, Document | None] = {}
    times: Counter[tuple[str, ...]] = Counter()
    for problem in problems:
        if problem.line is None and problem.rule not in UNREADABLE:
            cause = _cause(problem)
            times[cause] += 1
            if times[cause] > _PLACED:
                yield problem
                continue
            if problem.file not in documents:
                documents[problem.file] = _document(problem.file, texts.get(problem.file))
            document = documents[problem.file]
            if document is not None:
                path = document.spelled(read_path(problem.path))
                place = document.positions.place(path, key=RULES[problem.rule].at_key)
                yield replace(problem, path=write_path(path), line=place.line, column=place.column)
                continue
        yield problem


def _document(file: str, data: bytes | None = None) -> Document | None:
    data = read_bytes(Path(file), file).value if data is None else data
    if data is None:
        return None
    parse = mocks_format.parse_text if file.endswith(YAML_SUFFIXES) else parse_json
    return parse(data, file).value


def _folded(problems: Sequence[Problem]) -> Iterable[Problem]:
    """Report what is wrong in the same way in many places once, at the first, with the lines of the others."""
    alike: dict[tuple[str, ...], list[Problem]] = {}
    for problem in problems:
        alike.setdefault(_cause(problem), []).append(problem)
    for first, *others in alike.values():
        yield replace(first, message=f"{first.message}; {_others(others)}") if others else first


def _cause(problem: Problem) -> tuple[str, ...]:
    """What problems have in common that say the same of other places."""
    anywhere = re.sub(r"\[\d+\]", "[]", problem.path)
    return (problem.file, problem.rule, problem.message, problem.hint or "", anywhere)


def _shortened(problem: Problem) -> Problem:
    """Cut what a problem quotes of its file, where that is a name of thousands of characters."""
    if len(problem.path) + len(problem.message) <= _LONGEST:
        return problem
    path, message = (
        text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…" for text in (problem.path, problem.message)
    )
    return replace(problem, path=path, message=message)


def _without_secrets(problems: tuple[Problem, ...]) -> tuple[Problem, ...]:
    """Hide the secrets in what problems quote of their files."""
    if not problems:
        return ()
    from evalkit.redaction.redactor import Redactor  # most files have no problems, and do not pay for it

    hide = Redactor.of_process().text
    return tuple(
        replace(
            problem,
            path=hide(problem.path),
            message=hide(problem.message),
            hint=problem.hint and hide(problem.hint),
        )
        for problem in problems
    )


def _others(problems: Sequence[Problem]) -> str:
    """Say where else the same is wrong."""
    lines = [str(line) for line in dict.fromkeys(problem.line for problem in problems) if line is not None][:_MANY]
    rest = len(problems) - len(lines)
    more = [f"{rest} more place{'s' if rest > 1 else ''}"] if rest else []
    if not lines:
        return f"the same in {more[0]}"
    *head, last = [*lines, *more]
    return f"the same in line{'s' if len(lines) > 1 else ''} {', '.join(head)}{' and ' if head else ''}{last}"
