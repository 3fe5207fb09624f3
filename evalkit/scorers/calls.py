"""Calls: how reasons write them, what became of them, and how patterns in `expect` find them."""

from collections.abc import Mapping
from typing import Any

from evalkit.cases import CallPattern
from evalkit.expectations import CallOutcome
from evalkit.matching import match_args, show
from evalkit.replies import error_in
from evalkit.traces import CallStatus, ToolEvent

_ARRIVED: frozenset[CallStatus] = frozenset({"answered", "real", "agent", "control"})
"""The call came to the tool, and the tool came to an end; how, its reply tells."""


def show_call(name: str, args: Mapping[str, Any]) -> str:
    """Write a call the way people read one: `get_lag(group="orders")`."""
    return f"{name}({', '.join(f'{key}={show(value)}' for key, value in args.items())})"


def show_pattern(pattern: CallPattern) -> str:
    """Write a pattern likewise; `…` stands for any arguments, and what must become of the call stands behind it."""
    call = f"{pattern.name}(…)" if pattern.args is None else show_call(pattern.name, pattern.args)
    return f"{call} with status {pattern.status}" if pattern.status else call


def error_of(event: ToolEvent) -> str | None:
    """Say what went wrong with a call; None if it did what it was asked for, as far as its reply tells."""
    if event.status == "raised":
        return event.error or "the tool raised an exception"
    if event.status not in _ARRIVED:
        return f"it was {event.status}"
    error = error_in(event.reply)
    return None if error is None else error if isinstance(error, str) else show(error)


def outcome_of(event: ToolEvent) -> CallOutcome:
    """Tell in one word what became of a call."""
    return "success" if error_of(event) is None else "error"


def fits(pattern: CallPattern, event: ToolEvent) -> bool:
    """Tell whether a call is one that the pattern names."""
    if pattern.name != event.name or match_args(pattern.args, event.args):
        return False
    return pattern.status is None or pattern.status == outcome_of(event)


def fits_any(patterns: tuple[CallPattern, ...], event: ToolEvent) -> bool:
    """Tell whether a call is one that any of the patterns names."""
    return any(fits(pattern, event) for pattern in patterns)
