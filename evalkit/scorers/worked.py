"""`worked`: each call in `expect[].trajectory.worked` was made, and did what it was asked for.

A call worked if it came to the tool and the reply tells of no error (see `replies`). One that failed first and worked
when it was made again has worked; to allow no failure at all, forbid it: `{"name": …, "status": "error"}`.

Whether a call works is not up to the model, so this is judged in golden mode too.
"""

from collections.abc import Iterator

from evalkit.cases import CallPattern, Case, Criterion
from evalkit.results import Score, TurnScore
from evalkit.scorers.calls import error_of, fits, show_call, show_pattern
from evalkit.scorers.per_turn import combine, expected_at, played
from evalkit.traces import Trace, TurnTrace


def score(case: Case, trace: Trace, criterion: Criterion) -> Score:  # noqa: ARG001 - this metric has no options
    """Look at what became of each call that must work."""
    turns = []
    for turn, happened in played(case, trace):
        if turn.expect.trajectory and turn.expect.trajectory.worked:
            place = expected_at(case, turn, "trajectory.worked")
            faults = [
                f"{place}[{index}]: {fault}"
                for index, pattern in enumerate(turn.expect.trajectory.worked)
                for fault in _faults(pattern, happened)
            ]
            turns.append(TurnScore(turn=turn.index, value=0.0 if faults else 1.0, reason="\n".join(faults)))
    return combine(turns, "no turn names a call that must work")


def _faults(pattern: CallPattern, happened: TurnTrace) -> Iterator[str]:
    """Say why no call worked that the pattern names; nothing if one did."""
    named = [(event, error_of(event)) for event in happened.tools if fits(pattern, event)]
    if not named:
        yield f"{show_pattern(pattern)} was never called, so nothing worked"
    elif all(error is not None for _, error in named):
        told = "; ".join(f"{show_call(event.name, event.args)}: {error}" for event, error in named)
        yield f"{show_pattern(pattern)} never worked ({told})"
