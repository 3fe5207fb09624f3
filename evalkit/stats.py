"""Repeats, intervals and significance: pure functions over counts and scores, each with its source.

Everything is exact or seeded, so the same numbers give the same answer on every machine. Where a function asks whether
two sides differ, the p-value is two-sided: how often chance alone, without any difference, would show one as big.
"""

import itertools
import math
import random
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import NormalDist

CONFIDENCE = 0.95
"""Of all intervals that are shown."""

ALPHA = 0.05
"""The p-value below which a difference is taken for real."""

RESAMPLES = 5_000
"""Bootstrap samples where there are few cases."""

FEWEST = 6
"""Cases, or runs of each case on each side, below which no bootstrap is evidence: five may all differ by chance."""

_MOST_DRAWS = 500_000
_FEWEST_RESAMPLES = 1_000
_TIE = 1 + 1e-7
"""Tables this close in probability count as equally likely, as in R: rounding must not split them."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval, both ends included."""

    low: float
    high: float


def wilson(passed: int, runs: int, confidence: float = CONFIDENCE) -> Interval:
    """Return Wilson's score interval of a pass rate; unlike the textbook one it holds for few runs and rates near 1.

    Over the runs of several cases it describes these cases, not others like them. Where cases differ, it is wider than
    need be: the passes then vary less than those of equal ones (Hoeffding 1956).

    Args:
        passed: How many runs passed.
        runs: How many there were; none leaves the rate anywhere from 0 to 1.
        confidence: How often such an interval holds the true rate.

    Source: E. B. Wilson, JASA 22 (1927) 209; recommended for small n by Brown, Cai and DasGupta, Statistical Science 16
    (2001) 101.
    """
    if not runs:
        return Interval(0.0, 1.0)
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    rate, square = passed / runs, z * z / runs
    center = (rate + square / 2) / (1 + square)
    half = z * math.sqrt(rate * (1 - rate) / runs + square / runs / 4) / (1 + square)
    return Interval(0.0 if passed == 0 else center - half, 1.0 if passed == runs else center + half)


def pass_at_k(passed: int, runs: int, k: int) -> float:
    """Return the chance that at least one of `k` runs passes, estimated without bias from `runs` of them.

    Source: M. Chen et al., arXiv:2107.03374 (2021), equation 1.

    Raises:
        ValueError: `k` is not from 1 to `runs`.
    """
    _check_k(k, runs)
    return 1 - math.comb(runs - passed, k) / math.comb(runs, k)


def pass_hat_k(passed: int, runs: int, k: int) -> float:
    """Return the chance that all of `k` runs pass (pass^k), estimated without bias from `runs` of them.

    Source: S. Yao et al., tau-bench, arXiv:2406.12045 (2024), section 4.

    Raises:
        ValueError: `k` is not from 1 to `runs`.
    """
    _check_k(k, runs)
    return math.comb(passed, k) / math.comb(runs, k)


def cohens_kappa(both: int, first_only: int, second_only: int, neither: int) -> float | None:
    """Return how far two raters agree beyond chance: 1 is always, 0 as chance has it, below 0 less than that.

    Args:
        both: Subjects to which both say yes.
        first_only: Those to which the first alone does.
        second_only: Those to which the second alone does.
        neither: Those to which both say no.

    Returns:
        None where chance alone agrees always: there is nothing, or both raters only ever say the same one word.

    Source: J. Cohen, Educational and Psychological Measurement 20 (1960) 37.
    """
    total = both + first_only + second_only + neither
    first_yes, second_yes = both + first_only, both + second_only
    by_chance = first_yes * second_yes + (total - first_yes) * (total - second_yes)  # times total squared
    if by_chance == total * total:
        return None
    return (total * (both + neither) - by_chance) / (total * total - by_chance)


def mcnemar(worse: int, better: int) -> float:
    """Return the exact p-value of McNemar's test for paired verdicts.

    Args:
        worse: Pairs that passed on the first side alone.
        better: Pairs that passed on the second side alone; pairs that agree say nothing.

    Source: Q. McNemar, Psychometrika 12 (1947) 153; exact by the binomial distribution with probability 1/2.
    """
    n = worse + better
    tail = sum(math.comb(n, count) for count in range(min(worse, better) + 1))
    return min(1.0, 2 * tail / (1 << n))


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """How one case did on two sides: passes and runs of each."""

    first_passed: int
    first_runs: int
    second_passed: int
    second_runs: int


def stratified_exact(tables: Sequence[Table]) -> float:
    """Return the exact p-value for passes of the same cases on two sides, each case with as many runs as it has.

    Given how often each case passed in all, chance alone distributes its passes over the two sides; the total of the
    second side is compared with that. With one run a side it is McNemar's exact test, with one case Fisher's.

    Source: D. R. Cox, Analysis of Binary Data (1970), section 5.2; A. Agresti, Categorical Data Analysis, 3rd edition
    (2013), section 7.3.5: the conditional test of independence in 2 x 2 x K tables, two-sided by probability. R has it
    as `mantelhaen.test(exact = TRUE)` and `fisher.test`.
    """
    if all(table.first_runs == table.second_runs == 1 for table in tables):
        worse = sum(table.first_passed > table.second_passed for table in tables)
        return mcnemar(worse, sum(table.first_passed < table.second_passed for table in tables))
    offset, chances = 0, [1.0]
    for table in tables:
        least, single = _passes_by_chance(table)
        offset += least
        chances = _convolved(chances, single)
    observed = chances[sum(table.second_passed for table in tables) - offset]
    return min(1.0, math.fsum(chance for chance in chances if chance <= observed * _TIE))


