"""A quick look at a text: whether it is worth looking for secrets by shape or by name. Most texts are not.

It may be wrong in one direction only: what it passes over holds none.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache

from evalkit.redaction.encodings import base64_cores, hex_cores
from evalkit.redaction.names import WORD
from evalkit.redaction.shapes import SHAPES
from evalkit.searching import Searcher, searcher

CUT = r"(?:…|\.\.\.)"
"""How the end of a text is left out."""

_PERCENT = "%(?:25)*"

_NAMED = rf"{WORD}(?:[\"'\\:=,>]|\s*[:=\n]|{_PERCENT}[23]|\+)"
"""A name of a secret with what may stand between it and its value."""

_FLAG = rf"--[\w-]*{WORD}\s"

_ESCAPED = (
    rf"[Bb]earer(?:{_PERCENT}20|\+)[\w.~%/+-]{{20}}",
    rf"{_PERCENT}3[Aa](?:/|{_PERCENT}2[Ff]){{2}}",
    rf"{_PERCENT}3[Aa]AA",
    rf"1(?:{_PERCENT}2[Ff]){{2}}0",
    r":(?:\\+/){2}",
    rf"-----BEGIN(?:{_PERCENT}20|\+)",
    rf"(?:AccountKey|AccessKey|sig|Signature)(?:{_PERCENT}3|\\+u003)[Dd]",
)
"""How shapes with signs in them look where those are escaped."""


def may_hold_secret(text: str) -> bool:
    """Tell whether a text may have a secret in it that is known by its shape or its name, in any encoding."""
    return may_have_shape(text) or may_have_name(text) or may_have_encoded_shape(text)


def may_have_shape(text: str) -> bool:
    """Tell whether a text may have something of the shape of a secret in it, as it is."""
    return any(finds(text) for finds in _for_shapes())


def may_have_name(text: str) -> bool:
    """Tell whether a text may have the name of a secret in it, with the secret behind it."""
    return any(finds(text) for finds in _for_names())


def may_have_encoded_shape(text: str) -> bool:
    """Tell whether a text may have something in it that is escaped, encoded or cut and then has a shape."""
    return any(finds(text) for finds in _for_encoded_shapes())


def cut_shape(mark: str) -> str | None:
    """Return the expression for a secret whose end was left out; None if its mark says too little."""
    return rf"({re.escape(mark)}[\w./+~-]{{4,}}?){CUT}" if mark[0].isalnum() and mark[-1] not in "= /" else None


def searchers(expressions: Iterable[str], together: int) -> Iterator[Searcher]:
    """Make as few searchers as are fast: with too many expressions in one, the engine finds no shortcut."""
    several = [*dict.fromkeys(expressions)]
    for start in range(0, len(several), together):
        yield searcher("|".join(several[start : start + together]))


@cache
def _for_shapes() -> tuple[Searcher, ...]:
    return tuple(searchers([shape.form for shape in SHAPES], together=12))


@cache
def _for_names() -> tuple[Searcher, ...]:
    return searcher(_NAMED), searcher(_FLAG)


@cache
def _for_encoded_shapes() -> tuple[Searcher, ...]:
    marks = [mark for shape in SHAPES for mark in shape.marks]
    cut = [expression for mark in marks if (expression := cut_shape(mark))]
    in_base64 = [rf"{re.escape(core)}[\w+/-]{{8}}" for mark in marks for core in base64_cores(mark)]
    in_hex = [rf"{core}[0-9a-fA-F]{{16}}" for mark in marks for core in hex_cores(mark)]
    return (
        *searchers(_ESCAPED, together=12),
        *searchers(cut, together=12),
        *searchers(in_base64, together=40),
        *searchers(in_hex, together=100),
    )
