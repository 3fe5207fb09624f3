"""What a JSON Schema of a tool's asks of a value, in words, where its validator speaks in keywords."""

import json
import operator
from collections.abc import Mapping
from functools import reduce
from typing import Any

import jsonschema_rs

from evalkit.cases import Json

Schema = Mapping[str, Any]

_ONE = {
    "string": "a text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
}
_MANY = {
    "string": "texts",
    "integer": "whole numbers",
    "number": "numbers",
    "boolean": "booleans",
    "array": "lists",
    "object": "objects",
}
_MOST = 12
"""So many choices are listed."""
_DEEPEST = 5
"""So often one schema may refer to another."""
_LONGEST = 60
"""Characters of a value that are shown."""


def in_words(schema: Schema, root: Schema) -> str | None:
    """Say what a schema takes, such as `a list of texts or null`; None if that cannot be said shortly.

    Args:
        schema: The schema, or a part of one.
        root: The whole schema, which parts refer to.
    """
    schema = _referred(schema, root)
    if "enum" in schema:
        return _choices(schema["enum"])
    options = schema.get("anyOf") or schema.get("oneOf") or [{"type": kind} for kind in _kinds(schema)]
    if len(options) == 1:
        return _one(_referred(options[0], root) if "type" not in schema else schema, root)
    said = [in_words(option, root) for option in options]
    return None if None in said else " or ".join(dict.fromkeys(map(str, said))) or None


def _kinds(schema: Schema) -> list[str]:
    kinds = schema.get("type", [])
    return kinds if isinstance(kinds, list) else [kinds]


def _one(schema: Schema, root: Schema) -> str | None:
    """Say what a schema of a single type takes."""
    (kind, *_) = _kinds(schema) or [""]
    if kind == "array" and (items := _many(schema.get("items"), root)):
        return f"a list of {items}"
    if kind == "object" and (values := _many(schema.get("additionalProperties"), root)):
        return f"an object with {values} as values"
    return _ONE.get(kind)


def complaint(error: jsonschema_rs.ValidationError, root: Schema) -> str:
    """Say what is wrong with a value: in words where its validator has only a keyword to tell, else as it says it."""
    kinds = jsonschema_rs.ValidationErrorKind
    if isinstance(error.kind, kinds.Enum):
        return f"must be {_choices(error.kind.options)}, not {shown(error.instance)}"
    if isinstance(error.kind, kinds.AnyOf | kinds.OneOfNotValid):
        wanted = in_words(_holder(error, root), root)
        if wanted:
            return f"must be {wanted}, not {shown(error.instance)}"
    return error.message


def wanted_by(error: jsonschema_rs.ValidationError, root: Schema) -> str | None:
    """Say what the schema takes in the place of the value that it refuses; None if that cannot be said shortly."""
    kinds = jsonschema_rs.ValidationErrorKind
    if isinstance(error.kind, kinds.Enum | kinds.AnyOf | kinds.OneOfNotValid | kinds.Type):
        return in_words(_holder(error, root), root)
    return None


def shown(value: Json) -> str:
    """Write a value out if it is short, else say what kind it is."""
    written = json.dumps(value, ensure_ascii=False)
    if len(written) <= _LONGEST:
        return written
    return "an object" if isinstance(value, dict) else "a list" if isinstance(value, list) else f"{written[:_LONGEST]}…"


def _choices(options: list[Json]) -> str:
    listed = [json.dumps(option, ensure_ascii=False) for option in options[:_MOST]]
    rest = len(options) - len(listed)
    more = f" or {rest} more" if rest else ""
    return f"one of {', '.join(listed)}{more}" if len(options) > 1 else listed[0] if listed else "nothing"


def _many(schema: Any, root: Schema) -> str | None:
    kind = _referred(schema, root).get("type") if isinstance(schema, Mapping) else None
    return _MANY.get(kind) if isinstance(kind, str) else None


def _holder(error: jsonschema_rs.ValidationError, root: Schema) -> Schema:
    """The part of the schema that the value does not meet."""
    part: Any = root
    for step in list(error.schema_path)[:-1]:
        part = part[step]
    return part if isinstance(part, Mapping) else {}


def _referred(schema: Schema, root: Schema) -> Schema:
    for _ in range(_DEEPEST):
        reference = schema.get("$ref")
        if not isinstance(reference, str) or not reference.startswith("#/"):
            break
        schema = reduce(operator.getitem, reference.removeprefix("#/").split("/"), root)
    return schema
