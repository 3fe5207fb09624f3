"""Messages, tool calls and tool responses: `google.genai`'s Content, FunctionCall and FunctionResponse."""

from collections.abc import Mapping
from typing import Any

from evalkit.cases import Message, ToolCall, ToolReply
from evalkit.formats.shapes import conform

JsonObject = Mapping[str, Any]

_CALL = {"name", "args", "id"}
_REPLY = {"name", "response", "id"}


def read_message(content: JsonObject) -> Message:
    """Read a Content."""
    parts = content.get("parts")
    if parts is None:
        return Message(role=content.get("role"), bare=True)
    return Message(role=content.get("role"), parts=tuple(map(read_part, parts)))


def write_message(message: Message) -> dict[str, Any]:
    """Write a Content."""
    content: dict[str, Any] = {} if message.bare and not message.parts else {"parts": [*message.parts]}
    return content if message.role is None else {"role": message.role, **content}


def read_part(part: JsonObject) -> JsonObject:
    """Read a Part: a plain dict with keys in snake_case."""
    if len(part) == 1 and "text" in part:
        return part
    plain: JsonObject = conform(part, "evalset", "Part")
    return plain


def read_call(call: JsonObject, where: str, agent: str | None = None, part: JsonObject | None = None) -> ToolCall:
    """Read a FunctionCall.

    Args:
        call: The call with keys in either style.
        where: Its JSON path.
        agent: Who makes it, if known.
        part: What stands beside it in its Part, such as a thought signature.
    """
    extra: dict[str, Any] = {}
    if not call.keys() <= _CALL:
        extra = {key: value for key, value in conform(call, "evalset", "FunctionCall").items() if key not in _CALL}
    args = call.get("args")
    if args is None:
        extra["args"] = None  # ADK tells absent arguments from empty ones
    if part:
        extra["part"] = part
    return ToolCall(name=call["name"], args=args or {}, agent=agent, id=call.get("id"), where=where, extra=extra)


def write_call(call: ToolCall) -> dict[str, Any]:
    """Write a FunctionCall."""
    extra = {key: value for key, value in call.extra.items() if key not in {"args", "part"}}
    args = {} if "args" in call.extra and not call.args else {"args": dict(call.args)}
    return {**_identified(call), "name": call.name, **args, **extra}


def read_reply(reply: JsonObject, where: str, agent: str | None = None, part: JsonObject | None = None) -> ToolReply:
    """Read a FunctionResponse; the arguments are those of `read_call`."""
    extra: dict[str, Any] = {}
    if not reply.keys() <= _REPLY:
        plain = conform(reply, "evalset", "FunctionResponse")
        extra = {key: value for key, value in plain.items() if key not in _REPLY}
    name, response = reply.get("name"), reply.get("response")
    if name is None:
        extra["name"] = None
    if response is None:
        extra["response"] = None
    if part:
        extra["part"] = part
    return ToolReply(
        name=name or "", response=response or {}, agent=agent, id=reply.get("id"), where=where, extra=extra
    )


def write_reply(reply: ToolReply) -> dict[str, Any]:
    """Write a FunctionResponse."""
    extra = {key: value for key, value in reply.extra.items() if key not in {"name", "response", "part"}}
    name = {} if "name" in reply.extra and not reply.name else {"name": reply.name}
    response = {} if "response" in reply.extra and not reply.response else {"response": dict(reply.response)}
    return {**_identified(reply), **name, **response, **extra}


def _identified(item: ToolCall | ToolReply) -> dict[str, Any]:
    return {} if item.id is None else {"id": item.id}
