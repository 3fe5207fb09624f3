"""Conversations written as a chat: one message an item, as chat APIs have them, where ADK has one turn an item."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from evalkit.cases import Json
from evalkit.errors import Problem, Replace
from evalkit.formats.documents import Document
from evalkit.formats.paths import JsonPath

_ROLES = {
    **dict.fromkeys(("user", "human"), "user"),
    **dict.fromkeys(("model", "assistant", "agent", "ai", "bot"), "model"),
}
_KEYS = {"role", "parts", "content", "text"}
_TEXTS = {"parts", "content", "text"}
_HINT = (
    'write {"user_content": {"role": "user", "parts": [{"text": "…"}]}, '
    '"final_response": {"role": "model", "parts": [{"text": "…"}]}}'
)


def is_chat(conversation: Json) -> bool:
    """Whether a conversation is a chat: a list of messages, more than one, or with their text in another key."""
    return (
        isinstance(conversation, list)
        and bool(conversation)
        and all(isinstance(item, dict) and "role" in item and item.keys() <= _KEYS for item in conversation)
        and (len(conversation) > 1 or "parts" not in conversation[0])
        and all(len(item.keys() & _TEXTS) == 1 for item in conversation)
    )


def todays_chat(document: Document, chat: Sequence[Mapping[str, Any]], path: JsonPath) -> tuple[list[Json], Problem]:
    """Make turns of a chat, as far as that needs no judgement, and the problem that says so.

    Args:
        document: The file.
        chat: What `is_chat` takes for one.
        path: The conversation.
    """
    turns = [*_turns(chat)]
    plain = None not in turns and len(chat) == sum(len(turn) for turn in turns if turn)
    message = "each item is a message, where a turn has the user's message and the answer together"
    fixes = (Replace(document.written(path), turns),) if plain else ()
    problem = document.problem("missing-key", (*path, 0), message, _HINT, fixes=fixes)
    return [turn for turn in turns if turn], problem


def _turns(chat: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Json] | None]:
    """Yield a turn for each of the user's messages, with the answer behind it; None for what fits nowhere."""
    turn: dict[str, Json] | None = None
    for item in chat:
        role = _ROLES.get(item["role"]) if isinstance(item["role"], str) else None
        parts = _parts(item)
        if parts is None or role is None or (role == "model" and (turn is None or "final_response" in turn)):
            yield None
        elif role == "user":
            if turn:
                yield turn
            turn = {"user_content": {"role": role, "parts": parts}}
        elif turn is not None:
            turn["final_response"] = {"role": role, "parts": parts}
    if turn:
        yield turn


def _parts(item: Mapping[str, Any]) -> Json:
    """The parts of a message; None if it has none that are plain."""
    given = next(item[key] for key in ("parts", "content", "text") if key in item)
    if isinstance(given, str):
        return [{"text": given}]
    return given if "parts" in item and isinstance(given, list) else None
