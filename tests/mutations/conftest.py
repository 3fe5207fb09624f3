"""Good files to break, ways to break them, and ADK's own readers to ask.

Each test breaks fifty files; with `EVALKIT_MUTATIONS=10000` it breaks so many.
"""

import copy
import json
import logging
import os
import warnings
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from google.adk.evaluation import eval_metrics
from google.adk.evaluation.agent_evaluator import AgentEvaluator
from google.adk.evaluation.eval_config import (
    EvalConfig,
    get_eval_metrics_from_config,
    get_evaluation_criteria_or_default,
)
from google.adk.evaluation.eval_set import EvalSet
from google.adk.evaluation.local_eval_sets_manager import load_eval_set_from_file
from hypothesis import HealthCheck, settings, strategies as st

from evalkit.formats.spelling import to_camel, to_snake

GOOD = Path(__file__).parent / "good"

Json = Any

settings.register_profile(
    "mutations",
    max_examples=int(os.environ.get("EVALKIT_MUTATIONS", "50")),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large],
)

SCALARS = [
    *(None, True, False, 0, 1, 2, -1, 1.5, -0.0, 1e30, 10**20),
    *("", "x", "1", "1.5", " 1 ", "1.", "00", "1_000", "1e3", "NaN", "-inf", "0x1", "٣"),
    *("yes", "ON", " true", "aGk=", "aGk", "a-_b", "EXACT", "in order", "any_order", "SILENT", "silent", "PYTHON"),
    *("2024-01-01", "\x00", "é", "../x", "a/b", "$any", "llm_audio", "user", "model"),
]
CONTAINERS = [
    *([], {}, ["x"], [{}], [[]], [None], {"x": 1}, {"": 1}, {"text": "x"}, [{"text": "x"}], {"parts": None}),
    *([["a", [{"text": "p"}]]], {"name": "f"}, {"name": "f", "args": {}}, {"$regex": "("}, {"$any": True}),
]
KEYS = [
    *("extra", "name", "text", "id", "args", "threshold", "rubrics", "state", "role", "parts", "type", "description"),
    *("session_input", "intermediate_data", "tool_uses", "invocation_events", "conversation_scenario", "evalkit"),
    *("query", "reference", "expected_tool_use", "data", "criteria", "match_type", "returns", "raises", "_comment"),
]
BYTES = [
    *(b'"', b",", b",,", b"}", b"{", b"[", b"]", b":", b"\\", b"\\u", b"\\ud800", b"\n", b"\r", b"\t", b"\x00", b"'"),
    *(b"\xff", b"\xc3\xa9", b"\xef\xbb\xbf", b"//", b"#", b"- ", b"&a ", b"*a", b"<<", b"!!", b"NaN", b"None", b"1"),
]


def places(value: Json, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every value inside a value."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield (*path, key)
        yield from places(item, (*path, key))


def at(value: Json, path: tuple[Any, ...]) -> Json:
    """The value at a path."""
    for step in path:
        value = value[step]
    return value


@st.composite
def _mutated(draw: Any, good: Json) -> Json:
    """A copy of a good value with one to three of its places changed."""
    value = json.loads(json.dumps(good))  # parts that are shared become parts of their own
    for _ in range(draw(st.integers(1, 3))):
        paths = list(places(value))
        if not paths:
            break
        path = draw(st.sampled_from(paths))
        _break(draw, at(value, path[:-1]), path[-1], good)
    return value


def _break(draw: Any, parent: Json, key: Any, good: Json) -> None:
    """Change, drop, move, wrap, double or rename what an object or list has under a key."""
    kind = draw(st.sampled_from(["set", "set", "fill", "drop", "graft", "wrap", "swap", "add", "double", "rename"]))
    if kind == "drop":
        del parent[key]
    elif kind == "fill":
        parent[key] = copy.deepcopy(draw(st.sampled_from(CONTAINERS)))
    elif kind == "graft":
        parent[key] = copy.deepcopy(at(good, draw(st.sampled_from(list(places(good))))))
    elif kind == "wrap":
        parent[key] = draw(st.sampled_from([[parent[key]], {"x": parent[key]}]))
    elif kind == "set" or isinstance(parent, list):
        parent[key] = draw(st.sampled_from(SCALARS))
    elif kind == "swap":
        other = draw(st.sampled_from(list(parent)))
        parent[key], parent[other] = parent[other], parent[key]
    elif kind == "add":
        parent[draw(st.sampled_from(KEYS))] = copy.deepcopy(draw(st.sampled_from([*SCALARS, *CONTAINERS])))
    else:
        item = copy.deepcopy(parent[key]) if kind == "double" else parent.pop(key)
        wrong = [to_camel(key), to_snake(key), f"{key}s", key[:-1], key.upper(), key.replace("_", "-")]
        parent[draw(st.sampled_from([*wrong, *KEYS]))] = item


@st.composite
def _garbled(draw: Any, good: bytes) -> bytes:
    """Good bytes with one to three of them changed, dropped or added."""
    data = bytearray(good)
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.integers(0, len(data)))
        data[place : place + draw(st.integers(0, 3))] = draw(st.binary(max_size=2) | st.sampled_from(BYTES))
    return bytes(data)


