"""The files beside a HolmesGPT case that are neither the case nor recordings: requests, history, toolsets."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from evalkit.cases import Json
from evalkit.errors import Problem
from evalkit.formats.files import read_bytes
from evalkit.formats.holmes_recording_faults import problem_at
from evalkit.formats.json_text import parse_json
from evalkit.formats.yaml_text import parse_yaml

_TOOLSETS = "toolsets.yaml"
_JSON_FILES: Mapping[str, type] = {
    "conversation_history.json": list,
    "investigate_request.json": dict,
    "workload_health_request.json": dict,
    "issue_data.json": dict,
    "resource_instructions.json": dict,
}
"""Files that HolmesGPT reads with a case, and what they hold."""


@dataclass(frozen=True, slots=True)
class SideFiles:
    """The files beside a case.

    Attributes:
        files: Those that are there.
        problems: What is wrong with them.
        toolsets: Which toolsets `toolsets.yaml` turns on and off.
    """

    files: tuple[Path, ...]
    problems: tuple[Problem, ...]
    toolsets: Mapping[str, bool]


def check_side_files(folder: Path) -> SideFiles:
    """Find what is wrong with the files beside a case."""
    present = tuple(path for name in _JSON_FILES if (path := folder / name).is_file())
    problems = [problem for path in present for problem in _json_problems(path)]
    path = folder / _TOOLSETS
    if not path.is_file():
        return SideFiles(present, tuple(problems), {})
    toolsets, found = _read_toolsets(path)
    return SideFiles((*present, path), (*problems, *found), toolsets)


def _json_problems(path: Path) -> Iterator[Problem]:
    """What is wrong with a JSON file; what Python's parser takes HolmesGPT takes too."""
    file = str(path)
    data = read_bytes(path, file)
    if data.value is None:
        yield from data.problems
        return
    try:
        value: Json = json.loads(data.value.decode())
    except (ValueError, RecursionError):
        # without fixes: of a fixture `check --fix` mends the case alone
        yield from (replace(problem, fixes=()) for problem in parse_json(data.value, file).problems)
        return
    wanted = _JSON_FILES[path.name]
    if not isinstance(value, wanted):
        message = f"must be {'a list of messages' if wanted is list else 'an object'}"
        yield problem_at("wrong-type", file, (1, 1), message)
    elif isinstance(value, list):
        yield from _message_problems(value, data.value, file)


def _message_problems(messages: list[Json], data: bytes, file: str) -> Iterator[Problem]:
    """Messages of a history that are no objects."""
    wrong = [index for index, message in enumerate(messages) if not isinstance(message, dict)]
    document = parse_json(data, file).value if wrong else None
    for index in wrong:
        if document is not None:
            yield document.problem("wrong-type", (index,), "a message must be an object with role and content")


def _read_toolsets(path: Path) -> tuple[Mapping[str, bool], tuple[Problem, ...]]:
    """Read which toolsets a fixture turns on and off; what else the file says is HolmesGPT's business."""
    file = str(path)
    data = read_bytes(path, file)
    if data.value is None:
        return {}, data.problems
    parsed = parse_yaml(data.value, file)
    value = parsed.value.value if parsed.value else None
    named = value.get("toolsets") if isinstance(value, dict) else None
    options = named if isinstance(named, dict) else {}
    enabled = {name: bool(given.get("enabled", True)) for name, given in options.items() if isinstance(given, dict)}
    return enabled, tuple(problem for problem in parsed.problems if problem.rule == "bad-yaml")
