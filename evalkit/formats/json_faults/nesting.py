"""Which brackets of a text are open where."""

import re

from evalkit.formats.positions import Lines

TOKENS = re.compile(r'"(?:[^"\\\n]|\\.)*"?|[{}\[\]]')
"""Strings, whose brackets are text, and brackets."""

CLOSING = {"{": "}", "[": "]"}


def opened_before(text: str, end: int) -> list[int]:
    """Where the brackets stand that are open at a place, the innermost last."""
    opened: list[int] = []
    for token in TOKENS.finditer(text, 0, end):
        if token[0] in CLOSING:
            opened.append(token.start())
        elif token[0] in {"}", "]"} and opened:
            opened.pop()
    return opened


def opener_of(text: str, closer: int) -> int:
    """Where the bracket stands that a closing one closes; its own place if there is none."""
    opened = opened_before(text, closer)
    return opened[-1] if opened else closer


def named(text: str, start: int) -> str:
    """A bracket and its line."""
    return f"{text[start]} of line {Lines(text).place(start).line}"
