"""What a JSON Schema of ours says of a value, fault by fault.

The schemas are JSON Schemas of draft 2020-12 with keywords of our own that validators pass over:

- `title`: what the object is called in a message, with its article;
- `x-expects`: what a value should be, in words, where its `type` says too much or too little;
- `x-unread`: what the object's other keys are to ADK: taken in and never read, so a warning;
- `x-add`: what `--fix` gives a key that must be there and is not;
- `x-problem`: by keyword, another `rule`, `message` or `hint` for its fault.

`jsonschema-rs` decides; only where it finds a fault is anything else done.
"""

import json
import operator
import re
from collections.abc import Mapping, Sequence
from functools import cache, reduce
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import jsonschema_rs

from evalkit.cases import Json
from evalkit.formats.paths import JsonPath

SCHEMAS = Path(__file__).parent / "schemas"

Schema = Mapping[str, Any]


_PARTS: Mapping[str, Schema] = {
    "scenario": {"$ref": "#/$defs/ConversationScenario"},
    "session_input": {"$ref": "#/$defs/SessionInput"},
    "scenarios": {
        "title": "a file of scenarios",
        "type": "object",
        "properties": {
            "scenarios": {"type": "array", "items": {"$ref": "#/$defs/ConversationScenario"}, "minItems": 1}
        },
        "required": ["scenarios"],
        "additionalProperties": False,
    },
}
"""Schemas for files that hold what an evalset has inside."""


