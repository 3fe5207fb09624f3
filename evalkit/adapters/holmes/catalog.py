"""The tools that HolmesGPT's recordings answer, declared as a model is told about them.

A recording says a tool's name and arguments, not its signature. `catalog.json` has the signatures of the tools that
are known, described in words of our own; what recordings show beyond it is added, and a tool that nobody knows is
declared as its recordings show it. So every recorded call fits what is declared, whatever the fixtures record.
"""

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Final

from evalkit.cases import Json
from evalkit.models.schemas import allows

JsonObject = Mapping[str, Any]
Recordings = Sequence[tuple[str, JsonObject]]

_CALLABLE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_.:-]{0,127}")
"""What a model can be told to call, by `google.genai.types.FunctionDeclaration`."""

_TYPES: Final = {bool: "boolean", int: "integer", float: "number", str: "string", list: "array", dict: "object"}


def declarations(recordings: Recordings) -> list[dict[str, Any]]:
    """Declare each tool among the recordings: `{name, description, parameters}`, by name.

    Args:
        recordings: The tool's name and the arguments of each recorded call; a tool may be there any number of times.
            Recordings of a name that no model can be told to call are passed over.

    Returns:
        One declaration a tool, for `provides:` of a mocks file. Each recorded call is valid under its `parameters`.
    """
    calls: dict[str, list[JsonObject]] = {}
    for tool, args in recordings:
        calls.setdefault(tool, []).append(args)
    return [_declaration(tool, calls[tool]) for tool in sorted(calls) if _CALLABLE.fullmatch(tool)]


@cache
def _catalog() -> dict[str, JsonObject]:
    catalog: dict[str, JsonObject] = json.loads(files(__package__).joinpath("catalog.json").read_text(encoding="utf-8"))
    return catalog


def _declaration(tool: str, calls: Sequence[JsonObject]) -> dict[str, Any]:
    known = _catalog().get(tool)
    if known is None:
        words = " ".join(re.split(r"[\W_]+", tool)).strip() or tool
        known = {"description": f"{words[0].upper()}{words[1:]}.", "open": True}
    parameters: JsonObject = known.get("parameters", {})
    extra = sorted({name for args in calls for name in args} - parameters.keys())
    required = [name for name in known.get("required", ()) if all(name in args for args in calls)]
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {name: _parameter(parameters.get(name), _given(name, calls)) for name in [*parameters, *extra]},
    }
    if required:
        schema["required"] = required
    if known.get("open"):  # recordings alone do not tell whether a tool takes more than they show
        schema["additionalProperties"] = True
    return {"name": tool, "description": known["description"], "parameters": schema}


def _given(name: str, calls: Sequence[JsonObject]) -> list[Json]:
    return [args[name] for args in calls if name in args]


def _parameter(known: JsonObject | None, given: Sequence[Json]) -> dict[str, Any]:
    """Describe a parameter so that all given values are valid: as the catalogue does, widened if it must be."""
    if known is None:
        return _inferred(given)
    if all(allows(known, value) for value in given):
        return dict(known)
    listed = [known["type"]] if isinstance(known["type"], str) else known["type"]
    widened = {**known, "type": list(dict.fromkeys([*listed, *_types(given)]))}
    if all(allows(widened, value) for value in given):
        return widened
    return {"description": known["description"], **_inferred(given)}


def _inferred(given: Sequence[Json]) -> dict[str, Any]:
    """Infer a schema from values, which leaves open what they do not show."""
    types = _types(given)
    schema: dict[str, Any] = {"type": types[0] if len(types) == 1 else types}
    if "array" in types:
        items = [item for value in given if isinstance(value, list) for item in value]
        schema["items"] = _inferred(items) if items else {}
    return schema


def _types(given: Sequence[Json]) -> list[str]:
    """Name the JSON types of values, each once, null last; a value may always be left out, so null alone is a text."""
    found = {_TYPES[type(value)] for value in given if value is not None}
    if {"integer", "number"} <= found:
        found.remove("integer")
    nulls = ["null"] if None in given else []
    return [*sorted(found or {"string"}), *nulls]
