"""Whose code is it? Telling the user's own frames from those of evalkit, ADK, installed libraries and Python."""

import sysconfig
import traceback
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType

import google.adk

INSTALLED = frozenset({"site-packages", "dist-packages"})
"""Names of the folders that hold installed libraries, in a virtual environment or not."""

_NOT_THE_USERS = (
    str(Path(__file__).parents[1]),
    str(Path(google.adk.__file__).parent),
    sysconfig.get_path("stdlib"),
)


def is_users(filename: str) -> bool:
    """Tell whether a frame's file is the user's own."""
    if filename.startswith("<"):
        return False
    path = Path(filename)
    return INSTALLED.isdisjoint(path.parts) and not any(path.is_relative_to(place) for place in _NOT_THE_USERS)


def place_of(trace: TracebackType | None) -> str | None:
    """Return the innermost place of the user's own code in a traceback as `file:line in name`."""
    frames = traceback.extract_tb(trace)
    return _innermost((frame.filename, frame.lineno or 0, frame.name) for frame in reversed(frames))


def calling_place() -> str | None:
    """Return the innermost place of the user's own code that is running now."""
    frames = traceback.walk_stack(None)
    return _innermost((frame.f_code.co_filename, line, frame.f_code.co_name) for frame, line in frames)


def _innermost(frames: Iterable[tuple[str, int, str]]) -> str | None:
    own = next((frame for frame in frames if is_users(frame[0])), None)
    return f"{own[0]}:{own[1]} in {own[2]}" if own else None
