"""Do a call's arguments fit what the tool declares? Decided on the JSON Schema of the declaration."""

from collections.abc import Mapping
from typing import Any

import jsonschema_rs

from evalkit.cases import Json


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
        self._validator = jsonschema_rs.validator_for(closed)

    def misfits(self, args: Mapping[str, Json]) -> tuple[str, ...]:
        """Say what does not fit: unknown, missing and wrongly typed arguments, one sentence each."""
        if self._validator.is_valid(dict(args)):
            return ()
        return tuple(self._say(error) for error in self._validator.iter_errors(dict(args)))

    def _say(self, error: jsonschema_rs.ValidationError) -> str:
        kind = error.kind
        place = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in error.instance_path).lstrip(
            "."
        )
        if isinstance(kind, jsonschema_rs.ValidationErrorKind.AdditionalProperties):
            unknown = ", ".join(f"`{name}`" for name in kind.unexpected)
            within = f" in `{place}`" if place else ""
            known = ", ".join(self.parameters) or "none"
            return f"`{self.name}` takes no argument {unknown}{within} (its arguments: {known})"
        if isinstance(kind, jsonschema_rs.ValidationErrorKind.Required):
            within = f" in `{place}`" if place else ""
            return f"`{self.name}` needs the argument `{kind.property}`{within}"
        return f"`{self.name}` argument `{place}`: {error.message}"
