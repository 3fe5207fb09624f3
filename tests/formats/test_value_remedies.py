import json

import pytest

from evalkit.formats import evalset


def told_of(**block):
    turn = {"user_content": {"role": "user", "parts": [{"text": "Hi"}]}}
    case = {"eval_id": "a", "conversation": [turn], "evalkit": block}
    text = json.dumps({"eval_set_id": "kafka", "eval_cases": [case]})
    return evalset.parse(text.encode(), file="a.evalset.json").problems


def trajectory(**rule):
    return told_of(expect=[{"trajectory": rule}])


@pytest.mark.parametrize(
    ("problems", "hint", "fixed"),
    [
        (told_of(tags="read"), 'write ["read"]', [["read"]]),
        (told_of(tags="read, kafka"), 'write ["read", "kafka"]', []),
        (told_of(tags="read it all"), 'write ["read it all"]', []),
        (trajectory(forbid="rollback"), 'write ["rollback"]', [["rollback"]]),
        (trajectory(forbid={"name": "rollback"}), 'write [{"name": "rollback"}]', []),
        (trajectory(any_of=["rollback"]), 'write ["rollback"]', [["rollback"]]),
    ],
)
def test_one_item_stands_for_a_list_of_it(problems, hint, fixed):
    [problem] = problems
    assert problem.hint == hint
    assert [fix.value for fix in problem.fixes] == fixed


def test_of_several_names_nobody_knows_whether_they_are_one_path_or_many():
    found = trajectory(any_of=["list_groups", "describe_group"])
    assert [problem.hint for problem in found] == ['write ["list_groups"]', 'write ["describe_group"]']
    assert [problem.fixes for problem in found] == [(), ()]


@pytest.mark.parametrize("given", ["", 5, {"rollback": 1}])
def test_a_value_that_is_no_item_of_the_list_gets_no_list_around_it(given):
    [problem] = trajectory(forbid=given)
    assert (problem.hint, problem.fixes) == (None, ())


def test_a_long_item_is_not_written_out_in_the_hint():
    [problem] = told_of(tags="x" * 80)
    assert problem.hint == "write it as a list: […]"


def test_keys_of_two_parts_that_stand_beside_them_are_told_apart():
    found = told_of(expect=[{"forbid": ["a"], "worked": ["b"], "contains": ["c"], "zebra": 1}])
    assert {problem.message.partition(" in ")[0]: problem.hint for problem in found} == {
        "unknown keys `forbid` and `worked`": 'write them into "trajectory": {"forbid": …}',
        "unknown key `contains`": 'write it into "response": {"contains": …}',
        "unknown key `zebra`": "known here: `trajectory`, `route`, `response`, `state`, `rubrics` and `budget`",
    }
