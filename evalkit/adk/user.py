"""What the user sends: a turn's message, with the ids that only the running session knows."""

from collections.abc import Mapping
from typing import Any

from google.genai import types

from evalkit.adk.events import OpenCall
from evalkit.cases import Turn
from evalkit.models.owners import UnplayableCaseError


def user_content(turn: Turn, open_calls: Mapping[str, OpenCall]) -> types.Content:
    """Build the user's message; a function response without an id answers the oldest open call of its name.

    Args:
        turn: The turn to be played.
        open_calls: Calls of earlier turns that go on after an answer, by id, oldest first.

    Raises:
        UnplayableCaseError: A function response answers a call that is not open.
    """
    waiting = {call_id: open_call.name for call_id, open_call in open_calls.items() if open_call.waits_for_user}
    parts = [types.Part.model_validate(_with_id(dict(part), turn, waiting)) for part in turn.user.parts]
    return types.Content(role=turn.user.role or "user", parts=parts)


def _with_id(part: dict[str, Any], turn: Turn, waiting: dict[str, str]) -> dict[str, Any]:
    answer = part.get("function_response")
    if not answer or answer.get("id"):
        return part
    name = answer.get("name")
    call_id = next((call_id for call_id, open_name in waiting.items() if open_name == name), None)
    if call_id is None:
        place = f"{turn.where}.user_content: " if turn.where else ""
        open_names = ", ".join(sorted(set(waiting.values()))) or "nothing"
        raise UnplayableCaseError(
            f"{place}the user answers `{name}`, but no such call is open (open: {open_names}); the turn before must"
            " end with the call that asks for it"
        )
    del waiting[call_id]
    return {**part, "function_response": {**answer, "id": call_id}}
