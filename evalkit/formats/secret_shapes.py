"""What looks like a secret: keys, tokens and passwords by their shape, or by the name of the key they stand under.

Evalsets and mocks are often recorded from real systems, and then committed. Values that are obviously made up, such as
AWS's documented `…EXAMPLE` keys, `xxxx` and `${VARIABLE}`, are left alone.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from evalkit.cases import Json
from evalkit.errors import Problem
from evalkit.formats.documents import Document
from evalkit.formats.paths import JsonPath
from evalkit.formats.positions import Lines
from evalkit.formats.rules import RULES

HIDDEN = "[secret]"
"""What stands in the place of a secret where a text is shown."""

_HINT = "take it out, revoke it, and write a made-up value; whoever reads this file has it"


@dataclass(frozen=True, slots=True)
class _Shape:
    """A kind of secret with a form of its own.

    Attributes:
        kind: What it is, with its article.
        marker: Lower-case text that every such secret has, for a quick look.
        pattern: Its form.
    """

    kind: str
    marker: str
    pattern: re.Pattern[str]


_SHAPES = tuple(
    _Shape(kind, marker, re.compile(pattern))
    for kind, marker, pattern in (
        ("an AWS access key", "akia", r"\bAKIA[0-9A-Z]{16}\b"),
        ("a temporary AWS access key", "asia", r"\bASIA[0-9A-Z]{16}\b"),
        ("a Google API key", "aiza", r"\bAIza[\w-]{35}(?![\w-])"),
        ("a Google OAuth token", "ya29.", r"\bya29\.[\w-]{20,}"),
        ("an API key", "sk-", r"\bsk-(?:[a-z]+-)*[A-Za-z0-9_-]{20,}"),
        ("a live Stripe key", "k_live_", r"\b[rs]k_live_[A-Za-z0-9]{16,}"),
        ("a GitHub token", "gh", r"\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_\w{22,})"),
        ("a GitLab token", "glpat-", r"\bglpat-[\w-]{20,}"),
        ("a Slack token", "xox", r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}"),
        ("a Slack webhook", "hooks.slack.com", r"hooks\.slack\.com/services/T\w+/B\w+/\w{16,}"),
        ("a Hugging Face token", "hf_", r"\bhf_[A-Za-z0-9]{30,}"),
        ("an npm token", "npm_", r"\bnpm_[A-Za-z0-9]{36}\b"),
        ("a private key", "private key", r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----"),
        ("a signed token (JWT)", "eyj", r"\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}"),
        ("a bearer token", "bearer", r"\b[Bb]earer [\w.~+/-]{20,}=*"),
        ("an Azure storage key", "accountkey=", r"\bAccountKey=[A-Za-z0-9+/]{40,}=*"),
        ("a password in an address", "://", r"\b[a-z][a-z0-9+.-]*://[^\s/:@\"']+:[^\s/@\"']{6,}@"),
    )
)

_KEY_WORDS = ("password", "passwd", "secret", "token", "api_key", "apikey", "api-key", "access_key", "access-key")
_KEY = re.compile(
    r"(?!.*(?:page|next|continu\w*|sync)[_-]?token)(?:.*[_-])?(?:passw(?:or)?d|(?:api|access|secret|private|account)[_-]?key|(?:access|auth|api|refresh|bearer|session)"
    r"[_-]?token|client[_-]?secret|secret|token)",
    re.IGNORECASE,
)
_LEAST = 16
"""Characters of a value without a shape of its own for it to be taken for a secret."""
_DIGITS = 4
"""Digits that it then must have, if its letters are not in both cases."""
_VARIED = 3.2
"""Bits a character: random text has more, words and names have less."""
_MADE_UP = re.compile(
    r"example|redacted|dummy|fake|sample|placeholder|change.?me|your[_-]|x{4}|\*{3}|\.{3}|…|[<>{}$%]", re.IGNORECASE
)


def secret_problems(document: Document, text: str | bytes) -> tuple[Problem, ...]:
    """Find what looks like a secret in a document; the problems do not repeat it.

    Args:
        document: The parsed file.
        text: The text it was parsed from, or its bytes, for a quick look.
    """
    if isinstance(text, bytes):
        text = text.decode(errors="replace")
    lowered = text.lower()
    suspected = any(shape.marker in lowered and shape.pattern.search(text) for shape in _SHAPES)
    if not suspected and not any(word in lowered for word in _KEY_WORDS):
        return ()
    return tuple(
        document.problem("secret", path, f"this looks like {kind}", _HINT)
        for path, value in _strings(document.value)
        if (kind := secret_kind(value, path[-1] if path else ""))
    )


def secrets_in_text(text: str, file: str) -> tuple[Problem, ...]:
    """Find the first of what looks like a secret in a file that is plain text."""
    kind = secret_kind(text)
    if kind is None:
        return ()
    place = Lines(text).place(min(found.start() for shape in _SHAPES if (found := shape.pattern.search(text))))
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
    for shape in _SHAPES:
        found = shape.pattern.search(value)
        if found and not _MADE_UP.search(found[0]) and len(set(found[0])) > _FEW_SIGNS:
            return shape.kind
    if isinstance(key, str) and len(value) >= _LEAST and _KEY.fullmatch(key) and _is_random(value):
        return f"the value of a `{key}`"
    return None


_FEW_SIGNS = 6
"""Different characters that even a made-up token has."""


def redact(text: str) -> str:
    """Hide what has the shape of a secret in a text that is shown."""
    for shape in _SHAPES:
        text = shape.pattern.sub(HIDDEN, text)
    return text


def _is_random(value: str) -> bool:
    """Whether a text looks made by a generator: no spaces, letters and digits mixed, and hardly one sign twice."""
    if any(sign.isspace() for sign in value) or _MADE_UP.search(value) or "://" in value:
        return False
    digits = sum(sign.isdigit() for sign in value)
    if value.isdigit() or digits < (1 if value.lower() != value != value.upper() else _DIGITS):
        return False
    counts = Counter(value).values()
    return -sum(count / len(value) * math.log2(count / len(value)) for count in counts) >= _VARIED


def _strings(value: Json) -> Iterator[tuple[JsonPath, str]]:
    """Every text in a value, with its path."""
    todo: list[tuple[JsonPath, Json]] = [((), value)]
    while todo:
        path, item = todo.pop()
        if isinstance(item, str):
            yield path, item
        elif isinstance(item, dict | list):
            inner = item.items() if isinstance(item, dict) else enumerate(item)
            todo.extend(((*path, step), value) for step, value in inner)
