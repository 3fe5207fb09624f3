"""Frozen dataclasses to JSON: what `decoding` turns back.

Fields that have their default are left out, so a line of `outcomes.jsonl` holds what happened and nothing else. What
JSON cannot say becomes something that it can, because storing an outcome must never lose the run:

- a number that is not finite: its name as a string, read back as the number where a `float` is expected;
- a date or time: ISO 8601;
- any other object, a cycle, or nesting beyond `MAX_DEPTH`: `{"$python": type, "text": str(value)}`.
"""

import json
import math
import re
from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from datetime import date
from functools import cache
from types import NoneType
from typing import Any

from evalkit.cases import Json

MAX_DEPTH = 100
"""Levels of nesting that are stored; the JSON libraries of some readers stop not far beyond."""

INVISIBLE = "\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff"
"""For a regular expression's brackets: what steers a terminal, reorders or hides text, or has no UTF-8 form."""

NON_FINITE = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
"""How numbers that JSON lacks are written."""

_TEXT_LIMIT = 10_000
_MAX_BITS = 4096  # Python itself refuses to read or write integers of more than 4300 digits
_MUST_ESCAPE = re.compile(f"[{INVISIBLE}]")
_COMPACT = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))
_SPACED = json.JSONEncoder(ensure_ascii=False, allow_nan=False)
_AS_IS = frozenset({str, bool, NoneType})


def dumps(value: Any) -> str:
    """Encode any value as one line of JSON that every JSON parser accepts and that no terminal obeys."""
    return _safe(_COMPACT.encode(encode(value)))


def pretty(data: Json, levels: int) -> str:
    """Write plain JSON values with the outer `levels` of nesting spread over lines: for files that people look into."""
    return _safe(_spread(data, levels, "\n"))


def encode(value: Any) -> Json:
    """Turn any value into plain JSON values."""
    return _encode(value, ())


@cache
def defaults_of(kind: Any) -> tuple[tuple[str, Any], ...]:
    """Each field that makes a dataclass, with its default; `MISSING`, which equals nothing, where it has none."""
    return tuple((field.name, _default(field)) for field in fields(kind) if field.init)


def _default(field: Field[Any]) -> Any:
    return field.default if field.default_factory is MISSING else field.default_factory()


def _spread(value: Json, levels: int, margin: str) -> str:
    if not levels or not value or not isinstance(value, (dict, list)):
        return _SPACED.encode(value)
    inner = margin + "  "
    if isinstance(value, list):
        items = [_spread(item, levels - 1, inner) for item in value]
        return f"[{inner}{f',{inner}'.join(items)}{margin}]"
    items = [f"{_SPACED.encode(key)}: {_spread(item, levels - 1, inner)}" for key, item in value.items()]
    return f"{{{inner}{f',{inner}'.join(items)}{margin}}}"


def _safe(text: str) -> str:
    return _MUST_ESCAPE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def _encode(value: Any, parents: tuple[int, ...]) -> Json:
    if type(value) in _AS_IS:
        return value
    if isinstance(value, (str, int, float, date)):
        return _encode_scalar(value)
    if len(parents) == MAX_DEPTH or id(value) in parents:
        return _as_text(value, "a cycle, or nested too deeply")
    parents = (*parents, id(value))
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_encode(item, parents) for item in value]
    if isinstance(value, Mapping):
        return {str(key): _encode(item, parents) for key, item in value.items()}
    is_instance = is_dataclass(value) and not isinstance(value, type)
    return _encode_dataclass(value, parents) if is_instance else _as_text(value)


def _encode_scalar(value: Any) -> Json:
    if isinstance(value, int) and value.bit_length() > _MAX_BITS:
        return _as_text(value)
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return value.isoformat() if isinstance(value, date) else value


def _encode_dataclass(value: Any, parents: tuple[int, ...]) -> Json:
    encoded = {}
    kind: Any = type(value)
    for name, default in defaults_of(kind):
        item = getattr(value, name)
        if item is default or (type(item) is type(default) and item == default):
            continue
        encoded[name] = _encode(item, parents)
    return encoded


def _as_text(value: Any, text: str | None = None) -> Json:
    kind = type(value)
    if text is None:
        try:
            text = str(value)
        except Exception as error:  # noqa: BLE001 - a foreign `__str__` may raise anything, and the outcome must be kept
            text = f"its text cannot be had: {type(error).__name__}"
    return {"$python": f"{kind.__module__}.{kind.__qualname__}", "text": text[:_TEXT_LIMIT]}
