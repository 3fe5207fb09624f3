"""`holmes_correctness` without a judge: plain texts gate, and what needs a judge is never passed."""

import json
from dataclasses import replace

import pytest

from evalkit.cases import Config, Criterion
from evalkit.formats.gold_items import build_rubrics
from evalkit.gold import Gold
from evalkit.score import JudgeOptions, judge
from evalkit.scorers import load
from evalkit.traces import Outcome, Usage

CRITERION = Criterion(name="holmes_correctness", threshold=1.0)
FACTS = ("disk pressure on blue-7", "12 pods were evicted")
RIGHT = "There is **disk pressure** on `blue-7`; twelve pods were evicted."


def gold(*expected, mode="strict", calls=False, **fields):
    rubrics = build_rubrics(expected, mode, include_tool_calls=calls)
    return Gold(expected=expected, mode=mode, rubrics=rubrics, include_tool_calls=calls, **fields)


@pytest.fixture
def scored(make):
    """Score an answer by gold; keywords are those of the turn that happened, and `options` the criterion's."""

    def scored(expected, answer, *, mode="live", options=None, **happened):
        case = replace(make.case(make.turn(recorded=False)), gold="gold.json", opened=expected)
        trace = make.trace(make.happened(final=answer, **happened), mode=mode)
        criterion = replace(CRITERION, options=options or {})
        return load("holmes_correctness")(case, trace, criterion)

    return scored


@pytest.fixture
def verdict(make):
    def verdict(expected, answer, *, optional=()):
        case = replace(make.case(make.turn(recorded=False)), gold="gold.json", opened=expected)
        outcome = Outcome(file="f", eval_id="one", trace=make.trace(make.happened(final=answer)))
        config = Config(criteria=(CRITERION,), origin="test_config.json")
        return judge(case, outcome, config, JudgeOptions(optional_offline=frozenset(optional)))

    return verdict


def test_strict_passes_where_every_text_is_in_the_answer_and_says_who_found_that(scored):
    found = scored(gold(*FACTS), RIGHT)

    assert found.value == 1.0
    assert found.reason == "2 of 2 expectations are met, by the deterministic baseline: no judge was asked"
    assert (found.details["by"], found.details["missing"]) == ("baseline", [])


def test_strict_fails_where_one_text_is_missing_and_names_it(scored):
    found = scored(gold(*FACTS), "There is disk pressure on blue-7.")

    assert (found.value, found.details["missing"]) == (0.0, ["12 pods were evicted"])
    assert "`expected_1` (12 pods were evicted) does not hold, by the deterministic baseline" in found.reason


def test_golden_mode_without_a_golden_answer_has_nothing_to_judge(scored):
    asked = Usage(model_calls=1)
    found = scored(gold(*FACTS), "Done.", mode="golden", usage=asked)

    assert (found.state, found.value) == ("not_judged", None)
    assert found.reason == "the case has no final_response that golden mode could play: play it by --mode live"
    assert scored(gold(*FACTS), "Done.", mode="live", usage=asked).value == 0.0
    assert scored(gold(*FACTS), RIGHT, mode="golden").value == 1.0  # said by code, without a model


def test_loose_passes_where_any_text_is_in_the_answer(scored):
    assert scored(gold(*FACTS, mode="loose"), "There is disk pressure on blue-7.").value == 1.0
    assert scored(gold(*FACTS, mode="loose"), "All is well.").value == 0.0


@pytest.mark.parametrize("expected", [gold("must not blame the network"), gold(*FACTS, "must not blame the network")])
def test_an_expectation_for_a_judge_is_not_judged_without_one(scored, expected):
    found = scored(expected, f"{RIGHT} must not blame the network")

    assert (found.state, found.value) == ("not_judged", None)
    assert "only a judge can decide it" in found.reason
    assert "--judge" in found.reason


def test_a_missing_fact_fails_the_case_whatever_a_judge_would_say_of_the_rest(scored):
    found = scored(gold("12 pods were evicted", "must not blame the network"), "All is well.")

    assert (found.state, found.value) == ("judged", 0.0)
    assert [one["value"] for one in found.details["rubrics"]] == [0.0, None]


