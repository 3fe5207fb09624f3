"""Good files, broken at random: never a traceback, and never called clean where ADK refuses them.

`EVALKIT_MUTATIONS=10000` breaks more of them than the thousand of every day; all tests of this file share the number.
"""

import copy
import json
import logging
import os
import warnings

import pytest
from google.adk.evaluation.agent_evaluator import AgentEvaluator
from google.adk.evaluation.eval_config import EvalConfig, get_evaluation_criteria_or_default
from google.adk.evaluation.eval_set import EvalSet
from google.adk.evaluation.local_eval_sets_manager import load_eval_set_from_file
from hypothesis import HealthCheck, given, settings, strategies as st

from evalkit.check import check
from evalkit.fixing import fix
from evalkit.formats import config as config_format, evalset as evalset_format, mocks as mocks_format
from evalkit.formats.files import has_errors
from evalkit.formats.spelling import to_camel

PARTS = [
    {"text": "a", "thought": True, "thought_signature": "aGk="},
    {"inline_data": {"mime_type": "image/png", "data": "aGk=", "display_name": "x"}},
    {"file_data": {"file_uri": "u", "mime_type": "m"}},
    {"function_call": {"name": "f", "args": {"a": 1}, "id": "1", "partial_args": [{"number_value": 1.5}]}},
    {"function_response": {"name": "f", "response": {"a": 1}, "scheduling": "SILENT"}},
    {"executable_code": {"code": "x", "language": "PYTHON"}, "video_metadata": {"fps": 1.0}},
]
TURN = {
    "invocation_id": "i",
    "user_content": {"role": "user", "parts": PARTS},
    "final_response": {"role": "model", "parts": [{"text": "x"}]},
    "intermediate_data": {
        "tool_uses": [{"name": "f", "args": {"a": 1}}],
        "tool_responses": [{"name": "f", "response": {"r": 1}}],
        "intermediate_responses": [["agent", [{"text": "p"}]]],
    },
    "creation_timestamp": 0.0,
    "rubrics": [{"rubric_id": "r", "rubric_content": {"text_property": "t"}, "type": "X"}],
    "app_details": {"agent_details": {"x": {"name": "x", "tool_declarations": [{}]}}},
}
EVENT = {"author": "x", "content": {"parts": PARTS, "role": "model"}, "groundingMetadata": {"webSearchQueries": ["q"]}}
PERSONA = {"id": "i", "description": "d", "behaviors": []}
EVALSET = {
    "eval_set_id": "s",
    "creation_timestamp": 1.5,
    "eval_cases": [
        {
            "eval_id": "a",
            "conversation": [TURN],
            "session_input": {"app_name": "a", "user_id": "u", "state": {"k": 1}},
            "final_session_state": {"x": 1},
        },
        {"evalId": "b", "conversation": [{"userContent": {}, "intermediateData": {"invocationEvents": [EVENT]}}]},
        {
            "eval_id": "c",
            "conversation_scenario": {"starting_prompt": "s", "conversation_plan": "p", "user_persona": PERSONA},
        },
    ],
}
CONFIG = {
    "criteria": {"response_match_score": 0.8, "m": {"threshold": 1, "includeIntermediateResponsesInFinal": True}},
    "custom_metrics": {"m": {"code_config": {"name": "a.b"}, "description": "d"}},
    "user_simulator_config": {
        "type": "llm_backed",
        "model_configuration": {"temperature": 0.5, "stop_sequences": ["x"]},
    },
    "live_model_config": {"timeout_seconds": 5},
}
OLD_TURN = {
    "query": "q",
    "expected_tool_use": [{"tool_name": "f", "tool_input": {"a": 1}}],
    "expected_intermediate_agent_responses": [{"author": "x", "text": "p"}],
    "reference": "r",
}
WRAPPED = [
    {"name": "a", "data": [OLD_TURN], "initial_session": {"app_name": "a", "user_id": "u", "state": {"k": 1}}},
    {"name": "b", "data": [OLD_TURN, {"query": "q"}]},
]
FLAT = [OLD_TURN, {"query": "q", "expected_tool_use": [], "reference": ""}]
MOCKS = """agent: a
tools:
  f:
    - args: {x: {$regex: "^a"}}
      returns: {y: 1}
    - sequence: [&one {returns: 1}, {raises: {type: ValueError, message: m}}, *one]
      repeat_last: true
agents: {b: {tools: {f: [{returns: null, state: {k: 1}}]}}}
backends:
  - http: {env: URL, routes: [{path: /, json: {}}]}
"""
VALUES = [
    None,
    True,
    0,
    1,
    2,
    -1,
    1.5,
    "",
    "x",
    "1.5",
    "yes",
    "aGk=",
    [],
    {},
    ["x"],
    [{}],
    {"x": 1},
    {"text": "x"},
    1e30,
]


def places(value, path=()):
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield (*path, key)
        yield from places(item, (*path, key))


