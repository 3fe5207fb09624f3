"""The schemas against the models and the validator that they stand in for."""

import json
import random
from collections.abc import Iterator
from typing import get_args

import jsonschema
import pytest
from google.adk.evaluation import eval_config, eval_metrics, eval_rubrics, eval_set
from google.adk.evaluation.simulation import pre_built_personas, user_simulator_personas
from google.adk.evaluation.simulation.llm_backed_user_simulator import LlmBackedUserSimulatorConfig
from google.genai import types
from pydantic import BaseModel

from evalkit.formats.faults import load_schema
from evalkit.formats.json_text import parse_json
from evalkit.formats.metrics import METRICS
from evalkit.formats.validation import schema_problems

EVALSET, CONFIG = load_schema("evalset"), load_schema("config")


def models_below(model: type[BaseModel]) -> Iterator[type[BaseModel]]:
    """Every model that a model's fields lead to, itself included."""
    seen: dict[type[BaseModel], None] = {}
    todo: list[object] = [model]
    while todo:
        kind = todo.pop()
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            if kind not in seen:
                seen[kind] = None
                todo += [field.annotation for field in kind.model_fields.values()]
        else:
            todo += get_args(kind)
    return iter(seen)


MODELS = [
    *((EVALSET, model) for model in models_below(eval_set.EvalSet)),
    *((CONFIG, model) for model in models_below(eval_config.CustomMetricConfig)),
    (CONFIG, eval_config.EvalConfig),
    (CONFIG, eval_metrics.JudgeModelOptions),
    (CONFIG, eval_metrics.ToolTrajectoryCriterion),
    (CONFIG, eval_metrics.HallucinationsCriterion),
    (CONFIG, eval_rubrics.Rubric),
    (CONFIG, types.GenerateContentConfig),
    (CONFIG, types.ThinkingConfig),
    (CONFIG, types.SafetySetting),
]

NAMES = {"EvalSet": "", "EvalConfig": "", "CustomMetricConfig": "CustomMetric"}
OURS = {"evalkit", "gate", "invocation_index", "invocationIndex", "tool_use_index", "toolUseIndex"}
"""Keys of the schemas that no model has: evalkit's own, and what ADK's editor leaves in events."""


@pytest.mark.parametrize(("schema", "model"), MODELS, ids=[model.__name__ for _, model in MODELS])
def test_a_definition_has_the_keys_of_adks_model(schema, model):
    name = NAMES.get(model.__name__, model.__name__)
    definition = schema["$defs"][name] if name else schema
    aliases = {field.validation_alias or name for name, field in model.model_fields.items()}
    assert set(definition["properties"]) - OURS == set(model.model_fields) | aliases
    forbidden = model.model_config.get("extra") == "forbid"
    assert forbidden == (definition["additionalProperties"] is False and not definition.get("x-unread"))


def test_user_simulators_have_their_keys():
    fields = LlmBackedUserSimulatorConfig.model_fields
    assert set(fields) <= set(CONFIG["$defs"]["UserSimulator"]["properties"])


def test_personas_are_adks():
    named = EVALSET["$defs"]["ConversationScenario"]["properties"]["user_persona"]["else"]["then"]["enum"]
    registered = pre_built_personas.get_default_persona_registry().get_registered_personas()
    assert set(named) == {persona.id for persona in registered}
    fields = set(user_simulator_personas.UserBehavior.model_fields)
    assert fields == set(EVALSET["$defs"]["UserBehavior"]["properties"])


def test_metrics_are_adks_and_ours():
    prebuilt = {metric.value for metric in eval_metrics.PrebuiltMetrics}
    assert {name for name, metric in METRICS.items() if metric.kind != "evalkit"} == prebuilt
    informational = {name for name, metric in METRICS.items() if metric.kind == "adk-informational"}
    assert set(CONFIG["properties"]["criteria"]["properties"]) == prebuilt - informational


@pytest.mark.parametrize("name", ["evalset", "config", "mocks"])
def test_a_schema_is_valid_and_its_references_lead_somewhere(name):
    schema = load_schema(name)
    jsonschema.Draft202012Validator.check_schema(schema)
    for reference in {line.split('"')[3] for line in json.dumps(schema, indent=1).splitlines() if '"$ref"' in line}:
        target = schema
        for step in reference.removeprefix("#/").split("/"):
            target = target[step]


def test_every_case_needs_an_id_in_either_spelling(evalset, case):
    case["evalId"] = case.pop("eval_id")
    assert schema_problems("evalset", parse_json(json.dumps(evalset), "f").value) == ()


def test_the_fast_validator_agrees_with_the_reference(evalset):
    """Break a good set in 300 random places and compare the verdicts of both engines."""
    reference = jsonschema.Draft202012Validator(EVALSET)
    rng = random.Random(7)  # noqa: S311 - damage that can be repeated, not a secret
    text = json.dumps(evalset)
    for _ in range(300):
        broken = json.loads(text)
        parent, key = rng.choice(list(places(broken)))
        parent[key] = rng.choice([None, True, 1, 1.5, "x", [], {}, [{}], {"x": 1}])
        document = parse_json(json.dumps(broken), "f").value
        assert (schema_problems("evalset", document) == ()) == reference.is_valid(broken), broken


def places(value):
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield value, key
        yield from places(item)
