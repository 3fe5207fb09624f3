import json

import pytest
from google.adk.evaluation.eval_config import EvalConfig

from evalkit.cases import Config, Criterion
from evalkit.formats import config as config_format


def load(value):
    loaded = config_format.parse(json.dumps(value), file="test_config.json")
    assert loaded.value is not None, loaded.problems
    return loaded.value


def criterion(given, name="tool_trajectory_avg_score"):
    (found,) = load({"criteria": {name: given}}).criteria
    return found


@pytest.mark.parametrize("given", [0.5, "0.5", " 5e-1 ", {"threshold": 0.5}, {"threshold": "0.5"}])
def test_a_threshold_is_a_number_in_every_form_that_adk_takes(given):
    assert criterion(given) == Criterion(name="tool_trajectory_avg_score", threshold=0.5)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("EXACT", "EXACT"),
        (" in order ", "IN_ORDER"),
        ("Any-Order", "ANY_ORDER"),
        (0, "EXACT"),
        (1, "IN_ORDER"),
        (2.0, "ANY_ORDER"),
        (True, "IN_ORDER"),
    ],
)
@pytest.mark.parametrize("key", ["match_type", "matchType"])
def test_a_match_type_is_coerced_as_adk_does(key, given, expected):
    assert criterion({"threshold": 1, key: given}).options == {"match_type": expected}


@pytest.mark.parametrize("given", ["INORDER", "IN__ORDER", "1", 3, -1, None])
def test_a_match_type_that_adk_refuses_is_an_error(given):
    text = json.dumps({"criteria": {"tool_trajectory_avg_score": {"threshold": 1, "match_type": given}}})
    (problem,) = config_format.parse(text, file="f").problems
    assert problem.path == "$.criteria.tool_trajectory_avg_score.match_type"


def test_options_are_in_snake_case_and_have_their_types():
    given = {
        "threshold": 0.8,
        "judgeModelOptions": {"judgeModel": "m", "numSamples": "3", "judgeModelConfig": {"topP": 0.5}},
        "rubrics": [{"rubricId": "r", "rubricContent": {"textProperty": "Names the cause."}}],
        "includeIntermediateResponsesInFinal": "yes",
    }
    assert criterion(given, "rubric_based_final_response_quality_v1").options == {
        "judge_model_options": {"judge_model": "m", "num_samples": 3, "judge_model_config": {"top_p": 0.5}},
        "rubrics": [{"rubric_id": "r", "rubric_content": {"text_property": "Names the cause."}}],
        "include_intermediate_responses_in_final": True,
    }


def test_a_criterion_without_a_gate_informs():
    assert criterion({"threshold": 1, "gate": False}) == Criterion(
        name="tool_trajectory_avg_score", threshold=1.0, gate=False
    )


def test_criteria_keep_the_order_of_the_file():
    names = ["response_match_score", "replay", "safety_v1", "grounding"]
    assert [found.name for found in load({"criteria": dict.fromkeys(names, 0.5)}).criteria] == names


@pytest.mark.parametrize("keys", [("custom_metrics", "code_config"), ("customMetrics", "codeConfig")])
def test_a_custom_metric_brings_its_function_and_is_free_in_its_options(keys):
    metrics, code = keys
    config = load({"criteria": {"mine": {"threshold": 1, "Depth": 3}}, metrics: {"mine": {code: {"name": "a.b"}}}})
    assert config.criteria == (Criterion(name="mine", threshold=1.0, custom_function="a.b", options={"Depth": 3}),)


def test_a_prebuilt_metric_may_be_defined_anew():
    config = load(
        {
            "criteria": {"tool_trajectory_avg_score": {"threshold": 1, "match_type": "fuzzy", "depth": 2}},
            "custom_metrics": {"tool_trajectory_avg_score": {"code_config": {"name": "a.b"}}},
        }
    )
    assert config.criteria[0].options == {"match_type": "fuzzy", "depth": 2}


def test_the_rest_of_a_config_is_kept():
    config = load(
        {
            "criteria": {"response_match_score": 0.8},
            "userSimulatorConfig": {"maxAllowedInvocations": "3"},
            "_comment": "nightly",
        }
    )
    assert config.extra == {"user_simulator_config": {"max_allowed_invocations": 3}, "_comment": "nightly"}


