"""What is wrong with a recording of HolmesGPT's: what HolmesGPT drops, and what it takes in another way than meant."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from evalkit.cases import Json
from evalkit.errors import Problem
from evalkit.formats.holmes_json import NoJson, column_of, load_line, syntax_fault
from evalkit.formats.paths import JsonPath, write_path
from evalkit.formats.rules import RULES
from evalkit.formats.spelling import closest, squeeze
from evalkit.formats.text import decode

STATUSES = ("success", "error", "no_data", "approval_required")
"""What the status of a result can be."""
ANY = "*"
"""A value in `match_params` that stood for any value until July 2025, and is plain text to HolmesGPT since."""

_MATCH, _NAME = "match_params", "tool_name"
_HEAD_KEYS = ("toolset_name", _NAME, _MATCH)
_MEANT_AS_MATCH = {
    squeeze(name) for name in (_MATCH, "params", "match", "match_args", "parameters", "arguments", "args")
}
"""What people write where `match_params` is meant, beside typing errors."""
_MARK = "\ufeff"
_NEAR_THE_TOP = 500
"""Characters in which a head that was written over several lines names its tool."""


def encoding_problems(data: bytes, file: str) -> tuple[Problem, ...]:
    """Say where a file is not UTF-8, if it looks like a recording."""
    if b'"tool_name"' not in data.replace(b"\0", b"").split(b"\n", 1)[0]:
        return ()
    return tuple(
        _dropped(file, (problem.line or 1, problem.column or 1), problem.message, problem.hint)
        for problem in decode(data, file)[1]
    )


def head_problems(line: str, text: str, file: str) -> Iterator[Problem]:
    """Say why nothing reads a file whose first line names no tool, if it looks like a recording all the same."""
    if text.startswith(_MARK) and _names_tool(text.removeprefix(_MARK)):
        message = "the file starts with a byte order mark, which makes its first line no JSON"
        yield _dropped(file, (1, 1), message, "save the file as UTF-8 without a byte order mark")
    elif not line.strip() and _names_tool(text.lstrip()):
        message = "the first line is blank, and nothing looks for the tool's name in another"
        yield _dropped(file, (1, 1), message, "remove the lines before the one with tool_name")
    elif line.strip() in {"{", "["} and f'"{_NAME}"' in text[:_NEAR_THE_TOP]:
        message = "what names the tool is spread over several lines, and only the first is read"
        yield _dropped(file, (1, 1), message, "write it in one line")
    elif f'"{_NAME}"' in line and line.lstrip().startswith("{"):
        fault = syntax_fault(line)
        yield _dropped(file, (1, fault.column), f"the first line is no JSON: {fault.message}", fault.hint)
    elif isinstance(head := load_line(line), dict) and head.keys() & {"toolset_name", _MATCH}:
        others = [key for key in head if key not in _HEAD_KEYS]
        near = next((key for key in others if squeeze(key) in {"tool", "name"} or closest(key, [_NAME])), None)
        path = (near,) if near else ()
        message = f"the first line has no {_NAME}" + (f", but `{near}`" if near else "")
        yield _dropped(file, (1, column_of(line, path, key=True)), message, f"write {_NAME}", path)


def cut_short(file: str) -> Problem:
    """The file ends where its result should stand."""
    hint = 'write the result in line 2: {"status": "success"}'
    return _dropped(file, (1, 1), "the file ends after its first line", hint)


def old_format(line: str, file: str) -> Problem:
    """The second line is no JSON, as before recordings had results."""
    fault = syntax_fault(line)
    return Problem(
        file=file,
        rule="old-recording",
        line=2,
        column=fault.column,
        message=f"the second line is no JSON ({fault.message}); HolmesGPT's test fails as soon as a tool is called",
        hint='put the result into a line of its own before the data: {"status": "success", "return_code": 0}',
    )


def type_problems(lines: Sequence[str], head: Mapping[str, Any], result: Json | NoJson, file: str) -> Iterator[Problem]:
    """Find what HolmesGPT's own models refuse: it says so in its log, and goes on without the recording."""
    for key in ("tool_name", "toolset_name"):
        if not isinstance(head.get(key, ""), str):
            yield _refused(lines, 1, (key,), f"{key} must be a string", file)
    if not isinstance(head.get(_MATCH), dict | None):
        yield _refused(lines, 1, (_MATCH,), f"{_MATCH} must be an object or null", file)
    if not isinstance(result, dict):
        yield _refused(lines, 2, (), "the result must be an object", file)
        return
    status = result.get("status")
    if status not in STATUSES:
        near = closest(str(status), STATUSES)
        hint = f"did you mean {near}?" if near else f"write one of {', '.join(STATUSES)}"
        message = f"{status!r} is no status" if "status" in result else "the result has no status"
        yield _refused(lines, 2, ("status",) if "status" in result else (), message, file, hint)
    for key in ("error", "url", "invocation"):
        if not isinstance(result.get(key), str | None):
            yield _refused(lines, 2, (key,), f"{key} must be a string or null", file)
    if not _is_whole(result.get("return_code")):
        yield _refused(lines, 2, ("return_code",), "return_code must be a whole number or null", file)
    if not isinstance(result.get("params"), dict | None):
        yield _refused(lines, 2, ("params",), "params must be an object or null", file)


