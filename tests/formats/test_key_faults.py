"""Objects with more unknown keys than anybody wants to read of."""

import json

from evalkit.formats import evalset

GOOD = {"eval_set_id": "lag", "eval_cases": []}


def problems(**keys):
    return evalset.parse(json.dumps({**GOOD, **keys}).encode(), file="lag.evalset.json").problems


def test_of_very_many_unknown_keys_the_first_are_named_and_the_rest_counted():
    [problem] = [found for found in problems(**{f"zz{n}": 1 for n in range(5_000)}) if "zz0" in found.message]
    assert problem.path == "$.zz0"
    assert "`zz0`, `zz1`, " in problem.message
    assert "`zz39` and 4,960 more" in problem.message


def test_a_misspelt_key_behind_a_few_strange_ones_is_still_recognised():
    found = problems(zz1=1, zz2=2, descriptoin="of lag")
    assert "did you mean `description`?" in [problem.hint for problem in found]


def told_of(response):
    case = {"eval_id": "a", "conversation": [{"user_content": {"role": "user", "parts": [{"text": "Hi"}]}}]}
    case["evalkit"] = {"expect": [{"response": response}]}
    [problem] = problems(eval_cases=[case])
    return problem


def test_a_key_means_the_same_whatever_stands_beside_it():
    alone, beside = told_of({"icontains": ["2 of"]}), told_of({"contains": ["x"], "icontains": ["2 of"]})
    assert alone.hint == beside.hint == 'write "regex": "(?i)…", which finds a text whatever its case'
    assert alone.fixes == beside.fixes == ()


def test_a_misspelt_key_beside_the_right_one_is_not_renamed():
    problem = told_of({"contains": ["x"], "contians": ["y"]})
    assert problem.hint == "did you mean `contains`? it is here already; keep one of them"
    assert problem.fixes == ()


def test_a_misspelt_key_alone_is_renamed():
    problem = told_of({"contians": ["y"]})
    assert [(fix.path[-1], fix.key) for fix in problem.fixes] == [("contians", "contains")]


def test_a_key_in_camel_case_where_it_is_not_read_is_renamed():
    problem = told_of({"notContains": ["y"]})
    assert problem.hint == "write `not_contains`"
    assert [fix.key for fix in problem.fixes] == ["not_contains"]


def test_a_misspelt_key_beside_the_right_one_in_camel_case_is_not_renamed():
    turn = {"userContent": {"parts": [{"text": "Hi"}]}, "user_conten": {"parts": [{"text": "Ho"}]}}
    [problem] = problems(eval_cases=[{"eval_id": "a", "conversation": [turn]}])
    assert (problem.hint, problem.fixes) == ("did you mean `user_content`? it is here already; keep one of them", ())
