"""Example values: valid under the schema, and what the schema itself gives where it gives something."""

from typing import Literal, Optional

import jsonschema
import pytest
from pydantic import BaseModel, Field, TypeAdapter

from evalkit.scaffold.examples import example_args, example_of


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "string"}, "example-group"),
        ({"type": "integer"}, 3),
        ({"type": "number", "minimum": 10}, 10),
        ({"type": "integer", "exclusiveMaximum": 0}, -1),
        ({"type": "integer", "multipleOf": 5}, 5),
        ({"type": "boolean"}, True),
        ({"type": "null"}, None),
        ({"type": ["null", "integer"]}, 3),
        ({"enum": [None, "low", "high"]}, "low"),
        ({"const": "only"}, "only"),
        ({"type": "string", "examples": ["orders"], "default": "x"}, "orders"),
        ({"type": "string", "example": "orders"}, "orders"),
        ({"type": "integer", "default": 7}, 7),
        ({"type": "string", "format": "date-time"}, "2026-01-31T12:00:00Z"),
        ({"type": "string", "minLength": 16}, "example-groupxxx"),
        ({"type": "string", "maxLength": 4}, "exam"),
        ({"type": "string", "pattern": "^[A-Z]+-[0-9]+$"}, "ABC-123"),
        ({"type": "string", "pattern": "^no such text$"}, "example-group"),
        ({"anyOf": [{"type": "null"}, {"type": "integer"}]}, 3),
        ({"allOf": [{"type": "object", "required": ["a"]}, {"properties": {"a": {"type": "integer"}}}]}, {"a": 3}),
        ({"type": "array", "items": {"type": "string"}}, ["example-group"]),
        ({"type": "array", "items": {"type": "integer"}, "minItems": 2, "uniqueItems": True}, [3, 4]),
        ({"type": "array", "prefixItems": [{"type": "integer"}, {"type": "boolean"}]}, [3, True]),
        ({"type": "object", "additionalProperties": {"type": "integer"}}, {"key-1": 3}),
        ({"type": "object"}, {}),
        ({}, "example-group"),
    ],
)
def test_the_example_of_a_schema(schema, expected):
    assert example_of(schema, "group") == expected


def test_an_argument_that_may_be_left_out_is_and_the_others_keep_their_order():
    schema = {"properties": {"b": {"type": "integer"}, "a": {"type": "integer"}, "c": {}}, "required": ["a", "b"]}
    assert list(example_args(schema, {}).items()) == [("b", 3), ("a", 3)]


def test_an_example_that_the_docstring_gives_is_taken():
    schema = {"properties": {"since": {"type": "string"}}, "required": ["since"]}
    assert example_args(schema, {"since": "How far back, such as `30m` or `2h`."}) == {"since": "30m"}


class Leaf(BaseModel):
    name: str = Field(min_length=3, max_length=5)
    level: Literal["low", "high"]


class Tree(BaseModel):
    leaves: list[Leaf] = Field(min_length=2)
    parent: Optional["Tree"]
    share: float = Field(gt=0, lt=1)


@pytest.mark.parametrize("kind", [Leaf, Tree, dict[str, Leaf], list[Leaf | None], tuple[int, str]])
def test_the_example_of_a_type_is_valid_by_its_schema_and_by_the_type(kind):
    adapter = TypeAdapter(kind)
    example = example_of(adapter.json_schema())
    jsonschema.validate(example, adapter.json_schema())
    adapter.validate_python(example)


def test_a_schema_that_asks_for_itself_ends():
    schema = {"$ref": "#/$defs/a", "$defs": {"a": {"properties": {"a": {"$ref": "#/$defs/a"}}, "required": ["a"]}}}
    assert example_of(schema) == {"a": None}