def test_an_unknown_metric_is_an_error_that_names_the_nearest():
    (problem,) = config_format.parse('{"criteria": {"tool_trajectory_score": 1.0}}', file="f").problems
    assert (problem.rule, problem.severity, problem.line) == ("unknown-metric", "error", 1)
    assert problem.hint == "did you mean `tool_trajectory_avg_score`? Or define it under `custom_metrics`"


@pytest.mark.parametrize(
    "value", [{}, {"criteria": {}}, {"_comment": "later"}, {"criterion": {"response_match_score": 1}}]
)
def test_a_config_without_criteria_is_an_error(value):
    loaded = config_format.parse(json.dumps(value), file="f")
    assert loaded.value is None
    assert {problem.rule for problem in loaded.problems} <= {"no-criteria", "unknown-key"}


def test_the_config_beside_an_evalset_is_the_one_that_applies(write):
    write("evals/test_config.json", {"criteria": {"safety_v1": 1}})
    loaded = config_format.config_for(write("evals/a.evalset.json", "{}"))
    assert loaded.value.origin.endswith("evals/test_config.json")
    assert [found.name for found in loaded.value.criteria] == ["safety_v1"]


def test_without_a_config_adks_defaults_apply(write):
    assert config_format.config_for(write("evals/a.evalset.json", "{}")).value == Config(
        criteria=(
            Criterion(name="tool_trajectory_avg_score", threshold=1.0),
            Criterion(name="response_match_score", threshold=0.8),
        ),
        origin="ADK's defaults",
    )


def test_instructions_of_a_simulator_must_be_a_template():
    text = json.dumps({"criteria": {"safety_v1": 1}, "user_simulator_config": {"customInstructions": "{{ oops"}})
    (problem,) = config_format.parse(text, file="f").problems
    assert problem.path == "$.user_simulator_config.customInstructions"
    assert problem.message.startswith("not a Jinja template: ")


def refused(value):
    """The first error of a config, without its place."""
    problems = config_format.parse(json.dumps(value), file="f").problems
    return next((f"{problem.path}: {problem.message}" for problem in problems if problem.severity == "error"), None)


@pytest.mark.parametrize("given", [None, 9, [], {}, "never", 1.5])
def test_a_match_type_of_a_metric_that_has_none_is_unread_whatever_it_is(given):
    loaded = config_format.parse(
        json.dumps({"criteria": {"response_match_score": {"threshold": 1, "match_type": given}}}), file="f"
    )
    assert loaded.value is not None
    assert [problem.rule for problem in loaded.problems] == ["unread-key"]


@pytest.mark.parametrize("given", [10**400, -(10**400)])
@pytest.mark.parametrize("wrap", [lambda number: number, lambda number: {"threshold": number}])
def test_a_threshold_beyond_all_numbers_is_an_error(wrap, given):
    assert "must be a" in refused({"criteria": {"response_match_score": wrap(given)}})


def samples(number):
    options = {"judge_model": "m", "num_samples": number}
    return {"criteria": {"final_response_match_v2": {"threshold": 1, "judge_model_options": options}}}


@pytest.mark.parametrize("number", [0, -1, 0.0, False, "0", "00", "+0", "-1", "0.0", "1.", "x", None, "9" * 4301])
def test_a_number_of_samples_that_adk_refuses_is_an_error(number):
    assert "must be a whole number" in refused(samples(number))


@pytest.mark.parametrize(("number", "read"), [(1, 1), (True, 1), ("1", 1), (" 2 ", 2), ("1.0", 1), ("1_0", 10)])
def test_a_number_of_samples_is_a_number_in_every_form_that_adk_takes(number, read):
    (found,) = load(samples(number)).criteria
    assert found.options["judge_model_options"]["num_samples"] == read


@pytest.mark.parametrize(
    ("inside", "said"),
    [
        ({"http_options": {"time_out": 5}}, "unknown key `time_out` in HTTP options"),
        ({"http_options": {"httpx_client": "mine"}}, "must be null, not a string"),
        ({"speech_config": {"voice_config": {"voiceName": "x"}}}, "unknown key `voiceName` in a voice config"),
        ({"tool_config": {"functionCallingConfig": {"mode": 5}}}, "must be a string, not a number"),
        ({"tools": {}}, "must be a list, not an object"),
    ],
)
def test_what_stands_deep_in_a_models_config_is_checked_too(inside, said):
    value = {"criteria": {"m": 1}, "custom_metrics": {"m": {"code_config": {"name": "a.b"}}}}
    assert said in refused(value | {"user_simulator_config": {"model_configuration": inside}})


