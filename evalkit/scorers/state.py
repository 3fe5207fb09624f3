"""`state`: the session's state is as `expect[].state` and `final_session_state` want it.

Both list keys with patterns; other keys of the state are free. ADK defines `final_session_state` and never reads it.
The value is the share of the listed keys that match; every one must.
"""

from collections.abc import Mapping
from typing import Any

from evalkit.cases import Case, Criterion
from evalkit.matching import match_args
from evalkit.results import Score, TurnScore
from evalkit.scorers.per_turn import combine, expected_at, played
from evalkit.traces import Trace


def score(case: Case, trace: Trace, criterion: Criterion) -> Score:  # noqa: ARG001 - this metric has no options
    """Compare the state after each turn, and at the end, with what is expected there."""
    asked = [place for place, (turn, _) in enumerate(played(case, trace)) if turn.expect.state]
    if asked and asked[-1] >= len(trace.states):
        return Score(state="not_judged", reason="the stored trace has no state after each turn; play the case again")
    turns = [
        _turn_score(turn.index, expected_at(case, turn, "state"), turn.expect.state, state)
        for turn, state in zip(case.turns or (), trace.states, strict=False)
        if turn.expect.state
    ]
    if case.final_state:
        last = max(len(trace.states) - 1, 0)
        place = f"{case.where}.final_session_state".lstrip(".")
        turns.append(_turn_score(last, place, case.final_state, trace.state))
    return combine(turns, "nothing is expected of the state")


def _turn_score(turn: int, place: str, wanted: Mapping[str, Any], state: Mapping[str, Any]) -> TurnScore:
    found = {key: match_args({key: pattern}, state) for key, pattern in wanted.items()}
    reasons = [f"{place}: {difference}" for differences in found.values() for difference in differences]
    met = sum(1 for differences in found.values() if not differences)
    return TurnScore(turn=turn, value=met / len(found), reason="\n".join(reasons))
