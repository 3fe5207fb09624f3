"""What `check` leaves out of an evalset is what no rule has anything to say of."""

import copy
import json

import pytest

from evalkit.bundles import Reader
from evalkit.formats import evalset as evalset_format
from evalkit.formats.plain import are_plain, telling


def nested(value, levels):
    return value if not levels else {"a": nested(value, levels - 1)}


def test_a_case_of_text_and_calls_is_plain(case):
    case["session_input"] = {"app_name": "kafka", "user_id": "u", "state": {"group": "orders", "list": [1, None]}}
    assert are_plain([case]) == [True]


@pytest.mark.parametrize(
    "more",
    [
        {"evalkit": {"tags": ["kafka"]}},
        {"rubrics": []},
        {"description": "x"},
        {"sessionInput": {"app_name": "kafka", "user_id": "u"}},
        {"final_session_state": {"x": 1}},
        {"conversation": None},
    ],
)
def test_a_case_that_a_rule_may_have_something_to_say_of_is_not(more, case):
    assert are_plain([{**case, **more}]) == [False]


@pytest.mark.parametrize(
    "more",
    [
        {"final_response": None},
        {"intermediate_data": None},
        {"intermediate_data": {}},
        {"intermediate_data": {"invocation_events": []}},
        {"intermediate_data": {"tool_uses": [{"name": "get_lag"}]}},
        {"intermediate_data": {"tool_uses": [{"name": "get_lag", "args": None}]}},
        {"intermediate_data": {"tool_uses": [{"name": "get_lag", "args": nested(1, 3)}]}},
        {"user_content": {"parts": [{"function_response": {"name": "f"}}]}},
        {"user_content": {"parts": [{"text": " "}]}},
        {"rubrics": []},
    ],
)
def test_a_turn_that_a_rule_may_have_something_to_say_of_is_not(more, case, turn):
    assert are_plain([{**case, "conversation": [turn, {**turn, **more}]}]) == [False]


@pytest.mark.parametrize(
    ("ids", "plain", "chosen"),
    [
        ("abc", [True, True, True], [0]),
        ("abc", [False, True, True], [0, 1]),
        ("abc", [True, False, True], [0, 1]),
        ("abcb", [True, True, True, True], [0, 1, 3]),
        ("abc", [False, False, False], [0, 1, 2]),
    ],
)
def test_one_plain_case_stands_for_all_but_those_whose_id_stands_twice(ids, plain, chosen):
    assert telling([{"eval_id": name} for name in ids], plain) == chosen


def test_reading_whole_is_reading_all(evalset, case):
    evalset["eval_cases"] = [{**case, "eval_id": str(number)} for number in range(3)]
    text = json.dumps(evalset)
    assert [item.eval_id for item in evalset_format.parse(text, file="f").value.cases] == ["0", "1", "2"]
    assert [item.eval_id for item in evalset_format.parse(text, file="f", whole=False).value.cases] == ["0"]


def problems_of(path, *, whole):
    """What is wrong, but for gold: a run, which reads all cases whole, does not open it before it has the answers."""
    reader = Reader(whole=whole)
    reader.evalset(path)
    reader.finish()
    return [problem for problem in reader.problems if "gold" not in problem.rule and "gold" not in problem.file]


def test_both_ways_of_reading_find_the_same_in_real_files(shared, repo_root):
    files = [*(shared / "corpus").rglob("*.json"), *(repo_root / "evalsets").rglob("*.json")]
    files += [path for path in (repo_root / "tests" / "invalid").rglob("*.json") if "problem" not in path.name]
    assert len(files) > 200
    for path in files:
        assert problems_of(path, whole=False) == problems_of(path, whole=True), path


@pytest.mark.parametrize("criteria", [{"tool_trajectory_avg_score": 1}, {"response_match_score": 2, "route": 1}])
def test_both_ways_of_reading_find_the_same_under_any_criteria(criteria, evalset, case, turn, write):
    plain, without = copy.deepcopy(case), copy.deepcopy(case)
    del without["conversation"][0]["final_response"]
    evalset["eval_cases"] = [{**item, "eval_id": str(number)} for number, item in enumerate([plain, plain, without])]
    write("test_config.json", {"criteria": criteria})
    path = write("lag.evalset.json", evalset)
    assert problems_of(path, whole=False) == problems_of(path, whole=True)
