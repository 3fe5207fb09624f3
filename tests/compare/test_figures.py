"""Scores and efforts: what differs for certain, what the bootstrap shows, and what too few runs do not."""

from dataclasses import replace

import pytest

from evalkit.compare import compare
from evalkit.compare.figures import figures_of
from evalkit.compare.model import CaseFigure
from evalkit.results import Effort


@pytest.fixture
def difference():
    def make(first, second):
        return compare([first, second], lambda side: first if side is second else None).differences[0]

    return make


@pytest.fixture
def scored(side, runs):
    """Make a side of cases that all passed, with the grounding of each run."""

    def make(label, *scores, **fields):
        cases = [run for place, of_case in enumerate(scores) for run in runs(f"c{place}", "p" * len(of_case), of_case)]
        return side(label, cases, **fields)

    return make


def test_a_score_that_fell_in_every_case_is_a_regression(scored, difference):
    before = [[0.9 + place / 100] for place in range(8)]
    after = [[0.7 + place / 50] for place in range(8)]
    found = difference(scored("A", *before), scored("B", *after))
    (grounding,) = found.scores
    assert (grounding.name, grounding.cases, grounding.finding) == ("grounding", 8, "regression")
    assert grounding.shift.difference == pytest.approx(-0.165)
    assert grounding.shift.interval.high < 0
    assert found.finding == "regression"


def test_five_cases_are_too_few_for_a_bootstrap(scored, difference):
    found = difference(scored("A", *[[0.9]] * 5), scored("B", *[[0.7]] * 5))
    assert (found.scores[0].finding, found.scores[0].shift) == ("unclear", None)


def test_six_runs_of_one_case_are_enough(scored, difference):
    found = difference(scored("A", [0.9, 0.8, 0.9, 0.8, 0.9, 0.8]), scored("B", [0.6, 0.5, 0.6, 0.5, 0.6, 0.5]))
    assert found.scores[0].finding == "regression"


def test_a_score_that_goes_up_and_down_is_noise(scored, difference):
    before = [[0.8]] * 10
    after = [[0.8 + (0.1 if place % 2 else -0.1)] for place in range(10)]
    found = difference(scored("A", *before), scored("B", *after))
    assert found.scores[0].finding == "unclear"
    assert found.scores[0].shift.interval.low < 0 < found.scores[0].shift.interval.high


def test_equal_scores_are_unchanged(scored, difference):
    found = difference(scored("A", [0.8], [0.9]), scored("B", [0.8], [0.9]))
    assert (found.scores[0].finding, found.scores[0].shift, found.finding) == ("unchanged", None, "unchanged")


def test_of_replays_a_lower_score_is_a_regression_though_the_case_still_passes(scored, difference):
    found = difference(scored("A", [0.9], [0.8], replayed=True), scored("B", [0.6], [0.9], replayed=True))
    assert found.scores[0].finding == "regression"
    assert found.cases[0].figures == (CaseFigure(name="grounding", first=0.9, second=0.6),)
    assert found.finding == "regression"


def test_informative_scores_are_told_and_decide_nothing(side, runs, score, difference):
    def made(label, value):
        found = [replace(run, criteria=(score("style", value, gates=False),)) for run in runs("a", "p")]
        return side(label, found, replayed=True)

    found = difference(made("A", 0.9), made("B", 0.6))
    assert (found.scores[0].finding, found.scores[0].gates, found.finding) == ("regression", False, "unchanged")


def test_what_holds_by_construction_was_not_found_out(side, runs, score, difference):
    made = [
        side(
            label,
            [replace(run, criteria=(score("rouge", 1.0, by_construction=True),)) for run in runs("a", "p")],
            replayed=True,
        )
        for label in "AB"
    ]
    assert difference(*made).scores == ()


def test_calls_tokens_costs_and_seconds_are_compared_and_are_no_reason_to_fail(side, runs, difference):
    def made(label, calls, usd, seconds):
        return side(
            label,
            [
                run
                for place in range(8)
                for run in runs(
                    f"c{place}",
                    "p",
                    effort=Effort(tool_calls=calls, tokens=100 * calls, usd=usd),
                    seconds=seconds + place / 100,
                )
            ],
        )

    found = difference(made("A", 2, 0.01, 1.0), made("B", 5, 0.01, 1.0))
    assert {change.name: change.finding for change in found.efforts} == {
        "tool calls": "more",
        "tokens": "more",
        "usd": "unchanged",
        "seconds": "unchanged",
    }
    assert found.finding == "unchanged"
    assert {change.finding for change in difference(made("A", 5, 0.01, 2.0), made("B", 2, 0.01, 1.0)).efforts} == {
        "less",
        "unchanged",
    }


def test_seconds_of_replays_are_never_certain(side, runs, difference):
    first = side("A", runs("a", "p", seconds=1.0), replayed=True)
    second = side("B", runs("a", "p", seconds=2.0, effort=Effort(tool_calls=3)), replayed=True)
    assert {change.name: change.finding for change in difference(first, second).efforts} == {
        "tool calls": "more",
        "seconds": "unclear",
    }


def test_the_figures_of_a_side_are_those_of_the_cases_that_gate(side, runs):
    cases = [
        *runs("a", "pf", effort=Effort(tool_calls=1, tokens=10, usd=0.5), seconds=1.0),
        *runs("b", "pp", effort=Effort(tool_calls=3, tokens=30, usd=1.5), seconds=4.0),
        *runs("known", "ff", known_failing="bug"),
        *runs("later", "s"),
    ]
    figures = figures_of(side("A", cases))
    assert (figures.verdicts, figures.runs, figures.passed) == ({"passed": 1, "failed": 1}, 4, 3)
    assert (figures.tool_calls, figures.tokens, figures.usd, figures.seconds) == (2.0, 20.0, 1.0, 2.5)
    assert (figures.low, figures.high) == pytest.approx((0.3006418425824018, 0.9544127391902995), abs=1e-9)


def test_a_cost_that_is_not_known_of_every_run_is_not_known(side, runs):
    cases = [*runs("a", "p", effort=Effort(usd=0.5)), *runs("b", "p")]
    assert figures_of(side("A", cases)).usd is None
