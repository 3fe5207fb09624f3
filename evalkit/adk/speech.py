"""What a stand-in model says, in the shape that ADK and the agent's output schema ask for."""

import json
from collections.abc import Mapping
from typing import Any, cast

from google.genai import types
from pydantic import TypeAdapter

from evalkit.adk.minimal import NEUTRAL, minimal, misfit
from evalkit.cases import Message
from evalkit.models.declarations import Declaration
from evalkit.models.owners import UnplayableCaseError


def spoken(message: Message) -> list[types.Part]:
    """Turn a message's parts into ADK's."""
    return [types.Part.model_validate(dict(part)) for part in message.parts]


def neutral_text(agent: str, config: types.GenerateContentConfig | None) -> str:
    """Return a line without content that is valid under the request's response schema, if it has one.

    Raises:
        UnplayableCaseError: No such line could be made up, so the case has to have the agent's text.
    """
    schema = _response_schema(config)
    return NEUTRAL if schema is None else json.dumps(_neutral(agent, schema))


def wrapped(agent: str, message: Message | None, output_schema: object, declared: Declaration) -> dict[str, Any]:
    """Return the arguments that say something through a tool, where an agent may not say it as text.

    Args:
        agent: Who says it.
        message: What is to be said; None for a line without content.
        output_schema: The tool's: a type, or a schema as a value.
        declared: What the model is told about the tool.

    Raises:
        UnplayableCaseError: No line without content could be made up.
    """
    schema = json_schema(output_schema)
    values = [_neutral(agent, schema)] if message is None else _readings(message.text)
    whole = len(declared.parameters) != 1 or set(declared.parameters) <= set(schema.get("properties", ()))
    readings = [_as_args(value, declared, whole=whole) for value in values]
    return next((args for args in readings if not declared.misfits(args)), readings[0])


def _readings(text: str) -> list[Any]:
    """Return what a text may mean, the likelier first: the JSON value that it spells, or itself."""
    try:
        value = json.loads(text)
    except ValueError:
        return [text]
    return [value, text] if isinstance(value, dict) else [text, value]


def _as_args(value: Any, declared: Declaration, *, whole: bool) -> dict[str, Any]:
    if whole and isinstance(value, dict):
        return value
    return {next(iter(declared.parameters), "result"): value}


def _neutral(agent: str, schema: Mapping[str, Any]) -> Any:
    value = minimal(schema)
    wrong = misfit(value, schema)
    if wrong is not None:
        raise UnplayableCaseError(
            f"{agent} has to say something that fits its output_schema, and nothing neutral could be made up ({wrong});"
            f" record what it said: an event of the turn by {agent}, or the reply of the agent tool"
        )
    return value


def _response_schema(config: types.GenerateContentConfig | None) -> Mapping[str, Any] | None:
    if config is None:
        return None
    schema = config.response_json_schema or config.response_schema
    return None if schema is None else json_schema(schema)


def json_schema(schema: object) -> Mapping[str, Any]:
    """Return any of the ways in which ADK takes a schema as a JSON Schema."""
    if isinstance(schema, types.Schema):
        return schema.json_schema.model_dump(exclude_none=True, by_alias=True, mode="json")
    if isinstance(schema, dict):
        return schema
    adapter: TypeAdapter[Any] = TypeAdapter(cast("type[Any]", schema))
    return adapter.json_schema()
