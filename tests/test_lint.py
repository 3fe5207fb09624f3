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
    ListForm,
    Message,
    ResponseRule,
    Step,
    ToolCall,
    ToolReply,
    TrajectoryRule,
    Turn,
)
from evalkit.errors import Add, Replace
from evalkit.expectations import RubricRule
from evalkit.formats.config import ADK_DEFAULTS
from evalkit.lint import lint_cases, lint_criteria, lint_sets

TURN = Turn(index=0, user=Message(parts=({"text": "hi"},)), where="$.eval_cases[0].conversation[0]")
CASE = Case(eval_id="a", turns=(TURN,), where="$.eval_cases[0]", line=3)
RUBRIC = {"rubric_id": "r", "rubric_content": {"text_property": "x"}, "type": "TOOL_USE_QUALITY"}


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
    assert problem.message == "the id `a` is that of $.eval_cases[0] in line 3 too; ADK refuses to run the set"


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
    ("trajectory", with_turn(steps=())),
    ("trajectory", with_turn(expect=Expectation(trajectory=TrajectoryRule(any_of=((),))))),
    ("trajectory_f1", with_turn(steps=(Step(),))),
    ("response_match_score", with_turn(final=Message(parts=({"text": "x"},)))),
    ("final_response_match_v2", with_turn(final=Message(parts=({"text": "x"},)))),
    ("per_turn_user_simulator_quality_v1", replace(CASE, turns=None, scenario={"starting_prompt": "x"})),
    ("forbid", with_turn(expect=Expectation(trajectory=TrajectoryRule(forbid=(CallPattern(name="x"),))))),
    ("blocked", with_turn(expect=Expectation(trajectory=TrajectoryRule(blocked=(CallPattern(name="x"),))))),
    ("worked", with_turn(expect=Expectation(trajectory=TrajectoryRule(worked=(CallPattern(name="x"),))))),
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
    with_it = found(a_set(CASE, replace(case, eval_id="b")), criterion)
    assert ("criterion-judges-nothing", f"$.criteria.{metric}") not in with_it


@pytest.mark.parametrize("metric", ["safety_v1", "hallucinations_v1", "replay", "grounding", "efficiency"])
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


def test_a_criterion_with_limits_of_its_own_needs_none_in_the_cases():
    assert found(a_set(), Criterion(name="budget", threshold=1.0, options={"tool_calls": 5})) == []
    how = Criterion(name="trajectory", threshold=1.0, options={"order": "in_order"})
    assert found(a_set(), how) == [("criterion-judges-nothing", "$.criteria.trajectory")]


def test_rubrics_with_a_check_are_enough_for_a_criterion():
    criterion = Criterion(name="rubric", threshold=1.0)
    checked = Expectation(rubrics=(RubricRule(rubric_id="r", check=Expectation(route=("lag",))),))
    assert found(a_set(with_turn(expect=checked)), criterion) == []
    assert found(a_set(), criterion) == [("missing-rubrics", "$.criteria.rubric")]


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
        (replace(CASE, rubrics=(RUBRIC | {"type": None},)), {}, ["missing-rubrics"]),
        (replace(CASE, rubrics=(RUBRIC,)), {"rubrics": [RUBRIC]}, ["duplicate-rubric"]),
    ],
    ids=["nowhere", "in the criterion", "in the case", "in the turn", "of another type", "twice"],
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
    config = Config(criteria=(Criterion(name=metric, threshold=threshold),), origin="c")
    expected = [("odd-threshold", f"$.criteria.{metric}")] if odd else []
    assert [(problem.rule, problem.path) for problem in lint_criteria(config)] == expected


def flat_call(**changes):
    return with_turn(steps=(Step(calls=(ToolCall(name="f", where="$.t[0]", **changes),)),))


def test_a_call_without_arguments_is_warned_of_and_can_be_mended():
    (problem,) = lint_cases(a_set(flat_call(extra={"args": None})), Config(criteria=(), origin="c"))
    assert (problem.rule, problem.severity, problem.path) == ("missing-args", "warning", "$.t[0]")
    assert problem.fixes == (Replace(("t", 0, "args"), {}), Add(("t", 0), "args", {}))


@pytest.mark.parametrize(
    ("case", "options"),
    [
        (flat_call(args={}), {}),
        (flat_call(extra={"args": None}), {"ignore_args": True}),
        (replace(CASE, turns=(replace(flat_call(extra={"args": None}).turns[0], layout="events"),)), {}),
    ],
    ids=["empty ones", "ignored ones", "as ADK recorded it"],
)
def test_arguments_that_nobody_misses_are_left_alone(case, options):
    criterion = Criterion(name="tool_trajectory_avg_score", threshold=1.0, options=options)
    assert found(a_set(case), criterion) == []


def test_a_turn_without_what_others_are_compared_with_is_a_warning():
    second = replace(TURN, index=1, where="$.eval_cases[0].conversation[1]", final=Message(parts=({"text": "x"},)))
    criteria = [Criterion(name=name, threshold=0.8) for name in ("response_match_score", "final_response_match_v2")]
    config = Config(criteria=tuple(criteria), origin="test_config.json")
    (problem,) = lint_cases(a_set(replace(CASE, turns=(TURN, second))), config)
    assert (problem.rule, problem.path) == ("missing-reference", "$.eval_cases[0].conversation[0]")
    assert "no `final_response` for `response_match_score` and `final_response_match_v2`" in problem.message


def test_a_state_that_only_evalkit_looks_at_is_noted():
    (problem,) = lint_cases(a_set(replace(CASE, final_state={"x": 1})))
    assert (problem.rule, problem.severity) == ("adk-never-reads", "note")


def a_list(kind="flat", first_turn=("query", "expected_tool_use", "reference")):
    return replace(a_set(), form=ListForm(kind=kind, first_turn=frozenset(first_turn)))


@pytest.mark.parametrize(
    ("cases", "metric", "refused"),
    [
        (a_list(), "response_match_score", False),
        (a_list(), "safety_v1", False),
        (a_list(), "hallucinations_v1", True),
        (a_list(first_turn=["query", "expected_tool_use"]), "response_match_score", True),
        (a_list(first_turn=["query", "reference"]), "tool_trajectory_avg_score", True),
        (a_list(first_turn=["query"]), "response_evaluation_score", False),
        (a_list("wrapped"), "hallucinations_v1", False),
    ],
)
def test_a_flat_list_is_refused_with_criteria_that_agent_evaluator_refuses(cases, metric, refused):
    config = Config(criteria=(Criterion(name=metric, threshold=0.8),), origin=ADK_DEFAULTS)
    expected = [("legacy-form", "$", "error")] if refused else []
    assert [(problem.rule, problem.path, problem.severity) for problem in lint_cases(cases, config)] == expected


@pytest.mark.parametrize(
    ("files", "severity"),
    [
        (("d/a.evalset.json", "d/b.evalset.json"), "error"),
        (("d/a.test.json", "d/b.evalset.json"), "error"),
        (("d/a.test.json", "d/b.test.json"), "warning"),
        (("d/a.evalset.json", "e/a.evalset.json"), None),
    ],
)
def test_two_sets_of_a_folder_have_different_ids(files, severity):
    problems = [*lint_sets(a_set(file=file) for file in files)]
    assert [(problem.file, problem.severity) for problem in problems] == ([(files[1], severity)] if severity else [])


def test_the_ids_of_lists_are_made_of_their_names():
    assert [*lint_sets([a_list(), a_list()])] == []
