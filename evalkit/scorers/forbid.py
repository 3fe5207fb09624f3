"""`forbid`: no call that `expect[].trajectory.forbid` names was made, at any depth and whatever came of it."""

from collections.abc import Iterator

from evalkit.cases import CallPattern, Case, Criterion
from evalkit.results import Score, TurnScore
from evalkit.scorers.calls import fits, show_call, show_pattern
from evalkit.scorers.per_turn import combine, expected_at, played
from evalkit.traces import Trace, TurnTrace


def score(case: Case, trace: Trace, criterion: Criterion) -> Score:  # noqa: ARG001 - this metric has no options
    """Look for forbidden calls in everything that was called."""
    turns: list[TurnScore] = []
    wrong: list[str] = []
    for turn, happened in played(case, trace):
        if turn.expect.trajectory and turn.expect.trajectory.forbid:
            place = expected_at(case, turn, "trajectory.forbid")
            found = [f"{place}: {fault}" for fault in _forbidden(turn.expect.trajectory.forbid, happened)]
            turns.append(TurnScore(turn=turn.index, value=0.0 if found else 1.0, reason="\n".join(found)))
            wrong += found
    return combine(turns, "no turn forbids a call", wrong_calls=wrong)


def _forbidden(patterns: tuple[CallPattern, ...], happened: TurnTrace) -> Iterator[str]:
    for event in happened.tools:
        pattern = next((pattern for pattern in patterns if fits(pattern, event)), None)
        if pattern:
            yield f"{event.agent} called {show_call(event.name, event.args)}; forbidden is {show_pattern(pattern)}"
