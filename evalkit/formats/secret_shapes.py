"""The rule `secret`: what looks like a secret in a file, by its shape, or by the name of the key it stands under.

Evalsets and mocks are often recorded from real systems, and then committed. The shapes and names are those of
redaction, which hides more: here a false alarm costs the user's trust, there it costs hardly anything. So values that
are obviously made up, such as AWS's documented `…EXAMPLE` keys, `xxxx` and `${VARIABLE}`, are left alone; a value that
only its key gives away must look made by a generator; encodings are not looked into; and the environment of whoever
checks does not matter.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from evalkit.cases import Json
from evalkit.errors import Problem
from evalkit.formats.documents import Document
from evalkit.formats.paths import JsonPath
from evalkit.formats.positions import Lines
from evalkit.formats.rules import RULES
from evalkit.redaction.names import WORD, degree
from evalkit.redaction.shapes import SHAPES, Shape
from evalkit.redaction.suspicion import may_have_shape
from evalkit.searching import searcher

_HINT = "take it out, revoke it, and write a made-up value; whoever reads this file has it"
_NAMED = rf"{WORD}['\"]?\s*:"
_MADE_UP = re.compile(
    r"(?i)example|redacted|dummy|fake|sample|placeholder|change.?me|your[_-]|x{4}|\*{3}|\.{3}|…|[<>{}$%]"
)
_FEW_SIGNS = 6
"""Different characters that even a made-up token has."""
_WALKED = (str, dict, list)


def secret_problems(document: Document, text: str | bytes) -> tuple[Problem, ...]:
    """Find what looks like a secret in a document; the problems do not repeat it.

    Args:
        document: The parsed file.
        text: The text it was parsed from, or its bytes, for a quick look.
    """
    if isinstance(text, bytes):
        text = text.decode(errors="replace")
    if not (may_have_shape(text) or searcher(_NAMED)(text)):
        return ()
    shapes = _shapes_in_json(text)
    found = (
        document.problem("secret", place.path(), f"this looks like {kind}", _HINT)
        for place, value in _strings(document.value)
        if (kind := secret_kind(value, place.step, shapes))
    )
    return tuple(document.most(found, severity="warning"))


def secrets_in_text(text: str, file: str) -> tuple[Problem, ...]:
    """Find the first of what looks like a secret in a file that is plain text."""
    found = sorted(_shapes(text)) if may_have_shape(text) else []
    if not found:
        return ()
    start, kind = found[0]
    place = Lines(text).place(start)
    return (
        Problem(
            file=file,
            rule="secret",
            message=f"this looks like {kind}",
            hint=_HINT,
            line=place.line,
            column=place.column,
            severity=RULES["secret"].severity,
        ),
    )


def secret_kind(value: str, key: str | int = "", shapes: Sequence[Shape] = SHAPES) -> str | None:
    """Say what kind of secret a text looks like or has in it, by its shape or by the key it stands under."""
    for _, kind in _shapes(value, shapes):
        return kind
    if not isinstance(key, str) or degree(key) is None:
        return None
    from evalkit.redaction.likeness import is_random  # few files have such a key, and pay for it

    return f"the value of a `{key}`" if is_random(value) and not _MADE_UP.search(value) else None


def _shapes_in_json(text: str) -> Sequence[Shape]:
    """The shapes to look for in the values of a document: in most files with a secret, one of many."""
    if "\\" in text:  # a mark may be there in escapes
        return SHAPES
    return [shape for shape in SHAPES if any(mark in text for mark in shape.marks)]


def _shapes(text: str, shapes: Sequence[Shape] = SHAPES) -> Iterator[tuple[int, str]]:
    """Yield what has a shape and is not obviously made up: where it begins, and its kind."""
    for shape in shapes:
        for found in shape.find(text):
            if not _MADE_UP.search(found.whole) and len(set(found.whole)) > _FEW_SIGNS:
                yield found.start, shape.kind


class _Place(NamedTuple):
    """A step on the way to a value, and the place it was taken from; cheaper than a path for each value of a file."""

    around: "_Place | None"
    step: str | int

    def path(self) -> JsonPath:
        """The whole way."""
        steps: list[str | int] = []
        place: _Place | None = self
        while place is not None:
            steps.append(place.step)
            place = place.around
        return tuple(reversed(steps))[1:]


def _strings(value: Json) -> Iterator[tuple[_Place, str]]:
    """Every text in a value, with its place."""
    todo: list[tuple[_Place, Json]] = [(_Place(None, ""), value)]
    while todo:
        place, item = todo.pop()
        if isinstance(item, str):
            yield place, item
        elif isinstance(item, dict | list):
            members = reversed([*(item.items() if isinstance(item, dict) else enumerate(item))])  # the first is next
            todo.extend((_Place(place, step), inner) for step, inner in members if isinstance(inner, _WALKED))
