"""A raw fixture of HolmesGPT's, which is a folder: its `test_case.yaml`, its recordings, and the files beside them."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from evalkit.errors import Problem
from evalkit.formats.files import HOLMES_NAME, RECORDING_SUFFIX, read_bytes
from evalkit.formats.holmes_case import looks_like_a_case, parse_case
from evalkit.formats.holmes_json import column_of
from evalkit.formats.holmes_pairs import Overlap, overlaps
from evalkit.formats.holmes_recording import Recording, parse_recording
from evalkit.formats.holmes_recording_faults import problem_at
from evalkit.formats.holmes_side_files import check_side_files
from evalkit.formats.holmes_tools import unreachable
from evalkit.formats.paths import JsonPath

_NEVER_RECORDINGS = (".json", ".yaml", ".yml", ".md", ".py", ".sh")
_START = 2_000
"""Bytes of a file that are looked at to tell whether it is a recording."""
_LONGEST_CALL = 200
"""Characters of a call that a message shows."""


@dataclass(frozen=True, slots=True)
class CheckedFixture:
    """What came of checking a fixture.

    Attributes:
        files: Every file of it that was read.
        problems: What is wrong with them.
    """

    files: tuple[Path, ...]
    problems: tuple[Problem, ...]


def check_fixture(path: Path, *, named: bool = True) -> CheckedFixture:
    """Find what is wrong with a fixture.

    Args:
        path: Its `test_case.yaml`.
        named: Whether the user named this very file; else it is passed over if it is another program's.
    """
    data = read_bytes(path, str(path))
    if data.value is None:
        return CheckedFixture((path,), data.problems)
    case = parse_case(data.value, str(path), path.parent)
    if not named and case.value is not None and not looks_like_a_case(case.value.value):
        return CheckedFixture((), ())
    sides = check_side_files(path.parent)
    recordings = _recordings(path.parent)
    return CheckedFixture(
        files=(path, *sides.files, *recordings.files),
        problems=(
            *case.problems,
            *sides.problems,
            *recordings.problems,
            *_unreachable(recordings, sides.toolsets),
            *_overlapping(recordings),
            *_misnamed(path.parent),
        ),
    )


@dataclass(frozen=True, slots=True)
class _Recordings:
    """The recordings of a folder.

    Attributes:
        files: Those that are meant as one.
        read: Those that HolmesGPT can use.
        heads: The first line of each of these, by file.
        problems: What is wrong with each by itself.
    """

    files: tuple[Path, ...]
    read: tuple[Recording, ...]
    heads: Mapping[str, str]
    problems: tuple[Problem, ...]

    def column(self, recording: Recording, path: JsonPath) -> int:
        """The column of a value in a recording's first line."""
        return column_of(self.heads[recording.file], path)


def _recordings(folder: Path) -> _Recordings:
    """Read the recordings of a folder."""
    files: list[Path] = []
    read: list[Recording] = []
    heads: dict[str, str] = {}
    problems: list[Problem] = []
    for path in sorted(folder.glob(f"*{RECORDING_SUFFIX}")):
        if path.name.startswith(".") or not path.is_file():
            continue
        data = read_bytes(path, str(path))
        loaded = parse_recording(data.value or b"", str(path))
        found = (*data.problems, *loaded.problems)
        problems += found
        if loaded.value is not None or found:
            files.append(path)
        if loaded.value is not None:
            read.append(loaded.value)
            heads[str(path)] = (data.value or b"").split(b"\n", 1)[0].decode()
    return _Recordings(tuple(files), tuple(read), heads, tuple(problems))


def _unreachable(recordings: _Recordings, toolsets: Mapping[str, bool]) -> Iterator[Problem]:
    """Recordings of calls that HolmesGPT's model cannot make."""
    for recording in recordings.read:
        why = unreachable(recording, toolsets)
        if why is not None:
            place = 1, recordings.column(recording, ("tool_name",))
            yield problem_at("unreachable-recording", recording.file, place, why, path=("tool_name",))


def _overlapping(recordings: _Recordings) -> Iterator[Problem]:
    """Recordings that answer the same call as another one; of those that never answer each once."""
    shadowed: set[str] = set()
    for overlap in overlaps(recordings.read):
        second = overlap.second
        path = ("match_params",) if second.match is not None else ()
        place = 1, recordings.column(second, path)
        if overlap.equal and second.file not in shadowed:
            shadowed.add(second.file)
            message = f"{_name(overlap.first)} answers the same calls and comes first, so this recording never answers"
            hint = "remove one of the two, or let them match different calls"
            yield problem_at("shadowed-recording", second.file, place, message, hint, path)
        if overlap.differ:
            yield problem_at("ambiguous-recordings", second.file, place, *_ambiguity(overlap), path)


def _ambiguity(overlap: Overlap) -> tuple[str, str]:
    """What is ambiguous, and what to do."""
    calls = "the same calls" if overlap.equal else f"a call with {_arguments(overlap)}"
    message = (
        f"{calls} {'are' if overlap.equal else 'is'} answered by {_name(overlap.first)} too, with another result: "
        "HolmesGPT takes whichever the file system lists first, evalkit the other one, which comes first by number of "
        "arguments and name"
    )
    return message, "keep one of the two, or let them match different calls; the verdict may depend on it"


def _arguments(overlap: Overlap) -> str:
    """The arguments of a call that both recordings match."""
    both = {**(overlap.second.match or {}), **(overlap.first.match or {})}
    shown = json.dumps(both, ensure_ascii=False)
    return shown if len(shown) <= _LONGEST_CALL else f"{shown[:_LONGEST_CALL]}…"


def _name(recording: Recording) -> str:
    return Path(recording.file).name


def _misnamed(folder: Path) -> Iterator[Problem]:
    """Recordings where HolmesGPT, which takes `*.txt` of the case's own folder alone, does not look."""
    for path in sorted(folder.iterdir()):
        inner = sorted(path.glob(f"*{RECORDING_SUFFIX}")) if path.is_dir() and not (path / HOLMES_NAME).exists() else ()
        own = (path,) if path.is_file() and _is_elsewhere(path) else ()
        for other in (*own, *inner):
            if _starts_like_a_recording(other):
                message = "this is a recording, and HolmesGPT takes only *.txt in the folder of the case itself"
                hint = f"name it {_right_name(folder, other)}"
                yield problem_at("misnamed-recording", str(other), (1, 1), message, hint)


def _is_elsewhere(path: Path) -> bool:
    hidden = path.name.startswith(".")
    return hidden if path.suffix == RECORDING_SUFFIX else path.suffix not in _NEVER_RECORDINGS


def _right_name(folder: Path, path: Path) -> str:
    """The name under which a recording is found; a hidden one lacks nothing but being seen."""
    hidden = path.suffix == RECORDING_SUFFIX and path.parent == folder
    return path.name.lstrip(".") if hidden else f"{path.stem}{RECORDING_SUFFIX}"


def _starts_like_a_recording(path: Path) -> bool:
    try:
        with path.open("rb") as stream:
            line = stream.read(_START).split(b"\n", 1)[0]
    except OSError:
        return False
    return line.startswith(b"{") and b'"tool_name"' in line
