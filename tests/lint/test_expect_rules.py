"""What `expect` demands against the turn's own calls."""

from dataclasses import replace

import pytest

from evalkit.cases import (
    Budget,
    CallPattern,
    Case,
    CaseSet,
    Config,
    Criterion,
    Expectation,
    Message,
    NumberRule,
    ResponseRule,
    Step,
    ToolCall,
    TrajectoryRule,
    Turn,
)
from evalkit.lint.expect_rules import contradictions, idle_expectations, unmet_patterns

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


def an_answer(text, **demands):
    """An evalset of one turn with this answer, and what it must say."""
    final = Message(parts=({"text": text},)) if text is not None else None
    expect = Expectation(response=ResponseRule(**demands))
    turn = Turn(index=0, user=Message(), final=final, expect=expect, where="$.turn")
    return CaseSet(eval_set_id="s", cases=(Case(eval_id="one", turns=(turn,), where="$.eval_cases[0]"),))


def criteria(**options):
    return Config(criteria=(Criterion(name="trajectory", threshold=1.0, options=options),), origin="test_config.json")


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


@pytest.mark.parametrize("pattern", [{"$any": True}, {"$regex": "^1"}, "1h", {"$all": [{"$type": "string"}]}])
def test_a_pattern_that_wants_what_the_recorded_call_leaves_out_is_a_contradiction(pattern):
    (problem,) = unmet_patterns(a_set(LAG, args={"get_lag": {"since": pattern}}), criteria())
    assert problem.path == f"{PLACE}trajectory.args.get_lag.since"
    assert problem.message.startswith(
        "the pattern wants `since`, which $.calls[0] leaves out: $.since: missing, wanted"
    )
    assert problem.hint == 'write "since" into the args of that call, or {"$absent": true} if it must be left out'


@pytest.mark.parametrize(
    "pattern", [{"$absent": True}, {"$exists": False}, {"$not": "1h"}, {"$oneof": ["1h", {"$absent": True}]}]
)
def test_a_pattern_that_takes_a_missing_argument_is_none(pattern):
    assert places(unmet_patterns(a_set(LAG, args={"get_lag": {"since": pattern}}), criteria())) == []


def test_where_arguments_may_be_left_out_or_another_path_gone_nothing_is_contradicted():
    wants = {"get_lag": {"since": {"$any": True}}}
    other = ((CallPattern(name="get_lag", args=wants["get_lag"]),),)
    assert places(unmet_patterns(a_set(LAG, args=wants, args_match="subset"), criteria())) == []
    assert places(unmet_patterns(a_set(LAG, args=wants), criteria(args_match="subset"))) == []
    assert places(unmet_patterns(a_set(LAG, args=wants, any_of=other), criteria())) == []
    assert len(places(unmet_patterns(a_set(LAG, args=wants, args_match="superset"), criteria()))) == 1


@pytest.mark.parametrize(
    ("demands", "path"),
    [
        ({"contains": ("orders", "57")}, "response.contains[1]"),
        ({"contains": ("57",)}, "response.contains"),
        ({"not_contains": ("behind",)}, "response.not_contains"),
        ({"regex": ("^75",)}, "response.regex"),
        ({"equals": ("75",)}, "response.equals"),
        ({"number": (NumberRule(value=57, tolerance="5%"),)}, "response.number"),
        ({"json_schema": {"type": "object"}}, "response.json_schema"),
    ],
)
def test_a_demand_that_the_turns_own_answer_does_not_meet_is_a_contradiction(demands, path):
    assert places(contradictions(an_answer("The lag of orders is 75, far behind.", **demands))) == [path]


def test_the_message_says_what_the_own_answer_lacks():
    (problem,) = contradictions(an_answer("It is 75 behind.", number=(NumberRule(value=57),)))
    assert problem.message == (
        "the turn's own final_response does not meet this: 57 is not in the answer, which has 75"
    )
    assert problem.hint == "golden mode plays $.turn.final_response: mend that, or this"


@pytest.mark.parametrize("text", ["It is 75 behind, since 3 min.", "", None])
def test_an_answer_that_meets_what_is_demanded_or_is_not_there_is_none(text):
    demands = {"contains": ("75",), "not_contains": ("healthy",), "regex": ("^It",)}
    numbers = (NumberRule(value=75), NumberRule(value=74, tolerance="2%"))
    assert places(contradictions(an_answer(text, number=numbers, **demands))) == []


@pytest.mark.parametrize("aside", [{"skip": "later"}, {"known_failing": "the answer is wrong"}])
def test_the_answer_of_a_case_that_is_set_aside_may_be_why(aside):
    (case,) = an_answer("It is 75 behind.", contains=("57",)).cases
    assert places(contradictions(CaseSet(eval_set_id="s", cases=(replace(case, **aside),)))) == []


def test_an_expression_that_may_take_for_ever_is_left_to_a_run():
    assert places(contradictions(an_answer("a" * 72 + "!", regex=("^(a+)+$",)))) == []


@pytest.mark.parametrize(
    "demands",
    [
        {"regex": ("(",)},
        {"json_schema": {"type": "no type"}},
        {"json_schema": {"$ref": "#/nope"}},
        {"json_schema": {"$ref": "http://127.0.0.1:1/s.json"}},
    ],
)
def test_demands_that_have_a_fault_of_their_own_are_left_to_its_rule(demands):
    assert places(contradictions(an_answer("It is 75 behind.", **demands))) == []


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
