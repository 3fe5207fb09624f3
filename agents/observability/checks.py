"""Is an argument one that makes sense? Everything here is decided without asking a service.

A model may send anything its tool declaration does not stop, a number as text included, so types are checked too.
Queries are not parsed here: only the service that runs them knows its language.
"""

import re
from collections.abc import Collection

from .replies import ToolError

_LABEL = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]*")


def text(argument: str, value: object) -> None:
    """Refuse a value that is empty or no text.

    Raises:
        ToolError: It is.
    """
    if not isinstance(value, str):
        raise ToolError(f"{argument} must be text, not {value!r}.")
    if not value.strip():
        raise ToolError(f"{argument} must not be empty.")


def label(argument: str, value: object) -> None:
    """Refuse what cannot be the name of a label.

    Raises:
        ToolError: The value is empty or has a character that labels do not have.
    """
    text(argument, value)
    if not _LABEL.fullmatch(str(value)):
        raise ToolError(f"{argument} must be made of letters, digits and '_', not {value!r}.")


def choice(argument: str, value: object, choices: Collection[str]) -> None:
    """Refuse a value that is none of the choices.

    Raises:
        ToolError: It is none.
    """
    if value not in choices:
        raise ToolError(f"{argument} must be {' or '.join(choices)}, not {value!r}.")


def number(argument: str, value: object, *, most: int) -> None:
    """Refuse what is not a whole number from 1 to `most`.

    Raises:
        ToolError: It is not.
    """
    if isinstance(value, bool) or not isinstance(value, int):
        raise ToolError(f"{argument} must be a whole number, not {value!r}.")
    if not 1 <= value <= most:
        raise ToolError(f"{argument} must be from 1 to {most}, not {value}.")