@pytest.fixture(scope="session")
def mutated() -> Callable[[Json], st.SearchStrategy[Json]]:
    """Make a strategy for values like a good one, but for one to three places."""
    return _mutated


@pytest.fixture(scope="session")
def garbled() -> Callable[[bytes], st.SearchStrategy[bytes]]:
    """Make a strategy for bytes like good ones, but for one to three places."""
    return _garbled


@pytest.fixture(autouse=True)
def _quiet(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL)


class Readers(NamedTuple):
    """ADK's own readers: each returns what it makes of a file, or None if it refuses it."""

    evalset: Callable[[str | bytes], Any]
    config: Callable[[str | bytes], Any]
    list: Callable[[Path], Any]


@pytest.fixture(scope="session")
def reads() -> Readers:
    """ADK's models of an evalset, of a config with the metrics that it names, and of a list in one of the old forms."""
    return Readers(
        evalset=lambda data: _tried(lambda: EvalSet.model_validate_json(data)),
        config=lambda data: _tried(lambda: _config(data)),
        list=_list,
    )


CRITERIA = {
    "tool_trajectory_avg_score": eval_metrics.ToolTrajectoryCriterion,
    "final_response_match_v2": eval_metrics.LlmAsAJudgeCriterion,
    "hallucinations_v1": eval_metrics.HallucinationsCriterion,
    "rubric_based_final_response_quality_v1": eval_metrics.RubricsBasedCriterion,
    "rubric_based_tool_use_quality_v1": eval_metrics.RubricsBasedCriterion,
    "rubric_based_multi_turn_trajectory_quality_v1": eval_metrics.RubricsBasedCriterion,
    "per_turn_user_simulator_quality_v1": eval_metrics.LlmBackedUserSimulatorCriterion,
}
"""What ADK's metrics read of their criterion when they are made, which is when the run comes to them."""


def _config(data: str | bytes) -> EvalConfig:
    config = EvalConfig.model_validate_json(data)
    for metric in get_eval_metrics_from_config(config):
        if metric.custom_function_path is None and metric.metric_name in CRITERIA and metric.criterion is not None:
            CRITERIA[metric.metric_name].model_validate(metric.criterion.model_dump())
    return config


def _list(path: Path) -> EvalSet | None:
    criteria = get_evaluation_criteria_or_default(None)
    readers = (
        lambda: load_eval_set_from_file(str(path), "s"),
        lambda: AgentEvaluator._load_eval_set_from_file(str(path), criteria, {}),
    )
    found = [eval_set for reader in readers if (eval_set := _tried(reader)) and eval_set.eval_cases]
    return found[0] if found else None


def _tried(read: Callable[[], Any]) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return read()
        except Exception:  # noqa: BLE001 - ADK's readers raise whatever a file makes them stumble over
            return None


@pytest.fixture(scope="session")
def good() -> Mapping[str, Json]:
    """Good files by name: an evalset, both old list forms, a config and a mocks file, each with a bit of everything."""
    return {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(GOOD.glob("*.json"))}
