import json

import pytest

from evalkit.errors import Remove, Rename, Replace
from evalkit.formats import evalset as evalset_format

USER = {"role": "user", "parts": [{"text": "Hi"}]}
OLD = {
    "query": "Hi",
    "expected_tool_use": [{"tool_name": "f", "tool_input": {"a": 1}}],
    "expected_intermediate_agent_responses": [],
    "reference": "Hello",
}


@pytest.fixture
def problems():
    """The problems of an evalset with these turns, or of a whole one."""

    def find(*turns, whole=None):
        value = whole or {"eval_set_id": "s", "eval_cases": [{"eval_id": "a", "conversation": [*turns]}]}
        return evalset_format.parse(json.dumps(value), file="f").problems

    return find


def test_camel_case_at_the_top_is_one_problem_and_hides_nothing_below(problems):
    case = {"evalId": "a", "conversation": [{"userContent": USER, "finalRespons": None}]}
    camel, below = problems(whole={"evalSetId": "s", "evalCases": [case], "creationTimestamp": 1})
    assert (camel.rule, camel.path) == ("camel-case", "$.evalSetId")
    assert camel.fixes == (
        Rename(("evalSetId",), "eval_set_id"),
        Rename(("evalCases",), "eval_cases"),
        Rename(("creationTimestamp",), "creation_timestamp"),
    )
    assert (below.rule, below.path) == ("unknown-key", "$.evalCases[0].conversation[0].finalRespons")
    assert below.fixes[0].path == ("evalCases", 0, "conversation", 0, "finalRespons")


def test_old_keys_in_a_turn_are_one_problem_that_says_what_to_write(problems):
    (problem,) = problems(OLD)
    assert (problem.rule, problem.path) == ("old-keys", "$.eval_cases[0].conversation[0].query")
    assert problem.hint == (
        'write "user_content": {"role": "user", "parts": [{"text": "…"}]}, '
        '"final_response": {"role": "model", "parts": [{"text": "…"}]}, '
        '"intermediate_data": {"tool_uses": [{"name": "…", "args": {}}], '
        '"intermediate_responses": [["agent", [{"text": "…"}]]]}'
    )


def test_each_old_key_gets_its_new_name_and_value(problems):
    (problem,) = problems(OLD)
    turn = ("eval_cases", 0, "conversation", 0)
    data = {"tool_uses": [{"name": "f", "args": {"a": 1}}]}
    assert problem.fixes == (
        Rename((*turn, "query"), "user_content"),
        Replace((*turn, "query"), USER),
        Rename((*turn, "expected_tool_use"), "intermediate_data"),
        Replace((*turn, "expected_tool_use"), data),
        Remove((*turn, "expected_intermediate_agent_responses")),
        Rename((*turn, "reference"), "final_response"),
        Replace((*turn, "reference"), {"role": "model", "parts": [{"text": "Hello"}]}),
    )


@pytest.mark.parametrize(
    "turn",
    [
        {"user_content": USER, "reference": {"answer": "Hello"}},
        {"user_content": USER, "reference": "Hello", "final_response": USER},
        {"user_content": USER, "expected_tool_use": [{"tool_name": "f"}], "intermediateData": {}},
        {"user_content": USER, "expected_tool_use": ["f"]},
        {"user_content": USER, "expected_tool_use": {"tool_name": "f"}},
        {"user_content": USER, "expected_tool_use": [{"tool_name": "f", "mock": 1}]},
        {"user_content": USER, "expected_intermediate_agent_responses": ["Looking."]},
    ],
)
def test_what_takes_judgement_is_reported_and_not_mended(turn, problems):
    (problem,) = problems(turn)
    assert (problem.rule, problem.fixes) == ("old-keys", ())


def test_the_rest_of_such_a_turn_is_checked_too(problems):
    found = problems(OLD | {"expected_response_contains": ["x"]})
    assert [problem.rule for problem in found] == ["old-keys", "unknown-key"]


@pytest.mark.parametrize(("role", "mended"), [("user", True), (None, True), ("model", False)])
def test_a_message_in_the_place_of_a_turn_is_wrapped_if_it_is_the_users(role, mended, problems):
    message = {"role": role, "parts": [{"text": "Hi"}]}
    (problem,) = problems(message)
    assert problem.message == "the turn is a message, where it should have one"
    assert bool(problem.fixes) == mended


@pytest.mark.parametrize(("key", "role"), [("user_content", "user"), ("finalResponse", "model")])
def test_text_in_the_place_of_a_message_is_mended(key, role, problems):
    (problem,) = problems({"user_content": USER} | {key: "Hi"})
    assert problem.rule == "wrong-type"
    (fix,) = problem.fixes
    assert fix.value == {"role": role, "parts": [{"text": "Hi"}]}


@pytest.mark.parametrize("value", [{"eval_set_id": "s", "eval_cases": 7}, {"eval_set_id": "s", "eval_cases": [7]}, "x"])
def test_what_has_no_turns_has_no_style(value, problems):
    assert {problem.rule for problem in problems(whole=value)} == {"wrong-type"}


@pytest.mark.parametrize("role", [[], {}, 5, ["user"]])
def test_a_turn_that_is_a_message_with_a_role_of_another_type_is_an_error(role, problems):
    found = problems({"role": role, "parts": [{"text": "Hi"}]})
    assert found[0].message == "the turn is a message, where it should have one"
    assert found[0].fixes == ()
