"""Matchers that lost their `$`."""

import pytest

from evalkit.cases import CallPattern, Case, CaseSet, Expectation, Message, Step, ToolCall, TrajectoryRule, Turn
from evalkit.expectations import RubricRule
from evalkit.lint.pattern_rules import bare_in_expectations, bare_in_routes
from evalkit.routes import MockSet, Route

BARE = {"regex": "^pay"}
EXPECT = "$.eval_cases[0].evalkit.expect[0]"


def in_route(args):
    route = Route(tool="get_lag", replies=(), args=args, where="$.tools.get_lag[0]")
    problems = bare_in_routes(MockSet(file="mocks.yaml", routes=(route,)))
    return [problem.path.removeprefix("$.tools.get_lag[0].args") for problem in problems]


def in_case(*calls, final_state=None, **expected):
    turn = Turn(index=0, user=Message(), steps=(Step(calls=calls),), expect=Expectation(**expected))
    case = Case(eval_id="one", turns=(turn,), final_state=final_state, where="$.eval_cases[0]")
    problems = bare_in_expectations(CaseSet(eval_set_id="s", cases=(case,)))
    return [problem.path.removeprefix(EXPECT) for problem in problems]


SURE = [BARE, {"glob": "pay*"}, {"icontains": "pay"}, {"oneof": ["a", "b"]}, {"approx": 3}]
LIKELY_NO_KEYS = [{"any": True}, {"absent": True}, {"unordered": ["a"]}]
LIKELY_KEYS = [{"gte": 3}, {"gte": 3, "lt": 5}, {"not": "debug"}, {"eq": "x"}, {"subset": {"a": 1}}, {"exists": True}]


@pytest.mark.parametrize("pattern", [*SURE, *LIKELY_NO_KEYS, *LIKELY_KEYS[:-1]])
def test_an_operator_without_its_sign_is_told_where_a_case_wants_arguments(pattern):
    rule = TrajectoryRule(args={"get_lag": {"group": pattern}})
    assert in_case(trajectory=rule) == [".trajectory.args.get_lag.group"]


@pytest.mark.parametrize("pattern", [*SURE, *LIKELY_NO_KEYS])
def test_an_operator_without_its_sign_is_told_in_a_route(pattern):
    assert in_route({"group": pattern}) == [".group"]


@pytest.mark.parametrize("pattern", [*LIKELY_KEYS, {"glob": "pay*", "not": "payroll"}])
def test_a_word_that_calls_may_well_have_as_a_key_is_let_alone_in_a_route(pattern):
    assert in_route({"price": pattern, "body": {"price": pattern}}) == []


@pytest.mark.parametrize("pattern", SURE)
def test_an_operator_without_its_sign_is_told_in_a_state(pattern):
    assert in_case(state={"group": pattern}) == [".state.group"]
    assert in_case(final_state={"group": pattern}) == ["$.eval_cases[0].final_session_state.group"]


@pytest.mark.parametrize("value", [*LIKELY_NO_KEYS, *LIKELY_KEYS])
def test_a_word_of_everyday_is_let_alone_in_a_state(value):
    assert in_case(state={"attendance": value, "deep": {"flags": value}}) == []
    assert in_case(final_state={"attendance": value, "deep": {"flags": value}}) == []


@pytest.mark.parametrize(
    "pattern",
    [
        {"$eq": BARE},
        {"type": "web"},
        {"type": "string"},
        {"any": False},
        {"oneof": "payments"},
        {"regex": "("},
        {"regex": "^pay", "flags": "i"},
        {"name": "regex"},
        {},
        "regex",
    ],
)
def test_an_object_that_is_no_matcher_is_let_alone(pattern):
    assert in_route({"group": pattern}) == []


def test_one_deeper_down_is_told_unless_query_languages_have_such_keys():
    assert in_route({"labels": {"team": {"oneof": ["a"]}}}) == [".labels.team"]
    assert in_route({"labels": {"$subset": {"team": [BARE]}}}) == [".labels.$subset.team[0]"]
    assert in_route({"group": {"$oneof": ["a", BARE]}}) == [".group.$oneof[1]"]
    assert in_route({"body": {"size": {"gte": 3}}}) == []
    assert in_route({"body": {"tags": {"contains": "x"}}}) == []


@pytest.mark.parametrize("name", ["filter", "searchQuery", "where", "match_rules"])
def test_what_stands_under_a_name_for_conditions_is_let_alone(name):
    assert in_route({name: {"regex": "x"}, "body": {name: {"oneof": ["x"]}}}) == []


def test_the_message_says_both_ways_to_write_it():
    route = Route(tool="get_lag", replies=(), args={"group": BARE}, where="$.r")
    (problem,) = bare_in_routes(MockSet(file="mocks.yaml", routes=(route,)))
    assert problem.message == "`regex` is no operator without its `$`, so this wants an object with that key"
    assert problem.hint == 'write {"$regex": "^pay"}, or {"$eq": {"regex": "^pay"}} where that object is meant'


def test_it_is_found_wherever_a_case_expects_something():
    pattern = CallPattern(name="get_lag", args={"group": BARE})
    rule = TrajectoryRule(args={"get_lag": [None, {"group": BARE}]}, forbid=(pattern,), any_of=((), (pattern,)))
    check = RubricRule(rubric_id="r", check=Expectation(state={"group": BARE}))
    assert in_case(trajectory=rule, rubrics=(check,), state={"last": [BARE]}) == [
        ".trajectory.args.get_lag[1].group",
        ".trajectory.forbid[0].args.group",
        ".trajectory.any_of[1][0].args.group",
        ".state.last[0]",
        ".rubrics[0].check.state.group",
    ]
    assert in_case(final_state={"group": BARE}) == ["$.eval_cases[0].final_session_state.group"]


def test_an_object_that_the_turn_itself_passes_is_meant():
    rule = TrajectoryRule(args={"get_lag": {"size": {"gte": 3}}})
    assert in_case(ToolCall(name="get_lag", args={"size": {"gte": 3}}), trajectory=rule) == []
    assert in_case(ToolCall(name="get_lag", args={"size": 3}), trajectory=rule) == [".trajectory.args.get_lag.size"]
