"""Is an argument one that docker could accept? Everything here is decided without running docker.

A model may send anything its tool declaration does not stop, a number as text included, so types are checked too. What
passes here cannot be taken for an option by docker: no name starts with '-'.
"""

import re

from .replies import ToolError

MAX_TAIL = 1000
MAX_NAME_LENGTH = 255

_CONTAINER = re.compile(r"[a-zA-Z0-9][a-zA-Z0-9_.-]+")
_PROJECT = re.compile(r"[a-z0-9][a-z0-9_-]*")
_DURATION = re.compile(r"(?:[0-9]+[smh])+")
_MOMENT = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?(?:Z|[+-][0-9]{2}:[0-9]{2})?)?"
)


def container(value: object) -> None:
    """Refuse what docker's own rule for the names of containers refuses; ids keep to it as well.

    Raises:
        ToolError: The value is empty, too long, or has a character that no container's name has.
    """
    _matches(
        "container", value, _CONTAINER, "start with a letter or digit and go on with letters, digits, '_', '.', '-'"
    )


def project(value: object) -> None:
    """Refuse what compose's own rule for the names of projects refuses.

    Raises:
        ToolError: The value is empty, too long, or has a character that no project's name has.
    """
    _matches("project", value, _PROJECT, "start with a small letter or digit and go on with those, '_' and '-'")


def tail(value: object) -> None:
    """Refuse a number of lines that is not within the limits.

    Raises:
        ToolError: The value is no whole number from 1 to `MAX_TAIL`.
    """
    if isinstance(value, bool) or not isinstance(value, int):
        raise ToolError(f"tail must be a whole number, not {value!r}.")
    if not 1 <= value <= MAX_TAIL:
        raise ToolError(f"tail must be from 1 to {MAX_TAIL}, not {value}.")


def since(value: object) -> None:
    """Refuse what docker could not read as a time in the past; it knows no days.

    Raises:
        ToolError: The value is neither a duration nor a date.
    """
    if not isinstance(value, str) or not (_DURATION.fullmatch(value) or _MOMENT.fullmatch(value)):
        raise ToolError(
            f"since must be a duration such as 30m or 2h30m, or a time such as 2025-06-01T09:30:00Z, not {value!r}."
        )


def _matches(argument: str, value: object, pattern: re.Pattern[str], rule: str) -> None:
    if not isinstance(value, str):
        raise ToolError(f"{argument} must be text, not {value!r}.")
    if not value:
        raise ToolError(f"{argument} must not be empty.")
    if len(value) > MAX_NAME_LENGTH:
        raise ToolError(f"{argument} has {len(value)} characters; no name has more than {MAX_NAME_LENGTH}.")
    if not pattern.fullmatch(value):
        raise ToolError(f"{argument} must {rule}; {value!r} does not.")
