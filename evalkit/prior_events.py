"""What a session holds before a case begins, with each reply paired to the call that it answers.

ADK, and every model's service, pairs them by id; a file need not write ids. A reply without one, or with one that no
call has, answers the first call of its name before it that is still unanswered and has no id of its own in the file.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from evalkit.setups import PriorEvent

ROOT_AGENT: Final = "agent"
"""The author that stands for the root agent, whatever its name is."""

_CALL = "function_call"
_REPLY = "function_response"

Place = tuple[int, int]
"""The index of an event, and of a part in it."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """A call that was made earlier, and what it came to; `reply` is None if nothing answers it."""

    name: str
    args: Mapping[str, Any]
    reply: Any = None


@dataclass(slots=True)
class _Call:
    place: Place
    said: Mapping[str, Any]
    id: str
    reply: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Paired:
    """Prior events as a session can hold them.

    Attributes:
        events: Each call and reply with its id, and each reply with its name.
        unanswered: The calls that no later reply answers.
        uncalled: The replies that answer no earlier call.
        exchanges: The calls with what they came to, in order.
    """

    events: tuple[PriorEvent, ...] = ()
    unanswered: tuple[Place, ...] = ()
    uncalled: tuple[Place, ...] = ()
    exchanges: tuple[Exchange, ...] = ()


def paired(events: Sequence[PriorEvent]) -> Paired:
    """Pair the replies among prior events with the calls, and fill in what the file leaves out."""
    calls: list[_Call] = []
    uncalled: list[Place] = []
    filled: dict[Place, dict[str, Any]] = {}
    for place, part in _parts(events):
        if said := part.get(_CALL):
            call = _Call(place, said, said.get("id") or f"prior-call-{len(calls) + 1}")
            calls.append(call)
            filled[place] = {**part, _CALL: {**said, "id": call.id}}
        elif said := part.get(_REPLY):
            answered = _answered(said, calls)
            if answered is None:
                uncalled.append(place)
                continue
            answered.reply = said
            filled[place] = {**part, _REPLY: {**said, "id": answered.id, "name": answered.said.get("name")}}
    return Paired(
        events=tuple(_with(event, index, filled) for index, event in enumerate(events)),
        unanswered=tuple(call.place for call in calls if call.reply is None),
        uncalled=tuple(uncalled),
        exchanges=tuple(
            Exchange(call.said.get("name") or "", call.said.get("args") or {}, (call.reply or {}).get("response"))
            for call in calls
        ),
    )


def texts(events: Sequence[PriorEvent]) -> Iterator[str]:
    """Yield what was said, by the user and the agents; thoughts left out."""
    for _, part in _parts(events):
        if part.get("text") and not part.get("thought"):
            yield part["text"]


def _parts(events: Sequence[PriorEvent]) -> Iterator[tuple[Place, Mapping[str, Any]]]:
    for index, event in enumerate(events):
        for number, part in enumerate(event.content.get("parts") or ()):
            yield (index, number), part


def _answered(reply: Mapping[str, Any], calls: Sequence[_Call]) -> _Call | None:
    waiting = [call for call in calls if call.reply is None]
    by_id = next((call for call in waiting if reply.get("id") and call.said.get("id") == reply["id"]), None)
    nameless = (call for call in waiting if not call.said.get("id"))
    return by_id or next((call for call in nameless if call.said.get("name") == reply.get("name")), None)


def _with(event: PriorEvent, index: int, filled: Mapping[Place, Mapping[str, Any]]) -> PriorEvent:
    parts = [filled.get((index, number), part) for number, part in enumerate(event.content.get("parts") or ())]
    return PriorEvent(author=event.author, content={**event.content, "parts": parts})
