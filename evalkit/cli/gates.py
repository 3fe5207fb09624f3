"""Options that say how often cases must pass, for every command that comes to verdicts."""

from collections.abc import Callable
from typing import Any

import click

from evalkit.cases import Gate

_OPTIONS = (
    ("--min-pass-rate", "Of a case: the share of its runs that must pass (1)."),
    ("--min-lower-bound", "Of a case: what the lower bound of its pass rate's 95% interval must reach."),
    ("--suite-min-pass-rate", "Of all runs together; decides instead of each case."),
    ("--suite-min-lower-bound", "Of all runs together: what the lower bound must reach."),
)


def gate_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options to a command, which hands what it is given to `take_gates`."""
    for flag, about in reversed(_OPTIONS):
        command = click.option(flag, type=click.FloatRange(0, 1, min_open=True), metavar="SHARE", help=about)(command)
    return command


def take_gates(given: dict[str, Any]) -> tuple[Gate, Gate]:
    """Take the options out of what a command was given: the gate of each case, and that of the suite."""
    case, suite = (
        Gate(min_pass_rate=given.pop(f"{of}min_pass_rate"), min_lower_bound=given.pop(f"{of}min_lower_bound"))
        for of in ("", "suite_")
    )
    return case, suite
