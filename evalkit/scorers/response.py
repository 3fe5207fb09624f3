"""`response`: the final answer says what `expect[].response` wants, and nothing that it rules out.

The value of a turn is the share of its demands that are met; every one must be (see `answers.demands`).
"""

from collections.abc import Sequence

from evalkit.answers.demands import Demand, held_against
from evalkit.cases import Case, Criterion
from evalkit.matching import show
from evalkit.results import Score, TurnScore
from evalkit.scorers.per_turn import combine, expected_at, played
from evalkit.traces import Trace

_ANSWER_LIMIT = 400
"""Characters of the answer that the reason shows."""


def score(case: Case, trace: Trace, criterion: Criterion) -> Score:  # noqa: ARG001 - this metric has no options
    """Check each final answer against the demands of its turn."""
    turns = []
    for turn, happened in played(case, trace):
        if turn.expect.response:
            text = happened.final.text if happened.final else ""
            found = tuple(held_against(turn.expect.response, text))
            turns.append(_turn_score(turn.index, expected_at(case, turn, "response"), found, text))
    return combine(turns, "no turn says what its response must contain")


def _turn_score(turn: int, place: str, found: Sequence[Demand], text: str) -> TurnScore:
    faults = [f"{place}.{demand}" for demand in found if demand.fault]
    if not found:
        return TurnScore(turn=turn, value=None, reason=f"{place} demands nothing")
    if not faults:
        return TurnScore(turn=turn, value=1.0)
    answer = f"  the answer: {show(text, _ANSWER_LIMIT)}" if text else "  the agent said nothing"
    return TurnScore(turn=turn, value=1 - len(faults) / len(found), reason="\n".join((*faults, answer)))
