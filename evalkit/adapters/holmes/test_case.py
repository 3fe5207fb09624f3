"""`test_case.yaml`: what HolmesGPT takes of it, with what it refuses as notes.

Which values HolmesGPT refuses, `evalkit check` and this agree on: both ask `formats.holmes_case`. An unknown key, which
HolmesGPT refuses too, is kept and noted here, as later versions have keys that this one lacks.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from evalkit.adapters.holmes.encodable import encodable
from evalkit.adapters.holmes.notes import note
from evalkit.adapters.holmes.nouns import Note
from evalkit.errors import Problem
from evalkit.formats.faults import load_schema
from evalkit.formats.files import HOLMES_NAME
from evalkit.formats.holmes_case import SCHEMA, parse_case as check_case
from evalkit.formats.paths import read_path

Case = Mapping[str, Any]

CASE_FILE: Final = HOLMES_NAME
_MODE: Final = "$.evaluation.correctness"
_MODE_FAULTS: Final = ((_MODE, "missing-key"), (f"{_MODE}.type", "wrong-value"))
"""What `check` says of a case that names no mode of judging, or one that HolmesGPT does not know."""
_CODES: Final[Mapping[str, str]] = {
    "duplicate-key": "DUPLICATE_KEY",
    "later-key": "UNKNOWN_KEY",
    "missing-include": "MISSING_FILE",
    "no-prompt": "NO_PROMPT",
    "unknown-key": "UNKNOWN_KEY",
    "unknown-tag": "UNKNOWN_TAG",
    "unread-key": "UNKNOWN_KEY",
}
"""What a rule of `check` is called here; any other error is a BAD_CASE."""

_FLAGS: Final = ("skip", "include_tool_calls", "generate_mocks", "allow_toolset_failures")
_TRUE: Final = frozenset({"1", "t", "true", "y", "yes", "on"})
_PORT: Final = ("namespace", "service", "local_port", "remote_port")
_HIGHEST_PORT: Final = 65_535


def read_case(path: Path, *, any_mode: bool = False) -> tuple[Case | None, list[Note]]:
    """Read a test case; None, and notes of severity `error`, if HolmesGPT would refuse it.

    Args:
        path: The file.
        any_mode: Whether a mode of judging that HolmesGPT refuses is none of this case's faults.
    """
    loaded = check_case(path.read_bytes(), CASE_FILE, path.parent)
    value = encodable(loaded.value.value) if loaded.value else None
    notes = [found for problem in loaded.problems for found in _note(problem, any_mode=any_mode)]
    if isinstance(value, dict) and not _serious(notes):
        case = _as_read(value)
        notes += (note("BAD_CASE", fault, CASE_FILE) for fault in _more_faults(case))
        return (None if _serious(notes) else case), notes
    return None, notes


def unknown_keys(case: Case) -> list[str]:
    """Name the keys that HolmesGPT has no meaning for, in file order."""
    properties = load_schema(SCHEMA)["properties"]
    return [key for key in case if not _is_read(properties.get(key))]


def _is_read(known: Case | None) -> bool:
    return known is not None and not (known.get("x-later") or known.get("x-overwritten"))


def _serious(notes: list[Note]) -> bool:
    return any(one.severity == "error" for one in notes)


def _note(problem: Problem, *, any_mode: bool) -> Iterator[Note]:
    """Make a note of a problem; its hint too says nothing of the expected output."""
    if any_mode and (problem.path, problem.rule) in _MODE_FAULTS:
        return
    serious = problem.severity == "error"
    code = _CODES.get(problem.rule) or ("BAD_CASE" if serious else "ODD_VALUE")
    if code == "UNKNOWN_KEY" and serious and len(read_path(problem.path)) > 1:
        code = "BAD_CASE"  # below the top it stands for one that is missing
    place = f"line {problem.line}: " if problem.line else ""
    message = "a value of the expected output is wrong" if _speaks_of_gold(problem) else problem.message
    yield note(code, f"{place}{problem.path}: {message}", CASE_FILE)


def _speaks_of_gold(problem: Problem) -> bool:
    return problem.path.startswith("$.expected_") and problem.rule not in ("missing-key", *_CODES)


def _more_faults(case: Case) -> Iterator[str]:
    """Say what HolmesGPT takes and nobody can use."""
    expected = case.get("expected_output")
    if expected is None:  # `check` says of a misspelt key only that
        yield "expected_output is missing"
    elif not any(text.strip() for text in ([expected] if isinstance(expected, str) else expected)):
        yield "expected_output says nothing, so there is nothing to judge an answer by"
    if not all(isinstance(tag, str) for tag in case.get("tags") or ()):
        yield "a tag must be a text"
    for forward in case.get("port_forwards") or ():
        for key in ("local_port", "remote_port"):
            if not 0 < forward[key] <= _HIGHEST_PORT:
                yield f"port_forwards: {forward[key]} is no port"


def _as_read(value: Case) -> Case:
    """Convert what HolmesGPT's models convert: `"yes"` to a flag, `"300"` to a number."""
    case = dict(value)
    for key in _FLAGS:
        if case.get(key) is not None:
            case[key] = str(case[key]).lower() in _TRUE
    if case.get("setup_timeout") is not None:
        case["setup_timeout"] = _integer(case["setup_timeout"])
    if case.get("port_forwards"):
        case["port_forwards"] = [_forward(one) for one in case["port_forwards"]]
    return case


def _forward(given: Case) -> dict[str, Any]:
    return {key: _integer(given[key]) if key.endswith("_port") else given[key] for key in _PORT}


def _integer(given: Any) -> int:
    return int(float(given.strip().replace("_", ""))) if isinstance(given, str) else int(given)


def number(given: Any) -> float:
    """Read a number as HolmesGPT's models do: also from a text."""
    read = float(given.strip().replace("_", "")) if isinstance(given, str) else given
    return int(read) if read == int(read) else float(read)
