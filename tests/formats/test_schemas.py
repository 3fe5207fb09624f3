"""The schemas against the models and the validator that they stand in for."""

import json
import random
from collections.abc import Container, Iterator
from typing import get_args

import jsonschema
import pytest
from google.adk.evaluation import eval_config, eval_metrics, eval_rubrics, eval_set
from google.adk.evaluation.simulation import pre_built_personas, user_simulator_personas
from google.genai import types
from pydantic import BaseModel
from pydantic.errors import PydanticInvalidForJsonSchema

from evalkit.formats.faults import is_valid, load_schema
from evalkit.formats.json_text import parse_json
from evalkit.formats.metrics import METRICS
from evalkit.formats.validation import schema_problems

EVALSET, CONFIG = load_schema("evalset"), load_schema("config")


OPEN = {"tools", "system_instruction", "response_schema", "response_json_schema"}
"""Keys of a model's config whose values the schema leaves open: no judge and no simulated user has tools."""


def models_below(model: type[BaseModel], leave_out: Container[str] = ()) -> Iterator[type[BaseModel]]:
    """Every model that a model's fields lead to, itself included."""
    seen: dict[type[BaseModel], None] = {}
    todo: list[object] = [model]
    while todo:
        kind = todo.pop()
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            if kind not in seen:
                seen[kind] = None
                todo += [field.annotation for name, field in kind.model_fields.items() if name not in leave_out]
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
    *((CONFIG, model) for model in models_below(types.GenerateContentConfig, leave_out=OPEN)),
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


DIFFERENT = {
    ("EvalCase", "conversation"): "needed unless there is a scenario, which ADK says in a validator",
    ("ConversationScenario", "user_persona"): "may be the name of a persona, which ADK says in a validator",
    ("FunctionCall", "name"): "optional in genai; a call without a name expects nothing that can happen",
    ("EvalConfig", "criteria"): "optional in ADK, which then judges nothing",
    ("EvalConfig", "user_simulator_config"): "one of several models",
    (
        "ToolTrajectoryCriterion",
        "match_type",
    ): "other spellings and numbers are taken too, which ADK says in a validator",
}
"""Fields of ADK's for which the schemas say something else than the models, and why."""

SCALARS = {
    "number": "number",
    "integer": "integer",
    "positive": "integer",
    "flag": "boolean",
    "bytes": "string",
    "threshold": "number",
}
"""Definitions for scalars, which ADK takes in several forms, and what each becomes."""


def described(model):
    """A model's own JSON Schema, its definition first; None where pydantic cannot write one."""
    try:
        whole = model.model_json_schema(by_alias=False)
    except PydanticInvalidForJsonSchema:
        return None
    return whole, (whole if "properties" in whole else whole["$defs"][model.__name__])


def types_in_adk(whole, node):
    """The JSON types that a field of ADK's takes; empty if it takes any."""
    if "$ref" in node:
        return types_in_adk(whole, whole["$defs"][node["$ref"].rpartition("/")[2]])
    if "anyOf" in node:
        return set().union(*(types_in_adk(whole, option) for option in node["anyOf"]))
    return {"string"} if "const" in node else {node["type"]} if "type" in node else set()


def types_in_ours(schema, node):
    """The JSON types that a field of ours takes; empty if it takes any."""
    if node is True:
        return set()
    reference = node.get("$ref", "").removeprefix("#/$defs/")
    scalar = SCALARS.get(reference.removesuffix("OrNull"))
    if scalar:
        return {scalar} | ({"null"} if reference.endswith("OrNull") or reference == "bytes" else set())
    if reference:
        target = schema
        for step in node["$ref"].removeprefix("#/").split("/"):
            target = target[step]
        return types_in_ours(schema, target)
    kinds = node.get("type", [])
    return {kinds} if isinstance(kinds, str) else set(kinds)


def required_in_ours(definition):
    """The keys that an object needs, in their first spelling."""
    parts = [definition, *definition.get("allOf", ())]
    return {*definition.get("required", ())}.union(*(part.get("then", {}).get("required", ()) for part in parts))


