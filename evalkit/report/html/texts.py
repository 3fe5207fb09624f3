"""Texts from outside for the page: printable and not too long; the template makes them harmless."""

from evalkit.cases import Message
from evalkit.codec.encoding import pretty
from evalkit.report.escape import one_line, printable

TEXT_LIMIT = 10_000
"""Characters of one text that the page shows."""

_WHOLE = "outcomes.jsonl"


def block(text: str) -> str:
    """Make text of several lines fit to be shown."""
    return printable(text, TEXT_LIMIT, _WHOLE)


def line(text: str) -> str:
    """Make text fit to be shown on one line."""
    return one_line(text)


def said(message: Message | None) -> str | None:
    """Return what a message says; of one without words, such as the answer to a confirmation, its parts as JSON."""
    if message is None:
        return None
    return block(message.text or pretty([*message.parts], levels=2))
