"""Example values for JSON Schemas: arguments that a tool accepts, and replies of the shape that it declares.

Where a schema gives a value itself (`const`, `examples`, `default`, `enum`), that is the example.
"""

from collections.abc import Mapping
from typing import Any

from evalkit.agent_lint.words import stem
from evalkit.cases import Json
from evalkit.models.schemas import Schema, allows, merged, number_near, resolved
from evalkit.scaffold.texts import INSTANT, text_for

NUMBER = 3
"""The number of all examples, where nothing speaks against it."""

_CANDIDATES = (
    "example",
    "Example",
    "EXAMPLE",
    "a",
    "A",
    "1",
    "abc",
    "ABC",
    "A1",
    "a1",
    "ABC-123",
    "1h",
    "1.0",
    INSTANT,
)
"""Texts of which one may match a `pattern`."""


def example_args(schema: Schema, notes: Mapping[str, str]) -> dict[str, Json]:
    """Return an example of a tool's arguments: those that it needs.

    Args:
        schema: The JSON Schema of all arguments.
        notes: What the docstring says of each.
    """
    known, needed = schema.get("properties", {}), schema.get("required", ())
    make = _Examples(schema)
    names = dict.fromkeys((*(name for name in known if name in needed), *needed))
    return {name: make.value(known.get(name, {}), name, notes.get(name, "")) for name in names}


def example_of(schema: Schema, name: str = "") -> Json:
    """Return an example with every key that the schema names.

    Args:
        schema: The JSON Schema.
        name: What the value is called, if anything.
    """
    return _Examples(schema, whole=True).value(schema, name)


class _Examples:
    """Makes examples for one schema.

    Args:
        root: The whole schema, to which references lead.
        whole: Whether objects get all their keys, or those that they need.
    """

    def __init__(self, root: Schema, *, whole: bool = False) -> None:
        self._root = root
        self._whole = whole
        self._within: list[str] = []

    def value(self, schema: Schema, name: str, note: str = "") -> Json:
        """Return an example of a value."""
        if "$ref" in schema:
            return self._referred(schema, name, note)
        given = _given(schema)
        if given:
            return given[0]
        if schema.get("allOf"):
            return self.value(merged(schema, self._root), name, note)
        options = schema.get("anyOf") or schema.get("oneOf")
        note = note or str(schema.get("description") or "")
        if options:
            return self.value(self._likeliest(options), name, note)
        return self._of_kind(schema, name, note)

    def _referred(self, schema: Schema, name: str, note: str) -> Json:
        reference = str(schema["$ref"])
        if reference in self._within:
            return None  # it asks for itself; `Declaration` and the rehearsal tell if that is not allowed
        self._within.append(reference)
        try:
            return self.value(resolved(reference, self._root), name, note)
        finally:
            self._within.pop()

    def _likeliest(self, options: list[Schema]) -> Schema:
        """Choose what is no null and does not lead back to where it stands."""
        fitting = [one for one in options if one.get("type") != "null" and one.get("$ref") not in self._within]
        return (fitting or options)[0]

    def _of_kind(self, schema: Schema, name: str, note: str) -> Json:
        match _kind(schema):
            case "object":
                return self._object(schema)
            case "array":
                return self._array(schema, name)
            case "integer" | "number":
                return number_near(schema, NUMBER)
            case "boolean":
                return True
            case "null":
                return None
            case _:
                return _text(schema, name, note)

    def _object(self, schema: Schema) -> dict[str, Json]:
        known: Mapping[str, Schema] = schema.get("properties", {})
        needed = schema.get("required", ())
        names = dict.fromkeys((*(name for name in known if self._whole or name in needed), *needed))
        value = {name: self.value(known.get(name, {}), name) for name in names}
        further = schema.get("additionalProperties")
        least = max(int(schema.get("minProperties", 0)), 0 if known else isinstance(further, dict))
        for number in range(len(value), least):
            value[f"key-{number + 1}"] = self.value(further if isinstance(further, dict) else {}, "value")
        return value

    def _array(self, schema: Schema, name: str) -> list[Json]:
        first: list[Schema] = schema.get("prefixItems", [])
        rest = schema.get("items")
        count = max(int(schema.get("minItems", 0)), len(first) or 1)
        kinds = [first[index] if index < len(first) else rest for index in range(count)]
        items = [self.value(kind if isinstance(kind, dict) else {}, singular(name)) for kind in kinds]
        return [_varied(item, number) for number, item in enumerate(items)] if schema.get("uniqueItems") else items


def singular(name: str) -> str:
    """Return what one item of a list is called: `topics` hold a `topic`."""
    return name if name.endswith("series") else stem(name)


def _given(schema: Schema) -> list[Json]:
    """Return the value that a schema itself gives as an example, in a list; an empty one if it gives none."""
    if "const" in schema:
        return [schema["const"]]
    examples = schema.get("examples")
    candidates = [*(examples if isinstance(examples, list) else ()), schema.get("example"), schema.get("default")]
    candidates += schema.get("enum", ())
    return [value for value in candidates if value is not None][:1]


def _kind(schema: Schema) -> str:
    kinds = schema.get("type") or ("object" if "properties" in schema else "array" if "items" in schema else "string")
    kinds = [kinds] if isinstance(kinds, str) else kinds
    return next((str(kind) for kind in kinds if kind != "null"), "null").lower()


def _text(schema: Schema, name: str, note: str) -> str:
    wanted = text_for(name, note, str(schema.get("format", "")))
    least, most = int(schema.get("minLength", 0)), schema.get("maxLength")
    wanted = wanted.ljust(least, "x")[: None if most is None else int(most)]
    fitting = (text for text in (wanted, *_CANDIDATES) if allows({**schema, "type": "string"}, text))
    return next(fitting, wanted)


def _varied(item: Any, number: int) -> Any:
    """Make the items of a list differ."""
    if number == 0 or isinstance(item, bool):
        return item
    if isinstance(item, str):
        return f"{item}-{number + 1}"
    return item + number if isinstance(item, int | float) else item
