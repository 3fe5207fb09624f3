"""What a tool's docstring says of the types in its reply: `count` (int), `lines`, a list of strings.

Only what is plainly a type counts: in brackets behind a key, or as an apposition to it that ends there. What may be
something else as well ("a text or null", "int, optional") tells of none.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from evalkit.models.docstrings import reply_keys, reply_lines

Schema = Mapping[str, Any]

_WORDS: Mapping[str, str] = {
    "string": "str string text",
    "integer": "int integer",
    "number": "float number",
    "boolean": "bool boolean",
    "array": "list array",
    "object": "dict dictionary object mapping",
}
_TYPES = {word: kind for kind, words in _WORDS.items() for word in words.split()}
_MANY = {f"{word}s": kind for word, kind in _TYPES.items()} | {"dictionaries": "object"}

_BRACKETED = re.compile(r"[`'\"](?P<key>[a-z_]\w*)[`'\"]\s*\((?P<type>[^()]*)\)")
_BULLET = re.compile(r"^\s*(?:[-*•]\s+)?[`'\"]?(?P<key>[a-z_]\w*)[`'\"]?\s*\((?P<type>[^()]*)\)\s*:\s")
_APPOSED = re.compile(r"[`'\"](?P<key>[a-z_]\w*)[`'\"],?\s+(?:as\s+)?an?\s+(?P<type>[^,.;:()`'\"]*)")
_ENDS = re.compile(r"\s+(?:and|with|each|plus)\b.*$")
_LIST = re.compile(r"(?:list|array)(?:\s+of\s+(?P<many>.+)|\[(?P<one>\w+)\])?")
_UNSURE = re.compile(r"\b(?:or|if|when|unless|optional|null|none|may|otherwise|any)\b|\|", re.IGNORECASE)


def reply_types(docstring: str, parameters: Collection[str] = ()) -> dict[str, Schema]:
    """Return the JSON Schema of each key that every reply has, where the section `Returns:` tells its type.

    Args:
        docstring: The whole docstring.
        parameters: Names of the tool's parameters, which the section may speak of too.
    """
    lines = reply_lines(docstring)
    always = reply_keys(docstring, parameters)
    found: dict[str, list[Schema]] = {}
    for key, said in _said(lines):
        schema = _schema(said)
        found.setdefault(key, []).append(schema or {})
    return {key: one for key, (one, *others) in found.items() if key in always and one and not others}


def _said(lines: list[str]) -> Iterator[tuple[str, str]]:
    """Yield each key with what is said to be its type."""
    bullets = [match for line in lines if (match := _BULLET.match(line))]
    text = " ".join(line.strip() for line in lines)
    for match in bullets or _BRACKETED.finditer(text):
        yield match["key"], match["type"]
    for match in () if bullets else _APPOSED.finditer(text):
        yield match["key"], _ENDS.sub("", match["type"])


def _schema(said: str) -> Schema | None:
    """The schema that words for a type stand for; None if they are no type, or none alone."""
    said = said.strip().lower().removeprefix("a ").removeprefix("an ")
    if _UNSURE.search(said):
        return None
    if said in _TYPES:
        return {"type": _TYPES[said]}
    listed = _LIST.fullmatch(said)
    if listed is None:
        return None
    item = _MANY.get(listed["many"] or "") or _TYPES.get(listed["one"] or "")
    return {"type": "array", "items": {"type": item}} if item else {"type": "array"}
