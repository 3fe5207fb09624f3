"""JSON text to a document, read as strictly as ADK's own parser reads it, and with more patience for the reader."""

import json
import re
from collections.abc import Iterator
from typing import Any, NoReturn

from evalkit.cases import Json
from evalkit.errors import Problem, Splice
from evalkit.formats.documents import MAX_DEPTH, Document
from evalkit.formats.files import Loaded
from evalkit.formats.json_faults import Fault, explain, lone_surrogate, non_finite
from evalkit.formats.paths import JsonPath, write_path
from evalkit.formats.positions import JsonPositions, Lines
from evalkit.formats.text import decode

_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_MAX_DIGITS = 4300
"""Digits of an integer that Python, and ADK's parser, convert."""


class _BrokenError(Exception):
    """The text is no JSON."""

    def __init__(self, fault: Fault, rule: str = "bad-json") -> None:
        super().__init__(fault.message)
        self.fault = fault
        self.rule = rule


class _NonFiniteError(ValueError):
    """The text has NaN or an infinity, which JSON has not."""


def parse_json(data: bytes | str, file: str) -> Loaded[Document]:
    """Parse JSON; a repeated key or a byte order mark is an error and does not hide what else is wrong.

    Args:
        data: The file's bytes, or text that was decoded already.
        file: The file as the user named it, for problems.
    """
    text, problems = decode(data, file)
    if text is None:
        return Loaded(None, problems)
    if text.startswith("\ufeff"):
        text = text[1:]
        fault = Fault(0, "ADK refuses a byte order mark", "save the file as UTF-8 without a byte order mark", end=1)
        problems = (_problem(file, text, "bad-encoding", fault),)
    try:
        value, repeated = _load(text)
    except _BrokenError as broken:
        fault = broken.fault._replace(end=None) if problems else broken.fault  # offsets shift when the mark goes
        return Loaded(None, (*problems, _problem(file, text, broken.rule, fault)))
    positions = JsonPositions(text)
    if repeated:
        problems = (*problems, *_repeated_keys(file, positions))
    return Loaded(Document(file, value, positions), problems)


def _load(text: str) -> tuple[Json, bool]:
    """Load the text, and tell whether an object has a key twice.

    Raises:
        _BrokenError: The text is no JSON, or JSON that ADK's parser refuses.
    """
    repeated: list[dict[str, Any]] = []

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        value = dict(pairs)
        if len(value) != len(pairs):
            repeated.append(value)
        return value

    try:
        value = json.loads(text, object_pairs_hook=members, parse_constant=_refuse_constant)
    except _NonFiniteError as error:
        raise _BrokenError(non_finite(text)) from error
    except json.JSONDecodeError as error:
        raise _BrokenError(explain(text, error.pos, error.msg)) from error
    except RecursionError as error:
        fault = Fault(0, f"the values are nested deeper than the {MAX_DEPTH} levels that ADK reads")
        raise _BrokenError(fault, "too-deep") from error
    except ValueError as error:  # what Python says of an integer with too many digits
        found = re.search(rf"[0-9]{{{_MAX_DIGITS + 1}}}", text)
        fault = Fault(found.start() if found else 0, "the number has too many digits", "write it as a string")
        raise _BrokenError(fault) from error
    if "\\" in text and _SURROGATE.search(text) and (half := lone_surrogate(text)):
        raise _BrokenError(half)
    return value, bool(repeated)


def _refuse_constant(name: str) -> NoReturn:
    raise _NonFiniteError(name)


def _problem(file: str, text: str, rule: str, fault: Fault) -> Problem:
    place = Lines(text).place(fault.offset)
    fixes = () if fault.end is None else (Splice(fault.offset, fault.end, fault.instead),)
    return Problem(
        file=file,
        rule=rule,
        message=fault.message,
        hint=fault.hint,
        line=place.line,
        column=place.column,
        fixes=fixes,
    )


def _repeated_keys(file: str, positions: JsonPositions) -> Iterator[Problem]:
    """Find every key that its object has already."""
    todo: list[tuple[JsonPath, int]] = [((), positions.start)]
    while todo:
        path, offset = todo.pop()
        first: dict[str | int, int] = {}
        for member in positions.walk(offset):
            todo.append(((*path, member.step), member.value))
            earlier = first.setdefault(member.step, member.key)
            if earlier == member.key:
                continue
            place, line = positions.at(member.key), positions.at(earlier).line
            yield Problem(
                file=file,
                rule="duplicate-key",
                path=write_path((*path, member.step)),
                line=place.line,
                column=place.column,
                message=f"the key `{member.step}` stands already in line {line}, and one of the two is lost",
                hint="keep one of them",
            )
