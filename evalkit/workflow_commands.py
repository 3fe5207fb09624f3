"""Workflow commands of GitHub Actions: lines of a job's log that the runner obeys.

A command is `::name key=value,…::text` at the start of a line, or `##[name]text` anywhere in one. The runner reads both
standard output and standard error. Whatever comes from a file, an agent or a model must be disarmed before it is shown
there, or it could annotate, mask and fold as it likes.
"""

import os
import re
from pathlib import Path
from typing import Literal

Kind = Literal["error", "warning", "notice"]

ANNOTATIONS_SHOWN = 10
"""Annotations of one kind that GitHub shows for a step; it drops those that come later."""

_ARMED = re.compile(r"(?m)^(\s*):(?=:)|#(?=#\[)")


def command(kind: Kind, text: str, **fields: object) -> str:
    """Write an annotation as one line; fields without a value are left out."""
    given = ",".join(f"{name}={_property(str(value))}" for name, value in fields.items() if value is not None)
    return f"::{kind}{f' {given}' if given else ''}::{_data(text)}"


def disarmed(text: str) -> str:
    r"""Make text that the runner would obey into text that it shows: one sign of each command becomes its code.

    The codes are JSON's (`\u003a`), so that JSON still says the same.
    """
    return _ARMED.sub(lambda found: rf"{found[1]}\u003a" if found[1] is not None else r"\u0023", text)


def in_repository(file: str, workspace: str | None) -> str:
    """Name a file as GitHub knows it: relative to the checked out repository, if it lies in there.

    Args:
        file: The file as the user named it, relative to the current folder.
        workspace: Where the repository was checked out (`GITHUB_WORKSPACE`).
    """
    path = Path(file)
    for resolved in (os.path.abspath, os.path.realpath) if workspace else ():
        below, root = Path(resolved(file)), Path(resolved(str(workspace)))
        if below.is_relative_to(root):
            return below.relative_to(root).as_posix()
    return path.as_posix()


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