def test_loose_is_not_judged_as_soon_as_one_text_needs_a_judge(scored):
    assert scored(gold(*FACTS, "either is fine", mode="loose"), RIGHT).state == "not_judged"


def test_words_that_the_answer_denies_neither_pass_nor_fail(scored):
    found = scored(gold("disk pressure on blue-7"), "There is no disk pressure on blue-7.")

    assert found.state == "not_judged"
    assert "only to deny them" in found.reason


def test_a_text_that_calls_may_show_is_left_to_a_judge_if_they_count(scored):
    assert scored(gold("12 pods were evicted", calls=True), "All is well.").state == "not_judged"
    assert scored(gold("12 pods were evicted", calls=True), "12 pods were evicted.").value == 1.0


def test_what_was_said_on_the_way_counts_unless_the_criterion_says_otherwise(make, scored):
    said = (make.spoke("root", "12 pods were evicted."), make.spoke("root", "Done.", final=True))
    expected = gold("12 pods were evicted")

    assert scored(expected, "Done.", said=said).value == 1.0
    assert scored(expected, "Done.", said=said, options={"include_intermediate": False}).value == 0.0


def test_what_an_agent_says_to_another_is_no_answer(make, scored):
    said = (make.spoke("helper", "12 pods were evicted.", parent="call-1"),)

    assert scored(gold("12 pods were evicted"), "Done.", said=said).value == 0.0


SECTIONS = {"Cause": ("ERROR - disk full",), "Next steps": False}


@pytest.mark.parametrize(
    ("answer", "value", "why"),
    [
        ("# Cause\nERROR - disk full", 1.0, ""),
        (json.dumps({"Cause": "ERROR - disk full"}), 1.0, ""),
        ("# Cause\nnetwork\n# Logs\nERROR - disk full", 0.0, '"ERROR - disk full" is not in it'),
        ("ERROR - disk full", 0.0, "the answer has no such section"),
        ("# Cause\nERROR - disk full\n# Next steps\nwipe it", 0.0, "there is one"),
    ],
)
def test_sections_are_checked_without_a_judge(scored, answer, value, why):
    found = scored(gold(sections=SECTIONS), answer)

    assert (found.value, found.details["by"]) == (value, "check")
    assert why in found.reason


@pytest.mark.parametrize(("answer", "value"), [('{"healthy": false}', 1.0), ("healthy: false", 0.0), ("", 0.0)])
def test_the_final_answer_must_be_json_if_the_gold_says_so(scored, answer, value):
    assert scored(gold(json_answer=True), answer).value == value


def test_silence_fails(scored):
    assert scored(gold(*FACTS), None).value == 0.0


def test_a_replayed_answer_is_compared_with_something_else_than_itself(scored):
    assert scored(gold(*FACTS), RIGHT, mode="golden").by_construction is False


def test_gold_that_could_not_be_read_is_not_judged_and_says_why(scored):
    found = scored(Gold(unread="no such file or directory"), RIGHT)

    assert (found.state, found.reason) == (
        "not_judged",
        "the gold file gold.json was not read: no such file or directory",
    )


def test_a_case_without_gold_is_not_applicable(make):
    found = load("holmes_correctness")(make.case(make.turn()), make.trace(make.happened(final=RIGHT)), CRITERION)

    assert (found.state, found.reason) == ("not_applicable", "the case names no gold file")


@pytest.mark.parametrize(
    ("expected", "answer", "wanted"),
    [
        (gold(*FACTS), RIGHT, "passed"),
        (gold(*FACTS), "All is well.", "failed"),
        (gold(*FACTS, "must not blame the network"), RIGHT, "inconclusive"),
        (gold(*FACTS, "must not blame the network"), "All is well.", "failed"),
    ],
)
def test_the_verdict_of_a_case(verdict, expected, answer, wanted):
    assert verdict(expected, answer).verdict == wanted


def test_leave_to_go_without_a_judge_passes_nothing_by_itself(verdict):
    found = verdict(gold("must not blame the network"), RIGHT, optional=["holmes_correctness"])

    assert found.verdict == "inconclusive"
