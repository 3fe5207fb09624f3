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
