"""What looks like a secret: keys, tokens and passwords by their shape, or by the name of the key they stand under.

Evalsets and mocks are often recorded from real systems, and then committed. Values that are obviously made up, such as
AWS's documented `…EXAMPLE` keys, `xxxx` and `${VARIABLE}`, are left alone.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from evalkit.cases import Json
from evalkit.errors import Problem
from evalkit.formats.documents import Document
from evalkit.formats.paths import JsonPath
from evalkit.formats.positions import Lines
from evalkit.formats.rules import RULES
from evalkit.formats.searching import searcher

HIDDEN = "[secret]"
"""What stands in the place of a secret where a text is shown."""

_HINT = "take it out, revoke it, and write a made-up value; whoever reads this file has it"


_compiled = cache(re.compile)


_SHAPES: tuple[tuple[str, str], ...] = (
    ("an AWS access key", r"\bA[KS]IA[0-9A-Z]{16}\b"),
    ("a Google API key", r"\bAIza[\w-]{35}"),
    ("a Google OAuth token", r"\bya29\.[\w-]{20,}"),
    ("an API key", r"\bsk-(?:[a-z]+-)*[A-Za-z0-9_-]{20,}"),
    ("a live Stripe key", r"\b[rs]k_live_[A-Za-z0-9]{16,}"),
    ("a GitHub token", r"\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_\w{22,})"),
    ("a GitLab token", r"\bglpat-[\w-]{20,}"),
    ("a Slack token", r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}"),
    ("a Slack webhook", r"hooks\.slack\.com/services/T\w+/B\w+/\w{16,}"),
    ("a Hugging Face token", r"\bhf_[A-Za-z0-9]{30,}"),
    ("an npm token", r"\bnpm_[A-Za-z0-9]{36}\b"),
    ("a private key", r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----"),
    ("a signed token (JWT)", r"\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}"),
    ("a bearer token", r"\b[Bb]earer [\w.~+/-]{20,}=*"),
    ("an Azure storage key", r"\bAccountKey=[A-Za-z0-9+/]{40,}=*"),
    ("a password in an address", r"\b[a-z][a-z0-9+.-]*://[^\s/:@\"']+:[^\s/@\"']{6,}@"),
)
"""Kinds of secrets with their article, and the form that each has."""

_KEY_WORDS = r"""(?:passw(?:or)?d|client[_-]?secret|secret|token
    |(?:api|access|secret|private|account)[_-]?key
    |(?:access|auth|api|refresh|bearer|session)[_-]?token)"""
_KEY = rf"(?ix)(?!.*(?:page|next|continu\w*|sync)[_-]?token)(?:.*[_-])?{_KEY_WORDS}"
"""Names of keys with a secret for a value; tokens that only say where to go on are none."""
_SUSPECT = "|".join([*(form for _, form in _SHAPES), rf"(?ix:{_KEY_WORDS}['\"]?\s*:)"])
"""What a text with a secret has in it."""
_LEAST = 16
"""Characters of a value without a shape of its own for it to be taken for a secret."""
_DIGITS = 4
"""Digits that it then must have, if its letters are not in both cases."""
_VARIED = 3.2
"""Bits a character: random text has more, words and names have less."""
_MADE_UP = r"(?i)example|redacted|dummy|fake|sample|placeholder|change.?me|your[_-]|x{4}|\*{3}|\.{3}|…|[<>{}$%]"


def secret_problems(document: Document, text: str | bytes) -> tuple[Problem, ...]:
    """Find what looks like a secret in a document; the problems do not repeat it.

    Args:
        document: The parsed file.
        text: The text it was parsed from, or its bytes, for a quick look.
    """
    if isinstance(text, bytes):
        text = text.decode(errors="replace")
    if not searcher(_SUSPECT)(text):
        return ()
    return tuple(
        document.problem("secret", place.path(), f"this looks like {kind}", _HINT)
        for place, value in _strings(document.value)
        if (kind := secret_kind(value, place.step))
    )


def secrets_in_text(text: str, file: str) -> tuple[Problem, ...]:
    """Find the first of what looks like a secret in a file that is plain text."""
    kind = secret_kind(text) if searcher(_SUSPECT)(text) else None
    if kind is None:
        return ()
    place = Lines(text).place(min(found.start() for _, form in _SHAPES if (found := _compiled(form).search(text))))
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


def secret_kind(value: str, key: str | int = "") -> str | None:
    """Say what kind of secret a text looks like or has in it, by its shape or by the key it stands under."""
    for kind, form in _SHAPES:
        found = _compiled(form).search(value)
        if found and not _compiled(_MADE_UP).search(found[0]) and len(set(found[0])) > _FEW_SIGNS:
            return kind
    if len(value) >= _LEAST and isinstance(key, str) and _compiled(_KEY).fullmatch(key) and _is_random(value):
        return f"the value of a `{key}`"
    return None


_WALKED = (str, dict, list)
_FEW_SIGNS = 6
"""Different characters that even a made-up token has."""


def redact(text: str) -> str:
    """Hide what has the shape of a secret in a text that is shown."""
    for _, form in _SHAPES if searcher(_SUSPECT)(text) else ():
        text = _compiled(form).sub(HIDDEN, text)
    return text


def _is_random(value: str) -> bool:
    """Whether a text looks made by a generator: no spaces, letters and digits mixed, and hardly one sign twice."""
    if any(sign.isspace() for sign in value) or _compiled(_MADE_UP).search(value) or "://" in value:
        return False
    digits = sum(sign.isdigit() for sign in value)
    if value.isdigit() or digits < (1 if value.lower() != value != value.upper() else _DIGITS):
        return False
    counts = Counter(value).values()
    return -sum(count / len(value) * math.log2(count / len(value)) for count in counts) >= _VARIED


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
            members = item.items() if isinstance(item, dict) else enumerate(item)
            todo.extend((_Place(place, step), inner) for step, inner in members if isinstance(inner, _WALKED))
