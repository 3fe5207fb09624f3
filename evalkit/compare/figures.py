"""What runs of a side came to and took, and how scores and efforts differ between two sides."""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from statistics import median

from evalkit.compare.model import CaseFigure, Direction, FigureChange, Figures, Finding, Side
from evalkit.compare.pairs import Pair, decided
from evalkit.results import CaseResult, Verdict
from evalkit.stats import ALPHA, FEWEST, Pair as Values, Shift, bootstrap, holm, wilson

Measure = Callable[[CaseResult], float | None]
"""A figure of a run; None if it has none."""

_VERDICTS: tuple[Verdict, ...] = ("passed", "failed", "error", "inconclusive")
_SECONDS = "seconds"
_EFFORTS: Mapping[str, Measure] = {
    "tool calls": lambda run: run.effort.tool_calls,
    "tokens": lambda run: run.effort.tokens,
    "usd": lambda run: run.effort.usd,
    _SECONDS: lambda run: run.seconds,
}

_SAME = 1e-9
"""Values closer than this are the same: sums in another order round otherwise."""


def figures_of(side: Side) -> Figures:
    """Sum up a side: the cases that gate and were played."""
    results = [result for result in side.results if result.aside is None and result.verdict != "skipped"]
    runs = [run for result in results for run in result.plays]
    found = Counter(result.verdict for result in results)
    passed = sum(run.verdict == "passed" for run in runs)
    interval = wilson(passed, len(runs))
    costs = [run.effort.usd for run in runs if run.effort.usd is not None]
    return Figures(
        verdicts={verdict: count for verdict in _VERDICTS if (count := found[verdict])},
        runs=len(runs),
        passed=passed,
        low=interval.low,
        high=interval.high,
        tool_calls=_mean([run.effort.tool_calls for run in runs]),
        tokens=_mean([run.effort.tokens for run in runs]),
        usd=_mean(costs) if costs and len(costs) == len(runs) else None,
        seconds=median([run.seconds for run in runs]) if runs else 0.0,
    )


def score_changes(pairs: Sequence[Pair]) -> tuple[FigureChange, ...]:
    """Compare each criterion over the cases that it judged on both sides."""
    compared = [pair for pair in pairs if pair.comparable]
    names = dict.fromkeys(name for pair in compared for run in decided(pair.second) for name in _scores(run))
    gating = {
        item.criterion.name
        for pair in compared
        for run in (*decided(pair.first), *decided(pair.second))
        for item in run.criteria
        if item.gates
    }
    found = [_change(name, compared, _score_of(name), gates=name in gating) for name in names]
    return _decided([change for change in found if change is not None])


def case_figures(pair: Pair) -> tuple[CaseFigure, ...]:
    """List the figures of one case that differ; seconds always do, so they are not among them."""
    names = dict.fromkeys(name for run in decided(pair.second) for name in _scores(run))
    measures = {name: _score_of(name) for name in names}
    measures |= {name: measure for name, measure in _EFFORTS.items() if name != _SECONDS}
    found = []
    for name, measure in measures.items():
        first, second = (list(_values(result, measure)) for result in (pair.first, pair.second))
        if first and second and abs(_mean(first) - _mean(second)) > _SAME:
            found.append(CaseFigure(name=name, first=_mean(first), second=_mean(second)))
    return tuple(found)


def effort_changes(pairs: Sequence[Pair]) -> tuple[FigureChange, ...]:
    """Compare what the runs took that say something of the agent; one that had no model to ask took nothing."""
    compared = [pair for pair in pairs if pair.comparable]
    found = [_change(name, compared, measure, gates=False) for name, measure in _EFFORTS.items()]
    return tuple(_directed(change) for change in found if change is not None and (change.first or change.second))


def _score_of(name: str) -> Measure:
    return lambda run: _scores(run).get(name)


def _scores(run: CaseResult) -> dict[str, float]:
    """What a run scored by criterion; what holds by construction was not found out."""
    return {
        item.criterion.name: item.score.value
        for item in run.criteria
        if item.score.state == "judged" and item.score.value is not None and not item.score.by_construction
    }


def _change(name: str, pairs: Sequence[Pair], measure: Measure, *, gates: bool) -> FigureChange | None:
    """Compare one figure, without judging what was found; None if no case has it on both sides."""
    values: list[Values] = []
    certain = name != _SECONDS  # which are never the same twice
    for pair in pairs:
        first, second = (list(_values(result, measure)) for result in (pair.first, pair.second))
        if first and second:
            values.append((first, second))
            certain = certain and pair.replayed
    if not values:
        return None
    before = _mean([_mean(first) for first, _ in values])
    after = _mean([_mean(second) for _, second in values])
    finding: Finding = "unchanged"
    shift: Shift | None = None
    differences = [_mean(second) - _mean(first) for first, second in values]
    if any(abs(difference) > _SAME for difference in differences):
        finding = _certainly(differences) if certain else "unclear"
        shift = bootstrap(values) if not certain and _enough(values) else None
    return FigureChange(
        name=name, cases=len(values), first=before, second=after, finding=finding, shift=shift, gates=gates
    )


def _values(result: CaseResult, measure: Measure) -> Iterator[float]:
    for run in decided(result):
        value = measure(run)
        if value is not None:
            yield value


def _enough(values: Sequence[Values]) -> bool:
    return len(values) >= FEWEST or all(min(len(first), len(second)) >= FEWEST for first, second in values)


def _certainly(differences: Sequence[float]) -> Finding:
    """What replays show: every difference is one, and what got worse is not made good by what got better."""
    return "regression" if min(differences) < -_SAME else "improvement"


def _decided(changes: Sequence[FigureChange]) -> tuple[FigureChange, ...]:
    """Judge the changes that have an interval, all of them together."""
    shifted = [change for change in changes if change.shift is not None]
    p_values = dict(
        zip(
            [change.name for change in shifted],
            holm([change.shift.p for change in shifted if change.shift]),
            strict=True,
        )
    )
    return tuple(_with_p(change, p_values.get(change.name)) for change in changes)


def _with_p(change: FigureChange, p: float | None) -> FigureChange:
    if p is None or change.shift is None:
        return change
    finding: Finding = "unclear"
    if p < ALPHA:
        finding = "regression" if change.shift.difference < 0 else "improvement"
    return replace(change, finding=finding, p=p)


def _directed(change: FigureChange) -> FigureChange:
    """Say more or less instead of worse or better."""
    p = change.shift.p if change.shift else None
    finding: Finding | Direction = change.finding
    if finding in ("regression", "improvement") or (p is not None and p < ALPHA):
        same = abs(change.second - change.first) <= _SAME
        finding = "unchanged" if same else "more" if change.second > change.first else "less"
    return replace(change, finding=finding, p=p)


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values) if values else 0.0
