"""What a tool's declaration allows in one place of a call's arguments, as far as its JSON Schema says it plainly.

A schema that says more than types, choices, members and items, or says it by reference to elsewhere, allows anything
here: a rule that asks is then silent.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

import jsonschema_rs

from evalkit.cases import Json
from evalkit.matching.differences import show
from evalkit.models.declarations import Declaration

Schema = Mapping[str, Any]

WORDS: Final[Mapping[str, str]] = {
    "string": "a string",
    "integer": "an integer",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
}
_MOST_SHOWN = 10
_DEEPEST = 20
_DEFINITIONS = ("$defs", "definitions")


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """One place.

    Attributes:
        name: What a message calls it, such as `flags.new_cart`.
        branches: Schemas of which a value must fit one; none means that it may be anything.
        root: The whole schema, which has the definitions.
        needed: Whether a call must have a value here.
    """

    name: str
    branches: tuple[Schema, ...]
    root: Schema
    needed: bool = False

    def takes(self, *kinds: str) -> bool:
        """Whether a value of one of some JSON types may stand here; each number is of both their types."""
        known = {kind for branch in self.branches for kind in _kinds(branch)}
        if {"integer", "number"} & known:
            known |= {"integer", "number"}
        return not self.branches or not known.isdisjoint(kinds)

    def allows(self, value: Json) -> bool:
        """Whether a value may stand here."""
        return not self.branches or any(next(self._errors(branch, value), None) is None for branch in self.branches)

    def why_not(self, value: Json) -> str:
        """Say what is wrong with a value that has the right type."""
        fitting = [
            branch
            for branch in self.branches
            if Slot(name="", branches=({"type": _kinds(branch)},), root={}).allows(value)
        ]
        return next((error.message for branch in fitting for error in self._errors(branch, value)), "")

    @property
    def choices(self) -> tuple[Json, ...] | None:
        """Every value that may stand here, if they are few."""
        found: list[Json] = []
        for branch in self.branches:
            if "enum" in branch:
                found += branch["enum"]
            elif "const" in branch:
                found.append(branch["const"])
            elif set(_kinds(branch)) <= {"boolean", "null"}:
                found += [
                    value for kind in _kinds(branch) for value in ((True, False) if kind == "boolean" else (None,))
                ]
            else:
                return None
        return tuple(value for value in found if self.allows(value)) or None

    @property
    def wants(self) -> str:
        """Say in words what stands here; null is not told, which stands for no value."""
        choices = [choice for choice in self.choices or () if choice is not None]
        if choices and not all(isinstance(choice, bool) for choice in choices):
            rest = len(choices) - _MOST_SHOWN
            shown = ", ".join(map(show, choices[:_MOST_SHOWN]))
            few = shown if len(choices) > 1 else f"always {shown}"
            return (f"one of {few}" if len(choices) > 1 else few) + (f" and {rest} more" if rest > 0 else "")
        kinds = dict.fromkeys(kind for branch in self.branches for kind in _kinds(branch))
        return " or ".join(WORDS[kind] for kind in kinds if kind != "null" or len(kinds) == 1)

    def member(self, key: str) -> "Slot | None":
        """Return the place of a key of the object here; None if the object has no such key."""
        within: list[Any] = []
        for branch in self.branches:
            if "object" in _kinds(branch):
                known, others = branch.get("properties", {}), branch.get("additionalProperties", True)
                within.append(True if "patternProperties" in branch else known.get(key, others))
        schemas = [schema for schema in within if schema is not False]
        return self._inside(f"{self.name}.{key}", schemas) if schemas else None

    def item(self, index: int | None = None) -> "Slot":
        """Return the place of an item of the list here, or of any of them."""
        lists = [branch for branch in self.branches if "array" in _kinds(branch)]
        schemas = [True if "prefixItems" in branch else branch.get("items", True) for branch in lists]
        return self._inside(f"{self.name}[{'' if index is None else index}]", schemas or [True])

    def _inside(self, name: str, schemas: list[Any]) -> "Slot":
        return replace(self, name=name, branches=_branches({"anyOf": schemas}, self.root), needed=False)

    def _errors(self, branch: Schema, value: Json) -> Iterator[jsonschema_rs.ValidationError]:
        definitions = {key: self.root[key] for key in _DEFINITIONS if key in self.root}
        try:
            yield from jsonschema_rs.validator_for({**definitions, **branch}, offline=True).iter_errors(value)
        except ValueError:
            return  # a schema that is none says nothing


def slot_of(declaration: Declaration, argument: str) -> Slot | None:
    """Return the place of an argument; None if the declaration does not name it."""
    schema = declaration.parameters.get(argument)
    if schema is None:
        return None
    needed = argument in declaration.schema.get("required", ())
    root = declaration.schema
    return Slot(name=argument, branches=_branches(schema, root), root=root, needed=needed)


def _branches(schema: Any, root: Schema) -> tuple[Schema, ...]:
    found = list(_flat(schema, root, 0))
    return () if None in found else tuple(branch for branch in found if branch is not None)


def _flat(schema: Any, root: Schema, depth: int) -> Iterator[Schema | None]:
    """Yield the schemas of which one must hold, without references; None for one that allows anything."""
    if not isinstance(schema, Mapping) or depth > _DEEPEST:
        yield None
    elif isinstance(schema.get("$ref"), str):
        yield from _flat(_resolved(schema["$ref"], root), root, depth + 1)
    elif choices := schema.get("anyOf") or schema.get("oneOf"):
        for choice in choices:
            yield from _flat(choice, root, depth + 1)
    elif "allOf" in schema:
        yield from _flat(schema["allOf"][0] if len(schema["allOf"]) == 1 else None, root, depth + 1)
    else:
        kinds = _kinds(schema)
        yield schema if kinds and set(kinds) <= WORDS.keys() else None
        if schema.get("nullable") is True:
            yield {"type": "null"}


def _resolved(reference: str, root: Schema) -> Any:
    value: Any = root if reference.startswith("#/") else None
    for step in reference.removeprefix("#/").split("/"):
        value = value.get(step) if isinstance(value, Mapping) else None
    return value


def _kinds(schema: Schema) -> list[str]:
    """Return the JSON types of a schema; none if it does not say them."""
    said = schema.get("type")
    if said is not None:
        return [said] if isinstance(said, str) else list(said)
    values = schema.get("enum") or ([schema["const"]] if "const" in schema else [])
    return list(dict.fromkeys(_kind(value) for value in values))


def _kind(value: Json) -> str:
    names = {str: "string", bool: "boolean", int: "integer", float: "number", list: "array", dict: "object"}
    return "null" if value is None else names.get(type(value), "")