def test_keys_of_the_simulator_that_speaks_are_free_in_the_other():
    value = {"criteria": {"response_match_score": 1}}
    odd = {"audio_model_configuration": {"nonsense": 1}}
    assert refused(value | {"user_simulator_config": odd}) is None
    assert "nonsense" in refused(value | {"user_simulator_config": odd | {"type": "llm_audio"}})


@pytest.mark.parametrize("inside", ["1", "{}"])
def test_a_config_is_too_deep_where_it_is_for_adk(inside):
    """ADK's parser reads 201 levels, of which the last may have nothing in it."""
    taken = []
    for depth in (195, 196, 197, 198):
        deep = '{"a":' * depth + inside + "}" * depth
        text = f'{{"criteria": {{"response_match_score": {{"threshold": 1, "_x": {deep}}}}}}}'
        problems = config_format.parse(text, file="f").problems
        taken.append("too-deep" not in {problem.rule for problem in problems})
        try:
            EvalConfig.model_validate_json(text)
        except ValueError:
            assert not taken[-1], depth
        else:
            assert taken[-1], depth
    assert set(taken) == {True, False}


@pytest.mark.parametrize(
    ("criteria", "told"),
    [
        (
            {"tool_trajectory_avg_score": 1.0, "match_type": "IN_ORDER"},
            ("match_type", 'write "tool_trajectory_avg_score": {"threshold": …, "match_type": …}'),
        ),
        ({"safety_v1": 0.9, "threshold": 0.8}, ("threshold", 'write "safety_v1": {"threshold": …}')),
        (
            {"final_response_match_v2": 0.9, "num_samples": 3},
            (
                "num_samples",
                'write "final_response_match_v2": {"threshold": …, "judge_model_options": {"num_samples": …}}',
            ),
        ),
        ({"metrics": {"response_match_score": 0.8}}, ("metrics", "move them up, into `criteria`")),
    ],
)
def test_what_stands_among_the_metrics_and_is_none_is_one_problem_that_says_where_it_belongs(criteria, told):
    key, hint = told
    (problem,) = config_format.parse(json.dumps({"criteria": criteria}), file="test_config.json").problems
    assert (problem.rule, problem.path, problem.hint) == ("unknown-metric", f"$.criteria.{key}", hint)


def test_a_value_that_is_wrong_in_two_ways_is_told_once():
    options = {"judge_model_options": {"num_samples": "five"}}
    config = {"criteria": {"final_response_match_v2": {"threshold": 0.8, **options}}}
    (problem,) = config_format.parse(json.dumps(config), file="test_config.json").problems
    assert problem.message == 'must be a whole number of at least 1, not "five"'


def test_what_belongs_beside_the_criteria_is_sent_there():
    config = {"criteria": {"safety_v1": 0.9, "user_simulator_config": {"model": "gemini-2.5-flash"}}}
    (problem,) = config_format.parse(json.dumps(config), file="test_config.json").problems
    assert (problem.rule, problem.path) == ("unknown-metric", "$.criteria.user_simulator_config")
    assert problem.hint == "move it up, beside `criteria`"


@pytest.mark.parametrize("name", ["mine.metrics:cost", "cost", "./metrics.py", "mine.cost()", "mine.2nd"])
def test_a_function_that_adk_cannot_import_is_no_dotted_path(name):
    config = {"criteria": {"m": 1}, "custom_metrics": {"m": {"code_config": {"name": name}}}}
    (problem,) = config_format.parse(json.dumps(config), file="test_config.json").problems
    said = "must be the dotted path of a function, such as my_package.metrics.my_metric"
    assert (problem.path, problem.message) == ("$.custom_metrics.m.code_config.name", f'{said}, not "{name}"')


@pytest.mark.parametrize("name", ["01_agent.metrics.cost", "my-agent.metrics.cost", "über.kosten"])
def test_a_function_in_a_folder_with_a_name_that_python_would_not_write_is_one(name):
    assert load({"criteria": {"m": 1}, "custom_metrics": {"m": {"code_config": {"name": name}}}})
