"""Calls that ADK's view leaves out, because they were made inside an agent tool: found again beneath its call."""

from collections.abc import Callable, Collection, Iterator

from evalkit.cases import ToolCall
from evalkit.scorers.calls import show_call
from evalkit.traces import ToolEvent, TurnTrace


def inner_calls(happened: TurnTrace) -> Callable[[ToolCall], Iterator[str]]:
    """Return what tells of a call in ADK's view which calls were made inside it, one indented line each."""
    in_view, hidden = _sorted(happened)

    def inside(call: ToolCall) -> Iterator[str]:
        event = in_view.get(id(call))
        return _lines(event.id, hidden, "      ") if event else iter(())

    return inside


def inner_events(happened: TurnTrace, shown: Collection[str]) -> Callable[[ToolEvent], Iterator[str]]:
    """Return what tells of a call which calls were made inside it, those left out whose id is in `shown`."""
    hidden = [event for event in happened.tools if event.id not in shown]
    return lambda event: _lines(event.id, hidden, "      ")


def _sorted(happened: TurnTrace) -> tuple[dict[int, ToolEvent], list[ToolEvent]]:
    """Tell events that ADK sees, by the identity of the call it sees, from those that it does not; both keep order."""
    waiting = list(happened.adk_calls)
    in_view: dict[int, ToolEvent] = {}
    hidden: list[ToolEvent] = []
    for event in happened.tools:
        call = waiting[0] if waiting else None
        if call and (call.name, call.args) == (event.name, event.args) and call.agent in (None, event.agent):
            in_view[id(waiting.pop(0))] = event
        else:
            hidden.append(event)
    return in_view, hidden


def _lines(parent: str, hidden: list[ToolEvent], margin: str) -> Iterator[str]:
    for event in hidden:
        if event.parent == parent:
            yield f"{margin}inside: {show_call(event.name, event.args)}"
            yield from _lines(event.id, hidden, f"{margin}    ")
