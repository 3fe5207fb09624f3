"""Comparing runs: what changed, and whether the evidence is there."""

from collections.abc import Callable, Iterator, Sequence

from evalkit.compare.figures import effort_changes, figures_of, score_changes
from evalkit.compare.model import Comparison, Difference, Finding, Side
from evalkit.compare.pairs import pairs, played
from evalkit.compare.verdicts import case_changes, verdict_change
from evalkit.stats import ALPHA

__all__ = ["compare"]

_WORST_FIRST: tuple[Finding, ...] = ("regression", "improvement", "unclear")


def compare(sides: Sequence[Side], measure_of: Callable[[Side], Side | None]) -> Comparison:
    """Compare runs.

    Args:
        sides: At least two.
        measure_of: Finds what a side is measured by; None for a side that is a measure itself.
    """
    measured = [(measure, side) for side in sides if (measure := measure_of(side)) is not None]
    differences = tuple(_difference(measure, side) for measure, side in measured)
    code, summary = _outcome(differences)
    return Comparison(
        sides=tuple(sides),
        figures={side.label: figures_of(side) for side in sides},
        differences=differences,
        exit_code=code,
        summary=summary,
    )


def _difference(first: Side, second: Side) -> Difference:
    common = list(pairs(first, second))
    changes = case_changes(common)
    verdicts = verdict_change(common, changes)
    scores = score_changes(common)
    before, after = played(first), played(second)
    found: set[str] = {verdicts.finding, *(change.finding for change in changes if change.gates)}
    found.update(score.finding for score in scores if score.gates)
    return Difference(
        first=first.label,
        second=second.label,
        finding=next((finding for finding in _WORST_FIRST if finding in found), "unchanged"),
        cases=changes,
        verdicts=verdicts,
        scores=scores,
        efforts=effort_changes(common),
        only_first=tuple(key for key in before if key not in after),
        only_second=tuple(key for key in after if key not in before),
    )


def _outcome(differences: Sequence[Difference]) -> tuple[int, str]:
    """Decide the exit code and say what the comparison comes to."""
    told = [f"{one.second} against {one.first}: {_told(one)}" for one in differences]
    summary = "; ".join(told)
    if any(one.finding == "regression" for one in differences):
        return 1, summary
    if any(not one.verdicts.cases or _lost(one) for one in differences):
        return 2, summary
    return 0, summary


def _told(one: Difference) -> str:
    parts = [_found(one)]
    if one.verdicts.cases and (lost := _lost(one)):
        parts.append(f"{_cases(lost)} judged before and not any more")
    return ", ".join(parts)


def _found(one: Difference) -> str:
    if not one.verdicts.cases:
        return "no case was judged on both sides, nothing to compare"
    if one.finding in ("regression", "improvement"):
        return f"{one.finding} ({'; '.join(_evidence(one))})"
    if one.finding == "unclear":
        return "no change shown; what differs may be noise, there are not enough runs to tell"
    return "no change"


def _evidence(one: Difference) -> Iterator[str]:
    """Say what shows it."""
    worse = one.finding == "regression"
    if cases := len(one.having(one.finding)):
        yield f"{cases} case{'' if cases == 1 else 's'} {'worse' if worse else 'better'}"
    verdicts = one.verdicts
    if verdicts.p is not None and verdicts.p < ALPHA and verdicts.finding == one.finding:
        yield f"pass rate {verdicts.first_rate:.0%}, now {verdicts.second_rate:.0%}"
    scores = sum(score.gates and score.finding == one.finding for score in one.scores)
    if scores:
        yield f"{scores} score{'' if scores == 1 else 's'} {'lower' if worse else 'higher'}"


def _lost(one: Difference) -> int:
    """How many gating cases were judged before and are not any more."""
    return sum(case.first.decided > 0 for case in one.having("undecided"))


def _cases(number: int) -> str:
    return f"{number} case was" if number == 1 else f"{number} cases were"
