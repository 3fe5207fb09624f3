"""Golden turns that fail what their own case asks for: no run can do right by such a case."""

from dataclasses import replace

from evalkit.cases import Case
from evalkit.results import Score

_CONTRADICTS = "the case contradicts itself: "
"""Stands before what its own calls or its own answer fail."""


def as_contradiction(case: Case, score: Score) -> Score:
    """Let a score count that is too low although the golden turn was compared with itself.

    A case that lists no calls for a turn, or accepts another path, leaves a run a way to do right; its score stays.
    """
    rules = [turn.expect.trajectory for turn in case.turns or ()]
    if any(turn.steps is None for turn in case.turns or ()) or any(rule and rule.any_of for rule in rules):
        return score
    turns = tuple(
        turn if turn.value is None or turn.value >= 1 else replace(turn, reason=f"{_CONTRADICTS}{turn.reason}")
        for turn in score.turns
    )
    return replace(score, by_construction=False, turns=turns)
