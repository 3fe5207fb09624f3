"""Texts of other kinds under the name of a JSON file, each known by its first lines."""

import ast
import json
import re
import warnings

from evalkit.formats.json_faults.fault import Fault

_YAML = re.compile(r"(?:---[ \t\r]*\n|#[^\n]*\n|[ \t\r]*\n)*[A-Za-z_$][\w$-]*:(?:[ \t]+\S[^\n]*)?\r?\n[ \t-]*[\w$-]+:")
_LONGEST = 1_000_000
"""Characters of a text that Python is asked to read as its own."""


def other_kind_of_text(text: str, offset: int, message: str) -> Fault | None:
    """Recognize YAML, JSON Lines and a Python literal.

    Args:
        text: The whole text.
        offset: Where the JSON parser stopped.
        message: What it said.
    """
    if _YAML.match(text):
        return Fault(0, "this is YAML, not JSON", "write it as JSON")
    if message.startswith("Extra data") and _is_lines(text, offset):
        return Fault(offset, "there is a JSON value on each line, as in JSON Lines", "write one value: a list of them")
    if text[offset : offset + 1] == "'" and {*text[:offset].split()} <= {"{", "[", "[{"} and _is_python(text):
        return Fault(
            offset, "JSON has no single quotes; this is a Python literal", 'write ", or let json.dumps write it'
        )
    return None


def _is_lines(text: str, offset: int) -> bool:
    """Whether the line that the first value fills is followed by another value on a line of its own."""
    if "\n" not in text[:offset] or "\n" in text[:offset].strip():
        return False
    try:
        json.loads(text[offset:].partition("\n")[0])
    except (ValueError, RecursionError):
        return False
    return True


def _is_python(text: str) -> bool:
    if len(text) > _LONGEST:
        return False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # odd escapes
            return isinstance(ast.literal_eval(text.strip()), dict | list)
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        return False
