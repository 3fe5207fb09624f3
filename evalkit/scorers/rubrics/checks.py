"""Rubrics with a check: what `expect` can say of a turn decides about them, without a judge."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from evalkit.cases import Case, Expectation, Turn
from evalkit.results import Score
from evalkit.scorers import load
from evalkit.scorers.criteria import own_criteria
from evalkit.scorers.rubrics.effective import Rubric
from evalkit.traces import Trace, TurnTrace


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """What was found about one rubric in one turn.

    Attributes:
        value: 1 if it holds, 0 if not, None if nobody could say.
        reason: Why.
        by: Who says so: `check`, or the judge's name.
        votes: What the judge said each time it was asked; None where it gave no answer that counts.
        by_construction: True if golden mode checked what it had made itself.
    """

    value: float | None
    reason: str = ""
    by: str = "check"
    votes: tuple[bool | None, ...] = ()
    by_construction: bool = False


def decide(rubric: Rubric, check: Expectation, case: Case, turn: Turn, happened: TurnTrace, trace: Trace) -> Ruling:
    """Decide whether a rubric holds of a turn: it does where all that its check says does."""
    scores = list(_scores(rubric, check, case, turn, happened, trace))
    values = [score.value for score in scores]
    reason = "\n".join(score.reason for score in scores if score.reason)
    if not values or None in values:
        return Ruling(value=None, reason=f"{rubric.place}.check: {reason or 'it says nothing of this turn'}")
    return Ruling(
        value=float(all(value == 1 for value in values)),
        reason=reason,
        by_construction=all(score.by_construction for score in scores),
    )


def _scores(
    rubric: Rubric, check: Expectation, case: Case, turn: Turn, happened: TurnTrace, trace: Trace
) -> Iterator[Score]:
    """Apply each metric that the check speaks of, to the turn as if there were no other."""
    alone = replace(turn, expect=replace(check, origin=f"{rubric.place}.check"))
    one_turn = replace(case, turns=(alone,), final_state=None)
    states = trace.states[turn.index : turn.index + 1]
    shown = replace(trace, turns=(happened,), states=states)
    for criterion, _ in own_criteria(one_turn, "live"):  # no `replay`, which judges the playing and not the turn
        if criterion.gate:
            yield load(criterion.name)(one_turn, shown, criterion)
