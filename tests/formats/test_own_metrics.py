"""Our metrics in a config: which one a criterion asks for, and what its options demand."""

import json

import pytest

from evalkit.cases import Budget, CallPattern, Criterion, Expectation, ResponseRule, TrajectoryRule
from evalkit.formats import config
from evalkit.formats.own_metrics import demanded, metric_of

RESPONSE = "evalkit.adk.metrics.response"


def custom(name, function, criterion=1.0):
    return json.dumps({"criteria": {name: criterion}, "custom_metrics": {name: {"code_config": {"name": function}}}})


@pytest.mark.parametrize(
    ("name", "function", "metric"),
    [
        ("grounding", None, "grounding"),
        ("grounding", "evalkit.adk.metrics.grounding", "grounding"),
        ("mine", "evalkit.adk.metrics.grounding", "grounding"),
        ("mine", "evalkit.adk.metrics.response_match_score", "response_match_score"),
        ("mine", "evalkit.adk.metrics.rouge", "rouge"),
        ("mine", "evalkit.adk.metrics.response_checks", "response"),
        ("response_checks", None, "response"),
        ("grounding", "mine.score", None),
        ("grounding", "evalkit.somewhere.else", None),
        ("grounding", "evalkit.adk.metrics.nothing", None),
        ("safety_v1", None, "safety_v1"),
    ],
)
def test_a_function_of_ours_stands_for_its_metric_and_any_other_for_itself(name, function, metric):
    assert metric_of(Criterion(name=name, custom_function=function)) == metric


@pytest.mark.parametrize(
    ("metric", "options", "expectation"),
    [
        (
            "response",
            {"contains": "75", "regex": ["a", "b"], "depth": 3},
            Expectation(response=ResponseRule(contains=("75",), regex=("a", "b"))),
        ),
        ("forbid", {"forbid": ["x"]}, Expectation(trajectory=TrajectoryRule(forbid=(CallPattern(name="x"),)))),
        ("worked", {"worked": ["x"]}, Expectation(trajectory=TrajectoryRule(worked=(CallPattern(name="x"),)))),
        ("trajectory", {"order": "subset", "any_of": []}, Expectation(trajectory=TrajectoryRule(order="subset"))),
        ("trajectory_f1", {"args_match": "ignore"}, Expectation(trajectory=TrajectoryRule(args_match="ignore"))),
        ("budget", {"tool_calls": 3, "prices": {}}, Expectation(budget=Budget(tool_calls=3))),
        ("route", {"route": []}, Expectation(route=())),
        ("route", {"agents": ["x"]}, Expectation()),
        ("grounding", {"contains": "75"}, Expectation()),
        (None, {"contains": "75"}, Expectation()),
    ],
)
def test_options_demand_what_expect_does(metric, options, expectation):
    assert demanded(metric, options) == expectation


@pytest.mark.parametrize("given", [1.0, {"threshold": 1.0, "contains": ["75"], "gate": False, "_why": "said so"}])
def test_a_good_criterion_is_taken_under_any_name(given):
    loaded = config.parse(custom("mine", RESPONSE, given), file="c.json")

    assert loaded.problems == ()
    assert loaded.value.criteria[0].custom_function == RESPONSE


def test_options_of_a_users_own_metric_are_theirs_to_know():
    assert config.parse(custom("response", "mine.score", {"threshold": 1.0, "contain": 3}), file="c").problems == ()


@pytest.mark.parametrize(("option", "rule"), [("match_typ", "misspelt-key"), ("match_type", "wrong-value")])
def test_adks_options_are_checked_under_our_function_too(option, rule):
    given = {"threshold": 1.0, option: "sideways"}
    (problem,) = config.parse(custom("mine", "evalkit.adk.metrics.tool_trajectory_avg_score", given), file="c").problems

    assert (problem.rule, problem.path) == (rule, f"$.criteria.mine.{option}")


