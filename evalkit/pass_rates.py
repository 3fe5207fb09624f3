"""Whether a share of runs is enough: a gate, and the verdict of what broke it.

Every run stays in the denominator: one with an error, or without a judgement, did not pass. The verdict is

- `failed` if the gate could not hold even if every run that did not fail had passed;
- else `error` if not even with every run that neither failed nor had an error;
- else `inconclusive` if not without the runs that could not be judged;
- else `passed`.

With the gate that all runs must pass these are the verdicts of the single runs, the worst first. So they are where no
outcome of so few runs could reach the gate, which makes them `inconclusive` even if all of them passed.
"""

from collections.abc import Mapping

from evalkit.cases import Gate
from evalkit.results import Verdict
from evalkit.stats import wilson

BREAKING: tuple[Verdict, ...] = ("failed", "error", "inconclusive")
"""The verdicts that break a gate, the worst first."""

_ROUNDING = 1e-9
_MOST_RUNS = 10_000
"""Of which a message still says that they would do."""


def verdict_by(gate: Gate, found: Mapping[Verdict, int]) -> Verdict:
    """What so many runs of each verdict come to."""
    runs = sum(found.values())
    if not holds(gate, runs, runs):  # so few runs tolerate nothing
        return next((verdict for verdict in BREAKING if found.get(verdict)), "inconclusive")
    left = runs
    for verdict in BREAKING:
        left -= found.get(verdict, 0)
        if not holds(gate, left, runs):
            return verdict
    return "passed"


def holds(gate: Gate, passed: int, runs: int) -> bool:
    """Tell whether so many of so many runs are enough."""
    share = gate.min_pass_rate if gate else 1.0
    if share is not None and passed / runs < share - _ROUNDING:
        return False
    return gate.min_lower_bound is None or wilson(passed, runs).low >= gate.min_lower_bound - _ROUNDING


def told(gate: Gate, found: Mapping[Verdict, int], what: str) -> str:
    """Say how many runs passed and how many must: `2 of 3 runs passed; all must`."""
    runs, passed = sum(found.values()), found.get("passed", 0)
    counted = f"{passed} of {runs} {what} passed"
    if not gate:
        return f"{counted}; all must"
    parts = []
    if gate.min_pass_rate is not None:
        parts.append(f"a share of {gate.min_pass_rate:g} must")
    if gate.min_lower_bound is not None:
        low = wilson(passed, runs).low
        parts.append(f"the rate's lower bound is {low:.3f} and must be {gate.min_lower_bound:g}{_needed(gate, runs)}")
    return "; ".join([counted, *parts])


def _needed(gate: Gate, runs: int) -> str:
    """Say how many runs it takes where so few could not do, even if all of them passed."""
    if holds(gate, runs, runs):
        return ""
    enough = next((count for count in range(runs, _MOST_RUNS) if holds(gate, count, count)), None)
    return f", which takes {enough} runs (--runs {enough})" if enough else ", which no number of runs can show"
