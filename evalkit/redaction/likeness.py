"""What a value looks like: a secret, or something that happens to stand where secrets do."""

import base64
import binascii
import math
import re
from collections import Counter

from evalkit.redaction.names import degree

_STAND_IN = re.compile(
    r"""(?ix)
    \$\{[^{}]*\} | \$\([^)]*\) | \$(?-i:[A-Z][A-Z0-9_]*) | <[^<>]*> | \{+[^{}]*\}+ | %\w+%
    | [*x•.…\s\#_-]* | your[_-][\w-]* | change[_-]?me
    | [(\[<]* (?:redacted|hidden|masked|removed|omitted|encrypted|sensitive|not[ _-](?:set|shown|available)
        |secret(?::[^\[\]]*)?) [)\]>]*"""
)
"""A value that stands for another, as a whole: `${TOKEN}`, `<your key>`, `*****`, and what redaction left."""
_COMMON = re.compile(
    "(?i)true|false|yes|none|null|undefined|empty|default|required|optional|missing|invalid|unset"
    "|string|text|bytes|integer|number|boolean|object|array|password|passwd|secret|token|basic|bearer"
    "|localhost|admin|administrator|root|user|username|guest|anonymous|test|postgres|mysql|redis|kafka"
)
_WORD = re.compile(r"[('\"]*(?:[A-Za-z'-]+|[0-9]+)[.,:;!?)'\"]*")
_TELLS_OF_A_SENTENCE = re.compile(
    r"(?i)\b(?:is|are|was|must|be|the|an?|not|no|for|of|to|and|or|with|field|cannot|should)\b"
)
_PIECE = re.compile(r"[A-Za-z0-9]+")
_PATH = re.compile(r"(?:[A-Za-z]:|~|\.{1,2})?[/\\][\w .+-]+(?:[/\\][\w .+-]*)*")
_BASE64 = re.compile(r"(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?")

_LEAST_RANDOM = 16
_LEAST_PIECE = 8
_LEAST_LONG_PIECE = 12
_LEAST_SAID = 4
_LEAST_TELLING = 6
_LEAST_OF_ONE_KIND = 16
_LEAST_DIGITS = 10
_LEAST_BASE64 = 8
_DIGITS = 4
"""Digits that random text must have if its letters are not in both cases."""
_VARIED = 3.2
"""Bits a character: random text has more, words and names have less."""


def is_random(value: str) -> bool:
    """Tell whether a text looks made by a generator: long, letters and digits mixed, hardly one sign twice."""
    if len(value) < _LEAST_RANDOM or "://" in value or any(sign.isspace() for sign in value):
        return False
    digits = sum(sign.isdigit() for sign in value)
    if value.isdigit() or digits < (1 if value.lower() != value != value.upper() else _DIGITS):
        return False
    counts = Counter(value).values()
    return -sum(count / len(value) * math.log2(count / len(value)) for count in counts) >= _VARIED


def is_named_secret(name: str, value: str) -> bool:
    """Tell whether a value is a secret because of the name that it stands under."""
    named = degree(name)
    return is_certain(value) if named == "certain" else named == "likely" and is_likely(value)


def is_likely(value: str) -> bool:
    """Tell whether a value under a likely name is a secret: random, and in one piece, unlike the names of things."""
    pieces = _PIECE.findall(value)
    if len(value) < _LEAST_RANDOM:
        return pieces == [value] and _is_mixed(value) and len(value) >= _LEAST_PIECE
    return is_random(value) and any(len(piece) >= _LEAST_LONG_PIECE and not piece.isalpha() for piece in pieces)


def is_certain(value: str) -> bool:
    """Tell whether a value under a certain name is a secret: anything but a word, a sentence or a stand-in."""
    return not (len(value) < _LEAST_SAID or _COMMON.fullmatch(value) or is_stand_in(value) or _is_sentence(value))


def is_telling(value: str) -> bool:
    """Tell whether a secret is peculiar enough to be hidden wherever else it stands.

    `true`, `localhost`, a user's name or another word are not, even as a password: they mean other things elsewhere.
    """
    if len(value) < _LEAST_TELLING or not is_certain(value) or (_PATH.fullmatch(value) and not is_likely(value)):
        return False
    if value.isdigit():
        return len(value) >= _LEAST_DIGITS
    kinds = sum(any(map(is_kind, value)) for is_kind in (str.islower, str.isupper, str.isdigit, _is_sign))
    return kinds > 1 or len(value) >= _LEAST_OF_ONE_KIND


def is_stand_in(value: str) -> bool:
    """Tell whether a value only stands for a secret."""
    return _STAND_IN.fullmatch(value) is not None


def decoded(value: str) -> str | None:
    """Read a value as base64 of a text; None if it is none."""
    if len(value) < _LEAST_BASE64 or not _BASE64.fullmatch(value):
        return None
    try:
        text = base64.b64decode(value).decode()
    except (binascii.Error, UnicodeDecodeError):
        return None
    return text if text.isprintable() else None


def _is_mixed(value: str) -> bool:
    return any(map(str.isdigit, value)) and any(map(str.isalpha, value))


def _is_sign(character: str) -> bool:
    return not character.isalnum()


def _is_sentence(value: str) -> bool:
    words = value.split()
    plain = all(_WORD.fullmatch(word) for word in words)
    return len(words) > 1 and plain and _TELLS_OF_A_SENTENCE.search(value) is not None
