"""What an MCP server answers to a call of a tool, made out of what a mock returns.

A mock may return plain JSON, which becomes what servers make of it: text for the model, and structured content. Or it
returns MCP's own shape, `{content: […], structuredContent: …, isError: …}`, which is taken as it is.
"""

import json
from collections.abc import Mapping
from typing import Any

import jsonschema_rs
from mcp import types
from pydantic import ValidationError

from evalkit.cases import Json
from evalkit.mocks import NEUTRAL_REPLY

JsonObject = Mapping[str, Any]

_KEYS = {
    "content": "content",
    "isError": "isError",
    "is_error": "isError",
    "structuredContent": "structuredContent",
    "structured_content": "structuredContent",
    "_meta": "_meta",
    "meta": "_meta",
}
"""The keys of a result, in the spellings of the protocol, of the SDK and of ADK."""


def result_of(value: Json, tool: str, schema: JsonObject | None = None) -> types.CallToolResult:
    """Make what the session's `call_tool` returns.

    Args:
        value: What a mock returned.
        tool: The tool's name, for messages.
        schema: The tool's output schema, if it has one.

    Raises:
        RuntimeError: The structured content does not fit the output schema; the MCP SDK raises the same.
    """
    result = _as_given(value) if _is_result(value) else _wrapped(value, schema)
    fault = None if result.get("isError") else _misfit(result, tool, schema)
    if fault:
        raise RuntimeError(fault)
    return types.CallToolResult.model_validate(result)


def fault_of(value: Json, tool: str, schema: JsonObject | None = None) -> str | None:
    """Say why a mock's value is nothing that a server could answer; None if it is."""
    try:
        result_of(value, tool, schema)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        return f"{tool} returns what is no MCP result: {place}: {first['msg']}"
    except RuntimeError as error:
        return str(error)
    return None


def _is_result(value: Json) -> bool:
    """Tell MCP's shape from a value of the tool's own that happens to have a key `content`."""
    if not isinstance(value, dict) or not isinstance(value.get("content"), list) or not value.keys() <= _KEYS.keys():
        return False
    return all(isinstance(block, dict) and "type" in block for block in value["content"])


def _as_given(value: JsonObject) -> dict[str, Any]:
    return {_KEYS[key]: member for key, member in value.items()}


def _wrapped(value: Json, schema: JsonObject | None) -> dict[str, Any]:
    result: dict[str, Any] = {"content": [] if value is None else [{"type": "text", "text": _text(value)}]}
    if isinstance(value, dict):
        result["structuredContent"] = value
    elif schema is not None and list(schema.get("properties", {})) == ["result"]:
        result["structuredContent"] = {"result": value}  # how the SDK's servers structure what is no object
    if value == NEUTRAL_REPLY:  # a miss: as an error it need not fit the schema, and reads like one
        result["isError"] = True
    return result


def _text(value: Json) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _misfit(result: JsonObject, tool: str, schema: JsonObject | None) -> str | None:
    if schema is None:
        return None
    if "structuredContent" not in result:
        return f"Tool {tool} has an output schema but did not return structured content"
    validator = jsonschema_rs.validator_for(dict(schema), offline=True)
    error = next(iter(validator.iter_errors(result["structuredContent"])), None)
    return f"Invalid structured content returned by tool {tool}: {error.message}" if error else None
