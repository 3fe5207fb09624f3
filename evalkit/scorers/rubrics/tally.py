"""From what was found about rubrics to a score, by ADK's rule: the mean over all rubrics of all turns.

A rubric about which nobody could say anything keeps the whole criterion from being judged: left out of the mean, as
ADK has it, it would make the rest look better.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evalkit.cases import Case, Criterion, Json
from evalkit.results import Score, TurnScore
from evalkit.scorers.per_turn import average, place_of, played
from evalkit.scorers.rubrics.checks import Ruling, decide
from evalkit.scorers.rubrics.effective import Rubric, rubrics_of
from evalkit.traces import Trace

RUBRICS = "rubrics"
"""Key of `Score.details`: for each rubric of each turn what was found, and by whom."""

Key = tuple[int, str]
"""A turn's index, and a rubric's id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """One rubric in one turn, and what was found about it."""

    turn: int
    rubric: Rubric
    ruling: Ruling


def pending(case: Case, trace: Trace, criterion: Criterion) -> tuple[tuple[int, tuple[Rubric, ...]], ...]:
    """List, for each turn that was played, the rubrics that a judge has to decide.

    Raises:
        RubricConflict: Two rubrics of a turn have the same id.
    """
    turns = ((turn.index, rubrics_of(case, turn, criterion)) for turn, _ in played(case, trace))
    return tuple(
        (index, left) for index, rubrics in turns if (left := tuple(one for one in rubrics if one.check is None))
    )


def tally(case: Case, trace: Trace, criterion: Criterion, said: Mapping[Key, Ruling], unasked: str) -> Score:
    """Score a case.

    Args:
        case: What should happen.
        trace: What did.
        criterion: The criterion.
        said: What judges said.
        unasked: Why a rubric was not put to a judge of which `said` has nothing.

    Raises:
        RubricConflict: Two rubrics of a turn have the same id.
    """
    found = [
        Found(
            turn=turn.index,
            rubric=rubric,
            ruling=said.get((turn.index, rubric.id), Ruling(value=None, reason=unasked))
            if rubric.check is None
            else decide(rubric, rubric.check, case, turn, happened, trace),
        )
        for turn, happened in played(case, trace)
        for rubric in rubrics_of(case, turn, criterion)
    ]
    if not found:
        return Score(state="not_applicable", reason=_nothing(criterion))
    turns = tuple(_turn_score(case, index, [one for one in found if one.turn == index]) for index in _turns(found))
    details = {RUBRICS: [as_json(one) for one in found]}
    unjudged = [one for one in found if one.ruling.value is None]
    if unjudged:
        return Score(state="not_judged", reason=_why_not(unjudged, len(found)), turns=turns, details=details)
    return Score(
        value=average(value for one in found if (value := one.ruling.value) is not None),
        reason="\n".join(turn.reason for turn in turns if turn.reason),
        turns=turns,
        by_construction=all(one.ruling.by_construction for one in found),
        details=details,
    )


def _turns(found: Sequence[Found]) -> list[int]:
    return list(dict.fromkeys(one.turn for one in found))


def _turn_score(case: Case, index: int, found: Sequence[Found]) -> TurnScore:
    (turn,) = [turn for turn in case.turns or () if turn.index == index]
    values = [one.ruling.value for one in found if one.ruling.value is not None]
    lines = [told(place_of(turn), one) for one in found if one.ruling.value != 1]
    value = average(values) if len(values) == len(found) else None
    return TurnScore(turn=index, value=value, reason="\n".join(lines))


def told(place: str, found: Found) -> str:
    """Write what was found about a rubric that does not hold, or about which nobody could say anything."""
    what = "does not hold" if found.ruling.value == 0 else "was not judged"
    text = f" ({found.rubric.text})" if found.rubric.text else ""
    head = f"{place}: the rubric `{found.rubric.id}`{text} {what}, by {found.ruling.by}"
    return "\n".join((head, *(f"  {line}" for line in found.ruling.reason.splitlines())))


def _why_not(unjudged: Sequence[Found], count: int) -> str:
    """Tell each reason once, with the rubrics that it holds for."""
    by_reason: dict[str, dict[str, None]] = {}
    for one in unjudged:
        by_reason.setdefault(one.ruling.reason, {})[one.rubric.id] = None
    if len(unjudged) == count and len(by_reason) == 1:
        return unjudged[0].ruling.reason
    told = "; ".join(f"{', '.join(ids)}: {reason}" for reason, ids in by_reason.items())
    return f"{len(unjudged)} of {count} verdicts are missing: {told}"


def _nothing(criterion: Criterion) -> str:
    if criterion.options.get("rubrics") or "rubric" in criterion.name:
        return "no rubric applies to a turn of this case"
    return "no turn has a final_response to compare with"


def as_json(found: Found) -> Json:
    """Return what was found about a rubric, for `Score.details`."""
    ruling = found.ruling
    return {
        "turn": found.turn,
        "rubric_id": found.rubric.id,
        "value": ruling.value,
        "by": ruling.by,
        **({"votes": [*ruling.votes]} if ruling.votes else {}),
        **({"reason": ruling.reason} if ruling.reason else {}),
    }
