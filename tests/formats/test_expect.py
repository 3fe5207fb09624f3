import json
from dataclasses import replace

import pytest

from evalkit.cases import Budget, CallPattern, Expectation, Gate, NumberRule, ResponseRule, TrajectoryRule
from evalkit.formats import evalset as evalset_format

BLOCK = {
    "tags": ["kafka"],
    "skip": "broker is down",
    "known_failing": "issue 7",
    "min_pass_rate": 0.8,
    "min_lower_bound": 0.5,
    "mocks": "refused.yaml",
    "expect": [
        {
            "trajectory": {
                "order": "any_order",
                "args_match": "superset",
                "args": {"get_lag": {"since": {"$any": True}}, "ping": [{"at": 1}, None], "run_sql": "ignore"},
                "optional": ["list_groups", {"name": "get_lag", "status": "error"}],
                "forbid": [{"name": "delete_topic", "args": {"topic": {"$glob": "prod-*"}}}],
                "any_of": [["get_topic", {"name": "get_lag"}]],
                "blocked": ["delete_topic"],
                "worked": [{"name": "get_lag", "args": {"group": "orders"}}],
            },
            "route": "kafka_health",
            "response": {
                "contains": "75",
                "not_contains": ["healthy"],
                "regex": "lag.*75",
                "equals": "75",
                "number": [75, {"value": 0.5, "tolerance": "5%"}],
                "json_schema": {},
            },
            "state": {"last_group": "orders"},
            "budget": {"tool_calls": 4, "seconds": 30, "tokens": 8000, "usd": 0.05},
        }
    ],
    "source": {"system": "holmesgpt"},
}

EXPECTED = Expectation(
    trajectory=TrajectoryRule(
        order="any_order",
        args_match="superset",
        args={"get_lag": {"since": {"$any": True}}, "ping": [{"at": 1}, None], "run_sql": "ignore"},
        optional=(CallPattern(name="list_groups"), CallPattern(name="get_lag", status="error")),
        forbid=(CallPattern(name="delete_topic", args={"topic": {"$glob": "prod-*"}}),),
        any_of=((CallPattern(name="get_topic"), CallPattern(name="get_lag")),),
        blocked=(CallPattern(name="delete_topic"),),
        worked=(CallPattern(name="get_lag", args={"group": "orders"}),),
    ),
    route=("kafka_health",),
    response=ResponseRule(
        contains=("75",),
        not_contains=("healthy",),
        regex=("lag.*75",),
        equals=("75",),
        number=(NumberRule(value=75), NumberRule(value=0.5, tolerance="5%")),
        json_schema={},
    ),
    state={"last_group": "orders"},
    budget=Budget(tool_calls=4, seconds=30, tokens=8000, usd=0.05),
)


@pytest.fixture
def load(evalset, case):
    """Read the set whose case has a block."""

    def read(block):
        case["evalkit"] = block
        return evalset_format.parse(json.dumps(evalset), file="f")

    return read


def test_the_block_fills_the_case_and_its_turns(load):
    (case,) = load(BLOCK).value.cases
    assert (case.tags, case.skip, case.known_failing) == (("kafka",), "broker is down", "issue 7")
    assert case.gate == Gate(min_pass_rate=0.8, min_lower_bound=0.5)
    assert (case.mocks, case.source) == ("refused.yaml", {"system": "holmesgpt"})
    assert case.turns[0].expect == EXPECTED


def test_a_block_that_nobody_changed_is_written_as_it_was(load):
    assert json.loads(evalset_format.write(load(BLOCK).value))["eval_cases"][0]["evalkit"] == BLOCK


def test_a_block_that_was_changed_is_written_anew_and_means_the_same(load):
    case_set = load(BLOCK).value
    changed = replace(case_set, cases=(replace(case_set.cases[0], tags=("kafka", "slow")),))
    written = evalset_format.write(changed)
    assert json.loads(written)["eval_cases"][0]["evalkit"]["tags"] == ["kafka", "slow"]
    assert evalset_format.parse(written, file="f").value == changed


def test_a_case_that_has_nothing_of_ours_is_written_without_a_block(load):
    case_set = load(BLOCK).value
    turns = tuple(replace(turn, expect=Expectation()) for turn in case_set.cases[0].turns)
    case = replace(case_set.cases[0], tags=(), skip=None, known_failing=None, gate=Gate())
    bare = replace(case, mocks=None, source=None, turns=turns)
    assert "evalkit" not in json.loads(evalset_format.write(replace(case_set, cases=(bare,))))["eval_cases"][0]


