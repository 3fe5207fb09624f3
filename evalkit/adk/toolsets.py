"""What an agent's toolsets list, asked once from the live servers, for the `toolsets:` section of a mocks file."""

import asyncio
from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from google.adk.tools.base_tool import BaseTool
from google.adk.tools.base_toolset import BaseToolset

from evalkit.adk import private
from evalkit.adk.environment import agent_environment
from evalkit.adk.load import loaded_agent
from evalkit.adk.pairing import entries, pair
from evalkit.adk.servers import Found, find
from evalkit.adk.suggestions import match_for, name_for
from evalkit.adk.survey import schema_of
from evalkit.errors import AgentLoadError

JsonObject = dict[str, Any]

_TOOL_KEYS = {
    "name": "name",
    "title": "title",
    "description": "description",
    "inputSchema": "input_schema",
    "outputSchema": "output_schema",
    "annotations": "annotations",
    "_meta": "meta",
}
"""What is kept of a tool, and how a mocks file spells it; icons and the like never reach a model."""

_RESOURCE_KEYS = {
    "name": "name",
    "uri": "uri",
    "title": "title",
    "description": "description",
    "mimeType": "mime_type",
}

_REMEDY = "is the server up, and does the agent's environment (its .env) have what it needs?"


def describe(
    agent_reference: str, environment: Mapping[str, str] | None = None, timeout: float | None = None
) -> dict[str, JsonObject]:
    """Connect to each server of an agent's toolsets, once, and write down what it lists.

    Args:
        agent_reference: The agent's folder, or a dotted module name.
        environment: Variables that win over the process's own and over the agent's `.env`.
        timeout: Seconds that each server may take; None leaves it to the toolset, which has a limit of its own.

    Returns:
        The `toolsets:` section of a mocks file; empty if no toolset asks a server for its tools.

    Raises:
        AgentLoadError: The agent cannot be loaded, or a server cannot be asked, or not in time.
    """
    with agent_environment(Path(agent_reference), environment), loaded_agent(agent_reference) as agent:
        return asyncio.run(_described(find(agent.root), timeout))


async def _described(found: Sequence[Found], timeout: float | None) -> dict[str, JsonObject]:  # noqa: ASYNC109 - a server that is cut says which one it was
    """Ask one toolset of each server."""
    by_server: dict[tuple[str, ...], list[Found]] = {}
    for one in found:
        if one.connects:
            by_server.setdefault(one.server or (str(id(one)),), []).append(one)
    section: dict[str, JsonObject] = {}
    try:
        for sharing in by_server.values():
            section[_new_name(name_for(sharing[0]), section)] = await _in_time(sharing[0], timeout)
    finally:
        for one in found:
            await one.toolset.close()
    return _told_apart(found, section, [sharing[0] for sharing in by_server.values()])


async def _in_time(found: Found, timeout: float | None) -> JsonObject:  # noqa: ASYNC109 - as above
    try:
        async with asyncio.timeout(timeout):
            return await _asked(found)
    except TimeoutError as error:
        raise AgentLoadError(f"{found.label} did not list its tools within {timeout:g} s; {_REMEDY}") from error


async def _asked(found: Found) -> JsonObject:
    try:
        if not found.is_mcp:
            return {"tools": [_declared(tool) for tool in await found.toolset.get_tools()]}
        listed = await _with_session(found.toolset, lambda session: session.list_tools())
        said: JsonObject = {"tools": [_kept(tool, _TOOL_KEYS) for tool in listed.tools]}
        if getattr(found.toolset, private.LISTS_RESOURCES, False):
            said["resources"] = await _resources(found.toolset)
    except Exception as error:
        raise AgentLoadError(f"{found.label} cannot be asked for its tools: {_said(error)}; {_REMEDY}") from error
    return said


def _said(error: Exception) -> str:
    """Say what went wrong in one line; what wrapped the error again and again in the same words says them once."""
    text = " ".join(str(error).split()) or type(error).__name__
    return ": ".join(words for words, _ in groupby(text.split(": ")))


async def _resources(toolset: BaseToolset) -> list[JsonObject]:
    async def read(session: Any) -> list[JsonObject]:
        listed = await session.list_resources()
        return [{**_kept(one, _RESOURCE_KEYS), **await _content(session, one.uri)} for one in listed.resources]

    read_all: list[JsonObject] = await _with_session(toolset, read)
    return read_all


async def _content(session: Any, uri: Any) -> JsonObject:
    """Read a resource; of one with several parts the first is kept, which is what a file has."""
    (first, *_) = (await session.read_resource(uri)).contents
    return {key: getattr(first, key) for key in ("text", "blob") if getattr(first, key, None) is not None}


async def _with_session(toolset: BaseToolset, ask: Any) -> Any:
    return await getattr(toolset, private.WITH_SESSION)(ask, "the server gave no answer")


def _kept(model: Any, keys: Mapping[str, str]) -> JsonObject:
    dumped = model.model_dump(mode="json", by_alias=True, exclude_none=True)
    return {ours: dumped[theirs] for theirs, ours in keys.items() if theirs in dumped}


def _declared(tool: BaseTool) -> JsonObject:
    declared = private.declaration(tool)
    schema = schema_of(declared) if declared else None
    return {"name": tool.name, "description": tool.description, "input_schema": schema or {"type": "object"}}


def _new_name(name: str, taken: Mapping[str, Any]) -> str:
    numbered = (f"{name}-{number}" for number in range(2, len(taken) + 3))
    return name if name not in taken else next(new for new in numbered if new not in taken)


def _told_apart(
    found: Sequence[Found], section: dict[str, JsonObject], asked: Sequence[Found]
) -> dict[str, JsonObject]:
    """Add a `match` to entries where the names alone would not tell which toolset is meant."""
    if pair(found, entries(section)).faults:
        for (name, said), one in zip(section.items(), asked, strict=True):
            if one.prefix != name:
                section[name] = {"match": match_for(one, asked), **said}
    return section
