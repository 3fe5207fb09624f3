"""The conversation before a case: messages as OpenAI's API writes them, as events of an ADK session.

One event a message: a user's, the agent's with its calls, or what a tool answered. A system message is no event; what
an agent is told is its own business.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from evalkit.adapters.holmes.encodable import encodable
from evalkit.adapters.holmes.notes import note
from evalkit.adapters.holmes.nouns import Note
from evalkit.errors import InputError
from evalkit.setups import PriorEvent

HISTORY_FILE: Final = "conversation_history.json"
HISTORY_FOLDER: Final = "conversation_history"

_ROOT_AGENT = "agent"
_KEPT: Final[Mapping[str, frozenset[str]]] = {
    "user": frozenset({"role", "content"}),
    "assistant": frozenset({"role", "content", "tool_calls"}),
    "tool": frozenset({"role", "content", "tool_call_id", "name"}),
}

Message = Mapping[str, Any]


def read_history(folder: Path) -> tuple[tuple[Message, ...] | None, frozenset[str]]:
    """Read the messages that a fixture has, and name the files they are in; the folder wins over the file.

    Raises:
        InputError: They cannot be read as messages.
    """
    parts = folder / HISTORY_FOLDER
    if parts.is_dir():
        files = sorted(parts.glob("*.md"))
        names = frozenset(f"{HISTORY_FOLDER}/{file.name}" for file in files)
        return (tuple(map(_message_of_file, files)) or None), names
    file = folder / HISTORY_FILE
    if not file.is_file():
        return None, frozenset()
    try:
        messages = json.loads(file.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise InputError(f"is no JSON: {error}") from error
    if not isinstance(messages, list) or not all(isinstance(message, dict) for message in messages):
        raise InputError("must be a list of messages")
    return tuple(encodable(messages)), frozenset({HISTORY_FILE})


def _message_of_file(file: Path) -> Message:
    """Read a message whose role stands in the file's name: `01_user.md`."""
    _, underscore, role = file.stem.partition("_")
    if not underscore:
        raise InputError(f"{file.name}: the name must be a number, an underscore and the role, such as 01_user.md")
    return {"role": role, "content": file.read_text(encoding="utf-8")}


def prior_events(messages: Sequence[Message]) -> tuple[PriorEvent, ...]:
    """Make events of the messages that can be events."""
    calls = {call.get("id"): _function(call).get("name") for message in messages for call in _calls(message)}
    events = (_event(message, calls) for message in messages)
    return tuple(event for event in events if event is not None and event.content["parts"])


def history_notes(messages: Sequence[Message]) -> Iterator[Note]:
    """Say what of the messages becomes no event."""
    yield note("HISTORY_SEEDED", f"{len(messages)} messages are in the session when the case begins")
    systems = sum(message.get("role") == "system" for message in messages)
    if systems:
        yield note("HISTORY_SYSTEM_DROPPED", f"{systems} of them for the system: the agent has its own instruction")
    dropped = sorted(
        {key for message in messages for key in message.keys() - _KEPT.get(message.get("role", ""), message.keys())}
    )
    if dropped:
        yield note("HISTORY_KEYS_DROPPED", f"of the messages, these keys are left out: {', '.join(dropped)}")
    yield from map(_broken, _faults(messages))


def _broken(fault: str) -> Note:
    return note("HISTORY_BROKEN", fault)


def _faults(messages: Sequence[Message]) -> Iterator[str]:
    """Say which messages lose something, by their index."""
    called: set[Any] = set()
    for index, message in enumerate(messages):
        role = message.get("role")
        if role not in (*_KEPT, "system"):
            yield f"message {index} has the role {role!r}, which is none, and is left out"
        called |= {call.get("id") for call in _calls(message)}
        if role == "tool" and message.get("tool_call_id") not in called:
            yield f"message {index} answers a call that no message before it makes, and is left out"
        if any(_arguments(call) is None for call in _calls(message)):
            yield f"message {index} has a call whose arguments are no JSON object, and are kept as a text"
        content = message.get("content")
        if isinstance(content, list) and any(not isinstance(part, dict) or "text" not in part for part in content):
            yield f"message {index} has parts that are no text, and loses them"


def _event(message: Message, calls: Mapping[Any, Any]) -> PriorEvent | None:
    text = _text(message.get("content"))
    said = [{"text": text}] if text else []
    match message.get("role"):
        case "user":
            return PriorEvent(author="user", content={"role": "user", "parts": said})
        case "assistant":
            parts = [*said, *({"function_call": _call(call)} for call in _calls(message))]
            return PriorEvent(author=_ROOT_AGENT, content={"role": "model", "parts": parts})
        case "tool" if message.get("tool_call_id") in calls:
            reply = {
                "id": message["tool_call_id"],
                "name": calls[message["tool_call_id"]],
                "response": {"result": text},
            }
            return PriorEvent(author=_ROOT_AGENT, content={"role": "user", "parts": [{"function_response": reply}]})
    return None


def _call(call: Message) -> dict[str, Any]:
    args = _arguments(call)
    given = {"arguments": str(_function(call).get("arguments"))} if args is None else args
    return {"id": call.get("id"), "name": _function(call).get("name"), "args": given}


def _calls(message: Message) -> list[Message]:
    calls = message.get("tool_calls") if message.get("role") == "assistant" else None
    return [call for call in calls if isinstance(_function(call).get("name"), str)] if isinstance(calls, list) else []


def _function(call: Any) -> Mapping[str, Any]:
    function = call.get("function") if isinstance(call, dict) else None
    return function if isinstance(function, dict) else {}


def _arguments(call: Message) -> dict[str, Any] | None:
    """The arguments of a call, which stand there as a text with JSON in it; None if that is not so."""
    given = _function(call).get("arguments") or "{}"
    try:
        args = json.loads(given) if isinstance(given, str) else given
    except (ValueError, RecursionError):
        return None
    return args if isinstance(args, dict) else None


def _text(content: Any) -> str:
    """The text of a message: a text, or a list of parts some of which are texts."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "\n".join(str(part["text"]) for part in parts if isinstance(part, dict) and part.get("text"))
