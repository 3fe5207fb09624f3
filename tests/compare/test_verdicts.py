"""What is a regression, what may be noise, and what says nothing."""

from dataclasses import replace

import pytest

from evalkit.cases import Case, Config, Criterion, Message, Turn
from evalkit.compare import compare

FILE = "lag.test.json"


def against(first, second):
    """Compare two sides."""
    comparison = compare([first, second], lambda side: first if side is second else None)
    (difference,) = comparison.differences
    return comparison, difference


def findings(difference):
    return {case.eval_id: case.finding for case in difference.cases}


def test_two_runs_of_the_same_agent_show_no_change(side):
    cases = {"a": "p", "b": "f", "c": "p"}
    comparison, difference = against(side("A", cases), side("B", cases))
    assert (difference.finding, comparison.exit_code) == ("unchanged", 0)
    assert comparison.summary == "B against A: no change"


@pytest.mark.parametrize(
    ("before", "after", "finding", "code"),
    [("p", "f", "regression", 1), ("f", "p", "improvement", 0), ("p", "e", "regression", 1)],
)
def test_of_replays_every_difference_is_one(before, after, finding, code, side):
    first, second = side("A", {"a": before}, replayed=True), side("B", {"a": after}, replayed=True)
    comparison, difference = against(first, second)
    assert (difference.finding, difference.verdicts.p, comparison.exit_code) == (finding, None, code)


def test_one_live_run_each_cannot_tell(side):
    comparison, difference = against(side("A", {"a": "p", "b": "p"}), side("B", {"a": "f", "b": "p"}))
    assert findings(difference) == {"a": "unclear", "b": "unchanged"}
    assert (difference.finding, comparison.exit_code) == ("unclear", 0)
    assert comparison.summary == (
        "B against A: no change shown; what differs may be noise, there are not enough runs to tell"
    )


@pytest.mark.parametrize(("worse", "p", "finding"), [(5, 0.0625, "unclear"), (6, 0.03125, "regression")])
def test_six_cases_that_got_worse_are_the_fewest_that_tell(worse, p, finding, side):
    cases = [f"case {number}" for number in range(10)]
    first = side("A", dict.fromkeys(cases, "p"))
    second = side("B", {case: "f" if place < worse else "p" for place, case in enumerate(cases)})
    _, difference = against(first, second)
    assert difference.verdicts.p == pytest.approx(p)
    assert (difference.verdicts.worse, difference.verdicts.better) == (worse, 0)
    assert difference.verdicts.finding == finding
    assert (difference.verdicts.first_rate, difference.verdicts.second_rate) == (1.0, 1 - worse / 10)


@pytest.mark.parametrize(
    ("before", "after", "finding"),
    [
        pytest.param("ppp", "fff", "unclear", id="three runs each cannot tell"),
        pytest.param("pppp", "ffff", "regression", id="four can, if everything changed"),
        pytest.param("pppp", "pfff", "unclear", id="but not less"),
        pytest.param("fffff", "ppppp", "improvement", id="better"),
        pytest.param("pfpf", "fpfp", "unchanged", id="as flaky as before"),
    ],
)
def test_with_repeats_a_single_case_has_a_test_of_its_own(before, after, finding, side):
    _, difference = against(side("A", {"a": before}), side("B", {"a": after}))
    assert difference.cases[0].finding == finding


def test_cases_that_did_not_change_do_not_blunt_the_test_of_the_one_that_did(side):
    stable = {f"case {number}": "pppp" for number in range(50)}
    first, second = side("A", {**stable, "a": "pppp"}), side("B", {**stable, "a": "ffff"})
    comparison, difference = against(first, second)
    assert findings(difference)["a"] == "regression"
    assert difference.cases[-1].p == pytest.approx(2 / 70)
    assert comparison.exit_code == 1


def test_many_cases_that_change_a_little_each_are_told_from_noise_together_only(side):
    before = {f"case {number}": "pppp" for number in range(8)}
    after = dict.fromkeys(before, "pppf")
    _, difference = against(side("A", before), side("B", after))
    assert set(findings(difference).values()) == {"unclear"}
    assert difference.verdicts.p < 0.05
    assert difference.finding == "regression"


def test_replays_that_disagree_among_themselves_are_compared_as_live_runs_are(side):
    first, second = side("A", {"a": "ppp"}, replayed=True), side("B", {"a": "pfp"}, replayed=True)
    _, difference = against(first, second)
    assert (difference.cases[0].finding, difference.cases[0].certain) == ("unclear", False)


