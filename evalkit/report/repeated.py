"""How reports put repeats: several runs of a case, and all runs of a suite."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from evalkit.repeats import ranges
from evalkit.report.wording import figure, score_phrase
from evalkit.results import CaseResult, CriterionResult, Standing, Verdict
from evalkit.suites import SuiteFigures

DETERMINISTIC = (
    "replays are deterministic: repeats show whether the agent and its mocks are, and say nothing about the model"
)
"""What must be said of repeats that did not exercise the model."""

_STANDINGS: tuple[Standing, ...] = (
    "passed",
    "failed",
    "flaky",
    "broken",
    "infrastructure",
    "inconclusive",
    "skipped",
)
_ALL_SHOWN = 6
_SOME_SHOWN = (1, 2, 3, 5, 10, 20, 50, 100)


def interval(low: float, high: float) -> str:
    """Write the interval of a rate: `21% to 94%`."""
    return f"{low:.0%} to {high:.0%}"


def repeats_phrase(result: CaseResult) -> str:
    """Say what several runs came to: `flaky: 2 of 3 runs passed (95% interval 21% to 94%)`."""
    repeats = result.repeats
    if repeats is None:
        return result.standing
    tally = f"{repeats.passed} of {len(repeats.runs)} runs passed"
    return f"{result.standing}: {tally} (95% interval {interval(repeats.low, repeats.high)})"


def verdicts_by_run(result: CaseResult) -> str:
    """List the runs of each verdict: `passed 1-3, 5; failed 4`."""
    numbers: dict[Verdict, list[int]] = {}
    for run in result.plays:
        numbers.setdefault(run.verdict, []).append(run.run + 1)
    return "; ".join(f"{verdict} {ranges(found)}" for verdict, found in numbers.items())


def differs(result: CaseResult) -> bool:
    """Tell whether the runs of a case came to different verdicts."""
    return len({run.verdict for run in result.plays}) > 1


def criteria_over_runs(result: CaseResult) -> Iterator[tuple[str, str]]:
    """Yield the name of each criterion and what it came to over all runs: `0.83 (0.50 to 1.00; 2 of 3 pass)`."""
    found: dict[str, list[CriterionResult]] = {}
    for run in result.plays:
        for item in run.criteria:
            found.setdefault(item.criterion.name, []).append(item)
    for name, items in found.items():
        yield name, _over_runs(items)


def suite_phrase(suite: SuiteFigures) -> str:
    """Say what all runs came to: `36 runs of 12 cases, 34 passed (94%, 95% interval 82% to 98%)`."""
    rate = suite.passed / suite.runs if suite.runs else 0.0
    cases = f"{suite.cases} case{'' if suite.cases == 1 else 's'}"
    return (
        f"{suite.runs} runs of {cases}, {suite.passed} passed "
        f"({rate:.0%}, 95% interval {interval(suite.low, suite.high)})"
    )


def standings(results: Iterable[CaseResult]) -> str:
    """Count what gating cases are: `10 passed, 1 flaky, 1 broken`; what none is, is left out."""
    found = Counter(result.standing for result in results if result.aside is None)
    return ", ".join(f"{found[standing]} {standing}" for standing in _STANDINGS if found[standing])


def columns_of_k(suite: SuiteFigures) -> tuple[int, ...]:
    """Choose the numbers of runs for which pass@k and pass^k are shown: all, or of many some and the last."""
    most = len(suite.pass_at_k)
    if most <= _ALL_SHOWN:
        return tuple(range(1, most + 1))
    return (*(k for k in _SOME_SHOWN if k < most), most)


def _over_runs(items: Sequence[CriterionResult]) -> str:
    values = [item.score.value for item in items if item.score.state == "judged" and item.score.value is not None]
    phrases = {score_phrase(item) for item in items}
    if len(phrases) == 1:
        return phrases.pop()
    if not values:
        return "not judged"
    limit = next((item.criterion.threshold for item in items), None)
    threshold = 1.0 if limit is None else limit
    low, high = (figure(end, threshold) for end in (min(values), max(values)))
    passed = sum(item.passed is True for item in items)
    mean = sum(values) / len(values)
    return f"{mean:.2f} ({low} to {high}; {passed} of {len(items)} pass)"
