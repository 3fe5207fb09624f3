"""Patterns for values that are always text: arguments of programs, variables, query parameters and headers.

People write `--tail: 100` and `limit: 500` there, and mean the text. Whole numbers and booleans have one text each, so
they are taken as that; for any other value the author has to say which text is meant.
"""

from collections.abc import Callable, Mapping

from evalkit.cases import Json
from evalkit.formats.paths import JsonPath

Report = Callable[[JsonPath, str, str | None], None]
"""Takes the path of a faulty value, what is wrong, and what to write instead."""

_TAKING_PATTERNS = {"$eq", "$not", "$oneof", "$all", "$contains", "$subset", "$unordered"}
_COMPARING_NUMBERS = {"$gt", "$gte", "$lt", "$lte", "$approx"}


def text_pattern(pattern: Json, path: JsonPath, report: Report) -> Json:
    """Return the pattern with its literal numbers and booleans as text; what could never match is reported."""
    match pattern:
        case bool():
            return "true" if pattern else "false"
        case int():
            return str(pattern)
        case None | float():
            report(path, f"the value here is always text, and {pattern!r} is none", "write the text in quotes")
        case list():
            return [text_pattern(item, (*path, index), report) for index, item in enumerate(pattern)]
        case Mapping():
            return _operators(pattern, path, report)
    return pattern


def _operators(pattern: Mapping[str, Json], path: JsonPath, report: Report) -> Json:
    if not all(name.startswith("$") for name in pattern):
        report(path, "the value here is always text, and an object never equals one", None)
        return pattern
    for name, operand in pattern.items():
        if name in _COMPARING_NUMBERS and not isinstance(operand, str):
            hint = "compare with text, or use $regex"
            report((*path, name), f"the value here is always text, which {name} does not compare with numbers", hint)
    return {
        name: text_pattern(operand, (*path, name), report) if name in _TAKING_PATTERNS else operand
        for name, operand in pattern.items()
    }
