"""Why a text is not JSON: the place and the cause in the author's terms, not the parser's."""

import re
from collections.abc import Callable, Iterator, Mapping

from evalkit.errors import Splice
from evalkit.formats.json_faults.brackets import (
    early_end,
    key_for_value,
    key_in_list,
    no_start,
    object_for_key,
    truncated,
    wrong_bracket,
)
from evalkit.formats.json_faults.fault import Fault
from evalkit.formats.json_faults.kinds import other_kind_of_text
from evalkit.formats.json_faults.literals import WORD, WORDS, is_number, named, odd_key, odd_number, odd_value
from evalkit.formats.json_faults.quotes import unclosed_quote

__all__ = ["Fault", "explain", "lone_surrogate", "mechanical", "non_finite"]

_TOKENS = re.compile(r'"(?:[^"\\\n]|\\.)*"?|-?(?:NaN|Infinity)\b')
_MECHANICAL = re.compile(
    r'\A\s*(?:```|~~~)\w*[ \t\r]*\n|\n(?:```|~~~)\s*\Z|"(?:[^"\\\n]|\\.)*"?|,(?=\s*[,}\]])'
    rf"|\b(?:{'|'.join(WORDS)})\b"
)
"""A string, which stays as it is, or what is left out or replaced: a fence around all, commas before nothing, words of
other languages."""
_LINK = re.compile(r"\s*[\w.-]*(?:/[\w.-]+)+\s*")

_BY_MESSAGE = {
    "Invalid \\escape": ("a backslash in a string starts no escape that JSON knows", "write a backslash as \\\\"),
    "Invalid \\uXXXX escape": ("\\u must be followed by four hexadecimal digits", "write a backslash as \\\\"),
    "Unterminated string starting at": (
        "the string that starts here is never closed",
        'close it with "; the file may have been cut off',
    ),
}

_BY_START = (
    (("<<<<<<<", "=======", ">>>>>>>"), "a merge conflict was never resolved", "keep one side, and remove the markers"),
    (("<!DOCTYPE", "<html", "<?xml"), "this is a web page, not JSON", "fetch the file, not the page that shows it"),
    (("version https://git-lfs",), "this is a pointer of Git LFS, not the file", "run git lfs pull"),
    (("//", "/*", "#"), "JSON has no comments", 'remove it, or write it as a key such as "_comment"'),
    ("'", "JSON has no single quotes", 'write "'),
    (("“", "”", "„"), "the quotes are typographic ones", 'write "'),
    (("...", "…"), "dots stand for something that was left out", "write it, or remove them"),
    (("`",), "JSON has no backquotes", 'write "'),
)
_BLANKS = " \t\r\n"
"""What JSON takes for space."""
_BETWEEN = {
    ";": ("JSON has no semicolons", "write a comma"),
    "+": ("JSON puts no texts together", "write one text"),
}
_NAMES = {",": "comma", ";": "semicolon"}
_DECIMAL = re.compile(r"(?<![\d.])(-?\d+),(\d+)(?=\s*[,}\]])")
_LONGEST_NUMBER = 40
_THOUSAND = 3
"""Digits behind a comma that may part thousands."""
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
    inside = other_kind_of_text(text, offset, message) or _in_string(text, offset, message)
    return inside or _by_character(text, offset) or _by_expectation(text, offset, message)


def mechanical(text: str) -> Iterator[Splice]:
    """Find everything in a text that keeps it from being JSON and needs no judgement to mend."""
    for found in _MECHANICAL.finditer(text):
        if not found[0].startswith('"'):
            yield Splice(found.start(), found.end(), WORDS.get(found[0], ""))


def _in_string(text: str, offset: int, message: str) -> Fault | None:
    """Explain what is wrong inside a string; None if the fault is elsewhere."""
    if message.startswith("Invalid \\escape") and text[offset + 1 : offset + 2] == "'":
        return Fault(offset, "JSON does not escape single quotes", "write ' alone")
    if message.startswith("Invalid control character"):
        return _control_character(text, offset)
    return next(
        (Fault(offset, said, hint) for name, (said, hint) in _BY_MESSAGE.items() if message.startswith(name)), None
    )


def _control_character(text: str, offset: int) -> Fault:
    """Explain a line break, a tab or another control character in a string."""
    sign = text[offset]
    if sign in "\r\n":
        if found := unclosed_quote(text, offset):
            return found
        hint = 'close it with ", or write the line break as \\n'
        return Fault(offset, "a string goes on over the end of its line", hint)
    if sign == "\t":
        return Fault(offset, "a tab stands in a string", "write it as \\t")
    return Fault(
        offset,
        f"a control character, {named(sign)}, stands in a string",
        f"remove it, or write it as \\u{ord(sign):04x}",
    )


def _by_character(text: str, offset: int) -> Fault | None:
    """Recognize what people write by what stands at the fault and just before it."""
    before = len(text[:offset].rstrip()) - 1
    rest = text[offset:].lstrip(_BLANKS)
    if not rest:
        return truncated(text)
    for comma, behind in ((before, rest), (offset, rest[1:].lstrip())):
        if comma >= 0 and text[comma] == "," and behind[:1] in {"}", "]"}:
            message = f"there is a comma before the closing {behind[0]}"
            return Fault(comma, message, "remove the comma", mechanical=True)
    if before >= 0 and text[before] == "," and text[offset] == ",":
        return Fault(offset, "there are two commas", "remove one of them", mechanical=True)
    if rest.startswith(("```", "~~~")):
        return Fault(offset, "a fence of Markdown stands around the JSON", "remove it at both ends", mechanical=True)
    return next((Fault(offset, said, hint) for starts, said, hint in _BY_START if rest.startswith(starts)), None)