@pytest.mark.parametrize("after", ["u", "i", "uuu"])
def test_what_is_not_judged_any_more_is_no_regression_and_not_fine_either(after, side):
    comparison, difference = against(side("A", {"a": "p", "b": "p"}), side("B", {"a": after, "b": "p"}))
    assert findings(difference) == {"a": "undecided", "b": "unchanged"}
    assert comparison.exit_code == 2
    assert comparison.summary == "B against A: no change, 1 case was judged before and not any more"


def test_runs_without_a_model_are_no_evidence_and_stay_in_sight(side):
    _, difference = against(side("A", {"a": "pppp"}), side("B", {"a": "iiip"}))
    tally = difference.cases[0].second
    assert (difference.cases[0].finding, tally.passed, tally.decided, tally.runs) == ("unchanged", 1, 1, 4)


def test_what_was_not_judged_before_is_told_and_is_no_reason_to_fail(side):
    comparison, difference = against(side("A", {"a": "u", "b": "p"}), side("B", {"a": "f", "b": "p"}))
    assert (findings(difference)["a"], comparison.exit_code) == ("undecided", 0)


def test_what_was_judged_on_neither_side_is_no_change(side):
    comparison, difference = against(side("A", {"a": "u", "b": "p"}), side("B", {"a": "i", "b": "p"}))
    assert (findings(difference)["a"], comparison.exit_code) == ("unchanged", 0)


def test_nothing_judged_on_both_sides_is_nothing_compared(side):
    comparison, _ = against(side("A", {"a": "u"}), side("B", {"a": "p"}))
    assert comparison.exit_code == 2
    assert comparison.summary == "B against A: no case was judged on both sides, nothing to compare"


def test_cases_that_do_not_gate_are_told_and_decide_nothing(side, runs):
    first = side("A", [*runs("a", "p"), *runs("b", "p")], replayed=True)
    second = side("B", [*runs("a", "f", known_failing="bug 7"), *runs("b", "p")], replayed=True)
    comparison, difference = against(first, second)
    assert (difference.cases[0].finding, difference.cases[0].gates) == ("regression", False)
    assert (difference.finding, comparison.exit_code) == ("unchanged", 0)


def test_cases_of_one_side_are_listed_and_so_is_what_was_skipped(side):
    _, difference = against(side("A", {"a": "p", "gone": "p", "c": "p"}), side("B", {"a": "p", "new": "p", "c": "s"}))
    assert difference.only_first == ((FILE, "gone"), (FILE, "c"))
    assert difference.only_second == ((FILE, "new"),)


def case_of(text, **fields):
    turn = Turn(index=0, user=Message(role="user", parts=({"text": text},)))
    return {(FILE, "a"): Case(eval_id="a", turns=(turn,), **fields)}


def test_an_edited_case_is_not_compared(side):
    first = side("A", {"a": "p"}, replayed=True, cases=case_of("How far?"))
    second = side("B", {"a": "f"}, replayed=True, cases=case_of("How far now?"))
    comparison, difference = against(first, second)
    assert (difference.cases[0].finding, difference.cases[0].edited) == ("edited", "the case was edited")
    assert comparison.exit_code == 2


def test_tags_and_the_like_make_no_other_case(side):
    first = side("A", {"a": "p"}, cases=case_of("How far?"))
    second = side("B", {"a": "p"}, cases=case_of("How far?", tags=("slow",), source={"system": "x"}))
    assert against(first, second)[1].cases[0].edited == ""


def test_other_criteria_make_verdicts_incomparable(side):
    other = {FILE: Config(criteria=(Criterion(name="grounding", threshold=0.9),), origin="x")}
    first = side("A", {"a": "p"}, replayed=True)
    second = replace(side("B", {"a": "f"}, replayed=True), criteria=other)
    assert against(first, second)[1].cases[0].edited == "its criteria were edited"


def test_each_further_side_is_measured_by_its_own(side):
    first, second, third = side("A", {"a": "pppp"}), side("B", {"a": "pppp"}), side("C", {"a": "ffff"})
    comparison = compare([first, second, third], lambda one: None if one is first else first)
    assert [(one.first, one.second, one.finding) for one in comparison.differences] == [
        ("A", "B", "unchanged"),
        ("A", "C", "regression"),
    ]
    assert comparison.summary == (
        "B against A: no change; C against A: regression (1 case worse; pass rate 100%, now 0%)"
    )
