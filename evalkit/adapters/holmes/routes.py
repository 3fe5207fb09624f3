"""Recordings as routes, in the order that `formats.holmes_pairs` defines: the most arguments first, then by file name.

HolmesGPT asks its recordings in the order of the file system, so where two would answer the same call differently its
verdict depends on the disk. Here the first route that matches answers, and what the others would have said is noted.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from evalkit.adapters.holmes.matching import args_pattern, covers, unwritable
from evalkit.adapters.holmes.notes import note
from evalkit.adapters.holmes.nouns import Note, Options
from evalkit.adapters.holmes.replies import reply
from evalkit.cases import Json
from evalkit.formats.holmes_pairs import Match, agree, in_order, wanted
from evalkit.formats.holmes_recording import ANY, Recording


@dataclass(frozen=True, slots=True, kw_only=True)
class MockRoute:
    """One entry of a mocks file.

    Attributes:
        tool: The tool's name.
        match: The arguments that a call must have; empty for any call.
        args: The same as a pattern.
        returns: What it answers.
        source: Where it comes from, for a comment.
        recording: The recording that it was made of; None for what is always there.
    """

    tool: str
    match: Match
    args: dict[str, Json]
    returns: Json
    source: str
    recording: Recording | None = None


def recorded_routes(recordings: Iterable[Recording], options: Options) -> list[MockRoute]:
    """Make the routes of recordings, in the order in which they are asked."""
    ordered = in_order(recordings, literal_star=options.literal_star)
    return [_route(recording, options) for recording in ordered if not unwritable(_wanted(recording, options))]


def _wanted(recording: Recording, options: Options) -> Match:
    return wanted(recording, literal_star=options.literal_star)


def _route(recording: Recording, options: Options) -> MockRoute:
    match = _wanted(recording, options)
    return MockRoute(
        tool=recording.tool,
        match=match,
        args=args_pattern(match, options),
        returns=reply(recording, options),
        source=recording.file,
        recording=recording,
    )


def route_notes(recordings: Sequence[Recording], routes: Sequence[MockRoute], options: Options) -> Iterator[Note]:
    """Say what users should know of how the recordings answer."""
    for recording in recordings:
        fault = unwritable(_wanted(recording, options))
        if fault:
            yield note("BAD_MOCK", f"answers nothing: {fault}", recording.file)
        stars = [name for name, value in (recording.match or {}).items() if value == ANY]
        if stars and not options.literal_star:
            message = f"{', '.join(stars)} may be anything; HolmesGPT reads the star literally since July 2025"
            yield note("STAR_WILDCARD", f"{message}, as --holmes-head does here", recording.file)
    yield from _shadows(routes)
    for first, later in combinations(routes, 2):
        if _compete(first, later) and not _same_result(first.recording, later.recording):
            message = (
                f"answers some calls that {later.source} would answer differently; HolmesGPT lets the order of the "
                "file system decide, so its verdict may depend on the disk"
            )
            yield note("AMBIGUOUS", message, first.source)


def _shadows(routes: Sequence[MockRoute]) -> Iterator[Note]:
    """Note each route all of whose calls an earlier one takes."""
    for index, later in enumerate(routes):
        first = next((one for one in routes[:index] if _compete(one, later) and covers(one.match, later.match)), None)
        if first is not None:
            yield note("SHADOWED", f"never answers: {first.source} takes all its calls", later.source)


def _compete(one: MockRoute, other: MockRoute) -> bool:
    """Whether a call could be answered by both."""
    return one.tool == other.tool and agree(one.match, other.match)


def _same_result(one: Recording | None, other: Recording | None) -> bool:
    """Whether two recordings say the same, wherever they have it from."""
    return one is not None and other is not None and one.result == other.result
