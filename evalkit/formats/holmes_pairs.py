"""Recordings of one folder that answer the same call: which one does, and whether that matters.

HolmesGPT takes the first that matches in the order in which the file system lists the files, which nobody chose;
evalkit the one with most arguments, and of several such the one whose file's name comes first. An argument that may be
anything says nothing of the call, so it does not count.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from evalkit.cases import Json
from evalkit.formats.holmes_recording import ANY, Recording

Match = Mapping[str, Json]


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


def wanted(recording: Recording, *, literal_star: bool = False) -> Match:
    """The arguments that a call must have, without those that may be anything; empty for any call.

    Args:
        recording: The recording.
        literal_star: Read `"*"` as that text, as HolmesGPT does since July 2025, and not as any value.
    """
    given = recording.match or {}
    return {name: value for name, value in given.items() if literal_star or value != ANY}


def in_order(recordings: Iterable[Recording], *, literal_star: bool = False) -> list[Recording]:
    """The order in which evalkit tries recordings: most wanted arguments first, then by file."""
    return sorted(recordings, key=lambda one: (-len(wanted(one, literal_star=literal_star)), one.file))


def agree(one: Match, other: Match) -> bool:
    """Whether a call could be taken by both."""
    return all(one[name] == other[name] for name in one.keys() & other.keys())


def overlaps(recordings: Sequence[Recording]) -> Iterator[Overlap]:
    """Find every two recordings of a folder that a call can match both of, as HolmesGPT matches: stars literally."""
    by_tool: dict[str, list[Recording]] = {}
    for recording in in_order(recordings):
        by_tool.setdefault(recording.tool, []).append(recording)
    for alike in by_tool.values():
        for first, second in combinations(alike, 2):
            one, other = first.match or {}, second.match or {}
            if agree(one, other):
                yield Overlap(first, second, one.keys() == other.keys(), first.result != second.result)