@st.composite
def mutated(draw, good):
    """A copy of a good value with one or two places changed, dropped, renamed or doubled."""
    value = json.loads(json.dumps(good))  # parts that are shared become parts of their own
    for _ in range(draw(st.integers(1, 2))):
        path = draw(st.sampled_from(list(places(value))))
        parent = value
        for step in path[:-1]:
            parent = parent[step]
        key, kind = path[-1], draw(st.sampled_from(["set", "drop", "rename", "add", "double"]))
        if kind == "drop":
            del parent[key]
        elif kind == "set" or isinstance(parent, list):
            parent[key] = copy.deepcopy(draw(st.sampled_from(VALUES)))
        elif kind == "add":
            added = draw(st.sampled_from(["extra", "name", "text", "id", "args", "threshold"]))
            parent[added] = copy.deepcopy(draw(st.sampled_from(VALUES)))
        else:
            item = parent[key] if kind == "double" else parent.pop(key)
            parent[draw(st.sampled_from([to_camel(key), f"{key}s", key.upper()]))] = item
        if not list(places(value)):
            break
    return value


@st.composite
def garbled(draw, good):
    """Good bytes with one to three of them changed, dropped or added."""
    data = bytearray(good)
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(data) - 1))
        data[at : at + draw(st.integers(0, 2))] = draw(
            st.binary(max_size=2) | st.sampled_from([b'"', b",", b"}", b"\\u"])
        )
    return bytes(data)


def accepted(model, data):
    """Whether one of ADK's models takes the text, whatever it raises otherwise."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            model.model_validate_json(data)
        except Exception:  # noqa: BLE001 - ADK's validators raise more than ValidationError
            return False
    return True


@pytest.fixture(autouse=True)
def _quiet(caplog):
    caplog.set_level(logging.CRITICAL)


MUTATIONS = int(os.environ.get("EVALKIT_MUTATIONS", "1000"))
TESTS = 7
many = settings(
    max_examples=max(MUTATIONS // TESTS, 1),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@many
@given(mutated(EVALSET))
def test_no_broken_evalset_is_called_clean(value):
    text = json.dumps(value)
    clean = not has_errors(evalset_format.parse(text, file="f").problems)
    assert not clean or accepted(EvalSet, text)


@many
@given(mutated(CONFIG))
def test_no_broken_config_is_called_clean(value):
    text = json.dumps(value)
    clean = not has_errors(config_format.parse(text, file="f").problems)
    assert not clean or accepted(EvalConfig, text)


@many
@given(garbled(json.dumps(EVALSET, indent=1).encode()))
def test_no_garbled_evalset_is_called_clean(data):
    clean = not has_errors(evalset_format.parse(data, file="f").problems)
    assert not clean or accepted(EvalSet, data)


@many
@given(value=mutated(WRAPPED) | mutated(FLAT))
def test_no_broken_list_is_called_clean_that_both_of_adks_readers_refuse(tmp_path, value):
    path = tmp_path / "lag.test.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    clean = not has_errors(check([path]).problems)
    assert not clean or any(reads(path) for reads in (adk_eval_reads, agent_evaluator_reads))


def adk_eval_reads(path):
    try:
        return bool(load_eval_set_from_file(str(path), "s").eval_cases)
    except Exception:  # noqa: BLE001 - it raises whatever the list makes it stumble over
        return False


def agent_evaluator_reads(path):
    criteria = get_evaluation_criteria_or_default(None)
    try:
        return bool(AgentEvaluator._load_eval_set_from_file(str(path), criteria, {}).eval_cases)
    except Exception:  # noqa: BLE001 - as above
        return False


@many
@given(value=mutated(EVALSET) | mutated(WRAPPED) | mutated(FLAT))
def test_what_is_mended_and_then_clean_is_taken_by_adk(tmp_path, value):
    path = tmp_path / "lag.evalset.json"
    path.write_text(json.dumps(value, indent=1), encoding="utf-8")
    for file in fix([path]):
        file.write()
    text = path.read_text(encoding="utf-8")
    if isinstance(json.loads(text), dict) and not has_errors(check([path]).problems):
        assert accepted(EvalSet, text)


@many
@given(data=garbled(MOCKS.encode()))
def test_no_garbled_mocks_file_raises(tmp_path, data):
    path = tmp_path / "mocks.yaml"
    path.write_bytes(data)
    loaded = mocks_format.read(path)
    assert (loaded.value is None) == has_errors(loaded.problems)


@many
@given(data=garbled(json.dumps(EVALSET).encode()) | garbled(json.dumps(WRAPPED, indent=1).encode()))
def test_no_garbled_file_stops_a_check_or_a_fix(tmp_path, data):
    path = tmp_path / "lag.evalset.json"
    path.write_bytes(data)
    assert check([path]).files == (str(path),)
    for file in fix([path]):
        assert file.after != file.before
