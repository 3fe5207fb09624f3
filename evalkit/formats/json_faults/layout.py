"""What the indentation of a text says of its brackets: where one is missing, or one too many, in what nobody sees."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from evalkit.formats.json_faults.fault import Fault
from evalkit.formats.json_faults.nesting import CLOSING, TOKENS, named
from evalkit.formats.json_faults.repairs import MOST, Repair

_BLANKS = re.compile(r"[ \t]*")
_FEW = 6
"""So many places are looked at: the first that does not fit is mostly the cause."""


class _Open(NamedTuple):
    """A bracket that is open: where it stands, and how far its line is indented."""

    start: int
    indent: int


def by_layout(text: str, end: int) -> list[Repair]:
    """Repairs for the first places before `end` at which brackets and indentation do not go together."""
    return [*islice(_repairs(text, end), _FEW)] if len(text) * _FEW <= MOST else []


def _repairs(text: str, end: int) -> Iterator[Repair]:
    opened: list[_Open] = []
    start, line_end, indent = 0, -1, 0
    for token in TOKENS.finditer(text, 0, end):
        sign = token[0]
        leads = token.start() > line_end
        if leads:
            start = text.rfind("\n", 0, token.start()) + 1
            line_end = text.find("\n", start) % (len(text) + 1)  # the last line ends with the text
            indent = _indent_of(text, start)
            leads = start + indent == token.start()
        if sign in {"}", "]"}:
            bracket = opened.pop() if opened else _Open(0, 0)
            if leads and indent < bracket.indent:
                yield _unclosed(text, bracket, start, sign)
            elif not leads and bracket.start < start and bracket.indent < indent:
                yield _too_many(sign, token.start())
            continue
        if leads and opened and indent <= opened[-1].indent:
            yield _unclosed(text, opened[-1], start, sign)
        if sign in CLOSING:
            opened.append(_Open(token.start(), indent))


def _unclosed(text: str, bracket: _Open, line: int, following: str) -> Repair:
    """Close a bracket at the end of the line before, ahead of its comma, or with one if that is missing too."""
    before = text[:line].rstrip()
    place = len(before.removesuffix(",").rstrip())
    closing = CLOSING[text[bracket.start]]
    fault = Fault(place, f"the {named(text, bracket.start)} is not closed here", f"write {closing}")
    comma = "" if before.endswith(",") or following in {"}", "]"} else ","
    return Repair(place, place, f"{closing}{comma}", fault)


def _too_many(sign: str, place: int) -> Repair:
    return Repair(place, place + 1, "", Fault(place, f"this {sign} is one too many in its line", "remove it"))


def _indent_of(text: str, line: int) -> int:
    """How far a line is indented."""
    found = _BLANKS.match(text, line)
    return found.end() - line if found else 0
