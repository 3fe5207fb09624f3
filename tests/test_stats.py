"""Statistics against published values, other implementations' figures, and brute force over small cases."""

import itertools
import math
from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from evalkit.stats import Table, bootstrap, cohens_kappa, holm, mcnemar, pass_at_k, pass_hat_k, stratified_exact, wilson

close_to = pytest.approx

NINE_DIGITS = {"rel": 0, "abs": 1e-9}


def table(first_passed, first_runs, second_passed, second_runs):
    return Table(first_passed=first_passed, first_runs=first_runs, second_passed=second_passed, second_runs=second_runs)


@pytest.mark.parametrize(
    ("passed", "runs", "low", "high"),
    [
        pytest.param(81, 263, 0.2552885198782742, 0.3662095769828001, id="Newcombe 1998, table I: 0.2553 to 0.3662"),
        pytest.param(15, 148, 0.0623863995307363, 0.1604872417233081, id="Newcombe 1998, table I: 0.0624 to 0.1605"),
        pytest.param(0, 20, 0.0, 0.16112515805281935, id="Newcombe 1998, table I: 0 to 0.1611"),
        pytest.param(1, 29, 0.006113214292762667, 0.17175521879320282, id="Newcombe 1998, table I: 0.0061 to 0.1718"),
        pytest.param(3, 3, 0.4385029682449546, 1.0, id="three of three"),
        pytest.param(10, 10, 0.7224672001371109, 1.0, id="ten of ten"),
        pytest.param(9, 10, 0.5958499732047615, 0.9821237869049271, id="nine of ten"),
        pytest.param(2, 3, 0.20765960080204782, 0.9385080552796038, id="two of three"),
    ],
)
def test_wilsons_interval_is_the_published_one(passed, runs, low, high):
    """The digits beyond the paper's are those of SciPy 1.17, `binomtest(...).proportion_ci(method="wilson")`."""
    found = wilson(passed, runs)
    assert (found.low, found.high) == close_to((low, high), **NINE_DIGITS)


def test_without_runs_a_rate_may_be_anything():
    assert (wilson(0, 0).low, wilson(0, 0).high) == (0.0, 1.0)


@given(st.integers(1, 300).flatmap(lambda runs: st.tuples(st.integers(0, runs), st.just(runs))))
def test_wilsons_interval_holds_the_rates_that_a_score_test_would_not_reject(sample):
    passed, runs = sample
    found, z = wilson(passed, runs), 1.959963984540054
    for end in {found.low, found.high} - {0.0, 1.0}:
        assert abs(passed / runs - end) == close_to(z * math.sqrt(end * (1 - end) / runs), rel=1e-9)
    assert 0 <= found.low <= passed / runs <= found.high <= 1


@given(st.integers(1, 7).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n), st.integers(1, n))))
def test_pass_at_k_and_pass_hat_k_are_the_shares_of_all_choices_of_k_runs(sample):
    passed, runs, k = sample
    choices = list(itertools.combinations([True] * passed + [False] * (runs - passed), k))
    assert pass_at_k(passed, runs, k) == close_to(sum(map(any, choices)) / len(choices), **NINE_DIGITS)
    assert pass_hat_k(passed, runs, k) == close_to(sum(map(all, choices)) / len(choices), **NINE_DIGITS)


@pytest.mark.parametrize("k", [0, 4])
def test_k_is_at_most_the_number_of_runs(k):
    for estimate in (pass_at_k, pass_hat_k):
        with pytest.raises(ValueError, match=rf"k must be from 1 to the number of runs \(3\), found {k}"):
            estimate(2, 3, k)


@pytest.mark.parametrize(
    ("worse", "better", "p"),
    [
        pytest.param(150, 86, 3.7159361395713866e-05, id="approval ratings (Agresti 1990, table 10.1)"),
        pytest.param(12, 3, 0.03515625, id="12 against 3"),
        pytest.param(6, 0, 0.03125, id="six are the fewest that can tell"),
        pytest.param(5, 0, 0.0625, id="five cannot"),
        pytest.param(1, 1, 1.0, id="one each"),
        pytest.param(0, 0, 1.0, id="no difference at all"),
        pytest.param(3000, 0, 0.0, id="more than a float can halve"),
    ],
)
def test_mcnemars_test_is_the_binomial_one(worse, better, p):
    """The figures are those of SciPy 1.17, `binomtest(worse, worse + better)`."""
    assert mcnemar(worse, better) == mcnemar(better, worse) == close_to(p, rel=1e-9)


def test_the_exact_test_over_strata_is_the_published_one():
    """R's documentation of `mantelhaen.test`: penicillin in rabbits (Agresti 1996, p. 65), p-value = 0.03994."""
    rabbits = [(0, 6, 0, 5), (3, 6, 0, 6), (6, 6, 2, 6), (5, 6, 6, 6), (2, 2, 5, 5)]
    assert stratified_exact([table(*row) for row in rabbits]) == close_to(0.03994490358126722, **NINE_DIGITS)
    assert round(stratified_exact([table(*row) for row in rabbits]), 5) == 0.03994


