"""Incident notes: Markdown files in the folder that INCIDENT_NOTES_DIR names.

A note's file is named after the time and the title, of which only small letters and digits are kept. So whatever a
model sends as title, the file lies in that folder, and no note replaces another.
"""

import datetime as dt
import itertools
import os
import re
from pathlib import Path
from typing import Any

from .replies import ToolError, replying

FOLDER_VARIABLE = "INCIDENT_NOTES_DIR"

MAX_TITLE = 120
MAX_TEXT = 20_000
_MAX_SLUG = 60


@replying
def write_incident_note(title: str, text: str) -> dict[str, Any]:
    """Write a note about an incident, for those who work on it and for later.

    Args:
        title: What is wrong and where, on one line of at most 120 characters.
        text: The note itself in Markdown, without the title, at most 20000 characters.

    Returns:
        `path`, the file that was written, and `written_at`, the time that it carries.
    """
    title = _checked("title", title, MAX_TITLE)
    text = _checked("text", text, MAX_TEXT)
    if not title.isprintable():
        raise ToolError("title must be one line, without control characters.")
    folder = os.environ.get(FOLDER_VARIABLE)
    if not folder:
        raise ToolError(f"{FOLDER_VARIABLE} is not set; it names the folder that incident notes are written to.")
    now = dt.datetime.now(dt.UTC).replace(microsecond=0)
    try:
        path = _write(Path(folder), now, title, text)
    except OSError as error:
        raise ToolError(f"The note could not be written to {folder}: {error.strerror}.") from error
    return {"path": str(path), "written_at": now.isoformat()}


def _checked(argument: str, value: object, longest: int) -> str:
    if not isinstance(value, str):
        raise ToolError(f"{argument} must be text, not {value!r}.")
    text = value.strip()
    if not text:
        raise ToolError(f"{argument} must not be empty.")
    if len(text) > longest:
        raise ToolError(f"{argument} has {len(text)} characters; a note's {argument} may have {longest}.")
    return text


def _write(folder: Path, now: dt.datetime, title: str, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    slug = re.sub(r"[^a-z0-9]+", "-", title.lower())[:_MAX_SLUG].strip("-") or "incident"
    content = f"# {title}\n\n{now:%Y-%m-%d %H:%M:%S} UTC\n\n{text}\n"
    for number in itertools.count(1):
        path = folder / f"{now:%Y%m%dT%H%M%SZ}-{slug}{'' if number == 1 else f'-{number}'}.md"
        try:
            # "x" takes no file that is there, not even through a link.
            with path.open("x", encoding="utf-8") as file:
                file.write(content)
        except FileExistsError:
            continue
        return path
    raise AssertionError  # numbers do not end