def misspelt_match(head: Mapping[str, Any]) -> str | None:
    """The key that is meant for `match_params`, if that is not there and another one is."""
    if _MATCH in head:
        return None
    others = [key for key in head if key not in _HEAD_KEYS]
    return next((key for key in others if squeeze(key) in _MEANT_AS_MATCH or closest(key, [_MATCH])), None)


def warnings(line: str, head: Mapping[str, Any], misspelt: str | None, file: str) -> Iterator[Problem]:
    """Find what HolmesGPT takes in and its author did not mean, in the first line."""
    if misspelt is not None:
        message = f"nothing reads `{misspelt}`, so that this recording answers every call of {head[_NAME]}"
        column = column_of(line, (misspelt,), key=True)
        yield problem_at("misspelt-match", file, (1, column), message, f"write {_MATCH}", (misspelt,))
    for name, value in (head.get(_MATCH) or {}).items():
        if value == ANY:
            path = (_MATCH, name)
            message = (
                f'"{ANY}" is no wildcard in HolmesGPT since July 2025: this answers only a call with a literal star'
            )
            hint = f"leave `{name}` out to answer whatever it is"
            yield problem_at("literal-star", file, (1, column_of(line, path)), message, hint, path)


def _names_tool(text: str) -> bool:
    """Whether the first line of a text names a tool."""
    head = load_line(text.split("\n", 1)[0])
    return isinstance(head, dict) and _NAME in head


def _is_whole(value: Json) -> bool:
    """Whether pydantic makes a whole number of a value, or it is null."""
    if value is None or isinstance(value, int):
        return True
    if isinstance(value, str):
        with suppress(ValueError):
            return int(value) is not None
    return isinstance(value, float) and value.is_integer()


def _refused(
    lines: Sequence[str], number: int, path: JsonPath, message: str, file: str, hint: str | None = None
) -> Problem:
    return _dropped(file, (number, column_of(lines[number - 1], path)), message, hint, path)


def _dropped(file: str, place: tuple[int, int], message: str, hint: str | None = None, path: JsonPath = ()) -> Problem:
    said = f"{message}, so HolmesGPT goes on without this recording"
    return problem_at("ignored-recording", file, place, said, hint, path)


def problem_at(
    rule: str, file: str, place: tuple[int, int], message: str, hint: str | None = None, path: JsonPath = ()
) -> Problem:
    """Make a problem of a rule's own severity; `place` is the line and the column, both from 1."""
    line, column = place
    severity = RULES[rule].severity
    return Problem(
        file=file,
        rule=rule,
        path=write_path(path),
        line=line,
        column=column,
        message=message,
        hint=hint,
        severity=severity,
    )
