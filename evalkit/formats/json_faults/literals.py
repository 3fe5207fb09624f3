"""Values and signs that other languages write and JSON does not, and how to name them."""

import math
import re
import unicodedata

from evalkit.formats.json_faults.fault import Fault

WORDS = {"True": "true", "False": "false", "None": "null", "undefined": "null", "nil": "null"}
"""Words of other languages, with what JSON writes."""

WORD = re.compile(r"[A-Za-z_$][\w$-]*")

_NUMBER = re.compile(r"[-+]?[\d.][^\s,\]}\[{\"]*")
_LONGEST_NUMBER = 100
"""Digits of a number that somebody may have written by hand."""
_QUOTED = 'text is written in "quotes"'


def is_number(text: str, offset: int) -> bool:
    """Whether something stands here that is written like a number, be it of JSON's or not."""
    return _NUMBER.match(text, offset) is not None


def odd_number(text: str, offset: int) -> Fault:
    """Explain a number that JSON writes in another way, or a text like a date that needs quotes."""
    found = _NUMBER.match(text, offset)
    written = found[0] if found else text[offset : offset + 1]
    meant = _meant(written)
    if meant == written:
        return Fault(offset, f"more follows the number {written}", _QUOTED)
    hint = _QUOTED if meant is None else f"write {meant}, or text in quotes"
    return Fault(offset, f"{written} is no number as JSON writes it", hint)


def odd_value(text: str, offset: int) -> Fault:
    """Explain what stands where a value should."""
    word = WORD.match(text, offset)
    found = word[0] if word else text[offset : offset + 1]
    hint = "write the value, or null" if found in {",", "}", "]", ":"} else _QUOTED if found.isprintable() else None
    return Fault(offset, f"a value should stand here, not {named(found)}", hint or _unseen(found))


def odd_key(text: str, offset: int) -> Fault:
    """Explain what stands where a key should."""
    word = WORD.match(text, offset)
    number = _NUMBER.match(text, offset)
    found = word[0] if word else text[offset : offset + 1]
    hint = f'write "{found}"' if word else f'write "{number[0].rstrip(":")}"' if number else _unseen(found)
    return Fault(offset, f"a key in double quotes should stand here, not {named(found)}", hint)


def named(sign: str) -> str:
    """A sign as it is, or its name where it cannot be seen."""
    if len(sign) != 1 or (sign.isprintable() and not sign.isspace()):
        return sign
    name = unicodedata.name(sign, "").lower()
    return f"U+{ord(sign):04X}" + (f" ({name})" if name else "")


def _unseen(sign: str) -> str | None:
    return "remove it, or write a space" if sign and (sign.isspace() or not sign.isprintable()) else None


def _meant(written: str) -> str | None:
    """The number that is meant, as JSON writes it; None if it is no number."""
    if len(written) > _LONGEST_NUMBER:
        return None
    try:
        if re.fullmatch(r"[-+]?0[xX][0-9a-fA-F]+", written):
            return str(int(written, 16))
        if re.fullmatch(r"[-+]?[\d_]+", written):
            return str(int(written))
        if re.fullmatch(r"[-+]?[\d_]*\.?[\d_]*(?:[eE][-+]?\d+)?", written):
            number = float(written)
            return repr(number) if math.isfinite(number) else None
    except ValueError:
        pass
    return None
