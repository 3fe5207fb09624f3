"""Reading schemas as they are found."""

import pytest

from evalkit.models.schemas import allows, merged, number_near, resolved


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({}, 3),
        ({"maximum": 2}, 2),
        ({"exclusiveMaximum": 2}, 1),
        ({"type": "integer", "minimum": 3.5}, 4),
        ({"minimum": 0, "exclusiveMaximum": 1}, 0),
        ({"exclusiveMinimum": 0, "exclusiveMaximum": 1}, 0.5),
        ({"type": "integer", "multipleOf": 4}, 4),
        ({"minimum": "many"}, 3),
        ({"minimum": 5, "maximum": 4}, 3),
    ],
)
def test_a_number_is_as_wanted_or_as_near_as_the_bounds_allow(schema, expected):
    assert number_near(schema, 3) == expected


@pytest.mark.parametrize("reference", ["#/$defs/gone", "#/$defs/gone/deeper", "elsewhere.json"])
def test_nothing_is_known_of_a_reference_that_leads_nowhere(reference):
    assert resolved(reference, {"$defs": {}}) == {}


def test_the_parts_of_an_all_of_become_one():
    root = {"$defs": {"a": {"properties": {"a": {"type": "integer"}}, "required": ["a"]}}}
    parts = {"allOf": [{"$ref": "#/$defs/a"}, {"properties": {"b": {}}, "required": ["b"]}], "title": "both"}
    assert merged(parts, root) == {
        "title": "both",
        "properties": {"a": {"type": "integer"}, "b": {}},
        "required": ["a", "b"],
    }


@pytest.mark.parametrize(("value", "expected"), [(3, True), ("three", False)])
def test_a_schema_allows_what_is_valid_under_it(value, expected):
    assert allows({"type": "integer"}, value) is expected


def test_what_is_no_schema_allows_everything():
    assert allows({"type": "whatever"}, 3)