def _by_expectation(text: str, offset: int, message: str) -> Fault:
    """Say what should have come, and what came."""
    word = WORD.match(text, offset)
    if word and word[0] in WORDS:
        return Fault(offset, f"{word[0]} is not JSON", f"write {WORDS[word[0]]}", mechanical=True)
    explains = next((explains for said, explains in _EXPLAINS.items() if message.startswith(said)), _no_value)
    return explains(text, offset)


def _no_key(text: str, offset: int) -> Fault:
    """Explain what stands where a key should."""
    decimal = _DECIMAL.search(text, max(0, offset - _LONGEST_NUMBER), offset + _LONGEST_NUMBER)
    if decimal and decimal.start(2) == offset:
        whole = f" or {decimal[1]}{decimal[2]}" if len(decimal[2]) == _THOUSAND else ""
        hint = f"write {decimal[1]}.{decimal[2]}{whole}"
        return Fault(decimal.start(), "the number has a comma in it, which ends it in JSON", hint)
    return (object_for_key(text, offset) if text[offset] == "{" else None) or odd_key(text, offset)


def _no_value(text: str, offset: int) -> Fault:
    """Explain what stands where a value should."""
    if not text[:offset].strip() and "{" in text:
        return Fault(offset, "text stands before the JSON value", "remove it")
    if text[offset] in "}]" and text[:offset].rstrip().endswith(("{", "[")):
        return wrong_bracket(text, offset)
    if text[offset] in "}]" and (lacking := no_start(text, offset)):
        return lacking
    return odd_number(text, offset) if is_number(text, offset) else odd_value(text, offset)


def _more_behind(text: str, offset: int) -> Fault:
    """Explain what stands behind the value that is the whole file."""
    if text[offset:].strip() in _NAMES:
        sign = _NAMES[text[offset:].strip()]
        return Fault(offset, f"there is a {sign} after the end of the JSON value", f"remove the {sign}")
    sign = text[offset]
    if not sign.isprintable() or sign.isspace():
        return Fault(offset, f"{named(sign)} stands after the end of the JSON value", "remove it")
    more = Fault(offset, "there is more after the end of the JSON value", "a file holds one JSON value")
    return early_end(text, offset) or more


def _missing_colon(text: str, offset: int) -> Fault:
    """Tell a colon that is missing from one that stands inside the key, whose quote comes too late."""
    end = len(text[:offset].rstrip())
    start = text.rfind('"', 0, end - 1)
    key = text[start + 1 : end - 1]
    if key.rstrip().endswith(":"):
        return Fault(start, "the quote that closes this key is missing", f'write "{key.rstrip()[:-1].rstrip()}":')
    if text[offset] in "=-":
        return Fault(offset, f"a colon should stand here, not {text[offset]}", 'write "key": value')
    return Fault(offset, "a colon is missing after the key", 'write "key": value')


def _missing_comma(text: str, offset: int) -> Fault:
    """Tell a comma that is missing from a value that ends too early: only the latter has no space behind it."""
    found = text[offset]
    if found in "}]":
        return wrong_bracket(text, offset)
    if found == ":":
        more = Fault(offset, "a comma should stand here, not :", 'write "key": value')
        return key_in_list(text, offset) or key_for_value(text, offset) or more
    if found in _BETWEEN:
        return Fault(offset, *_BETWEEN[found])
    if not found.isprintable() or found.isspace():
        return Fault(offset, f"{named(found)} stands between two values", "remove it, or write a space")
    before = len(text[:offset].rstrip())
    word = WORD.match(text, offset)
    follows = before == offset or (word and word[0] not in {"true", "false", "null"})
    odd = _odd_end(text, before, found) if follows else None
    return odd or Fault(before, f"a comma is missing before {named(found)}", "write the comma")


def _odd_end(text: str, end: int, found: str) -> Fault | None:
    """Explain a value that something follows which is no value; None if a comma before it is all that is missing."""
    if text[end - 1] == '"':
        if text[end - 2 : end + 1] == '"""':
            return Fault(end - 2, "JSON has no triple quotes", 'write one ", and line breaks as \\n')
        if not found.isalnum():
            return None
        return Fault(end - 1, "a string ends here, and more text follows", 'write a quote inside a string as \\"')
    if found in '"{[' or text[end - 1] in "}]":
        return None
    start = end
    while text[start - 1].isalnum() or text[start - 1] in "+-.":
        start -= 1
    if text[start:end] in {"true", "false", "null"} and text[end].isspace():
        return odd_value(text, end + len(text[end:]) - len(text[end:].lstrip()))
    return odd_number(text, start) if is_number(text, start) else odd_value(text, start)


_EXPLAINS: Mapping[str, Callable[[str, int], Fault]] = {
    "Expecting property name": _no_key,
    "Expecting ':' delimiter": _missing_colon,
    "Expecting ',' delimiter": _missing_comma,
    "Extra data": _more_behind,
}
"""What Python's parser says, and who finds the cause; for all else there is no value where one should stand."""


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
