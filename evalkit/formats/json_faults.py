"""Why a text is not JSON: the place and the cause in the author's terms, not the parser's."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from evalkit.errors import Splice
from evalkit.formats.positions import Lines


class Fault(NamedTuple):
    """What is wrong at an offset of the text, what to write instead, and whether `mechanical` mends it."""

    offset: int
    message: str
    hint: str | None = None
    mechanical: bool = False


_TOKENS = re.compile(r'"(?:[^"\\\n]|\\.)*"?|[{}\[\]]|-?(?:NaN|Infinity)\b')
_WORD = re.compile(r"[A-Za-z_$][\w$-]*")
_WORDS = {"True": "true", "False": "false", "None": "null", "undefined": "null", "nil": "null"}
_MECHANICAL = re.compile(rf'"(?:[^"\\\n]|\\.)*"?|,(?=\s*[,}}\]])|\b(?:{"|".join(_WORDS)})\b')
"""A string, which stays as it is, or what is left out or replaced: commas before nothing, words of other languages."""
_LINK = re.compile(r"\s*[\w.-]*(?:/[\w.-]+)+\s*")

_BY_MESSAGE = {
    "Expecting ':' delimiter": ("a colon is missing after the key", 'write "key": value'),
    "Invalid control character at": (
        "a string goes on over the end of its line, or has a raw control character in it",
        'close it with ", or write the line break as \\n and a tab as \\t',
    ),
    "Invalid \\escape": ("a backslash in a string starts no escape that JSON knows", "write a backslash as \\\\"),
    "Invalid \\uXXXX escape": ("\\u must be followed by four hexadecimal digits", "write a backslash as \\\\"),
    "Unterminated string starting at": ("the string that starts here is never closed", 'close it with "'),
}

_BY_START = (
    (("<<<<<<<", "=======", ">>>>>>>"), "a merge conflict was never resolved", "keep one side, and remove the markers"),
    (("<!DOCTYPE", "<html", "<?xml"), "this is a web page, not JSON", "fetch the file, not the page that shows it"),
    (("version https://git-lfs",), "this is a pointer of Git LFS, not the file", "run git lfs pull"),
    (("//", "/*", "#"), "JSON has no comments", 'remove it, or write it as a key such as "_comment"'),
    ("'", "JSON has no single quotes", 'write "'),
    (("“", "”", "„"), "the quotes are typographic ones", 'write "'),
    (("...", "…"), "dots stand for something that was left out", "write it, or remove them"),
)
_SURROGATES = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(\\u[dD][89a-fA-F][0-9a-fA-F]{2})|\\."
)
"""A pair of halves, a half without the other, or any other escape."""


def explain(text: str, offset: int, message: str) -> Fault:
    """Find the cause of a fault that Python's parser reported.

    Args:
        text: The whole text.
        offset: Where the parser stopped.
        message: What it said.
    """
    if not text.strip():
        return Fault(0, "the file is empty")
    if _LINK.fullmatch(text):
        hint = "check out symbolic links as links, or copy the file"
        return Fault(0, "the file holds a path, not JSON; it may be a symbolic link that was checked out as text", hint)
    for name, (said, hint) in _BY_MESSAGE.items():
        if message.startswith(name):
            return Fault(offset, said, hint)
    return _by_character(text, offset) or _by_expectation(text, offset, message)


def mechanical(text: str) -> Iterator[Splice]:
    """Find everything in a text that keeps it from being JSON and needs no judgement to mend."""
    for found in _MECHANICAL.finditer(text):
        if not found[0].startswith('"'):
            yield Splice(found.start(), found.end(), _WORDS.get(found[0], ""))


def _by_character(text: str, offset: int) -> Fault | None:
    """Recognize what people write by what stands at the fault and just before it."""
    before = len(text[:offset].rstrip()) - 1
    rest = text[offset:].lstrip()
    if not rest:
        return _truncated(text)
    for comma, behind in ((before, rest), (offset, rest[1:].lstrip())):
        if comma >= 0 and text[comma] == "," and behind[:1] in {"}", "]"}:
            message = f"there is a comma before the closing {behind[0]}"
            return Fault(comma, message, "remove the comma", mechanical=True)
    if before >= 0 and text[before] == "," and text[offset] == ",":
        return Fault(offset, "there are two commas", "remove one of them", mechanical=True)
    return next((Fault(offset, said, hint) for starts, said, hint in _BY_START if rest.startswith(starts)), None)


def _by_expectation(text: str, offset: int, message: str) -> Fault:
    """Say what should have come, and what came."""
    found = text[offset : offset + 1]
    word = _WORD.match(text, offset)
    if word and word[0] in _WORDS:
        meant = _WORDS[word[0]]
        return Fault(offset, f"{word[0]} is not JSON", f"write {meant}", mechanical=True)
    if message.startswith("Expecting property name"):
        hint = f'write "{word[0]}"' if word else None
        return Fault(offset, f"a key in double quotes should stand here, not {word[0] if word else found}", hint)
    if message.startswith("Expecting ',' delimiter"):
        return _missing_comma(text, offset)
    if message.startswith("Extra data"):
        return Fault(offset, "there is more after the end of the JSON value", "a file holds one JSON value")
    return Fault(offset, f"a value should stand here, not {word[0] if word else found}", 'text is written in "quotes"')


def _missing_comma(text: str, offset: int) -> Fault:
    """Tell a comma that is missing from a value that ends too early: only the latter has no space behind it."""
    found = text[offset]
    before = len(text[:offset].rstrip())
    if before < offset or not found.isalnum():
        return Fault(before, f"a comma is missing before {found}", "write the comma")
    if text[before - 1] == '"':
        return Fault(before - 1, "a string ends here, and more text follows", 'write a quote inside a string as \\"')
    return Fault(before - 1, "the number has digits or letters that JSON does not allow", 'text is written in "quotes"')


def _truncated(text: str) -> Fault:
    """Name the bracket that is still open where the text ends."""
    opened: list[int] = []
    for token in _TOKENS.finditer(text):
        if token[0] in {"{", "["}:
            opened.append(token.start())
        elif token[0] in {"}", "]"} and opened:
            opened.pop()
    end = len(text.rstrip())
    if not opened:
        return Fault(end, "the file ends in the middle of a value", "it may have been cut off")
    line = Lines(text).place(opened[-1]).line
    message = f"the file ends before the {text[opened[-1]]} of line {line} is closed"
    return Fault(end, message, "close it; the file may have been cut off")


def non_finite(text: str) -> Fault:
    """Find the NaN or infinity in a text that has one."""
    token = next((token for token in _TOKENS.finditer(text) if token[0][0] in "NI-"), None)
    name, offset = (token[0], token.start()) if token else ("NaN", 0)
    return Fault(offset, f"{name} is not JSON, and no comparison with it ever holds", "write a number or null")


def lone_surrogate(text: str) -> Fault | None:
    r"""Find an escape from `\ud800` to `\udfff` that is no half of a pair; ADK refuses such text."""
    half = next((found for found in _SURROGATES.finditer(text) if found[1]), None)
    if half is None:
        return None
    return Fault(half.start(), f"{half[1]} is half of a character", "write the character itself, or both halves")
