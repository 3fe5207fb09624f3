"""Is an argument one that Kafka could accept? Everything here is decided without asking Kafka.

A model may send anything its tool declaration does not stop, a number as text included, so types are checked too.
"""

import re

from .replies import ToolError

MAX_TOPIC_LENGTH = 249
INTERNAL_PREFIX = "__"
_LEGAL_TOPIC = re.compile(r"[A-Za-z0-9._-]+")


def topic_name(name: object) -> None:
    """Refuse what Kafka's own naming rule refuses.

    Raises:
        ToolError: The name is empty, too long, `.` or `..`, or has a character that topics cannot have.
    """
    _text("topic_name", name)
    text = str(name)
    if text in (".", ".."):
        raise ToolError(f"topic_name must not be {text!r}.")
    if len(text) > MAX_TOPIC_LENGTH:
        raise ToolError(f"topic_name has {len(text)} characters; Kafka allows {MAX_TOPIC_LENGTH}.")
    if not _LEGAL_TOPIC.fullmatch(text):
        raise ToolError(f"topic_name {text!r} has characters other than letters, digits, '.', '_' and '-'.")


def own_topic_name(name: object) -> None:
    """Refuse also Kafka's internal topics, which nobody should change by hand.

    Raises:
        ToolError: The name is not a legal topic name, or is one of Kafka's own.
    """
    topic_name(name)
    if str(name).startswith(INTERNAL_PREFIX):
        raise ToolError(f"{name} is an internal topic of Kafka; this agent does not change those.")


def group_id(name: object) -> None:
    """Refuse an id that no group can have.

    Raises:
        ToolError: The id is empty or no text.
    """
    _text("group_id", name)


def count(argument: str, value: object) -> None:
    """Refuse a count that is not a whole number from 1 up.

    Raises:
        ToolError: The value is no integer, or less than 1.
    """
    if isinstance(value, bool) or not isinstance(value, int):
        raise ToolError(f"{argument} must be a whole number, not {value!r}.")
    if value < 1:
        raise ToolError(f"{argument} must be at least 1, not {value}.")


def _text(argument: str, value: object) -> None:
    if not isinstance(value, str):
        raise ToolError(f"{argument} must be text, not {value!r}.")
    if not value.strip():
        raise ToolError(f"{argument} must not be empty.")
