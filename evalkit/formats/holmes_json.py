"""JSON as HolmesGPT reads it: with Python's own parser, which takes `NaN` and the last of a key's values."""

import json
from typing import NamedTuple

from evalkit.cases import Json
from evalkit.formats.json_faults import explain
from evalkit.formats.json_text import parse_json
from evalkit.formats.paths import JsonPath


class NoJson:
    """The type of `NO_JSON`."""


NO_JSON = NoJson()
"""What a line is that is no JSON; `null` is a value."""


class SyntaxFault(NamedTuple):
    """Why a line is no JSON: its 1-based column, what is wrong there, and what to write instead."""

    column: int
    message: str
    hint: str | None


def load_line(line: str) -> Json | NoJson:
    """What a line says, or `NO_JSON`."""
    try:
        value: Json = json.loads(line.strip())
    except (ValueError, RecursionError):
        return NO_JSON
    return value


def syntax_fault(line: str) -> SyntaxFault:
    """Say why a line is no JSON."""
    if not line.strip():
        return SyntaxFault(1, "it is empty", None)
    try:
        json.loads(line)
    except json.JSONDecodeError as error:
        fault = explain(line, error.pos, error.msg)
        return SyntaxFault(fault.offset + 1, fault.message.replace("the file", "the line"), fault.hint)
    except RecursionError:
        return SyntaxFault(1, "its values are nested too deep", None)
    except ValueError as error:  # a number of too many digits
        return SyntaxFault(1, str(error), None)
    return SyntaxFault(1, "it cannot be read", None)


def column_of(line: str, path: JsonPath, *, key: bool = False) -> int:
    """The column of a value in a line of JSON, or of its key; 1 where that cannot be told."""
    document = parse_json(line, "").value if path else None
    return document.positions.place(path, key=key).column if document else 1
