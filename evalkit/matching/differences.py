"""Differences as values, and how paths and found values are written."""

import json
import re
from enum import Enum
from typing import Final, NamedTuple

from evalkit.cases import Json

LONGEST_SHOWN = 80
"""Characters of a value or of a wording that a message shows."""

_write_json = json.JSONEncoder(ensure_ascii=False).encode
_PLAIN_KEY = re.compile(r"[A-Za-z_$][\w$]*", re.ASCII)


class Missing(Enum):
    """The type of `MISSING`, which stands where an object has no such key or a list no such item."""

    MISSING = "missing"


MISSING: Final = Missing.MISSING


class Difference(NamedTuple):
    """One place where a value departs from its pattern.

    Attributes:
        path: JSON path of the place, such as `$.items[2].name`; `[*]` is an item of a list that may stand anywhere.
        wanted: What should be there, in words; None if nothing should.
        found: What is there; `MISSING` if nothing is.
    """

    path: str
    wanted: str | None
    found: Json

    def __str__(self) -> str:
        """Render as `$.since: wanted a value matching /^pay/, found "orders"`."""
        if self.wanted is None:
            return f"{self.path}: unexpected, found {show(self.found)}"
        if self.found is MISSING:
            return f"{self.path}: missing, wanted {self.wanted}"
        return f"{self.path}: wanted {self.wanted}, found {show(self.found)}"


def child(path: str, key: Json) -> str:
    """Write the path of an object's member."""
    if isinstance(key, str) and _PLAIN_KEY.fullmatch(key):
        return f"{path}.{key}"
    return f"{path}[{show(key)}]"


def shorten(text: str, limit: int = LONGEST_SHOWN) -> str:
    """Cut a text to `limit` characters, the last of which then is an ellipsis."""
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def show(value: Json, limit: int = LONGEST_SHOWN) -> str:
    """Write a value as JSON in one line of at most `limit` characters; what is not JSON is named by its type."""
    try:
        return shorten(_write_json(value), limit)
    except (TypeError, ValueError, RecursionError):  # not JSON, a cycle or a giant integer, nested too deeply
        return f"an object of type {type(value).__name__}"