@cache
def load_schema(name: str) -> dict[str, Any]:
    """Read a schema of ours: `evalset`, `legacy`, `config`, `mocks`, or one for a part of an evalset."""
    if name in _PARTS:
        return {**_PARTS[name], "$defs": load_schema("evalset")["$defs"]}
    schema: dict[str, Any] = json.loads((SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8"))
    return schema


class Fault(NamedTuple):
    """A keyword that a value fails.

    Attributes:
        path: The value.
        keyword: The keyword's name.
        operand: What the schema has for the keyword; for `additionalProperties` the keys that are too much.
        holder: The subschema with the keyword.
        owner: The innermost subschema around it that names properties.
        value: The value itself.
    """

    path: JsonPath
    keyword: str
    operand: Any
    holder: Schema
    owner: Schema
    value: Json

    def override(self, kind: str) -> str | None:
        """The rule, message or hint that the schema itself gives for this fault."""
        found: str | None = self.holder.get("x-problem", {}).get(self.keyword, {}).get(kind)
        return found


def is_valid(schema_name: str, value: Json) -> bool:
    """Whether a schema accepts a value; quick, at any depth of nesting."""
    return _validator(schema_name).is_valid(value)


def find_faults(schema_name: str, part: "FaultyPart", most: int) -> Sequence[Fault]:
    """Find the faults of a value, so many at most; values nested deeper than 255 levels are not looked at."""
    schema = load_schema(schema_name)
    faults = [
        _fault(error, schema, part.value) for error in islice(_validator(schema_name).iter_errors(part.value), most)
    ]
    return [fault._replace(path=part.original(fault.path)) for fault in faults] if part.kept else faults


def first_fault(schema_name: str, part: "FaultyPart") -> Fault:
    """Find one fault of a value that has some, at next to no cost."""
    try:
        _validator(schema_name).validate(part.value)
    except jsonschema_rs.ValidationError as error:
        fault = _fault(error, load_schema(schema_name), part.value)
        return fault._replace(path=part.original(fault.path)) if part.kept else fault
    raise AssertionError("a value without faults")


def fits(schema_name: str, part: Schema, value: Json) -> bool:
    """Whether a part of a schema, such as that of one key, accepts a value."""
    schema = {"$defs": load_schema(schema_name)["$defs"], "allOf": [part]}
    return jsonschema_rs.Draft202012Validator(schema).is_valid(value)


def may_fit(schema_name: str, part: Schema, value: Json) -> bool:
    """Whether a value is at least of a type that a part of a schema takes, whatever is wrong inside it."""
    part = _referred(schema_name, part)
    return jsonschema_rs.Draft202012Validator({"type": part["type"]} if "type" in part else {}).is_valid(value)


def members(schema_name: str, part: Schema | bool) -> frozenset[str]:
    """The keys that a part of a schema has for an object; none if it is not for one."""
    if isinstance(part, bool):
        return frozenset()
    part = _referred(schema_name, part)
    part = _referred(schema_name, part.get("then", part))
    return frozenset(part.get("properties", ()))


def _referred(schema_name: str, part: Schema) -> Schema:
    """The part of a schema that another refers to, if it does nothing else."""
    while "type" not in part and str(part.get("$ref", "")).startswith("#/"):
        named = part["$ref"].removeprefix("#/").split("/")
        part = reduce(operator.getitem, named, load_schema(schema_name))
    return part


_LONG = 500
"""A list with more items is cut down to those with faults."""
_LARGE = 200_000
"""Values of a file whose faults are described at most."""


class FaultyPart(NamedTuple):
    """A value with faults, or what is left of it without long lists of what has none.

    The validator holds every fault of a value at once, with the value around it: a large file with one in each case
    would pay for that with gigabytes.

    Attributes:
        value: What is left.
        around: Where the list stands of which only some items were kept.
        kept: What their indices were; empty if nothing was left out.
    """

    value: Json
    around: JsonPath = ()
    kept: Sequence[int] = ()

    @property
    def is_large(self) -> bool:
        """Whether it has more values inside than can be described."""
        todo, count = [self.value], 0
        while todo:
            item = todo.pop()
            if isinstance(item, dict | list):
                count += len(item)
                if count > _LARGE:
                    return True
                todo.extend(item.values() if isinstance(item, dict) else item)
        return False

    def original(self, path: JsonPath) -> JsonPath:
        """The path in the whole value of what has this one here."""
        at = len(self.around)
        if len(path) <= at or path[:at] != self.around:
            return path
        index = path[at]
        return (*self.around, self.kept[index] if isinstance(index, int) else index, *path[at + 1 :])


def faulty_part(schema_name: str, value: Json, most: int) -> FaultyPart:
    """Leave out of an evalset's cases, or of an old list, what has no faults, if it is long.

    Args:
        schema_name: The schema that the value has faults by.
        value: The whole value.
        most: So many items with faults are kept.
    """
    around: JsonPath = ("eval_cases",) if schema_name == "evalset" else ()
    items = value.get("eval_cases") if around and isinstance(value, dict) else value
    if not isinstance(items, list) or len(items) <= _LONG or schema_name not in {"evalset", "legacy"}:
        return FaultyPart(value)
    wrapped = next((index for index, item in enumerate(items) if isinstance(item, dict) and "data" in item), None)
    kind = "EvalCase" if around else "Turn" if wrapped is None else "Case"
    accepts = _part_validator(schema_name, kind).is_valid
    faulty = islice((index for index, item in enumerate(items) if not accepts(item)), most)
    # One item is kept whatever it is: an empty list would be a fault of its own, and the first case tells the form.
    kept = sorted({wrapped or 0, *faulty})
    part = [items[index] for index in kept]
    return FaultyPart({**value, "eval_cases": part} if around else part, around, kept)


@cache
def _validator(schema_name: str) -> jsonschema_rs.Draft202012Validator:
    return jsonschema_rs.Draft202012Validator(load_schema(schema_name))


@cache
def _part_validator(schema_name: str, definition: str) -> jsonschema_rs.Draft202012Validator:
    schema = {"$defs": load_schema(schema_name)["$defs"], "$ref": f"#/$defs/{definition}"}
    return jsonschema_rs.Draft202012Validator(schema)


def _fault(error: jsonschema_rs.ValidationError, schema: Schema, value: Json) -> Fault:
    """Take over what the validator reports, and find the subschemas that it speaks of."""
    holder: Any = schema
    owner: Schema = schema
    for step in error.schema_path[:-1]:
        holder = holder[step]
        if isinstance(holder, dict) and isinstance(holder.get("properties"), dict):
            owner = holder
    path = _path_in(value, error.instance_path)
    return Fault(path, error.kind.name, error.kind.value, holder, owner, error.instance)


def _path_in(value: Json, steps: Sequence[str | int]) -> JsonPath:
    """Write the validator's path with the keys as they are: it takes `"01"` for the index 1, and leaves out `""`."""
    path: list[str | int] = []
    for step in steps:
        while isinstance(value, dict) and _key_for(value, step) is None and "" in value:
            path.append("")
            value = value[""]
        key = _key_for(value, step) if isinstance(value, dict) else step
        path.append(step if key is None else key)
        value = value[path[-1]]
    return tuple(path)


def _key_for(value: Mapping[str, Json], step: str | int) -> str | None:
    """The key of an object that the validator names; None if it has none that can be meant."""
    if str(step) in value:
        return str(step)
    digits = re.compile(rf"\+?0*{step}") if isinstance(step, int) else None
    return next(filter(digits.fullmatch, value), None) if digits else None
