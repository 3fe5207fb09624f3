"""What kind of output suits where it goes: a terminal, a pipe, or the log of a CI service."""

from collections.abc import Mapping
from typing import TextIO

_DUMB = ("dumb", "unknown")


def in_colour(stream: TextIO, environ: Mapping[str, str]) -> bool:
    """Tell whether to write escape sequences: on terminals, and elsewhere if FORCE_COLOR is set and NO_COLOR is not.

    On a terminal NO_COLOR leaves bold and dim text.
    """
    return stream.isatty() or bool(environ.get("FORCE_COLOR") and not environ.get("NO_COLOR"))


def in_place(stream: TextIO, environ: Mapping[str, str]) -> bool:
    """Tell whether to redraw lines: on terminals that somebody looks at, so not in CI, where some jobs have one."""
    return stream.isatty() and not is_ci(environ) and environ.get("TERM", "").lower() not in _DUMB


def is_ci(environ: Mapping[str, str]) -> bool:
    """Tell whether this is a job of a CI service; all of them set CI."""
    return _is_true(environ.get("CI"))


def is_github(environ: Mapping[str, str]) -> bool:
    """Tell whether this is a job of GitHub Actions, or of a service that runs its workflows."""
    return _is_true(environ.get("GITHUB_ACTIONS"))


def _is_true(value: str | None) -> bool:
    return (value or "").lower() not in ("", "0", "false")
