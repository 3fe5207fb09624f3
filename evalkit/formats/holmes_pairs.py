"""Recordings of one folder that answer the same call: which one does, and whether that matters.

HolmesGPT takes the first that matches in the order in which the file system lists the files, which nobody chose;
evalkit the one with most arguments, and of several such the one whose file's name comes first.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from evalkit.cases import Json
from evalkit.formats.holmes_recording import Recording


class Overlap(NamedTuple):
    """Two recordings that can answer the same call.

    Attributes:
        first: The one that evalkit answers with.
        second: The other one.
        equal: Whether they answer exactly the same calls, so that the second never does.
        differ: Whether their results differ.
    """

    first: Recording
    second: Recording
    equal: bool
    differ: bool


def in_order(recordings: Sequence[Recording]) -> list[Recording]:
    """The order in which evalkit tries recordings: most arguments first, then by file."""
    return sorted(recordings, key=lambda recording: (-len(recording.match or {}), recording.file))


def overlaps(recordings: Sequence[Recording]) -> Iterator[Overlap]:
    """Find every two recordings of a folder that a call can match both of."""
    by_tool: dict[str, list[Recording]] = {}
    for recording in in_order(recordings):
        by_tool.setdefault(recording.tool, []).append(recording)
    for alike in by_tool.values():
        for first, second in combinations(alike, 2):
            one, other = first.match or {}, second.match or {}
            if _agree(one, other):
                yield Overlap(first, second, one.keys() == other.keys(), first.result != second.result)


def _agree(one: Mapping[str, Json], other: Mapping[str, Json]) -> bool:
    return all(one[name] == other[name] for name in one.keys() & other.keys())
