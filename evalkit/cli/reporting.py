"""Options that say where verdicts go and in which form, for every command that comes to verdicts."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

_FILE = click.Path(path_type=Path)
_FORMATS = click.Choice(["text", "json", "markdown"])

_OPTIONS = (
    click.option("--report", "report_dir", type=_FILE, metavar="DIR", help="Where the run's files go."),
    click.option("--format", "output", type=_FORMATS, default="text", show_default=True),
    click.option("--junit", type=_FILE, metavar="FILE", help="Also write a JUnit XML report."),
    click.option(
        "--github/--no-github",
        default=None,
        help="Annotate cases and fill the step's summary (default: in GitHub Actions).",
    ),
    click.option("--require-judged", is_flag=True, help="Exit with 2 if no case was judged, as when all were skipped."),
)


def report_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options to a command: `report_dir`, `output`, `junit`, `github` and `require_judged`."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command