def test_a_turn_without_expectations_may_be_null(load):
    assert load({"expect": [None]}).value.cases[0].turns[0].expect == Expectation()


@pytest.mark.parametrize(
    ("entry", "path"),
    [
        ({"trajectory": {"args": {"t": {"a": {"$no": 1}}}}}, "trajectory.args.t.a.$no"),
        ({"trajectory": {"args": {"t": [None, {"a": {"$no": 1}}]}}}, "trajectory.args.t[1].a.$no"),
        ({"trajectory": {"worked": [{"name": "t", "args": {"a": {"$no": 1}}}]}}, "trajectory.worked[0].args.a.$no"),
        ({"trajectory": {"optional": [{"name": "t", "args": {"a": {"$no": 1}}}]}}, "trajectory.optional[0].args.a.$no"),
        (
            {"trajectory": {"any_of": [["t", {"name": "t", "args": {"a": {"$no": 1}}}]]}},
            "trajectory.any_of[0][1].args.a.$no",
        ),
        ({"state": {"a b": {"$no": 1}}}, 'state["a b"].$no'),
        ({"state": {"$subset": {"a": 1}}}, "state.$subset"),
        ({"response": {"regex": "("}}, "response.regex"),
        ({"response": {"regex": ["a", "("]}}, "response.regex[1]"),
        ({"response": {"json_schema": {"type": 1}}}, "response.json_schema"),
        ({"response": {"json_schema": {"$ref": "#/nope"}}}, "response.json_schema"),
        ({"response": {"json_schema": {"$ref": "http://127.0.0.1:1/never-fetched"}}}, "response.json_schema"),
        ({"response": {"json_schema": {"$schema": "http://127.0.0.1:1/never-fetched"}}}, "response.json_schema"),
    ],
)
def test_a_pattern_that_is_none_is_a_problem_where_it_stands(entry, path, load):
    (problem,) = load({"expect": [entry]}).problems
    assert (problem.rule, problem.path) == ("bad-pattern", f"$.eval_cases[0].evalkit.expect[0].{path}")


def test_a_pattern_in_a_check_is_a_problem_where_it_stands(load):
    check = {"response": {"regex": "("}}
    (problem,) = load({"expect": [{"rubrics": [{"rubric_id": "r", "check": check}]}]}).problems
    place = "$.eval_cases[0].evalkit.expect[0].rubrics[0].check.response.regex"
    assert (problem.rule, problem.path) == ("bad-pattern", place)


def test_rubrics_with_checks_are_read_and_written_back(load):
    rubric = {
        "rubric_id": "right_specialist",
        "rubric_content": {"text_property": "Kafka's specialist was asked."},
        "type": "TOOL_USE_QUALITY",
        "check": {"route": ["kafka_health"], "response": {"contains": ["75"]}},
    }
    block = {"expect": [{"rubrics": [rubric]}]}
    (case,) = load(block).value.cases
    (rule,) = case.turns[0].expect.rubrics
    check = Expectation(route=("kafka_health",), response=ResponseRule(contains=("75",)))
    assert (rule.rubric_id, rule.type, rule.check) == ("right_specialist", "TOOL_USE_QUALITY", check)
    written = json.loads(evalset_format.write(load(block).value))
    assert written["eval_cases"][0]["evalkit"] == block


def test_expectations_of_a_scenario_are_an_error(load, case):
    case["conversation_scenario"] = {"starting_prompt": "hi", "conversation_plan": "ask"}
    del case["conversation"]
    (problem,) = load({"expect": [{}]}).problems
    assert (problem.rule, problem.message) == ("expect-length", "expect has 1 entry for 0 turns")


def test_a_pattern_in_the_place_of_an_argument_is_told_that_tools_come_first():
    turn = {"user_content": {"parts": [{"text": "How far?"}]}}
    block = {"expect": [{"trajectory": {"args": {"group": {"$regex": "^o"}}}}]}
    case = {"eval_id": "a", "conversation": [turn], "evalkit": block}
    (problem,) = evalset_format.parse(json.dumps({"eval_set_id": "s", "eval_cases": [case]}), file="f").problems
    assert problem.path == "$.eval_cases[0].evalkit.expect[0].trajectory.args.group.$regex"
    order = '{"TOOL": {"ARGUMENT": {"$regex": …}}}'
    assert problem.message == f"$regex stands where an argument belongs: here tools come first, as in {order}"
