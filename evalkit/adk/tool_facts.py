"""What can be known of one tool without calling it: its declaration, its defaults, its docstring, what it returns."""

import asyncio
import contextlib
import functools
import inspect
import json
import typing
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import pydantic
from google.adk.tools.base_tool import BaseTool
from google.adk.tools.base_toolset import BaseToolset
from google.adk.tools.function_tool import FunctionTool
from google.adk.workflow import BaseNode

from evalkit.adk import private
from evalkit.adk.pairing import Pairing
from evalkit.adk.servers import OPENAPI, Found, kinds, own_tools
from evalkit.adk.survey import agent_in, declaration_of, schema_of
from evalkit.cases import Json
from evalkit.errors import AgentLoadError
from evalkit.models.declarations import Declaration
from evalkit.models.docstrings import reply_keys
from evalkit.models.facts import ToolFacts
from evalkit.models.reply_types import reply_types

_STREAMS = ("Generator", "AsyncGenerator", "Iterator", "AsyncIterator", "Iterable", "AsyncIterable", "Awaitable")
"""Return annotations of which no value is what the tool replies."""


def facts_of_tool(tool: Any) -> ToolFacts | None:
    """Describe what stands in an agent's `tools`; None for a toolset, which is described apart.

    Raises:
        AgentLoadError: The tool cannot be declared to a model, so that ADK could not run the agent either.
    """
    if isinstance(tool, BaseToolset):
        return None
    if isinstance(tool, BaseNode) and not isinstance(tool, BaseTool):
        return ToolFacts(name=tool.name, docstring=tool.description)
    made = tool if isinstance(tool, BaseTool) else FunctionTool(tool)
    return _described(made, _declaration(made))


def _described(tool: BaseTool, declaration: Declaration | None) -> ToolFacts:
    function = getattr(tool, "func", None)
    name = declaration.name if declaration else tool.name
    if function is None or agent_in(tool) is not None:
        return ToolFacts(name=name, declaration=declaration, docstring=tool.description or "")
    docstring = inspect.getdoc(function) or tool.description or ""
    defaults = _defaults(function)
    if declaration is not None:
        defaults = {key: value for key, value in defaults.items() if key in declaration.parameters}
    parameters = tuple(declaration.parameters) if declaration else ()
    return ToolFacts(
        name=name,
        declaration=declaration,
        defaults=defaults,
        docstring=docstring,
        returns=_returns(function),
        reply_keys=reply_keys(docstring, parameters),
        reply_types=reply_types(docstring, parameters),
    )


def _declaration(tool: BaseTool) -> Declaration | None:
    try:
        return declaration_of(tool)
    except Exception as error:
        said = " ".join(str(error).split()) or "no message"
        raise AgentLoadError(
            f"{tool.name}: the tool cannot be declared to a model: {type(error).__name__}: {said}"
        ) from error


def _defaults(function: Callable[..., Any]) -> dict[str, Json]:
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return {}
    return {one.name: one.default for one in parameters if one.default is not one.empty and _is_json(one.default)}


def _is_json(value: Any) -> bool:
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        return False
    return True


def _returns(function: Callable[..., Any]) -> dict[str, Any] | None:
    """Return the JSON Schema of what a function returns; None if its annotation says nothing of that."""
    try:
        annotation = typing.get_type_hints(_plain(function), include_extras=True).get("return", Any)
    except Exception:  # noqa: BLE001 - whatever evaluating somebody's annotations raises, there is none to go by
        return None
    origin = typing.get_origin(annotation) or annotation
    if annotation in (Any, None, type(None)) or getattr(origin, "__name__", "") in _STREAMS:
        return None
    return _schema(annotation)


def _plain(function: Callable[..., Any]) -> Callable[..., Any]:
    while isinstance(function, functools.partial):
        function = function.func
    is_plain = inspect.isroutine(function) or inspect.isclass(function)
    return function if is_plain else type(function).__call__


def _schema(annotation: Any) -> dict[str, Any] | None:
    if typing.is_typeddict(annotation):  # before Python 3.12, pydantic takes only those of typing_extensions
        hints = typing.get_type_hints(annotation)
        fields = {name: _schema(hint) or {} for name, hint in hints.items()}
        return {"type": "object", "properties": fields, "required": sorted(annotation.__required_keys__)}
    try:
        adapter = pydantic.TypeAdapter(annotation)
        schema, by_name = adapter.json_schema(), adapter.json_schema(by_alias=False)
    except Exception:  # noqa: BLE001 - a type that has no JSON Schema says nothing of the reply
        return None
    return schema if schema and schema == by_name else None  # with aliases there are two ways to write it


def facts_of_toolset(found: Found, pairing: Pairing) -> dict[str, ToolFacts] | None:
    """Return the tools of a toolset, as the model sees them; None if only a server or its own code can tell them."""
    entry = pairing.entry(found.toolset)
    if entry is not None:
        described = {name: tool for tool in entry.tools if (name := found.name_of(tool["name"]))}
        tools = {name: _from_entry(name, tool) for name, tool in described.items()}
        names = found.names(str(tool["name"]) for tool in entry.tools)
        return {name: tools.get(name) or ToolFacts(name=name) for name in names}
    if OPENAPI not in kinds(found.toolset) or own_tools(found) is None:
        return None
    made: list[BaseTool] = getattr(found.toolset, private.OPENAPI_TOOLS)
    return {name: _from_openapi(name, tool) for tool in made if (name := found.name_of(tool.name))}


async def told_by_own_code(found: Iterable[Found], timeout: float) -> dict[int, dict[str, ToolFacts]]:  # noqa: ASYNC109 - what takes longer is passed over, the others are not
    """Let toolsets list their tools, each for at most so many seconds, and close them.

    Returns:
        The tools of those that could, by the `id` of the toolset.
    """
    told: dict[int, dict[str, ToolFacts]] = {}
    for one in found:
        with contextlib.suppress(Exception):  # a toolset of the user's own may raise anything; then it tells nothing
            async with asyncio.timeout(timeout):
                tools = [facts_of_tool(tool) for tool in await one.toolset.get_tools_with_prefix()]
            told[id(one.toolset)] = {tool.name: tool for tool in tools if tool is not None}
        with contextlib.suppress(Exception):  # nor is its end anybody's business here
            await one.toolset.close()
    return told


def _from_entry(name: str, tool: Mapping[str, Any]) -> ToolFacts:
    schema = tool.get("input_schema", tool.get("inputSchema"))
    return ToolFacts(
        name=name,
        declaration=Declaration(name, schema),
        docstring=tool.get("description") or "",
        answers=tool.get("output_schema", tool.get("outputSchema")),
    )


def _from_openapi(name: str, tool: BaseTool) -> ToolFacts:
    declared = private.declaration(tool)
    declaration = Declaration(name, schema_of(declared)) if declared else None
    return ToolFacts(name=name, declaration=declaration, docstring=tool.description or "", answers=_specified(tool))


def _specified(tool: BaseTool) -> dict[str, Any] | None:
    """Return the schema of what a specification says comes back when all is well, if it is JSON."""
    responses: Mapping[str, Any] = tool.operation.responses or {}  # type: ignore[attr-defined]  # a `RestApiTool`
    good = sorted(status for status in responses if status.startswith("2"))
    content = getattr(responses[good[0]], "content", None) if good else None
    media = next((media for kind, media in (content or {}).items() if "json" in kind), None)
    schema = media and media.schema_
    return schema.model_dump(mode="json", by_alias=True, exclude_none=True) if schema else None
