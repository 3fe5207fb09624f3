"""Every secret in a text: known ones, those with a shape and those with a name; as they are, and in every encoding."""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from evalkit.redaction.hits import Hit
from evalkit.redaction.known import KnownSecrets
from evalkit.redaction.likeness import is_telling
from evalkit.redaction.pairs import pairs
from evalkit.redaction.shapes import SHAPES, Shape
from evalkit.redaction.suspicion import CUT, cut_shape, may_have_encoded_shape, may_have_name, may_hold_secret
from evalkit.redaction.views import views

_DEEPEST = 3
"""Encodings inside one another that are looked into, such as base64 in a URL in JSON."""

_CUT = re.compile(CUT)


def find_secrets(text: str, known: KnownSecrets) -> list[Hit]:
    """Return the secrets in a text by their places, none overlapping another."""
    apart: list[Hit] = []
    for hit in sorted(_all_hits(text, known, depth=0), key=lambda hit: (hit.start, -hit.end)):
        if apart and hit.start < apart[-1].end:
            if hit.end > apart[-1].end:
                apart[-1] = _joined(text, apart[-1], hit)
        else:
            apart.append(hit)
    return apart


def _joined(text: str, first: Hit, second: Hit) -> Hit:
    """Make one of two that overlap; which of them is the secret cannot be told, so both together are."""
    return Hit(first.start, second.end, text[first.start : second.end], first.name)


def _all_hits(text: str, known: KnownSecrets, depth: int) -> Iterator[Hit]:
    yield from known.hits(text)
    yield from _shapes(text)
    if may_have_name(text):
        yield from pairs(text)
    if depth == _DEEPEST:
        return
    for view in views(text, worth=lambda part: known.may_be_in(part) or may_have_encoded_shape(part)):
        if view.text != text and (known.may_be_in(view.text) or may_hold_secret(view.text)):
            for hit in _all_hits(view.text, known, depth + 1):
                start, end = view.starts[hit.start], view.ends[hit.end - 1]
                is_plain = text[start:end] == hit.secret
                yield replace(hit, start=start, end=end, encoding=hit.encoding or ("" if is_plain else view.encoding))


def _shapes(text: str) -> Iterator[Hit]:
    for shape in SHAPES:
        for found in shape.find(text):
            yield Hit(*found.place, found.secret, shape.kind, tells=is_telling(found.secret))
    for beginning in _beginnings() if _CUT.search(text) else ():
        for found in beginning.find(text):
            yield Hit(*found.place, found.secret, beginning.kind)


@cache
def _beginnings() -> tuple[Shape, ...]:
    """What is left to see of each kind of secret where the end was left out."""
    return tuple(
        Shape(shape.kind, beginning, (mark,))
        for shape in SHAPES
        for mark in shape.marks
        if (beginning := cut_shape(mark))
    )
