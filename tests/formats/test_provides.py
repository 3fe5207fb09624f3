"""`provides:` of a mocks file."""

import pytest

from evalkit.formats import mocks as mocks_format
from evalkit.formats.provides import provides_faults
from evalkit.routes import ProvidedTool

FILE = """provides:
  - name: kubectl_describe
    description: Describe a resource.
    parameters: {type: object, properties: {kind: {type: string}}, required: [kind]}
  - {name: list_clusters}
tools:
  kubectl_describe: [{returns: ok}]
"""


def test_the_tools_are_read_in_the_order_of_the_file(tmp_path):
    loaded = mocks_format.parse(FILE.encode(), file="mocks.yaml", folder=tmp_path)
    assert loaded.problems == ()
    assert loaded.value.provides == (
        ProvidedTool(
            name="kubectl_describe",
            description="Describe a resource.",
            parameters={"type": "object", "properties": {"kind": {"type": "string"}}, "required": ["kind"]},
        ),
        ProvidedTool(name="list_clusters"),
    )
    assert [tool.where for tool in loaded.value.provides] == ["$.provides[0]", "$.provides[1]"]


def parameters(**schema):
    return [{"name": "a", "parameters": schema}]


@pytest.mark.parametrize(
    "section",
    [
        [],
        [{"name": "a", "parameters": None}],
        parameters(),
        parameters(properties={"a": {"$ref": "#/$defs/A"}}, **{"$defs": {"A": {"type": "string"}}}),
        parameters(properties={"a": {"$ref": "#"}}),
        parameters(properties={"a": {"$ref": "#/allOf/0"}}, allOf=[{"type": "object"}]),
        parameters(properties={"a": {"$ref": "#/$defs/x~1y"}}, **{"$defs": {"x/y": True}}),
    ],
)
def test_sound_schemas_have_no_faults(section):
    assert list(provides_faults(section)) == []


@pytest.mark.parametrize(
    ("section", "path", "start"),
    [
        (parameters(type="array"), (0, "parameters", "type"), "a model gives arguments by name"),
        (
            parameters(properties={"n": {"type": "numbr"}}),
            (0, "parameters", "properties", "n", "type"),
            'not a valid JSON Schema: "numbr"',
        ),
        (
            parameters(properties={"n": {"pattern": "("}}),
            (0, "parameters", "properties", "n", "pattern"),
            'not a valid JSON Schema: "("',
        ),
        (
            parameters(anyOf=[{"$ref": "#/$defs/gone"}]),
            (0, "parameters", "anyOf", 0, "$ref"),
            "#/$defs/gone leads nowhere",
        ),
        (
            parameters(properties={"n": {"$ref": "http://127.0.0.1:9/schema.json"}}),
            (0, "parameters", "properties", "n", "$ref"),
            "http://127.0.0.1:9/schema.json leads nowhere",
        ),
        ([{"name": "a"}, {"name": "b"}, {"name": "a"}], (0, "name"), "2 tools named a are provided"),
    ],
)
def test_a_fault_is_found_where_it_is(section, path, start):
    found_at, rule, message = next(iter(provides_faults(section)))
    assert (found_at, rule) == (path, "wrong-value")
    assert message.startswith(start)
