"""`blocked`: each call in `expect[].trajectory.blocked` was made, and a callback answered it before the tool ran."""

from collections.abc import Iterator

from evalkit.cases import CallPattern, Case, Criterion
from evalkit.results import Score, TurnScore
from evalkit.scorers.calls import fits, fits_any, show_call, show_pattern
from evalkit.scorers.per_turn import combine, expected_at, played
from evalkit.traces import Trace, TurnTrace


def score(case: Case, trace: Trace, criterion: Criterion) -> Score:  # noqa: ARG001 - this metric has no options
    """Look at what became of each call that must be blocked."""
    turns: list[TurnScore] = []
    wrong: list[str] = []
    for turn, happened in played(case, trace):
        if turn.expect.trajectory and turn.expect.trajectory.blocked:
            patterns = turn.expect.trajectory.blocked
            place = expected_at(case, turn, "trajectory.blocked")
            let_through = [f"{place}: {fault}" for fault in _let_through(patterns, happened)]
            faults = [*let_through, *(f"{place}: {fault}" for fault in _never_made(patterns, happened))]
            turns.append(TurnScore(turn=turn.index, value=0.0 if faults else 1.0, reason="\n".join(faults)))
            wrong += let_through
    return combine(turns, "no turn names a call that must be blocked", wrong_calls=wrong)


def _let_through(patterns: tuple[CallPattern, ...], happened: TurnTrace) -> Iterator[str]:
    for event in happened.tools:
        if event.status != "blocked" and fits_any(patterns, event):
            yield f"{show_call(event.name, event.args)} was {event.status}; no callback blocked it"


def _never_made(patterns: tuple[CallPattern, ...], happened: TurnTrace) -> Iterator[str]:
    for pattern in patterns:
        if not any(fits(pattern, event) for event in happened.tools):
            yield f"{show_pattern(pattern)} was never called, so nothing was blocked"
