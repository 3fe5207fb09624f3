import jsonschema_rs
import pytest

from evalkit.models.declared import complaint, in_words, shown, wanted_by

NAMED = {"$defs": {"Labels": {"type": "object", "additionalProperties": {"type": "string"}}}}


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({"type": "string"}, "a text"),
        ({"type": "array"}, "a list"),
        ({"type": "array", "items": {"type": "string"}}, "a list of texts"),
        ({"type": "array", "items": {"$ref": "#/$defs/Labels"}}, "a list of objects"),
        ({"type": ["integer", "null"]}, "a whole number or null"),
        ({"anyOf": [{"$ref": "#/$defs/Labels"}, {"type": "null"}]}, "an object with texts as values or null"),
        ({"enum": ["debug", "info", "warning"]}, 'one of "debug", "info", "warning"'),
        ({"enum": ["debug"]}, '"debug"'),
        ({"anyOf": [{"type": "string"}, {"not": {}}]}, None),
        ({}, None),
    ],
)
def test_a_schema_is_put_into_words(schema, words):
    assert in_words(schema, NAMED) == words


def only_error(schema, value):
    (error,) = jsonschema_rs.validator_for(schema).iter_errors(value)
    return error


def test_choices_are_listed_up_to_a_dozen():
    schema = {"enum": [f"c{number}" for number in range(14)]}
    assert complaint(only_error(schema, "x"), schema).endswith('"c10", "c11" or 2 more, not "x"')


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (["team=payments"], 'must be an object with texts as values or null, not ["team=payments"]'),
        (5, "must be an object with texts as values or null, not 5"),
    ],
)
def test_alternatives_are_named_in_place_of_a_keyword(value, said):
    schema = NAMED | {"anyOf": [{"$ref": "#/$defs/Labels"}, {"type": "null"}]}
    assert complaint(only_error(schema, value), schema) == said


def test_what_has_no_words_is_said_as_the_validator_does():
    schema = {"type": "object", "properties": {"a": {"minLength": 3}}}
    error = only_error(schema, {"a": "x"})
    assert complaint(error, schema) == error.message
    assert wanted_by(error, schema) is None


def test_a_long_value_is_cut_as_a_text_and_named_by_its_kind_else():
    assert shown(["x" * 70]) == "a list"
    assert shown({"x": "y" * 70}) == "an object"
    assert shown("x" * 70) == '"' + "x" * 59 + "…"
    assert shown([1, "a"]) == '[1, "a"]'
