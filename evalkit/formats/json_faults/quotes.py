"""Strings that go on over the end of their line, mostly because a quote is missing before it."""

import re

from evalkit.formats.json_faults.fault import Fault
from evalkit.formats.json_faults.nesting import TOKENS

_KEY = re.compile(r'"([\w$.-]+)\s*:\s*\S')
"""A key without its second quote, with the value behind it."""
_NEXT = re.compile(r'\s*["{}\]]')
"""What begins the line after a member: the next one, or the end of the object."""


def unclosed_quote(text: str, end: int) -> Fault | None:
    """Find the quote that is missing in a string that reaches the end of its line; None if that is not clear.

    Args:
        text: The whole text.
        end: Where the line ends, inside the string.
    """
    line = text.rfind("\n", 0, end) + 1
    *_, start = (token.start() for token in TOKENS.finditer(text, line, end) if token[0].startswith('"'))
    before = text[:start].rstrip()[-1:]
    key = _KEY.match(text, start, end)
    if key and before in {"{", ",", ""}:
        return Fault(start, "the quote that closes this key is missing", f'write "{key[1]}":')
    said = text[start:end].rstrip()
    if said.endswith(",") and _NEXT.match(text, end):
        comma = start + len(said) - 1
        return Fault(comma, "a string goes on over the end of its line", 'close it with " before this comma')
    return None
