"""`trajectory_f1`: precision, recall and F1 over calls, and a score for each argument."""

import pytest

METRIC = "trajectory_f1"


@pytest.fixture
def compare(make, score):
    """Score one turn: required calls and the calls that were made."""

    def compare(required, made, *, mode="live", golden=None, recorded=True, options=None, **rule):
        turn = make.turn(required, recorded=recorded, expect=make.expecting(**rule))
        trace = make.trace(make.happened(tools=made, golden=golden), mode=mode)
        return score(METRIC, make.case(turn), trace, **(options or {}))

    return compare


def events(make, *calls):
    return [make.event(name, id=f"c{index}", args=args) for index, (name, args) in enumerate(calls)]


def test_three_of_four_calls_and_one_too_many_give_three_quarters(compare, make):
    required = [make.call(name) for name in ("list", "describe", "logs", "events")]
    found = compare(required, events(make, ("list", {}), ("describe", {}), ("top", {}), ("logs", {})))
    figures = found.details
    assert (found.value, figures["precision"], figures["recall"], figures["f1"]) == (0.75, 0.75, 0.75, 0.75)
    (turn,) = figures["turns"]
    assert (turn["turn"], turn["missing"], turn["extra"]) == (0, ["events"], ["top"])


def test_the_reason_is_an_aligned_diff_under_the_figures(compare, make):
    required = [make.call("list", where="$.tool_uses[0]"), make.call("logs", where="$.tool_uses[1]", pod="api-1")]
    found = compare(required, events(make, ("logs", {"pod": "api-2"}), ("list", {}), ("top", {})))
    headline, *diff = found.reason.splitlines()
    assert headline == (
        "$.tool_uses[1]: F1 is 0.400: 1 of 2 required calls were made (recall 0.500), and 1 of 3 calls made are"
        " required (precision 0.333)"
    )
    assert diff == [
        "  = list()",
        '  ~ logs(pod="api-1")',
        '      pod: expected "api-1", actual "api-2"',
        "  + top()",
    ]


def test_each_argument_has_a_score_over_the_calls_of_its_tool(compare, make):
    required = [make.call("logs", pod="a", lines=10), make.call("logs", pod="b", lines=10), make.call("list")]
    made = events(
        make, ("logs", {"pod": "a", "lines": 10}), ("logs", {"pod": "b", "lines": 99, "wide": True}), ("list", {})
    )
    (turn,) = compare(required, made).details["turns"]
    assert turn["arguments"] == {"logs": {"pod": 1.0, "lines": 0.5, "wide": 0.0}, "list": {}}


def test_calls_are_paired_as_well_as_they_can_be_and_not_the_first_with_the_first(compare, make):
    """The first required call takes either; the second only the first that was made."""
    required = [make.call("get", n=0), make.call("get", n=1)]
    made = events(make, ("get", {"n": 1}), ("get", {"n": 2}))
    assert compare(required, made, args={"get": [{"n": {"$any": True}}]}).value == 1.0


@pytest.mark.parametrize(
    ("required", "made", "figures"),
    [
        ("", "", (1.0, 1.0, 1.0)),
        ("a", "", (0.0, 0.0, 0.0)),
        ("", "a", (0.0, 0.0, 0.0)),
        ("aab", "ab", (1.0, 2 / 3, 0.8)),
    ],
)
def test_nothing_required_and_nothing_made_is_right(compare, make, required, made, figures):
    found = compare([make.call(name) for name in required], events(make, *((name, {}) for name in made)))
    assert (found.details["precision"], found.details["recall"], found.value) == pytest.approx(figures)


def test_optional_calls_are_not_counted(compare, make):
    made = events(make, ("x", {}), ("a", {}))
    assert compare([make.call("a")], made, optional=(make.pattern("x"),)).value == 1.0
    assert compare([make.call("a")], made, options={"optional": ["x"]}).value == 1.0


def test_the_best_of_several_paths_counts(compare, make):
    any_of = ((make.pattern("c"), make.pattern("d")),)
    assert compare([make.call("a")], events(make, ("c", {})), any_of=any_of).value == pytest.approx(2 / 3)
    assert compare([], events(make, ("c", {})), recorded=False, any_of=any_of).value == pytest.approx(2 / 3)


def test_the_case_scores_the_average_of_its_turns(make, score):
    turns = [
        make.turn([make.call("a")], index=0),
        make.turn([make.call("b")], index=1),
        make.turn(recorded=False, index=2),
    ]
    made = make.happened(tools=events(make, ("a", {})))
    found = score(METRIC, make.case(*turns), make.trace(made, made, made))
    assert (found.value, [turn.value for turn in found.turns]) == (0.5, [1.0, 0.0, None])
    assert found.details["precision"] == 0.5


def test_a_case_that_says_not_which_calls_are_expected_is_not_applicable(compare, make):
    assert compare([], events(make, ("a", {})), recorded=False).state == "not_applicable"


def test_a_golden_turn_compared_with_itself_holds_by_construction(compare, make):
    made = events(make, ("a", {}))
    assert compare([make.call("a")], made, mode="golden", golden=make.report()).by_construction
    too_much = [*made, make.event("b", golden=None)]
    assert not compare([make.call("a")], too_much, mode="golden", golden=make.report()).by_construction
