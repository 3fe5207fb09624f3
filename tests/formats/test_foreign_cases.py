"""Files of other evaluators under the name of an evalset or a config: one problem that says what they are."""

import json

import pytest

from evalkit.formats import config as config_format, evalset as evalset_format
from evalkit.formats.edits import apply_fixes

PROMPT = {"role": "user", "parts": [{"text": "How far behind is orders?"}]}


def problems_of_evalset(value):
    return evalset_format.parse(json.dumps(value), file="lag.evalset.json").problems


def problems_of_config(value):
    return config_format.parse(json.dumps(value), file="test_config.json").problems


def test_a_dataset_for_vertex_ai_is_told_as_one_and_left_as_it_is():
    (problem,) = problems_of_evalset({"eval_cases": [{"eval_case_id": "lag", "prompt": PROMPT}]})
    assert (problem.rule, problem.path, problem.fixes) == ("wrong-kind", "$.eval_cases", ())
    assert (
        problem.message == "this is a dataset for Vertex AI's evaluation service, as agents-cli has it, not an evalset"
    )


def test_cases_that_have_nothing_of_adks_are_one_problem_with_what_they_have():
    cases = [{"id": "lag", "input": "How far?"}, {"id": "b", "expected_keywords": ["75"]}]
    (problem,) = problems_of_evalset({"test_cases": cases})
    said = "this is a list of cases of another format, with `id`, `input` and `expected_keywords`, not an evalset"
    assert (problem.rule, problem.path, problem.message) == ("wrong-kind", "$.test_cases", said)


@pytest.mark.parametrize("case", [{"eval_id": "a", "prompt": "How far?"}, {"eval_case_id": "a", "conversation": []}])
def test_a_case_that_is_partly_adks_is_told_key_by_key(case):
    assert "wrong-kind" not in [problem.rule for problem in problems_of_evalset({"eval_cases": [case]})]


def test_a_bare_list_of_foreign_cases_is_not_wrapped_into_an_evalset():
    (problem,) = problems_of_evalset([{"eval_id": "a", "turns": [{"user_input": "How far?"}]}])
    assert problem.message.endswith("and the cases have no `conversation`, but `turns`")
    assert problem.fixes == ()


@pytest.mark.parametrize(
    ("config", "hint"),
    [
        (
            {"metrics_to_run": ["safety_v1", "hallucinations_v1", "tone"]},
            'write "criteria": {"safety_v1": 0.8, "hallucinations_v1": 0.8}, each metric with its threshold',
        ),
        (
            {"metrics": {"faithfulness": {"threshold": 0.9}}},
            'write "criteria": {"tool_trajectory_avg_score": 1.0}, each metric with its threshold',
        ),
        (
            {"metrics": {"safety_v1": {"weight": 0.4}}},
            'write "criteria": {"safety_v1": 0.8}, each metric with its threshold',
        ),
    ],
)
def test_criteria_under_another_name_are_renamed_only_where_that_makes_criteria_of_them(config, hint):
    (problem,) = problems_of_config(config)
    assert (problem.rule, problem.hint, problem.fixes) == ("unknown-key", hint, ())
    assert problem.message.startswith("nothing would be judged: unknown key ")


@pytest.mark.parametrize("held", [{"safety_v1": 0.9}, {"safety_v1": {"threshold": 0.9}}])
def test_criteria_that_only_have_another_name_are_mended(held):
    (problem,) = problems_of_config({"metrics": held})
    assert (problem.hint, len(problem.fixes)) == ("write `criteria`", 1)


def test_what_else_is_wrong_with_an_unknown_metric_is_not_told():
    criteria = {"tone": {"weight": 0.5}, "wit": 0.5, "safety_v1": 0.9, "response_quality": 0.8}
    found = [(problem.path, problem.message, problem.hint) for problem in problems_of_config({"criteria": criteria})]
    near = (
        "did you mean `rubric_based_final_response_quality_v1`, with its rubrics? Or define it under `custom_metrics`"
    )
    own = "write a metric that ADK has, or define it under `custom_metrics`"
    assert found == [
        ("$.criteria.response_quality", "ADK judges nothing by the unknown metric `response_quality`", near),
        ("$.criteria.tone", "ADK judges nothing by the unknown metrics `tone` and `wit`", own),
    ]


def test_a_misspelt_key_is_not_renamed_where_its_value_is_of_another_type():
    criteria = {"rubric_based_tool_use_quality_v1": {"rubric": "The agent should ask first."}}
    misspelt, needed = problems_of_config({"criteria": criteria})
    assert needed.message == "a criterion with rubrics needs `threshold`"
    assert (misspelt.hint, misspelt.fixes) == ("did you mean `rubrics`?", ())


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (["a", "b"], ": as one conversation of 2 turns, though each item has a `name` as if it were a case"),
        (["a", "a"], " and `adk eval` does not"),
    ],
)
def test_a_flat_list_of_named_items_is_told_to_be_one_conversation(names, told):
    items = [{"name": name, "query": "How far?", "expected_tool_use": [], "reference": "75."} for name in names]
    (form,) = problems_of_evalset(items)
    assert form.rule == "legacy-form"
    assert form.message.endswith(told)
    assert "once $[0].name and 1 more like it are gone or mended: nothing reads them" in form.hint


def test_one_case_that_is_the_whole_file_gets_an_evalset_around_it():
    case = {"eval_id": "lag", "conversation": [{"user_content": PROMPT}]}
    (problem,) = problems_of_evalset(case)
    assert (problem.rule, problem.message) == ("wrong-kind", "this is one case without the evalset around it")
    assert json.loads(apply_fixes(json.dumps(case), problem.fixes)) == {"eval_set_id": "lag", "eval_cases": [case]}


@pytest.mark.parametrize("value", [{"cases": [{}]}, {"eval_set_id": "x", "tests": [{}, {}]}])
def test_empty_cases_are_no_cases_of_another_format(value):
    assert "wrong-kind" not in [problem.rule for problem in problems_of_evalset(value)]


def test_a_case_with_a_user_beside_it_is_still_a_case():
    case = {"eval_id": "lag", "conversation": [{"user_content": PROMPT}], "user_id": "u"}
    assert problems_of_evalset(case)[0].message == "this is one case without the evalset around it"