@pytest.mark.parametrize(
    ("metric", "option", "path", "rule"),
    [
        ("trajectory", {"order": "sorted"}, "order", "wrong-value"),
        ("trajectory", {"args_match": "loose"}, "args_match", "wrong-value"),
        ("trajectory", {"optionals": ["x"]}, "optionals", "misspelt-key"),
        ("trajectory_f1", {"args": {"t": {"a": {"$no": 1}}}}, "args.t.a.$no", "bad-pattern"),
        ("efficiency", {"optional": [{"args": {}}]}, "optional", "wrong-value"),
        ("worked", {"worked": [{"name": "x", "status": "fine"}]}, "worked", "wrong-value"),
        ("budget", {"tool_calls": -1}, "tool_calls", "wrong-value"),
        ("rouge", {"type": 3}, "type", "wrong-value"),
        ("rouge", {"statistics": "P"}, "statistics", "misspelt-key"),
        ("grounding", {"kinds": ["numbers"]}, "kinds", "wrong-value"),
        ("grounding", {"identifiers": ["("]}, "identifiers[0]", "bad-pattern"),
        ("grounding", {"ignored": ["x"]}, "ignored", "misspelt-key"),
        ("response_checks", {"number": {"tolerance": 1}}, "number", "wrong-value"),
        ("response_checks", {"regex": ["("]}, "regex[0]", "bad-pattern"),
        ("budget", {"dollars": 1}, "dollars", "unread-key"),
    ],
)
def test_what_a_criterion_says_of_calls_is_checked(metric, option, path, rule):
    given = {"criteria": {metric: {"threshold": 1.0, **option}}}
    (problem,) = config.parse(json.dumps(given), file="c.json").problems

    assert (problem.rule, problem.path) == (rule, f"$.criteria.{metric}.{path}")


RUBRICS = [
    {"rubric_id": "a", "rubric_content": {"text_property": "It names the lag."}},
    {"rubricId": "b", "rubricContent": {"textProperty": "It is short."}},
    {"rubric_id": "c", "check": {"route": ["kafka_health"]}},
]


def test_rubrics_of_ours_may_have_checks_and_a_judge():
    options = {"rubrics": RUBRICS, "judge_model_options": {"judge_model": "gemini-2.5-pro", "num_samples": 1}}
    loaded = config.parse(json.dumps({"criteria": {"rubric": {"threshold": 1.0, **options}}}), file="c")
    assert loaded.problems == ()
    assert loaded.value.criteria[0].options == options


@pytest.mark.parametrize(
    ("option", "path", "rule"),
    [
        ({"rubrics": "short"}, "rubrics", "wrong-value"),
        ({"rubrics": [{"rubric_id": "a"}]}, "rubrics", "wrong-value"),
        ({"rubrics": [{"rubric_id": "a", "check": {"regex": "x"}}]}, "rubrics", "wrong-value"),
        (
            {"rubrics": [{"rubric_id": "a", "check": {"response": {"regex": "("}}}]},
            "rubrics[0].check.response.regex",
            "bad-pattern",
        ),
        ({"rubrics": [RUBRICS[0], RUBRICS[0]]}, "rubrics[1]", "duplicate-rubric"),
        ({"judge_model_options": {"model": "x"}}, "judge_model_options", "wrong-value"),
        ({"rubric": RUBRICS}, "rubric", "misspelt-key"),
    ],
)
def test_what_is_no_rubric_of_ours_is_a_problem(option, path, rule):
    loaded = config.parse(json.dumps({"criteria": {"rubric": {"threshold": 1.0, **option}}}), file="c")
    assert [(problem.rule, problem.path) for problem in loaded.problems] == [(rule, f"$.criteria.rubric.{path}")]


def test_an_option_of_a_metric_that_has_none_is_read_by_nobody():
    loaded = config.parse('{"criteria": {"evidence_touched": {"threshold": 1, "window": 3}}}', file="c")
    [problem] = loaded.problems
    assert (problem.rule, problem.path) == ("unread-key", "$.criteria.evidence_touched.window")
    assert problem.hint == "remove it: this metric has no options of its own"
    assert config.parse('{"criteria": {"evidence_touched": {"threshold": 1}}}', file="c").problems == ()