def attainable(table: Table) -> float:
    """Return the least p-value that any split of a case's passes over the two sides could have.

    A case that cannot come below `ALPHA` need not be counted among the tests that `holm` corrects for.

    Source: R. E. Tarone, Biometrics 46 (1990) 515.
    """
    _, chances = _passes_by_chance(table)
    return min(1.0, math.fsum(chance for chance in chances if chance <= min(chances) * _TIE))


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values raised for being several: one below `ALPHA` is then wrong so often that any of them is.

    Source: S. Holm, Scandinavian Journal of Statistics 6 (1979) 65.
    """
    adjusted = [1.0] * len(p_values)
    highest = 0.0
    for rank, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[index]))
        adjusted[index] = highest
    return adjusted


Pair = tuple[Sequence[float], Sequence[float]]
"""The values of one case on two sides, one a run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shift:
    """How much higher the second side is: the mean over cases of the difference of their means.

    Attributes:
        p: Two-sided, from the same samples as the interval.
    """

    difference: float
    interval: Interval
    p: float


def bootstrap(pairs: Sequence[Pair], *, seed: int = 0, resamples: int | None = None) -> Shift:
    """Return how two sides differ over the same cases, with a percentile interval by a seeded bootstrap.

    Of `FEWEST` cases or more, cases are drawn with replacement, each with all its runs: what it differs by holds the
    noise of its runs already. Of fewer, the cases stand, and the runs of each side are drawn.

    Args:
        pairs: At least one; no side of any may be empty.
        seed: The same seed gives the same interval.
        resamples: How many samples to draw; by default `RESAMPLES`, fewer for very many cases.

    Source: B. Efron and R. Tibshirani, An Introduction to the Bootstrap (1993), chapter 13; cases with their runs:
    A. Davison and D. Hinkley, Bootstrap Methods and their Application (1997), section 3.8, strategy 1; the p-value:
    their equation 4.11.
    """
    differences = [_mean(second) - _mean(first) for first, second in pairs]
    count = resamples or max(_FEWEST_RESAMPLES, min(RESAMPLES, _MOST_DRAWS // len(pairs)))
    rng = random.Random(seed)  # noqa: S311 - it is to be reproduced, not secret
    drawn = _over_cases(differences, rng) if len(pairs) >= FEWEST else _over_runs(pairs, rng)
    samples = sorted(itertools.islice(drawn, count))
    not_above, not_below = bisect_right(samples, 0.0), count - bisect_left(samples, 0.0)
    tail = (1 - CONFIDENCE) / 2
    return Shift(
        difference=_mean(differences),
        interval=Interval(_quantile(samples, tail), _quantile(samples, 1 - tail)),
        p=min(1.0, 2 * (1 + min(not_above, not_below)) / (count + 1)),
    )


def _check_k(k: int, runs: int) -> None:
    if not 1 <= k <= runs:
        raise ValueError(f"k must be from 1 to the number of runs ({runs}), found {k}")


def _passes_by_chance(table: Table) -> tuple[int, list[float]]:
    """Return the least number of passes that the second side can have, and the chance of it and of each higher one."""
    first, second, passed = table.first_runs, table.second_runs, table.first_passed + table.second_passed
    least, most = max(0, passed - first), min(second, passed)
    ways = math.comb(first + second, passed)
    counts = range(least, most + 1)
    return least, [math.comb(second, count) * math.comb(first, passed - count) / ways for count in counts]


def _convolved(one: list[float], other: list[float]) -> list[float]:
    """Return the chances of a sum of two independent counts."""
    if len(other) == 1:
        return one
    total = [0.0] * (len(one) + len(other) - 1)
    for shift, chance in enumerate(other):
        for index, part in enumerate(one):
            total[index + shift] += part * chance
    return total


def _over_cases(differences: Sequence[float], rng: random.Random) -> Iterator[float]:
    size = len(differences)
    while True:
        words = array("I", rng.randbytes(4 * size))  # three times as fast as `choices`, over millions of draws
        yield sum([differences[(word * size) >> 32] for word in words]) / size


def _over_runs(pairs: Sequence[Pair], rng: random.Random) -> Iterator[float]:
    while True:
        yield _mean([_redrawn(second, rng) - _redrawn(first, rng) for first, second in pairs])


def _redrawn(values: Sequence[float], rng: random.Random) -> float:
    return _mean(rng.choices(values, k=len(values)))


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def _quantile(ordered: Sequence[float], share: float) -> float:
    """Return a quantile of sorted values, between two of them by linear interpolation (type 7, as NumPy and R)."""
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])
