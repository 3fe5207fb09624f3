"""Repairs of a text that is not JSON, compared by how far a parser reads with each of them."""

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from evalkit.formats.json_faults.fault import Fault

MOST = 8_000_000
"""Characters that are read in all to compare repairs; of a longer text none is tried."""


class _RepeatedKeyError(Exception):
    """An object has a key twice."""


class Repair(NamedTuple):
    """Other characters in place of those from `start` to before `end`, and the fault that this would mend."""

    start: int
    end: int
    text: str
    fault: Fault


def best(text: str, offset: int, repairs: Sequence[Repair]) -> Fault | None:
    """The fault whose repair leaves the least of the text unread, the first of several; None if none helps."""
    chosen, least = None, len(text) - offset
    for repair in _affordable(text, repairs):
        unread = _unread(text, repair)
        if unread < least:
            chosen, least = repair.fault, unread
    return chosen


def mending(text: str, repairs: Sequence[Repair]) -> Fault | None:
    """The first fault whose repair makes JSON of the text, if any does."""
    return next((repair.fault for repair in _affordable(text, repairs) if _unread(text, repair) < 0), None)


def _affordable(text: str, repairs: Sequence[Repair]) -> Sequence[Repair]:
    return repairs if len(text) * len(repairs) <= MOST else ()


def _unread(text: str, repair: Repair) -> int:
    """How many characters a parser leaves unread after a repair; less than none if it reads them all.

    A repair after which an object has a key twice has put together what does not belong together: it leaves everything.
    """
    mended = f"{text[: repair.start]}{repair.text}{text[repair.end :]}"
    try:
        json.loads(mended, object_pairs_hook=_without_repeats)
    except json.JSONDecodeError as error:
        return len(mended) - error.pos
    except (_RepeatedKeyError, RecursionError, ValueError):
        return len(mended)
    return -1


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise _RepeatedKeyError
    return value
