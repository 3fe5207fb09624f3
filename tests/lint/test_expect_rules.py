"""What `expect` demands against the turn's own calls."""

import pytest

from evalkit.cases import Budget, CallPattern, Case, CaseSet, Expectation, Message, Step, ToolCall, TrajectoryRule, Turn
from evalkit.lint.expect_rules import contradictions, idle_expectations

PLACE = "$.eval_cases[0].evalkit.expect[0]."
LAG = ToolCall(name="get_lag", args={"group": "orders"}, where="$.calls[0]")
MORE = ToolCall(name="get_lag", args={"group": "payments"}, where="$.calls[1]")
TRANSFER = ToolCall(name="transfer_to_agent", args={"agent_name": "kafka"}, where="$.calls[2]")


def a_set(*calls, budget=None, recorded=True, **rule):
    """An evalset of one turn that expects these calls, and a rule for them."""
    expect = Expectation(trajectory=TrajectoryRule(**rule) if rule else None, budget=budget)
    steps = tuple(Step(calls=(call,)) for call in calls) if recorded else None
    turn = Turn(index=0, user=Message(), steps=steps, expect=expect)
    return CaseSet(eval_set_id="s", cases=(Case(eval_id="one", turns=(turn,), where="$.eval_cases[0]"),))


def places(problems):
    return [problem.path.removeprefix(PLACE) for problem in problems]


@pytest.mark.parametrize(
    ("pattern", "contradicts"),
    [
        (CallPattern(name="get_lag"), True),
        (CallPattern(name="get_lag", args={"group": "payments"}), True),
        (CallPattern(name="get_lag", args={"group": {"$glob": "x*"}}), False),
        (CallPattern(name="get_lag", status="error"), False),
        (CallPattern(name="other"), False),
    ],
)
def test_a_forbidden_call_that_is_expected_is_a_contradiction(pattern, contradicts):
    found = contradictions(a_set(LAG, MORE, forbid=(pattern,)))
    assert places(found) == (["trajectory.forbid[0]"] if contradicts else [])


def test_a_pattern_that_refuses_the_recorded_value_is_a_contradiction():
    refuses = {"group": {"$regex": "^pay"}}
    assert places(contradictions(a_set(LAG, MORE, args={"get_lag": refuses}))) == ["trajectory.args.get_lag.group"]
    assert places(contradictions(a_set(LAG, MORE, args={"get_lag": [None, refuses]}))) == []
    assert places(contradictions(a_set(LAG, MORE, args={"get_lag": [refuses, refuses]}))) == [
        "trajectory.args.get_lag[0].group"
    ]


def test_a_pattern_for_an_argument_that_was_not_recorded_is_none():
    assert places(contradictions(a_set(LAG, args={"get_lag": {"since": {"$absent": True}}}))) == []


@pytest.mark.parametrize(
    ("limit", "any_of", "contradicts"),
    [(1, (), True), (2, (), False), (1, ((CallPattern(name="x"),),), False), (None, (), False)],
)
def test_a_budget_below_the_shortest_path_is_a_contradiction(limit, any_of, contradicts):
    """ADK's own tools, such as transfers, need no budget."""
    found = contradictions(a_set(LAG, MORE, TRANSFER, budget=Budget(tool_calls=limit), any_of=any_of))
    assert places(found) == (["budget.tool_calls"] if contradicts else [])


def test_patterns_for_a_tool_that_is_not_called_change_nothing():
    (problem,) = idle_expectations(a_set(LAG, args={"get_lags": {"group": {"$any": True}}}))
    assert problem.path == f"{PLACE}trajectory.args.get_lags"
    assert problem.hint == "its calls: `get_lag`; a call in any_of has patterns of its own"


def test_patterns_for_more_calls_than_there_are_change_nothing():
    found = idle_expectations(a_set(LAG, args={"get_lag": [{}, {"group": {"$any": True}}]}))
    assert places(found) == ["trajectory.args.get_lag[1]"]
    assert places(idle_expectations(a_set(LAG, MORE, args={"get_lag": [{}, {"group": {"$any": True}}]}))) == []


def test_how_calls_compare_says_nothing_where_none_are_expected():
    assert places(idle_expectations(a_set(recorded=False, order="in_order"))) == ["trajectory"]
    assert places(idle_expectations(a_set(recorded=False, order="in_order", any_of=((),)))) == []
    assert places(idle_expectations(a_set(recorded=False, forbid=(CallPattern(name="x"),)))) == []
    assert places(idle_expectations(a_set(order="in_order"))) == []
