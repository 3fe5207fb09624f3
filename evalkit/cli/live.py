"""Options that say what becomes of cases that were made for a live system."""

from collections.abc import Callable
from typing import Any

import click

_OPTIONS = (
    click.option("--live-setup", is_flag=True, help="Set up what cases need for a live run; their tools are real."),
    click.option("--yes", is_flag=True, help="Do not ask whether the scripts of --live-setup may run."),
    click.option(
        "--setup-shell",
        type=click.Choice(["bash", "sh"]),
        default="bash",
        show_default=True,
        help="bash stops a script at its first error; sh goes on, as HolmesGPT does.",
    ),
    click.option(
        "--setup-timeout",
        type=click.FloatRange(0, min_open=True),
        metavar="S",
        help="Seconds each script may take if its case does not say so (300).",
    ),
    click.option("--allow-empty", is_flag=True, help="Play cases that need a live setup over the mocks there are."),
    click.option("--skip-known-failing", is_flag=True, help="Do not play cases that are known to fail."),
    click.option(
        "--profile",
        type=click.Choice(["self-answer"]),
        help="self-answer: each case has a folder of its own, in which its agent must create no files, and 300 s; known"
        " failing cases are skipped.",
    ),
)


def live_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options to a command; what they give are fields of `RunOptions`, but for `yes`."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command
