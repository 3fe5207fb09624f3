from dataclasses import replace

import pytest

from evalkit.cases import (
    Budget,
    CallPattern,
    Case,
    CaseSet,
    Config,
    Criterion,
    Expectation,
    Message,
    ResponseRule,
    Step,
    ToolReply,
    TrajectoryRule,
    Turn,
)
from evalkit.lint import lint_cases

TURN = Turn(index=0, user=Message(parts=({"text": "hi"},)), where="$.eval_cases[0].conversation[0]")
CASE = Case(eval_id="a", turns=(TURN,), where="$.eval_cases[0]", line=3)
RUBRIC = {"rubric_id": "r", "rubric_content": {"text_property": "x"}}


def a_set(*cases, name="kafka", file=""):
    return CaseSet(eval_set_id=name, cases=cases or (CASE,), file=file)


def with_turn(**changes):
    return replace(CASE, turns=(replace(TURN, **changes),))


def found(cases, *criteria):
    config = Config(criteria=criteria, origin="test_config.json") if criteria else None
    return [(problem.rule, problem.path) for problem in lint_cases(cases, config)]


def test_a_plain_set_is_clean():
    assert found(a_set()) == []


def test_a_repeated_id_names_both_cases():
    second = replace(CASE, where="$.eval_cases[1]", line=9)
    (problem,) = lint_cases(a_set(CASE, second))
    assert (problem.rule, problem.path) == ("duplicate-id", "$.eval_cases[1].eval_id")
    assert problem.message == "the id `a` is that of $.eval_cases[0] in line 3 too"


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "a\\b", "C:x", "a\0"])
def test_a_set_id_that_adk_cannot_save_under_is_an_error(name):
    assert found(a_set(name=name)) == [("unsafe-set-id", "$.eval_set_id")]


def test_mocks_that_are_not_there_are_an_error(tmp_path):
    (tmp_path / "there.yaml").touch()
    cases = (replace(CASE, mocks="there.yaml"), replace(CASE, eval_id="b", mocks="gone.yaml", where="$.eval_cases[1]"))
    assert found(a_set(*cases, file=str(tmp_path / "a.evalset.json"))) == [
        ("missing-mocks", "$.eval_cases[1].evalkit.mocks")
    ]


def test_an_answer_to_a_confirmation_without_an_id_is_noted():
    response = {"name": "adk_request_confirmation", "response": {"confirmed": True}}
    without_id = with_turn(user=Message(parts=({"function_response": response},)))
    (problem,) = lint_cases(a_set(without_id))
    assert (problem.rule, problem.severity) == ("adk-cannot-play", "note")
    with_id = with_turn(user=Message(parts=({"function_response": response | {"id": "1"}},)))
    assert found(a_set(with_id)) == []


REFERENCES = [
    ("tool_trajectory_avg_score", with_turn(steps=())),
    ("trajectory_f1", with_turn(steps=(Step(),))),
    ("response_match_score", with_turn(final=Message(parts=({"text": "x"},)))),
    ("final_response_match_v2", with_turn(final=Message(parts=({"text": "x"},)))),
    ("per_turn_user_simulator_quality_v1", replace(CASE, turns=None, scenario={"starting_prompt": "x"})),
    ("forbid", with_turn(expect=Expectation(trajectory=TrajectoryRule(forbid=(CallPattern(name="x"),))))),
    ("blocked", with_turn(expect=Expectation(trajectory=TrajectoryRule(blocked=(CallPattern(name="x"),))))),
    ("response", with_turn(expect=Expectation(response=ResponseRule(contains=("x",))))),
    ("state", with_turn(expect=Expectation(state={"x": 1}))),
    ("state", replace(CASE, final_state={"x": 1})),
    ("route", with_turn(expect=Expectation(route=()))),
    ("route", with_turn(steps=())),
    ("intermediate_responses", with_turn(steps=(Step(message=Message(parts=({"text": "x"},))),))),
    ("tool_responses", with_turn(steps=(Step(replies=(ToolReply(name="x", response={}),)),))),
    ("budget", with_turn(expect=Expectation(budget=Budget(tool_calls=1)))),
]


@pytest.mark.parametrize(("metric", "case"), REFERENCES, ids=[metric for metric, _ in REFERENCES])
def test_a_criterion_needs_one_case_with_what_it_compares_with(metric, case):
    criterion = Criterion(name=metric, threshold=1.0)
    assert found(a_set(), criterion) == [("criterion-judges-nothing", f"$.criteria.{metric}")]
    assert found(a_set(CASE, replace(case, eval_id="b")), criterion) == []


@pytest.mark.parametrize("metric", ["safety_v1", "hallucinations_v1", "replay", "grounding"])
def test_a_criterion_that_compares_with_nothing_judges_any_case(metric):
    assert found(a_set(), Criterion(name=metric, threshold=1.0)) == []


@pytest.mark.parametrize(
    "criterion",
    [
        Criterion(name="response_match_score", threshold=0.8, gate=False),
        Criterion(name="response_match_score", threshold=0.8, custom_function="mine.score"),
    ],
    ids=["informative", "the user's own"],
)
def test_what_gates_nothing_or_is_the_users_own_needs_no_reference(criterion):
    assert found(a_set(), criterion) == []


def test_adks_defaults_are_nobodys_wish():
    config = Config(criteria=(Criterion(name="response_match_score", threshold=0.8),), origin="ADK's defaults")
    assert lint_cases(a_set(), config) == ()


@pytest.mark.parametrize(
    ("case", "options", "rules"),
    [
        (CASE, {}, ["missing-rubrics"]),
        (CASE, {"rubrics": [RUBRIC]}, []),
        (replace(CASE, rubrics=(RUBRIC,)), {}, []),
        (with_turn(rubrics=(RUBRIC,)), {}, []),
    ],
    ids=["nowhere", "in the criterion", "in the case", "in the turn"],
)
def test_rubrics_stand_in_the_criterion_the_case_or_the_turn(case, options, rules):
    criterion = Criterion(name="rubric_based_tool_use_quality_v1", threshold=0.8, options=options)
    assert [rule for rule, _ in found(a_set(case), criterion)] == rules


@pytest.mark.parametrize(
    ("metric", "threshold", "odd"),
    [
        ("safety_v1", 1.0, False),
        ("safety_v1", 0.01, False),
        ("safety_v1", 1.01, True),
        ("safety_v1", 0.0, True),
        ("response_evaluation_score", 4.5, False),
        ("response_evaluation_score", 0.8, True),
        ("mine", 80.0, False),
    ],
)
def test_a_threshold_outside_the_metrics_range_is_a_warning(metric, threshold, odd):
    expected = [("odd-threshold", f"$.criteria.{metric}")] if odd else []
    assert found(a_set(), Criterion(name=metric, threshold=threshold)) == expected
