"""Misses: what an agent does after a call that no mock answered may come of that, so it is not held against it."""

from collections.abc import Sequence
from dataclasses import replace

from evalkit.traces import TurnTrace


def has_miss(happened: TurnTrace) -> bool:
    """Tell whether a call of the turn found no mock."""
    return any(event.status == "missed" for event in happened.tools)


def up_to_a_miss(happened: TurnTrace) -> TurnTrace:
    """Cut a turn behind its first call without a mock."""
    miss = next((index for index, event in enumerate(happened.tools) if event.status == "missed"), None)
    if miss is None:
        return happened
    words = tuple(said for said in happened.said if said.after <= miss)
    return replace(happened, tools=happened.tools[: miss + 1], said=words)


def first_with_a_miss(turns: Sequence[TurnTrace]) -> int:
    """Return the index of the first turn with a miss; the number of turns if none has one."""
    return next((index for index, turn in enumerate(turns) if has_miss(turn)), len(turns))
