"""Do a call's arguments fit what the tool declares? Decided on the JSON Schema of the declaration."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import jsonschema_rs

from evalkit.cases import Json
from evalkit.models.declared import complaint


@dataclass(frozen=True, slots=True, kw_only=True)
class Misfit:
    """One thing that is wrong with the arguments of a call.

    Attributes:
        kind: Arguments that are not declared, one that is needed and missing, or one with a wrong value.
        path: The keys and indices that lead to the object, or to the value, that is wrong.
        names: The unknown arguments, or the missing one.
        message: A sentence that says it.
    """

    kind: Literal["unknown", "missing", "wrong"]
    path: tuple[str | int, ...]
    names: tuple[str, ...] = ()
    message: str


class Declaration:
    """What the model is told about one tool's arguments.

    Args:
        name: The tool's name.
        schema: The JSON Schema of its arguments; None for a tool that takes none.
        open_ended: Whether arguments that are not declared are fine, because the function takes any.
    """

    def __init__(self, name: str, schema: Mapping[str, Any] | None, *, open_ended: bool = False) -> None:
        closed = dict(schema or {"type": "object", "properties": {}})
        if not open_ended:
            closed.setdefault("additionalProperties", False)
        self.name = name
        self.schema: Mapping[str, Any] = closed
        self.parameters: Mapping[str, Any] = closed.get("properties", {})
        self._validator = jsonschema_rs.validator_for(closed, offline=True)

    @property
    def closed(self) -> bool:
        """Whether only declared arguments are fine."""
        return self.schema.get("additionalProperties") is False and "patternProperties" not in self.schema

    def misfits(self, args: Mapping[str, Json]) -> tuple[str, ...]:
        """Say what does not fit: unknown, missing and wrongly typed arguments, one sentence each."""
        return tuple(misfit.message for misfit in self.examine(args))

    def examine(self, args: Mapping[str, Json]) -> tuple[Misfit, ...]:
        """Tell what does not fit, with its place in the arguments."""
        if self._validator.is_valid(dict(args)):
            return ()
        return tuple(self._misfit(error) for error in self._validator.iter_errors(dict(args)))

    def _misfit(self, error: jsonschema_rs.ValidationError) -> Misfit:
        kind, path = error.kind, tuple(error.instance_path)
        place = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).lstrip(".")
        within = f" in `{place}`" if place else ""
        if isinstance(kind, jsonschema_rs.ValidationErrorKind.AdditionalProperties):
            names = tuple(kind.unexpected)
            unknown = ", ".join(f"`{name}`" for name in names)
            known = ", ".join(self.parameters) or "none"
            message = f"`{self.name}` takes no argument {unknown}{within} (its arguments: {known})"
            return Misfit(kind="unknown", path=path, names=names, message=message)
        if isinstance(kind, jsonschema_rs.ValidationErrorKind.Required):
            message = f"`{self.name}` needs the argument `{kind.property}`{within}"
            return Misfit(kind="missing", path=path, names=(kind.property,), message=message)
        return Misfit(
            kind="wrong", path=path, message=f"`{self.name}` argument `{place}`: {complaint(error, self.schema)}"
        )
