"""What is encoded in a text, decoded, with the way back: which part of the text each decoded character came from."""

import base64
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from urllib.parse import unquote_to_bytes

_JSON_ESCAPE = re.compile(
    r"\\(?:u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|(.))", re.DOTALL
)
_URL_ESCAPE = re.compile(r"%[0-9a-fA-F]{2}")
_FORM_ESCAPE = re.compile(r"%[0-9a-fA-F]{2}|\+")
_BASE64_DIGITS = re.compile(r"[A-Za-z0-9+/_-]{8,}={0,2}")
_BASE64_LINES = re.compile(r"[A-Za-z0-9+/_-]{8,}(?:\r?\n[A-Za-z0-9+/_-]{2,})+={0,2}")
_HEX_DIGITS = re.compile(r"[0-9a-fA-F]{12,}")
_CONTROLS = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_STANDARD = str.maketrans("-_", "+/")


@dataclass(frozen=True, slots=True)
class View:
    """A part of a text as it reads when decoded; bytes are taken for characters, one for one (Latin-1).

    Attributes:
        text: What it says.
        encoding: How it is encoded, in words.
        starts: For each character of `text`, where in the encoded text that begins which it came from.
        ends: Likewise, before where that ends.
    """

    text: str
    encoding: str
    starts: list[int]
    ends: list[int]


def views(text: str, worth: Callable[[str], bool]) -> Iterator[View]:
    """Yield what can be decoded in a text, in every way it can be; much of it is nonsense.

    Args:
        text: The text.
        worth: Tells whether there may be something in a text, or in a run of digits, that is worth decoding it.
    """
    if "\\" in text:
        yield from _substituted(text, "JSON-escaped", _JSON_ESCAPE, _unescaped)
    if "%" in text:
        yield from _substituted(text, "URL-encoded", _URL_ESCAPE, _from_percent)
    if "+" in text:
        yield from _substituted(text, "URL-encoded", _FORM_ESCAPE, _from_percent)
    if not worth(text):
        return
    for digits, shifts, decoded in _IN_DIGITS:
        for run in digits.finditer(text):
            if worth(run[0]):
                yield from (decoded(run[0][shift:], run.start() + shift) for shift in range(shifts))


def _substituted(
    text: str, encoding: str, escape: re.Pattern[str], decoded: Callable[[re.Match[str]], str]
) -> Iterator[View]:
    pieces: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    done = 0
    for found in escape.finditer(text):
        pieces += [text[done : found.start()], decoded(found)]
        starts += [*range(done, found.start()), found.start()]
        ends += [*range(done + 1, found.start() + 1), found.end()]
        done = found.end()
    if done:
        pieces.append(text[done:])
        starts += range(done, len(text))
        ends += range(done + 1, len(text) + 1)
        yield View("".join(pieces), encoding, starts, ends)


def _unescaped(escape: re.Match[str]) -> str:
    high, low, code, sign = escape.groups()
    if high:
        return chr(0x10000 + ((int(high, 16) - 0xD800) << 10) + int(low, 16) - 0xDC00)
    return chr(int(code, 16)) if code else _CONTROLS.get(sign, sign)


def _from_percent(escape: re.Match[str]) -> str:
    return " " if escape[0] == "+" else unquote_to_bytes(escape[0]).decode("latin-1")


def _from_base64(run: str, offset: int) -> View:
    places = [offset + index for index, sign in enumerate(run) if sign not in "\r\n="]
    digits = run.rstrip("=").replace("\r", "").replace("\n", "").translate(_STANDARD)
    if len(digits) % 4 == 1:  # the last digit alone says nothing
        digits = digits[:-1]
    text = base64.b64decode(digits + "=" * (-len(digits) % 4)).decode("latin-1")
    starts = [places[8 * index // 6] for index in range(len(text))]
    ends = [places[-(-8 * (index + 1) // 6) - 1] + 1 for index in range(len(text))]
    if ends and ends[-1] == offset + len(run.rstrip("=")):
        ends[-1] = offset + len(run)  # with its padding
    return View(text, "base64", starts, ends)


def _from_hex(run: str, offset: int) -> View:
    run = run[: len(run) // 2 * 2]
    places = range(offset, offset + len(run), 2)
    return View(bytes.fromhex(run).decode("latin-1"), "hexadecimal", [*places], [place + 2 for place in places])


_IN_DIGITS = ((_BASE64_DIGITS, 4, _from_base64), (_BASE64_LINES, 4, _from_base64), (_HEX_DIGITS, 2, _from_hex))
"""What runs of digits look like, how many ways there are to begin with them, and what decodes them."""
