"""Example texts: what stands in an argument, a reply or a prompt until somebody who knows better writes it."""

import json
import re
from collections.abc import Mapping
from typing import Any

from evalkit.agent_lint.words import parts

INSTANT = "2026-01-31T12:00:00Z"

_FORMATS = {
    "date": INSTANT[:10],
    "date-time": INSTANT,
    "time": INSTANT[11:],
    "duration": "PT1H",
    "email": "user@example.com",
    "hostname": "host.example.com",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
    "uri": "https://example.com/",
    "url": "https://example.com/",
    "uuid": "00000000-0000-4000-8000-000000000001",
    "byte": "ZXhhbXBsZQ==",
    "binary": "ZXhhbXBsZQ==",
    "json-string": "{}",
}
"""By JSON Schema's and OpenAPI's `format`; addresses are those reserved for examples."""

_BY_LAST_WORD = {
    "at": INSTANT,
    "date": _FORMATS["date"],
    "timestamp": INSTANT,
    "email": _FORMATS["email"],
    "host": _FORMATS["hostname"],
    "hostname": _FORMATS["hostname"],
    "ip": _FORMATS["ipv4"],
    "link": _FORMATS["url"],
    "uri": _FORMATS["url"],
    "url": _FORMATS["url"],
    "uuid": _FORMATS["uuid"],
    "version": "1.0",
}

_PROSE = "body comment content description message note prompt question reason request subject summary text title"
_PROSE_WORDS = frozenset(_PROSE.split())
"""Last words of the names of arguments that take sentences."""

_KINDS_OF_NAME = frozenset({"id", "ids", "key", "name", "names"})

_GIVEN = re.compile(
    r"(?:\bsuch as|\bfor example|\be\.\s?g\.|\bfor instance|\blike),?:?\s+"
    r"(?:`(?P<code>[^`\n]{1,80})`|\"(?P<double>[^\"\n]{1,80})\"|'(?P<single>[^'\n]{1,80})'|(?P<bare>[\w.:/-]*\d[\w.:/-]*\w))"
)
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z`])|\n\s*\n")
_LONGEST_PROMPT = 200


def text_for(name: str, note: str = "", form: str = "") -> str:
    """Return an example of a text.

    Args:
        name: The name of the argument or key that it stands under.
        note: What its description says; an example that it gives is taken.
        form: The `format` of its schema.
    """
    if form in _FORMATS:
        return _FORMATS[form]
    given = _GIVEN.search(note)
    if given:
        return next(text for text in given.groups() if text)
    words = parts(name)
    last = words[-1] if words else ""
    if last in _BY_LAST_WORD:
        return _BY_LAST_WORD[last]
    if last in _PROSE_WORDS:
        return f"Example {last}"
    if len(words) > 1 and last in _KINDS_OF_NAME:
        words = words[:-1]
    return "-".join(["example", *words])


def spoken(name: str) -> str:
    """Write an identifier as words: `total_lag` as `total lag`."""
    return " ".join(parts(name)) or name


def first_sentence(docstring: str) -> str:
    """Return what a docstring says first, on one line and without the full stop."""
    sentence = " ".join(_SENTENCE_END.split(docstring.strip(), maxsplit=1)[0].split())
    return sentence.rstrip(".!?: ")


def prompt_for(tool: str, docstring: str, args: Mapping[str, Any]) -> str:
    """Return what a user may say so that a model calls a tool: what the tool is for, with every argument stated."""
    wish = first_sentence(docstring)
    if not 0 < len(wish) <= _LONGEST_PROMPT:
        wish = spoken(tool).capitalize()
    stated = ", ".join(f"{name}: {_plain(value)}" for name, value in args.items())
    return f"{wish} ({stated})." if stated else f"{wish}."


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
