"""The recordings of a fixture's folder, found as HolmesGPT's loader finds them, and what it passes over in silence.

It takes the `*.txt` files that lie right in the folder, no hidden ones; what a file's name says of the tool is not
reliable, so the first line alone counts.
"""

from collections.abc import Iterable, Iterator
from dataclasses import fields, replace
from pathlib import Path, PurePosixPath
from typing import Final

from evalkit.adapters.holmes.encodable import encodable
from evalkit.adapters.holmes.notes import note
from evalkit.adapters.holmes.nouns import Note
from evalkit.errors import Problem
from evalkit.formats.holmes_recording import Recording, parse_recording

_POINTER: Final = b"version https://git-lfs.github.com/spec/"
_ANNEX: Final = b"/annex/objects/"
_HEAD: Final = b'"tool_name"'
_LONGEST_HEAD: Final = 65_536
"""Bytes of a file that are looked at for a recording's first line."""

_CODES: Final = {"old-recording": "OLD_FORMAT", "ignored-recording": "BAD_MOCK"}


def read_recordings(folder: Path, names: Iterable[str]) -> tuple[list[Recording], list[Note], set[str]]:
    """Read the recordings among a folder's files.

    Args:
        folder: The fixture's folder.
        names: Its files, relative to it, with slashes.

    Returns:
        The recordings in order of their file's name, what is to be noted, and the names of all files that are meant
        as recordings.
    """
    recordings: list[Recording] = []
    notes: list[Note] = []
    meant: set[str] = set()
    for name in sorted(names):
        found, said = _read(folder / name, name) if _looked_for(name) else (None, list(_misplaced(folder / name, name)))
        recordings += [found] if found else []
        notes += said
        if found or any(one.code != "NOT_A_RECORDING" for one in said):
            meant.add(name)
    return recordings, notes, meant


def _looked_for(name: str) -> bool:
    """Whether HolmesGPT looks into a file."""
    return "/" not in name and name.endswith(".txt") and not name.startswith(".")


def _read(path: Path, name: str) -> tuple[Recording | None, list[Note]]:
    data = path.read_bytes()
    if not data.strip() or data.startswith(_POINTER) or (_ANNEX in data and b"\n" not in data.strip()):
        message = "it is empty or stands for a large file: fetch the large files of the repository, and convert again"
        return None, [note("ABSENT_BLOB", message, name)]
    loaded = parse_recording(data, name)
    if loaded.value is None and not loaded.problems:
        message = "is no recording, as its first line names no tool; it is kept as a file"
        return None, [note("NOT_A_RECORDING", message, name)]
    if loaded.value is None:
        return None, [_dropped(problem, name) for problem in loaded.problems]
    recording = _written(loaded.value)
    halves = (
        [note("BAD_MOCK", "has half a character, which U+FFFD replaces", name)] if recording != loaded.value else []
    )
    return recording, [*halves, *_remarks(recording)]


def _written(recording: Recording) -> Recording:
    """The recording as it can be written."""
    values = {one.name: encodable(getattr(recording, one.name)) for one in fields(recording)}
    return replace(recording, **values)


def _dropped(problem: Problem, name: str) -> Note:
    place = f"line {problem.line}: " if problem.line else ""
    return note(_CODES.get(problem.rule, "BAD_MOCK"), f"{place}{problem.message}; it answers nothing", name)


def _remarks(recording: Recording) -> Iterator[Note]:
    if recording.misspelt is not None:
        message = f"its arguments stand under `{recording.misspelt}` and not match_params: it answers every call"
        yield note("MATCH_KEY_MISSPELLED", message, recording.file)
    nulls = [key for key, value in (recording.match or {}).items() if value is None]
    if nulls:
        message = f"answers only calls that give null for {', '.join(nulls)}; --null-matches-absent lets it be left out"
        yield note("NULL_PARAM", message, recording.file)


def _misplaced(path: Path, name: str) -> Iterator[Note]:
    """Note a file that reads like a recording, and that HolmesGPT never looks into."""
    with path.open("rb") as stream:
        line = stream.readline(_LONGEST_HEAD)
    if _HEAD not in line or parse_recording(line + b'{"status": "success"}\n', name).value is None:
        return
    place = "lies in a folder" if "/" in name else f"is not called {PurePosixPath(name).stem.lstrip('.')}.txt"
    yield note(
        "MISNAMED_MOCK", f"reads like a recording but {place}, so HolmesGPT never loads it; neither is it here", name
    )
