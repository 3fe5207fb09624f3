"""A turn's `intermediate_data`, in ADK's two layouts: a flat list of calls, or recorded events."""

from collections.abc import Iterator, Sequence
from typing import Any, Literal

from evalkit.cases import Message, Step
from evalkit.formats.contents import (
    JsonObject,
    read_call,
    read_message,
    read_part,
    read_reply,
    write_call,
    write_message,
    write_reply,
)
from evalkit.formats.spelling import to_camel, to_snake

Layout = Literal["flat", "events"]

_EVENT_KEYS = {"grounding_metadata", "usage_metadata", "model_version", "invocation_index", "tool_use_index"}
_EVENT_KEYS |= {to_camel(key) for key in _EVENT_KEYS}
_KINDS = ("message", "call", "reply")


def spelled(value: JsonObject, key: str) -> str:
    """The spelling of a key that an object has: snake_case, else camelCase."""
    return key if key in value else to_camel(key)


def read_steps(data: JsonObject, where: str) -> tuple[tuple[Step, ...], Layout]:
    """Read `intermediate_data` that is not null.

    Args:
        data: The object.
        where: Its JSON path.
    """
    key = spelled(data, "invocation_events")
    if key in data:
        return tuple(_event(event, f"{where}.{key}[{index}]") for index, event in enumerate(data[key])), "events"
    return tuple(_flat_steps(data, where)), "flat"


def write_steps(steps: Sequence[Step], layout: Layout) -> dict[str, Any]:
    """Write `intermediate_data`."""
    if layout == "events":
        return {"invocation_events": [_write_event(step) for step in steps]}
    replies = [write_reply(reply) for step in steps for reply in step.replies]
    said = [[step.agent or "", [*step.message.parts]] for step in steps if step.message]
    return {
        "tool_uses": [write_call(call) for step in steps for call in step.calls],
        **({"tool_responses": replies} if replies else {}),
        **({"intermediate_responses": said} if said else {}),
    }


def _flat_steps(data: JsonObject, where: str) -> Iterator[Step]:
    key = spelled(data, "tool_uses")
    for index, call in enumerate(data.get(key, ())):
        yield Step(calls=(read_call(call, f"{where}.{key}[{index}]"),))
    key = spelled(data, "tool_responses")
    for index, reply in enumerate(data.get(key, ())):
        yield Step(replies=(read_reply(reply, f"{where}.{key}[{index}]"),))
    for author, parts in data.get(spelled(data, "intermediate_responses"), ()):
        yield Step(agent=author, message=Message(parts=tuple(map(read_part, parts))))


def _event(event: JsonObject, where: str) -> Step:
    """Read one recorded event; what its step has no field for goes into `extra`."""
    author, content = event["author"], event.get("content")
    extra = {
        (to_snake(key) if key in _EVENT_KEYS else key): value
        for key, value in event.items()
        if key not in {"author", "content"}
    }
    if not content or not content.get("parts"):
        # An event without parts has nothing to show; what is there tells ADK's three kinds of nothing apart.
        return Step(agent=author, extra={**extra, "content": content})
    calls, replies, said, order = [], [], [], []
    for index, part in enumerate(content["parts"]):
        at = f"{where}.content.parts[{index}]"
        call, reply = spelled(part, "function_call"), spelled(part, "function_response")
        if part.get(call) is not None:
            calls.append(read_call(part[call], f"{at}.{call}", author, _beside(part, call)))
            order.append("call")
        elif part.get(reply) is not None:
            replies.append(read_reply(part[reply], f"{at}.{reply}", author, _beside(part, reply)))
            order.append("reply")
        else:
            said.append(part)
            order.append("message")
    if order != sorted(order, key=_KINDS.index):
        extra["order"] = order
    role = content.get("role")
    if not said and role is not None:
        extra["role"] = role
    message = read_message({"parts": said, "role": role}) if said else None
    return Step(agent=author, calls=tuple(calls), replies=tuple(replies), message=message, extra=extra)


def _beside(part: JsonObject, key: str) -> JsonObject | None:
    """What a part has beside a call or response; None in the usual case that there is nothing."""
    return read_part({name: value for name, value in part.items() if name != key}) if len(part) > 1 else None


def _write_event(step: Step) -> dict[str, Any]:
    rest = {key: value for key, value in step.extra.items() if key not in {"content", "order", "role"}}
    event = {"author": step.agent or "", "content": step.extra.get("content"), **rest}
    parts: dict[str, list[JsonObject]] = {
        "message": [*step.message.parts] if step.message else [],
        "call": [{"function_call": write_call(call), **call.extra.get("part", {})} for call in step.calls],
        "reply": [{"function_response": write_reply(reply), **reply.extra.get("part", {})} for reply in step.replies],
    }
    order = [kind for kind in _KINDS for _ in parts[kind]]
    if not order:
        return event
    if sorted(step.extra.get("order", ())) == sorted(order):  # else the step was changed since it was read
        order = step.extra["order"]
    queues = {kind: iter(items) for kind, items in parts.items()}
    message = Message(
        role=step.message.role if step.message else step.extra.get("role"),
        parts=tuple(next(queues[kind]) for kind in order),
    )
    return {**event, "content": write_message(message)}
