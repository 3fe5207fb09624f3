"""The tools that recordings answer, declared."""

import json
from importlib.resources import files

import jsonschema_rs
import pytest
from hypothesis import given, settings, strategies as st

from evalkit.adapters.holmes.catalog import declarations
from evalkit.models.declarations import Declaration

CATALOG = json.loads(files("evalkit.adapters.holmes").joinpath("catalog.json").read_text(encoding="utf-8"))
KNOWN = sorted(CATALOG)

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
PARAMETERS = sorted({name for entry in CATALOG.values() for name in entry.get("parameters", {})})
CALLS = st.tuples(
    st.sampled_from([*KNOWN, "nobody_knows_it"]),
    st.dictionaries(st.sampled_from(PARAMETERS) | st.text(min_size=1), VALUES, max_size=5),
)


def test_each_tool_is_declared_once_by_name():
    recordings = [("kubectl_top_pods", {}), ("fetch_webpage", {"url": "a"}), ("fetch_webpage", {"url": "b"})]
    assert [tool["name"] for tool in declarations(recordings)] == ["fetch_webpage", "kubectl_top_pods"]


def test_a_known_tool_is_declared_as_the_catalogue_has_it():
    (tool,) = declarations([("fetch_pod_logs", {"pod_name": "web-1", "namespace": "shop"})])
    assert tool["description"] == CATALOG["fetch_pod_logs"]["description"]
    assert tool["parameters"]["required"] == ["pod_name", "namespace"]
    assert tool["parameters"]["properties"]["limit"]["type"] == ["integer", "null"]


def test_an_unknown_tool_is_declared_by_what_was_recorded():
    recordings = [("list_widgets", {"limit": 3, "ids": [1, "b"]}), ("list_widgets", {"limit": None, "deep": True})]
    assert declarations(recordings) == [
        {
            "name": "list_widgets",
            "description": "List widgets.",
            "parameters": {
                "type": "object",
                "properties": {
                    "deep": {"type": "boolean"},
                    "ids": {"type": "array", "items": {"type": ["integer", "string"]}},
                    "limit": {"type": ["integer", "null"]},
                },
                "additionalProperties": True,
            },
        }
    ]


def test_what_recordings_show_beyond_the_catalogue_is_added():
    (tool,) = declarations([("fetch_webpage", {"url": "https://x.example", "timeout": 5})])
    assert tool["parameters"]["properties"]["timeout"] == {"type": "integer"}


def test_a_recorded_value_of_another_type_widens_the_parameter():
    (tool,) = declarations([("fetch_pod_logs", {"pod_name": "web-1", "namespace": "shop", "limit": "100"})])
    assert tool["parameters"]["properties"]["limit"]["type"] == ["integer", "null", "string"]


def test_a_parameter_that_a_recording_lacks_is_not_required():
    (tool,) = declarations([("kubectl_describe", {"kind": "node"})])
    assert tool["parameters"]["required"] == ["kind"]


@pytest.mark.parametrize("name", ["two words", "1st", "", "a" * 129, "café"])
def test_a_name_that_no_model_can_call_is_passed_over(name):
    assert declarations([(name, {})]) == []


@pytest.mark.parametrize("name", KNOWN)
def test_each_entry_of_the_catalogue_is_a_json_schema_with_every_parameter_described(name):
    entry = CATALOG[name]
    parameters = entry.get("parameters", {})
    assert entry["description"].endswith(".")
    assert all(parameter["description"].endswith(".") for parameter in parameters.values())
    assert set(entry.get("required", ())) <= parameters.keys()
    assert all(jsonschema_rs.meta.is_valid(parameter) for parameter in parameters.values())
    for optional in parameters.keys() - set(entry.get("required", ())):
        assert "null" in parameters[optional]["type"], "a model that must write every argument writes null for it"


@settings(max_examples=150, deadline=None)
@given(st.lists(CALLS, min_size=1, max_size=4))
def test_every_recorded_call_fits_its_declaration(recordings):
    declared = {tool["name"]: Declaration(tool["name"], tool["parameters"]) for tool in declarations(recordings)}
    for tool, args in recordings:
        assert declared[tool].misfits(args) == ()


@settings(max_examples=50, deadline=None)
@given(st.lists(CALLS, max_size=4).flatmap(lambda calls: st.tuples(st.just(calls), st.permutations(calls))))
def test_the_order_of_recordings_does_not_matter(pair):
    one, other = (declarations(recordings) for recordings in pair)
    assert one == other


def test_every_call_that_the_corpus_records_fits_its_declaration(shared):
    recordings = []
    for file in sorted((shared / "holmesgpt").glob("*/*/*.txt")):
        first = file.read_text(encoding="utf-8", errors="replace").split("\n", 1)[0]
        said = json.loads(first) if first.startswith("{") else {}
        if "tool_name" in said:
            recordings.append((said["tool_name"], said.get("match_params") or {}))
    declared = {tool["name"]: Declaration(tool["name"], tool["parameters"]) for tool in declarations(recordings)}
    assert len(recordings) > 100
    assert [call for call in recordings if declared[call[0]].misfits(call[1])] == []


def test_the_catalogue_knows_every_tool_that_was_ever_recorded(shared):
    census = json.loads((shared / "facts" / "holmes_census.json").read_text(encoding="utf-8"))["tool_catalog"]
    known = {tool: set(CATALOG[tool].get("parameters", {})) for tool in census}
    assert {tool: lacking for tool, said in census.items() if (lacking := set(said["params"]) - known[tool])} == {}
