"""The plainest JSON value that is valid under a JSON Schema, as pydantic and ADK write them."""

from typing import Any

import jsonschema_rs

from evalkit.models.schemas import Schema, merged, number_near, resolved

NEUTRAL = "Done."
"""What an agent says in golden mode when the case has no words for it."""

_FORMATS = {
    "date": "2000-01-01",
    "date-time": "2000-01-01T00:00:00Z",
    "time": "00:00:00Z",
    "duration": "PT0S",
    "email": "nobody@example.com",
    "uri": "https://example.com/",
    "ipv4": "127.0.0.1",
    "ipv6": "::1",
    "uuid": "00000000-0000-4000-8000-000000000000",
    "uuid4": "00000000-0000-4000-8000-000000000000",
    "json-string": "null",
}


class _EndlessError(Exception):
    """A schema asks for itself, so that this branch of it has no finite value."""


def minimal(schema: Schema) -> Any:
    """Return a plain value for the schema; where it asks for more than is understood here, `misfit` tells."""
    try:
        return _value(schema, schema, frozenset())
    except _EndlessError:
        return None


def misfit(value: Any, schema: Schema) -> str | None:
    """Say why a value is not valid under a schema; None if it is, or if the schema is not one of JSON Schema's."""
    try:
        validator = jsonschema_rs.validator_for(dict(schema), offline=True)
    except ValueError:
        return None
    return next((error.message for error in validator.iter_errors(value)), None)


def _value(schema: Schema, root: Schema, within: frozenset[str]) -> Any:
    reference = schema.get("$ref")
    if reference is not None:
        if reference in within:
            raise _EndlessError
        return _value(resolved(reference, root), root, within | {reference})
    for given in ("const", "default"):
        if given in schema:
            return schema[given]
    for choices in ("enum", "examples"):
        if schema.get(choices):
            return schema[choices][0]
    if schema.get("allOf"):
        return _value(merged(schema, root), root, within)
    options = schema.get("anyOf") or schema.get("oneOf")
    return _first(options, root, within) if options else _plainest(schema, root, within)


def _first(options: list[Schema], root: Schema, within: frozenset[str]) -> Any:
    for option in options:
        try:
            return _value(option, root, within)
        except _EndlessError:
            continue
    raise _EndlessError


def _plainest(schema: Schema, root: Schema, within: frozenset[str]) -> Any:
    kind = schema.get("type", "object")
    match (kind[0] if isinstance(kind, list) else kind).lower():
        case "object":
            return _object(schema, root, within)
        case "array":
            return _array(schema, root, within)
        case "string":
            return _string(schema)
        case "integer" | "number":
            return number_near(schema, 0)
        case "boolean":
            return False
        case _:
            return None


def _object(schema: Schema, root: Schema, within: frozenset[str]) -> dict[str, Any]:
    properties = schema.get("properties", {})
    value = {name: _value(properties.get(name, {}), root, within) for name in schema.get("required", ())}
    further = schema.get("additionalProperties")
    for number in range(len(value), int(schema.get("minProperties", 0))):
        value[f"key{number}"] = _value(further if isinstance(further, dict) else {}, root, within)
    return value


def _array(schema: Schema, root: Schema, within: frozenset[str]) -> list[Any]:
    first: list[Schema] = schema.get("prefixItems", [])
    items = schema.get("items")
    rest: Schema = items if isinstance(items, dict) else {}
    count = int(schema.get("minItems", 0))
    return [_value(first[index] if index < len(first) else rest, root, within) for index in range(count)]


def _string(schema: Schema) -> str:
    text = _FORMATS.get(schema.get("format", ""), NEUTRAL).ljust(int(schema.get("minLength", 0)), ".")
    return text[: int(schema.get("maxLength", len(text)))]