@pytest.mark.parametrize(
    ("row", "p"),
    [
        pytest.param((3, 4, 1, 4), 0.48571428571428565, id="the lady tasting tea (Fisher 1935)"),
        pytest.param((2, 12, 15, 18), 0.0005367241191434357, id="twins of criminals (Fisher 1970, p. 95)"),
        pytest.param((10, 10, 6, 10), 0.08668730650154799, id="ten of ten, then six"),
        pytest.param((0, 0, 3, 5), 1.0, id="no runs on one side"),
    ],
)
def test_with_one_case_it_is_fishers_test(row, p):
    """The figures are those of SciPy 1.17, `fisher_exact`."""
    assert stratified_exact([table(*row)]) == close_to(p, **NINE_DIGITS)


@given(st.integers(0, 30), st.integers(0, 30), st.integers(0, 5))
def test_with_one_run_a_side_it_is_mcnemars_test(worse, better, agreeing):
    pairs = [table(1, 1, 0, 1)] * worse + [table(0, 1, 1, 1)] * better + [table(1, 1, 1, 1)] * agreeing
    as_others = [*pairs, table(2, 2, 2, 2)]  # a case that says nothing, and is of another kind
    assert stratified_exact(pairs) == mcnemar(worse, better)
    assert stratified_exact(as_others) == close_to(mcnemar(worse, better), **NINE_DIGITS)


small_tables = st.lists(
    st.tuples(st.integers(1, 3), st.integers(1, 3)).flatmap(
        lambda runs: st.tuples(st.integers(0, runs[0]), st.just(runs[0]), st.integers(0, runs[1]), st.just(runs[1]))
    ),
    min_size=1,
    max_size=3,
)


@given(small_tables)
def test_the_exact_test_is_a_count_of_all_ways_to_deal_the_passes(rows):
    ways = {0: 1}
    for first_passed, first_runs, second_passed, second_runs in rows:
        runs = range(first_runs + second_runs)
        deals = [
            sum(run >= first_runs for run in passes)
            for passes in itertools.combinations(runs, first_passed + second_passed)
        ]
        ways = _sums(ways, deals)
    observed = ways[sum(row[2] for row in rows)]
    exact = Fraction(sum(count for count in ways.values() if count <= observed), sum(ways.values()))
    assert stratified_exact([table(*row) for row in rows]) == close_to(float(exact), **NINE_DIGITS)


def _sums(ways, deals):
    total = {}
    for so_far, count in ways.items():
        for more in deals:
            total[so_far + more] = total.get(so_far + more, 0) + count
    return total


@pytest.mark.parametrize(
    ("table", "kappa"),
    [
        pytest.param((20, 5, 10, 15), 0.4, id="as in textbooks"),
        pytest.param((45, 15, 25, 15), 0.13043478260869565, id="equal agreement, other margins"),
        pytest.param((25, 35, 5, 35), 0.2592592592592593, id="and others again"),
        pytest.param((7, 0, 0, 5), 1.0, id="always"),
        pytest.param((0, 4, 4, 0), -1.0, id="never"),
        pytest.param((9, 0, 0, 0), None, id="only one word"),
        pytest.param((0, 0, 0, 0), None, id="nothing"),
    ],
)
def test_kappa_is_cohens(table, kappa):
    """The first three are the examples that are usually given for it: 0.40, 0.13 and 0.26."""
    assert cohens_kappa(*table) == (None if kappa is None else close_to(kappa, **NINE_DIGITS))


def test_holms_correction_raises_the_smallest_most_and_keeps_the_order():
    assert holm([0.01, 0.04, 0.03, 0.005]) == close_to([0.03, 0.06, 0.06, 0.02])
    assert holm([0.6, 0.9]) == [1.0, 1.0]
    assert holm([]) == []


MOUSE = [94, 197, 16, 38, 99, 141, 23], [52, 104, 146, 10, 51, 30, 40, 27, 46]
"""Survival of treated and untreated mice (Efron and Tibshirani 1993, table 2.1)."""


def test_the_bootstrap_over_runs_of_one_case_is_that_over_two_samples():
    """The mice's mean difference is 30.63; SciPy 1.17 gives the interval -20.94 to 84.32 with 200,000 samples."""
    treated, untreated = MOUSE
    shift = bootstrap([(untreated, treated)])
    assert shift.difference == close_to(30.634920634920636, **NINE_DIGITS)
    assert (shift.interval.low, shift.interval.high) == close_to((-20.94, 84.32), abs=2.0)
    assert 0.2 < shift.p < 0.4


def test_the_bootstrap_over_cases_is_that_of_their_differences():
    """SciPy 1.17 gives -0.0786 to 0.4286 for the mean of these differences."""
    differences = [-0.1, 0.2, 0.3, -0.4, 0.5, 0.05, 0.7]
    shift = bootstrap([([0.2], [0.2 + difference]) for difference in differences])
    assert shift.difference == close_to(1.25 / 7, **NINE_DIGITS)
    assert (shift.interval.low, shift.interval.high) == close_to((-0.0786, 0.4286), abs=0.02)


def test_the_same_seed_gives_the_same_interval_and_another_one_another():
    pairs = [([0.1 * case], [0.3, 0.02 * case * case]) for case in range(8)]
    assert bootstrap(pairs, seed=3) == bootstrap(pairs, seed=3)
    assert bootstrap(pairs, seed=3).interval != bootstrap(pairs, seed=4).interval


def test_equal_sides_show_nothing_and_a_constant_shift_shows_itself():
    assert bootstrap([([1.0], [1.0])] * 9).p == 1.0
    shift = bootstrap([([1.0], [0.5])] * 9, resamples=999)
    assert (shift.interval.low, shift.interval.high, shift.p) == (-0.5, -0.5, 0.002)
