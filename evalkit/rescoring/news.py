"""What changed when a run was scored again, as notes for its report."""

from collections.abc import Iterator, Mapping, Sequence

from evalkit.report.model import Note, Report
from evalkit.report.wording import case_label
from evalkit.results import CaseResult

_Key = tuple[str, str, str | None]


def news(name: str, before: Report | None, after: Report) -> Iterator[Note]:
    """Yield what changed: in a sentence, then each kind of change with its cases.

    Args:
        name: The run that was scored again.
        before: Its report; None if it never came to its end.
        after: The new report.
    """
    if before is None:
        yield Note(text=f"scored again: {name} never came to its end, so it has no verdicts to compare with")
        return
    old = {_key(result): result for result in before.results}
    both = [(old[_key(result)], result) for result in after.results if _key(result) in old]
    verdicts = [(one, other) for one, other in both if one.verdict != other.verdict]
    scores = dict(_scores(both))
    yield Note(text=f"scored again: {name}; {_told(len(verdicts), len(both), scores)}{_left_out(before, after)}")
    yield from _grouped({f"{other.verdict}, was {one.verdict}": [] for one, other in verdicts}, verdicts)
    yield from (Note(text=f"scored again: another score of {metric}", cases=cases) for metric, cases in scores.items())


def _grouped(groups: dict[str, list[str]], changed: Sequence[tuple[CaseResult, CaseResult]]) -> Iterator[Note]:
    for one, other in changed:
        groups[f"{other.verdict}, was {one.verdict}"].append(case_label(other))
    yield from (Note(text=f"scored again: {change}", cases=tuple(cases)) for change, cases in groups.items())


def _told(changed: int, total: int, scores: Mapping[str, Sequence[str]]) -> str:
    if changed:
        return f"{changed} of {total} verdicts changed"
    return f"all {total} verdicts are as they were" + (", though scores changed" if scores else "")


def _left_out(before: Report, after: Report) -> str:
    count = len(before.results) - len(after.results)
    return f"; {count} case{' was' if count == 1 else 's were'} left out, as asked" if count > 0 else ""


def _scores(both: Sequence[tuple[CaseResult, CaseResult]]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each criterion that has another score than before, with the cases; one that is new has none before."""
    changed: dict[str, list[str]] = {}
    for one, other in both:
        old = _values(one)
        for metric, values in _values(other).items():
            if metric in old and old[metric] != values:
                changed.setdefault(metric, []).append(case_label(other))
    yield from ((metric, tuple(cases)) for metric, cases in changed.items())


def _values(result: CaseResult) -> dict[str, list[float | str]]:
    """Return the scores of all runs of a case by criterion; where there is none, why."""
    found: dict[str, list[float | str]] = {}
    for run in result.plays:
        for item in run.criteria:
            value = item.score.value
            found.setdefault(item.criterion.name, []).append(item.score.state if value is None else value)
    return found


def _key(result: CaseResult) -> _Key:
    return result.file, result.eval_id, result.model
