"""Calls: how reasons write them, and how patterns in `expect` find them."""

from collections.abc import Mapping
from typing import Any

from evalkit.cases import CallPattern
from evalkit.matching import match_args, show
from evalkit.traces import ToolEvent


def show_call(name: str, args: Mapping[str, Any]) -> str:
    """Write a call the way people read one: `get_lag(group="orders")`."""
    return f"{name}({', '.join(f'{key}={show(value)}' for key, value in args.items())})"


def show_pattern(pattern: CallPattern) -> str:
    """Write a pattern likewise; `…` stands for any arguments."""
    return f"{pattern.name}(…)" if pattern.args is None else show_call(pattern.name, pattern.args)


def fits(pattern: CallPattern, event: ToolEvent) -> bool:
    """Tell whether a call is one that the pattern names."""
    return pattern.name == event.name and not match_args(pattern.args, event.args)


def fits_any(patterns: tuple[CallPattern, ...], event: ToolEvent) -> bool:
    """Tell whether a call is one that any of the patterns names."""
    return any(fits(pattern, event) for pattern in patterns)
