"""Reading JSON Schemas as pydantic, ADK, MCP servers and OpenAPI specifications write them."""

import math
from collections.abc import Mapping
from typing import Any

import jsonschema_rs

Schema = Mapping[str, Any]

_BOUNDS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")


def resolved(reference: str, root: Schema) -> Schema:
    """Return what a `$ref` inside a schema leads to; nothing is known of one that leads nowhere."""
    target: Any = root
    for step in reference.removeprefix("#/").split("/"):
        target = target.get(step) if isinstance(target, Mapping) else None
    return target if isinstance(target, Mapping) else {}


def merged(schema: Schema, root: Schema) -> Schema:
    """Merge the parts of an `allOf` into one schema."""
    whole: dict[str, Any] = {key: value for key, value in schema.items() if key != "allOf"}
    for part in schema["allOf"]:
        known = resolved(part["$ref"], root) if "$ref" in part else part
        properties = {**whole.get("properties", {}), **known.get("properties", {})}
        required = [*whole.get("required", ()), *known.get("required", ())]
        whole = {**whole, **known, "properties": properties, "required": required}
    return whole


def number_near(schema: Schema, wanted: float) -> float:
    """Return the wanted number if the schema's bounds allow it, else one beside or between them; `wanted` if none is.

    Args:
        schema: The schema of a number.
        wanted: What to return where nothing speaks against it.
    """
    step = schema.get("multipleOf", 1)
    bounds = [schema[key] for key in _BOUNDS if isinstance(schema.get(key), int | float)]
    near = [wanted, *bounds, *(bound + step for bound in bounds), *(bound - step for bound in bounds)]
    near += [(min(bounds) + max(bounds)) / 2] if bounds else []
    multiples = (math.ceil(number / step) * step for number in near)
    return next((number for number in (*near, *multiples) if allows(schema, number)), wanted)


def allows(schema: Schema, value: Any) -> bool:
    """Tell whether a value is valid under a schema; one that is no JSON Schema allows everything."""
    try:
        return bool(jsonschema_rs.validator_for(dict(schema), offline=True).is_valid(value))
    except ValueError:
        return True