@pytest.mark.parametrize(("schema", "model"), MODELS, ids=[model.__name__ for _, model in MODELS])
def test_each_field_takes_what_adks_model_takes_and_is_needed_where_it_is_there(schema, model):
    found = described(model)
    if found is None:
        assert model.__name__ in {"GenerateContentConfig", "HttpOptions"}, "only their keys can be compared"
        return
    whole, adks = found
    name = NAMES.get(model.__name__, model.__name__)
    ours = schema["$defs"][name] if name else schema
    for field, node in adks["properties"].items():
        takes = types_in_ours(schema, ours["properties"][field])
        needed = (field in required_in_ours(ours), field in adks.get("required", ()))
        same = takes in (set(), types_in_adk(whole, node)) and needed[0] == needed[1]
        assert same != ((model.__name__, field) in DIFFERENT), (field, takes, types_in_adk(whole, node), needed)


def test_user_simulators_have_their_keys():
    kinds = [kind for kind in models_below(eval_config.EvalConfig) if "max_allowed_invocations" in kind.model_fields]
    fields = {name: field for kind in kinds for name, field in kind.model_fields.items()}
    aliases = {field.validation_alias or name for name, field in fields.items()}
    assert len(kinds) == 2
    assert {*fields, *aliases} == set(CONFIG["$defs"]["UserSimulator"]["properties"])


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


@pytest.mark.parametrize("name", ["evalset", "config", "mocks", "legacy", "scenario", "scenarios", "session_input"])
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


GOOD = {
    "config": {
        "criteria": {
            "tool_trajectory_avg_score": {"threshold": 1.0, "match_type": "IN_ORDER"},
            "response_match_score": 0.8,
            "final_response_match_v2": {"threshold": 1, "judge_model_options": {"judge_model": "m", "num_samples": 3}},
        },
        "custom_metrics": {"mine": {"code_config": {"name": "a.b"}}},
        "user_simulator_config": {"type": "llm_backed", "max_allowed_invocations": 3},
    },
    "mocks": {
        "tools": {"f": [{"args": {"a": 1}, "returns": {"b": 2}}, {"raises": {"type": "ValueError", "message": "m"}}]},
        "agents": {"x": {"tools": {"f": [{"sequence": [{"returns": 1}], "repeat_last": True}]}}},
    },
    "legacy": [
        {"name": "a", "data": [{"query": "q", "expected_tool_use": [{"tool_name": "f", "tool_input": {}}]}]},
    ],
}


@pytest.mark.parametrize("name", ["evalset", *GOOD])
def test_the_fast_validator_agrees_with_the_reference(name, evalset):
    """Break a good file in 300 random places and compare the verdicts of both engines."""
    reference = jsonschema.Draft202012Validator(load_schema(name))
    rng = random.Random(7)  # noqa: S311 - damage that can be repeated, not a secret
    text = json.dumps(GOOD.get(name, evalset))
    assert reference.is_valid(json.loads(text))
    for _ in range(300):
        broken = json.loads(text)
        for _ in range(rng.randint(1, 2)):
            parent, key = rng.choice(list(places(broken)))
            parent[key] = rng.choice([None, True, 1, 1.5, -1, "x", "1.5", [], {}, [{}], {"x": 1}, {"text": "x"}])
            if not list(places(broken)):
                break
        assert is_valid(name, broken) == reference.is_valid(broken), broken


def test_the_fast_validator_agrees_with_the_reference_on_real_files(shared):
    reference = {name: jsonschema.Draft202012Validator(load_schema(name)) for name in ("evalset", "config", "legacy")}
    compared = 0
    for path in sorted((shared / "corpus").rglob("*.json")):
        try:
            value = json.loads(path.read_text(encoding="utf-8"))
        except ValueError:
            continue
        for name, validator in reference.items():
            compared += 1
            assert is_valid(name, value) == validator.is_valid(value), (path.name, name)
    assert compared > 300


def places(value):
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield value, key
        yield from places(item)
