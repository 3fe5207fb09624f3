"""Counts of verdicts, and the exit code by the contract's rule."""

import pytest

from evalkit.report.counts import Counts, count, exit_status

NONE = Counts()


def test_counts_name_every_verdict_also_those_that_nobody_had(case):
    assert str(Counts.of([case("a"), case("b", "error")])) == ("1 passed, 0 failed, 1 error, 0 inconclusive, 0 skipped")


def test_adding_one_by_one_comes_to_the_same(case):
    verdicts = ["passed", "failed", "error", "inconclusive", "skipped", "passed"]
    counts = NONE
    for verdict in verdicts:
        counts = counts.plus(verdict)

    assert counts == Counts.of(case("a", verdict) for verdict in verdicts)
    assert counts.total == 6


def test_known_failing_cases_are_counted_apart_also_without_a_word_of_why(case):
    gating, known_failing = count([case("a"), case("b", "failed", known_failing=""), case("c", known_failing="bug")])

    assert (gating, known_failing) == (Counts(passed=1), Counts(passed=1, failed=1))


@pytest.mark.parametrize(
    ("gating", "known_failing", "expected"),
    [
        pytest.param(Counts(passed=2), NONE, (0, ""), id="all passed"),
        pytest.param(Counts(passed=1, skipped=1), NONE, (0, ""), id="one skipped"),
        pytest.param(Counts(passed=1, failed=1), NONE, (1, "exit 1: cases failed or had errors"), id="one failed"),
        pytest.param(Counts(passed=1, error=1), NONE, (1, "exit 1: cases failed or had errors"), id="one error"),
        pytest.param(
            Counts(failed=1, inconclusive=1), NONE, (1, "exit 1: cases failed or had errors"), id="failed comes first"
        ),
        pytest.param(
            Counts(passed=1, inconclusive=1), NONE, (2, "exit 2: cases could not be judged"), id="one inconclusive"
        ),
        pytest.param(NONE, NONE, (2, "exit 2: no case was selected"), id="nothing selected"),
        pytest.param(
            Counts(skipped=3), NONE, (0, "every case was skipped, nothing was judged"), id="all skipped is said"
        ),
        pytest.param(
            Counts(skipped=3),
            Counts(skipped=1),
            (0, "every case was skipped, nothing was judged"),
            id="known failing ones too",
        ),
        pytest.param(Counts(passed=1), Counts(failed=1, error=1, inconclusive=1), (0, ""), id="known failing"),
        pytest.param(NONE, Counts(passed=1), (0, "no gating case was judged"), id="known failing only"),
    ],
)
def test_the_exit_code_follows_the_worst_gating_verdict(gating, known_failing, expected):
    assert exit_status(gating, known_failing) == expected


@pytest.mark.parametrize(
    ("gating", "known_failing", "meaning"),
    [
        pytest.param(Counts(skipped=3), NONE, "exit 2: every case was skipped, nothing was judged", id="all skipped"),
        pytest.param(NONE, Counts(passed=1), "exit 2: no gating case was judged", id="known failing only"),
    ],
)
def test_nothing_judged_is_2_where_judging_is_required(gating, known_failing, meaning):
    assert exit_status(gating, known_failing, require_judged=True) == (2, meaning)


def test_one_judged_case_is_enough_where_judging_is_required():
    assert exit_status(Counts(passed=1, skipped=9), NONE, require_judged=True) == (0, "")


def test_an_interrupted_run_is_never_green():
    assert exit_status(Counts(passed=5), NONE, interrupted=True) == (2, "exit 2: not every case was played")
    assert exit_status(Counts(failed=1), NONE, interrupted=True)[0] == 1
