"""Keys a level too high or too low: one problem for those that belong together, with where they belong."""

import json

import pytest

from evalkit.formats import evalset, mocks

TURN = {"user_content": {"role": "user", "parts": [{"text": "How far behind is orders?"}]}}
SESSION = 'write this into "session_input": {"app_name": "…", "user_id": "…", "state": {}}'


def told(*, top=None, case=None, turn=None):
    value = {
        "eval_set_id": "s",
        "eval_cases": [{"eval_id": "a", "conversation": [{**TURN, **(turn or {})}], **(case or {})}],
        **(top or {}),
    }
    problems = evalset.parse(json.dumps(value), file="f").problems
    return [(problem.severity, problem.path, problem.hint) for problem in problems]


@pytest.mark.parametrize(
    ("case", "severity", "hint"),
    [
        ({"expect": [{"route": ["kafka"]}]}, "error", 'write this into "evalkit": {…}'),
        ({"expect": [{"keywords": ["75"]}]}, "warning", 'write this into "evalkit": {…}'),
        ({"expect": "a good answer"}, "warning", 'write this into "evalkit": {…}'),
        ({"known_failing": "slow"}, "warning", 'write this into "evalkit": {…}'),
        ({"state": {"plan": "gold"}}, "warning", SESSION),
        (
            {"expected_tool_use": []},
            "warning",
            'write the calls into a turn: "intermediate_data": {"tool_uses": [{"name": "…", "args": {}}]}',
        ),
        (
            {"criteria": {"response_match_score": 0.5}},
            "warning",
            "write criteria into test_config.json beside the evalset",
        ),
    ],
)
def test_a_key_of_another_object_in_a_case_is_sent_there(case, severity, hint):
    (key,) = case
    assert told(case=case) == [(severity, f"$.eval_cases[0].{key}", hint)]


def test_keys_that_belong_into_the_same_object_are_one_problem():
    ((_, path, hint),) = told(case={"user_id": "u", "state": {}, "app_name": "shop"})
    assert (path, hint) == ("$.eval_cases[0].user_id", SESSION)


def test_the_block_above_the_cases_is_lost_and_so_an_error():
    hint = 'write this into the cases that it is for: "evalkit": {…}'
    assert told(top={"evalkit": {"expect": [{"route": ["f"]}]}}) == [("error", "$.evalkit", hint)]


def test_the_block_in_a_turn_is_sent_into_the_case():
    hint = 'write this into the case: "evalkit": {"expect": […]}, with an entry for each turn'
    path = "$.eval_cases[0].conversation[0].evalkit"
    assert told(turn={"evalkit": {"expect": [{}]}}) == [("error", path, hint)]


def test_a_key_that_stands_for_a_missing_one_is_still_told_as_that():
    value = {"eval_set_id": "s", "eval_cases": [{"eval_id": "a", "prompt": "How far?"}]}
    (problem,) = evalset.parse(json.dumps(value), file="f").problems
    assert problem.hint.startswith('write "conversation": ')


CALL = {"name": "f", "args": {"a": 1}}


@pytest.mark.parametrize(
    ("call", "mended"),
    [
        ({"function_call": {"name": "f", "args": {"a": 1}}}, CALL),
        ({"functionCall": {"name": "f"}}, {"name": "f", "args": {}}),
        ({"type": "function", "id": "c1", "function": {"name": "f", "arguments": '{"a": 1}'}}, {"id": "c1", **CALL}),
        ({"function": {"name": "f", "arguments": '{"a": "\\ud800"}'}}, None),
        ({"function": {"name": "f", "arguments": '{"a": NaN}'}}, None),
        ({"function": {"name": "f", "arguments": '{"a": 1, "a": 2}'}}, None),
        ({"function": {"name": "f", "arguments": "a=1"}}, None),
        ({"function_call": {"name": "f", "args": {}, "why": "x"}}, None),
    ],
)
def test_a_call_inside_another_key_is_one_problem_and_taken_out_where_it_fits(call, mended):
    uses = {"intermediate_data": {"tool_uses": [call]}}
    value = {"eval_set_id": "s", "eval_cases": [{"eval_id": "a", "conversation": [TURN | uses]}]}
    (problem,) = evalset.parse(json.dumps(value), file="f").problems
    around = next(key for key in call if key.startswith("function"))
    assert problem.message == f"the call stands inside `{around}`"
    assert [fix.value for fix in problem.fixes] == ([mended] if mended else [])


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("get_lag: [{returns: 1}]\nlist_topics: [{returns: 2}]", "write them under `tools`"),
        ("get_lag: [{returns: 1}]", "write it under `tools`"),
        ("tools: {get_lag: [{args: {}, status: ok}]}", "write `returns: {status: …}`"),
        ("tools:\n  get_lag:\n    - returns:\n      status: ok\n      lag: 3", "indent them under `returns`"),
        ("tools: {get_lag: [{sequence: [{lag: 3}]}]}", "write `returns: {lag: …}`"),
        ("tools:\n  get_lag:\n    - args:\n      group: a\n      returns: 1", "indent it under `args`"),
        ("tools:\n  get_lag:\n    - returns:\n        lag: 1\n      days: 2", "indent it under `returns`"),
        ("tools:\n  get_lag:\n    - args: {}\n      returns {amount: 49.5}", "write a colon after `returns`"),
        ("agents: {desk: {get_lag: [{returns: 1}]}}", "write it under `tools`"),
        (
            "tools: {f: [{sequence: [{returns: 1}, {returns: 2, repeat_last: true}]}]}",
            "write this into the route, beside `sequence`",
        ),
        ("tools: {f: [{raises: {error: TimeoutError}}]}", "write `type`"),
    ],
)
def test_in_mocks_the_values_tell_where_keys_belong(text, hint, tmp_path):
    (problem,) = mocks.parse(text, file="mocks.yaml", folder=tmp_path).problems
    assert (problem.rule, problem.hint) == ("unknown-key", hint)


def test_a_reply_inside_the_arguments_is_told_where_the_reply_is_missed(tmp_path):
    text = "tools:\n  f:\n    - args:\n        a: 1\n        returns_file: x.json"
    (problem,) = mocks.parse(text, file="mocks.yaml", folder=tmp_path).problems
    assert (problem.rule, problem.hint) == ("no-reply", "move returns_file out of `args`")


@pytest.mark.parametrize(
    ("block", "hint"),
    [
        ({"gate": False}, "a criterion of test_config.json has it; a case that may fail has `known_failing`"),
        ({"trajectory": {"order": "exact"}}, 'write this into "expect": [{…}], one entry for each turn'),
    ],
)
def test_a_key_of_another_object_in_the_block_is_sent_there(block, hint):
    assert told(case={"evalkit": block}) == [("error", f"$.eval_cases[0].evalkit.{next(iter(block))}", hint)]
