"""Valid values in one spelling: what ADK takes in two key styles and several scalar forms, as its models keep it."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from evalkit.cases import Json
from evalkit.errors import Problem
from evalkit.formats.documents import Document
from evalkit.formats.faults import Schema, load_schema
from evalkit.formats.paths import JsonPath
from evalkit.formats.spelling import to_snake

_SCALARS = {"number": "number", "integer": "integer", "positive": "integer", "flag": "flag"}
"""Definitions for scalars that ADK takes in several forms, and what becomes of them."""
_FLAGS = {"1", "t", "y", "on", "yes", "true"}


def conform(value: Json, schema_name: str, definition: str) -> Json:
    """Write a valid value as its schema spells it: keys in snake_case, numbers as numbers, flags as true or false.

    What a schema leaves open, such as arguments and state, stays as it is.

    Args:
        value: A value that the definition accepts.
        schema_name: `evalset` or `config`.
        definition: A name under the schema's `$defs`.
    """
    return _conform(value, _definition(schema_name, definition), schema_name)


def spelled_twice(document: Document, schema_name: str) -> Iterator[Problem]:
    """Find keys that an object has in both spellings, of which ADK reads one and refuses or forgets the other."""
    for path in _twice(document.value, load_schema(schema_name), schema_name, ()):
        key = str(path[-1])
        message = f"`{key}` and `{to_snake(key)}` are the same key"
        yield document.problem("duplicate-key", path, message, "keep one of them")


def scalar(value: Json, kind: str) -> Json:
    """Turn a scalar that ADK would coerce into what it becomes: `number`, `integer` or `flag`."""
    if value is None or (not isinstance(value, str) and kind != "flag"):
        return float(value) if isinstance(value, bool) and kind == "number" else value
    match kind:
        case "flag":
            return value.lower() in _FLAGS if isinstance(value, str) else bool(value)
        case "number":
            return float(value)
    return int(float(value)) if "." in value else int(value)


def _conform(value: Json, node: Any, schema_name: str) -> Json:
    if not isinstance(node, Mapping):
        return value
    if "$ref" in node:
        return _conform_reference(value, node["$ref"], schema_name)
    if isinstance(value, dict) and "properties" in node:
        inner = node["properties"]
        return {
            (to_snake(key) if key in inner else key): _conform(item, inner.get(key), schema_name)
            for key, item in value.items()
        }
    if isinstance(value, dict):
        return _conform(value, node.get("then"), schema_name)
    if isinstance(value, list) and "items" in node:
        return [_conform(item, node["items"], schema_name) for item in value]
    return value


def _conform_reference(value: Json, reference: str, schema_name: str) -> Json:
    kind = reference.removeprefix("#/$defs/").removesuffix("OrNull")
    if kind in _SCALARS:
        return scalar(value, _SCALARS[kind])
    return _conform(value, _resolve(schema_name, reference), schema_name)


def _twice(value: Json, node: Any, schema_name: str, path: JsonPath) -> Iterator[JsonPath]:
    if not isinstance(node, Mapping) or not isinstance(value, dict | list):
        return
    if "$ref" in node:
        yield from _twice(value, _resolve(schema_name, node["$ref"]), schema_name, path)
        return
    for branch in ("then", "else"):
        yield from _twice(value, node.get(branch), schema_name, path)
    if isinstance(value, list):
        first = node.get("prefixItems", ())
        for index, item in enumerate(value):
            inner = first[index] if index < len(first) else node.get("items")
            yield from _twice(item, inner, schema_name, (*path, index))
        return
    properties, others = node.get("properties", {}), node.get("additionalProperties")
    for key, item in value.items():
        if key in properties and to_snake(key) != key and to_snake(key) in value:
            yield (*path, key)
        yield from _twice(item, properties.get(key, others), schema_name, (*path, key))


def _definition(schema_name: str, name: str) -> Schema:
    found: Schema = load_schema(schema_name)["$defs"][name]
    return found


@cache
def _resolve(schema_name: str, reference: str) -> Any:
    found: Any = load_schema(schema_name)
    for step in reference.removeprefix("#/").split("/"):
        found = found[step]
    return found
