"""The plainest JSON value that is valid under a JSON Schema, as pydantic and ADK write them."""

import math
from collections.abc import Mapping
from typing import Any

import jsonschema_rs

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

_BOUNDS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")

Schema = Mapping[str, Any]


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
        validator = jsonschema_rs.validator_for(dict(schema))
    except ValueError:
        return None
    return next((error.message for error in validator.iter_errors(value)), None)


def _value(schema: Schema, root: Schema, within: frozenset[str]) -> Any:
    reference = schema.get("$ref")
    if reference is not None:
        if reference in within:
            raise _EndlessError
        return _value(_resolve(reference, root), root, within | {reference})
    for given in ("const", "default"):
        if given in schema:
            return schema[given]
    for choices in ("enum", "examples"):
        if schema.get(choices):
            return schema[choices][0]
    if schema.get("allOf"):
        return _value(_together(schema, root), root, within)
    options = schema.get("anyOf") or schema.get("oneOf")
    return _first(options, root, within) if options else _plainest(schema, root, within)


def _first(options: list[Schema], root: Schema, within: frozenset[str]) -> Any:
    for option in options:
        try:
            return _value(option, root, within)
        except _EndlessError:
            continue
    raise _EndlessError


def _together(schema: Schema, root: Schema) -> Schema:
    """Merge the parts of an `allOf`."""
    merged: dict[str, Any] = {key: value for key, value in schema.items() if key != "allOf"}
    for part in schema["allOf"]:
        resolved = _resolve(part["$ref"], root) if "$ref" in part else part
        properties = {**merged.get("properties", {}), **resolved.get("properties", {})}
        required = [*merged.get("required", ()), *resolved.get("required", ())]
        merged = {**merged, **resolved, "properties": properties, "required": required}
    return merged


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
            return _number(schema)
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


def _number(schema: Schema) -> float:
    """Return 0 if the bounds allow it, else a number beside or between them."""
    step = schema.get("multipleOf", 1)
    bounds = [schema[key] for key in _BOUNDS if key in schema]
    near = [0, *bounds, *(bound + step for bound in bounds), *(bound - step for bound in bounds)]
    near += [(min(bounds) + max(bounds)) / 2] if bounds else []
    multiples = (math.ceil(number / step) * step for number in near)
    return next((number for number in (*near, *multiples) if misfit(number, schema) is None), 0)


def _resolve(reference: str, root: Schema) -> Schema:
    target: Any = root
    for step in reference.removeprefix("#/").split("/"):
        target = target[step]
    return target if isinstance(target, Mapping) else {}
