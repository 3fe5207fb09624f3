"""From the scores of turns to the score of a case.

A reason is written in lines. A line that starts at the margin is a reason of its own; an indented one belongs to the
line above it, such as a row of a diff.
"""

from collections.abc import Iterable, Sequence

from evalkit.cases import Case, Turn
from evalkit.results import Score, TurnScore
from evalkit.traces import Trace, TurnTrace

WRONG_CALLS = "wrong_calls"
"""Key of `Score.details`: calls that were made and break the score whatever comes after, so no miss excuses them."""


def played(case: Case, trace: Trace) -> tuple[tuple[Turn, TurnTrace], ...]:
    """Pair each turn that was played with what happened in it; a case may have ended before its last turn."""
    return tuple(zip(case.turns or (), trace.turns, strict=False))


def place_of(turn: Turn) -> str:
    """Return the JSON path of a turn, for messages."""
    return turn.where or f"conversation[{turn.index}]"


def expected_at(case: Case, turn: Turn, key: str) -> str:
    """Return the JSON path of what a turn's `expect` says under a key, or of the criterion that says it."""
    if turn.expect.origin:
        return turn.expect.origin
    inside = f"evalkit.expect[{turn.index}].{key}"
    return f"{case.where}.{inside}" if case.where else inside


def combine(
    turns: Sequence[TurnScore], nothing: str, *, wrong_calls: Sequence[str] = (), by_construction: bool = False
) -> Score:
    """Average the turns that have a value.

    Args:
        turns: The scores of the turns that were looked at.
        nothing: Why no turn has a value, if none has; the score is then not applicable.
        wrong_calls: See `WRONG_CALLS`.
        by_construction: See `Score`.
    """
    values = [turn.value for turn in turns if turn.value is not None]
    if not values:
        return Score(state="not_applicable", reason=nothing, turns=tuple(turns))
    details = {WRONG_CALLS: list(wrong_calls)} if wrong_calls else {}
    return Score(
        value=average(values),
        reason=_joined(turns),
        turns=tuple(turns),
        by_construction=by_construction,
        details=details,
    )


def average(values: Iterable[float]) -> float:
    """Return the mean as ADK computes it, to the last bit: from Python 3.12 on, `sum` rounds differently."""
    total, count = 0.0, 0
    for value in values:
        total += value
        count += 1
    return total / count


def _joined(turns: Sequence[TurnScore]) -> str:
    if len(turns) == 1:
        return turns[0].reason
    return "\n".join(
        line if line.startswith(" ") else f"turn {turn.turn + 1}: {line}"
        for turn in turns
        for line in turn.reason.splitlines()
    )
