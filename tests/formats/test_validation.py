import json

import pytest

from evalkit.errors import Add, Replace
from evalkit.formats.json_text import parse_json
from evalkit.formats.validation import schema_problems


@pytest.fixture
def faults():
    """The schema problems of a value, as they are printed, without the file and the place."""

    def find(value, schema="evalset"):
        document = parse_json(json.dumps(value), "f.json").value
        return [str(problem).partition(": ")[2] for problem in schema_problems(schema, document)]

    return find


def test_a_good_set_has_no_faults(faults, evalset):
    assert faults(evalset) == []


def test_a_key_explains_the_one_that_is_missing(faults, evalset, case):
    case["eval_case_id"] = case.pop("eval_id")
    assert faults(evalset) == [
        "error[unknown-key] $.eval_cases[0].eval_case_id: unknown key `eval_case_id` in an eval case (write `eval_id`)"
    ]


def test_documentation_can_be_what_was_meant_by_a_missing_key(faults, evalset, case):
    case["name"] = case.pop("eval_id")
    assert faults(evalset) == [
        "error[unknown-key] $.eval_cases[0].name: unknown key `name` in an eval case (write `eval_id`)"
    ]


def test_keys_that_say_nothing_about_the_missing_ones_are_named_with_them(faults):
    assert faults({"suite": "x", "whatever": []}) == [
        (
            "error[missing-key] $: an evalset needs `eval_set_id` and `eval_cases`; it has `suite` and `whatever`, "
            "which nothing reads here"
        )
    ]


def test_documentation_keys_are_nobodys_fault(faults, evalset, case):
    case |= {"description": "x", "notes": [], "_comment": "y", "tags": ["a"], "$schema": "z"}
    assert faults(evalset | {"_comment": "x", "metadata": {}}) == []


def test_a_key_that_adk_keeps_unread_is_a_warning(faults, evalset, case):
    case["expected_outputs"] = []
    assert faults(evalset) == [
        "warning[unread-key] $.eval_cases[0].expected_outputs: nothing reads the key `expected_outputs` in an eval case"
    ]


def test_a_key_that_adk_refuses_is_an_error(faults, evalset, turn):
    turn["description"] = "x"
    assert faults(evalset) == [
        "error[unknown-key] $.eval_cases[0].conversation[0].description: unknown key `description` in a turn"
    ]


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("invocation_id", 7, "must be a string, not a number"),
        ("final_response", [], "must be an object, not a list"),
        ("creation_timestamp", None, "must be a number, not null"),
        ("creation_timestamp", "soon", 'must be a number, not "soon"'),
        ("user_content", {"parts": [{"thought": "maybe"}]}, 'must be true or false, not "maybe"'),
        ("user_content", {"parts": [{"text": True}]}, "must be a string, not true"),
        ("intermediate_data", "none", "must be an object, not a string"),
    ],
)
def test_a_wrong_value_is_named_at_its_leaf(key, value, said, faults, evalset, turn):
    turn[key] = value
    (found,) = faults(evalset)
    assert f".{key}" in found
    assert said in found


def test_every_fault_is_found_in_one_go(faults, evalset, case, turn):
    turn["querry"] = "x"
    turn["intermediate_data"]["tool_uses"] = [{"tool_name": "a", "tool_input": {}}, {"name": 3}]
    case["session_input"] = {"app_name": "kafka"}
    assert {found.partition(":")[0] for found in faults(evalset)} == {
        "error[unknown-key] $.eval_cases[0].conversation[0].querry",
        "error[unknown-key] $.eval_cases[0].conversation[0].intermediate_data.tool_uses[0].tool_name",
        "error[unknown-key] $.eval_cases[0].conversation[0].intermediate_data.tool_uses[0].tool_input",
        "error[missing-key] $.eval_cases[0].session_input",
        "error[wrong-type] $.eval_cases[0].conversation[0].intermediate_data.tool_uses[1].name",
    }


def test_a_long_value_is_cut_in_the_message(faults):
    (found,) = faults({"criteria": {"response_match_score": "x" * 500}}, "config")
    assert found.endswith(f'not "{"x" * 58}… (write a number such as 0.8)')


def test_a_file_with_thousands_of_faults_is_described_in_part(faults, evalset):
    found = faults(evalset | {"eval_cases": [{}] * 3000})
    assert len(found) < 2500
    assert found[-1] == (
        "error[too-many-faults] $: the file has more than 2,000 faults, of which the first are described "
        "(mend these first)"
    )


def test_a_missing_key_is_not_added_beside_one_that_may_be_it():
    def fixes(use):
        document = parse_json(json.dumps([{"query": "q", "expected_tool_use": [use]}]), "f").value
        return [fix for problem in schema_problems("legacy", document) for fix in problem.fixes]

    assert fixes({"tool_name": "f"}) == [Add((0, "expected_tool_use", 0), "tool_input", {})]
    assert fixes({"tool_name": "f", "zzz": {"a": 1}}) == []


CALL = {"name": "f", "args": {"a": 1}}


@pytest.mark.parametrize(
    ("turn", "path", "meant"),
    [
        ({"user_content": {"parts": "Hi"}}, ("user_content", "parts"), [{"text": "Hi"}]),
        ({"user_content": {"parts": ["Hi"]}}, ("user_content", "parts", 0), {"text": "Hi"}),
        ({"user_content": {"parts": {"text": "Hi"}}}, ("user_content", "parts"), [{"text": "Hi"}]),
        ({"user_content": [{"parts": [{"text": "Hi"}]}]}, ("user_content",), {"parts": [{"text": "Hi"}]}),
        ({"intermediate_data": [CALL]}, ("intermediate_data",), {"tool_uses": [CALL]}),
        ({"intermediate_data": {"tool_uses": CALL}}, ("intermediate_data", "tool_uses"), [CALL]),
        (
            {"intermediate_data": {"tool_uses": [{"name": "f", "args": '{"a": 1}'}]}},
            ("intermediate_data", "tool_uses", 0, "args"),
            {"a": 1},
        ),
        ({"intermediate_data": {"tool_uses": {"f": {}}}}, ("intermediate_data", "tool_uses"), None),
        (
            {"intermediate_data": {"tool_uses": [{"name": "f", "args": "a=1"}]}},
            ("intermediate_data", "tool_uses", 0, "args"),
            None,
        ),
        ({"intermediate_data": ["f"]}, ("intermediate_data",), None),
    ],
)
def test_a_value_of_another_type_is_mended_where_only_one_thing_can_be_meant(turn, path, meant, evalset, case):
    case["conversation"] = [{"user_content": {"parts": [{"text": "Hi"}]}, **turn}]
    document = parse_json(json.dumps(evalset), "f.json").value
    (problem,) = schema_problems("evalset", document)
    assert problem.rule == "wrong-type"
    place = ("eval_cases", 0, "conversation", 0, *path)
    assert problem.fixes == ((Replace(place, meant),) if meant else ())


@pytest.mark.parametrize("key", ["1", "007", "+3", ""])
def test_a_key_of_digits_or_without_any_sign_is_told_as_it_stands(faults, key):
    assert faults({"criteria": {key: {"threshold": {"a": 1}}}}, "config") == [
        f'error[wrong-type] $.criteria["{key}"].threshold: must be a number, not an object'
    ]
    assert faults({"tools": {key: [{"args": "x", "returns": 1}]}}, "mocks") == [
        (
            f'error[wrong-type] $.tools["{key}"][0].args: must be an object, not a string '
            "(write a pattern for each argument: `args: {NAME: …}`)"
        )
    ]
