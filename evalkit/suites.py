"""All runs of a suite together: how many pass, how likely one or all of several runs pass, and the suite's own gate."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from evalkit.cases import ALWAYS, Gate
from evalkit.pass_rates import told, verdict_by
from evalkit.repeats import Terms
from evalkit.results import CaseResult, Verdict
from evalkit.stats import pass_at_k, pass_hat_k, wilson


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteFigures:
    """All runs of all gating cases together; skipped cases have none.

    Attributes:
        cases: How many cases were played.
        low: The lower bound of the pass rate's 95% interval, over these cases.
        pass_at_k: For k = 1, 2, … the mean over cases of the chance that at least one of k runs passes.
        pass_hat_k: The mean of the chance that all of k runs pass.
        gate: What the suite must reach, if anything.
        verdict: What the gate says; None without one.
        reason: Why, in a sentence.
    """

    cases: int
    runs: int
    passed: int
    low: float
    high: float
    pass_at_k: tuple[float, ...]
    pass_hat_k: tuple[float, ...]
    gate: Gate = ALWAYS
    verdict: Verdict | None = None
    reason: str = ""


def suite_figures(results: Iterable[CaseResult], terms: Terms) -> SuiteFigures:
    """Sum up settled cases."""
    cases = [result.plays for result in results if result.aside is None and result.verdict != "skipped"]
    runs = [run for plays in cases for run in plays]
    found = Counter(run.verdict for run in runs)
    interval = wilson(found["passed"], len(runs))
    tallies = [(sum(run.verdict == "passed" for run in plays), len(plays)) for plays in cases]
    figures = SuiteFigures(
        cases=len(cases),
        runs=len(runs),
        passed=found["passed"],
        low=interval.low,
        high=interval.high,
        pass_at_k=tuple(_mean_over(tallies, pass_at_k)),
        pass_hat_k=tuple(_mean_over(tallies, pass_hat_k)),
    )
    if not terms.suite or not runs:
        return figures
    gate = terms.applied(terms.suite, len(runs))
    verdict = verdict_by(gate, found)
    return replace(figures, gate=gate, verdict=verdict, reason=told(gate, found, "runs of the suite"))


def _mean_over(tallies: Sequence[tuple[int, int]], estimate: Callable[[int, int, int], float]) -> Iterator[float]:
    """Yield the mean of an estimate over cases for each k that all of them have runs for."""
    for k in range(1, min((runs for _, runs in tallies), default=0) + 1):
        yield math.fsum(estimate(passed, runs, k) for passed, runs in tallies) / len(tallies)
