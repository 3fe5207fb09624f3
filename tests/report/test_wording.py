"""How reports put things."""

import pytest

from evalkit.report.wording import (
    account,
    case_label,
    criteria_to_explain,
    duration,
    explanation,
    figure,
    score_phrase,
)
from evalkit.results import Score, TurnScore


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0.0 s"),
        (1.94, "1.9 s"),
        (59.94, "59.9 s"),
        (59.96, "1 min 00 s"),
        (185.4, "3 min 05 s"),
        (3725, "62 min 05 s"),
    ],
)
def test_durations_read_well(seconds, text):
    assert duration(seconds) == text


def test_repeats_are_told_apart_and_the_first_keeps_its_name(case):
    assert [case_label(case("lag", run=run)) for run in range(3)] == ["lag", "lag#2", "lag#3"]


@pytest.mark.parametrize(
    ("value", "threshold", "text"),
    [
        (1.0, 1.0, "1.00"),
        (0.5, 1.0, "0.50"),
        (0.7999, 0.8, "0.7999"),
        (0.996, 1.0, "0.996"),
        (0.8, 0.8, "0.80"),
        (1 / 3, 1 / 3, "0.3333333333333333"),
        (float("nan"), 0.8, "nan"),
        (2e-17, 1e-17, "2e-17"),
    ],
)
def test_a_score_has_the_decimals_that_show_its_side_of_the_threshold(value, threshold, text):
    assert figure(value, threshold) == text


@pytest.mark.parametrize(
    ("fields", "phrase"),
    [
        pytest.param({"value": 1.0, "threshold": 0.8}, "1.00", id="passed"),
        pytest.param({"value": 0.4, "threshold": 0.8, "passed": False}, "0.40 (needs 0.80)", id="failed"),
        pytest.param({"value": 0.4, "threshold": 0.855, "passed": False}, "0.40 (needs 0.855)", id="odd threshold"),
        pytest.param({"value": 0.0, "passed": False}, "0.00 (failed)", id="failed without a threshold"),
        pytest.param(
            {"value": 0.4, "threshold": 0.8, "passed": False, "gates": False},
            "0.40 (needs 0.80; informative)",
            id="informative",
        ),
        pytest.param(
            {"value": 1.0, "gates": False, "by_construction": True}, "1.00 (by construction)", id="by construction"
        ),
        pytest.param({"value": None, "passed": None, "state": "not_judged"}, "not judged", id="not judged"),
        pytest.param({"value": None, "passed": None, "state": "not_applicable"}, "not applicable", id="not applicable"),
    ],
)
def test_a_criterion_says_what_it_came_to(criterion, fields, phrase):
    assert score_phrase(criterion("m", **fields)) == phrase


def test_the_explanation_is_the_reason_or_that_of_the_turns_that_fell_short():
    turns = (
        TurnScore(turn=0, value=1.0, reason="fine"),
        TurnScore(turn=1, value=0.5, reason="half"),
        TurnScore(turn=2, value=None, reason="nothing to compare"),
    )

    assert explanation(Score(reason="whole", turns=turns)) == "whole"
    assert explanation(Score(turns=turns)) == "turn 2: half\nturn 3: nothing to compare"


def test_only_criteria_that_failed_or_could_not_run_and_say_something_new_are_explained(case, criterion):
    result = case(
        "a",
        "failed",
        "said: told already",
        "said: and this, too",
        criteria=(
            criterion("passed", reason="fine"),
            criterion("said", 0.0, passed=False, reason="told already\nand this, too"),
            criterion("longer", 0.0, passed=False, reason="told already\n  expected 1\n  actual   2"),
            criterion("silent", 0.0, passed=False),
            criterion("failed", 0.0, passed=False, reason="new"),
            criterion("stuck", None, passed=None, state="not_judged", reason="no judge"),
            criterion("absent", None, passed=None, state="not_applicable", reason="nothing there"),
        ),
    )

    assert [item.criterion.name for item in criteria_to_explain(result)] == ["longer", "failed", "stuck"]


def test_an_account_has_the_reasons_and_what_criteria_add(case, criterion):
    told = account(
        case(
            "lag",
            "failed",
            "grounding is 0.5: no tool said 75",
            criteria=(
                criterion("grounding", 0.5, passed=False, reason="no tool said 75"),
                criterion("style\n", 0.25, threshold=0.5, passed=False, gates=False, reason="too long\nby far"),
                criterion("replay"),
            ),
        )
    )

    assert told == ("grounding is 0.5: no tool said 75\nstyle\\n 0.25 (needs 0.50; informative):\n  too long\n  by far")


def test_an_account_of_nothing_says_so(case):
    assert account(case("lag", "inconclusive")) == "no reason given"
