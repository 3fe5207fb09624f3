"""Why a text is not YAML, or not what it looks like: the place and the cause in the author's terms."""

import re
from typing import NamedTuple

import yaml

from evalkit.formats.positions import Lines, Place

_HINTS = {
    "mapping values are not allowed": "put text with a colon in quotes, and check the indentation",
    "cannot start any token": "indent with spaces, and put text that starts with a special character in quotes",
    "could not find expected ':'": "write a colon after the key, and check the indentation",
    "did not find expected": "check the indentation, and that every bracket and quote is closed",
    "unexpected end of stream": "close the quote",
    "tab character": "indent with spaces",
    "unknown escape character": "write the text in single quotes, or the backslash as \\\\",
    "undefined alias": "define the anchor before the alias; put text that starts with * in quotes",
    "maximum nesting depth": "nest less deep",
    "another document": "keep one document, and remove the line ---",
    "keys and values": "keep large replies in JSON files of their own, named by returns_file",
}
_COLONS = ("could not find expected ':'", "mapping values are not allowed")
_NARROW = re.compile(r"[ -]*(?!-)([\w$.-]+):(?!//)([^\s:].*)")
_BARE = re.compile(r"([ -]*)(?!-)([\w$.-]+) +([^\s:#][^:]*)")
_BREAK = re.compile("\r\n|[\n\r\x85\u2028\u2029]")
_CONFLICT = re.compile(r"^(?:<{7} |={7}$|>{7} )", re.MULTILINE)
_UNPRINTABLE = r"[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
"""What YAML takes nowhere; compiling it takes milliseconds, so that is left to whoever needs it."""


class YamlFault(NamedTuple):
    """What is wrong at a place of the text, and what to write instead."""

    place: Place
    message: str
    hint: str | None


def explain(error: yaml.YAMLError, text: str) -> YamlFault:
    """Say what PyYAML found, where, and what usually helps."""
    if conflict := _CONFLICT.search(text):
        hint = "keep one side, and remove the markers"
        return YamlFault(Lines(text).place(conflict.start()), "a merge conflict was never resolved", hint)
    if text.lstrip("\ufeff \t\r\n").startswith(("```", "~~~")):
        return YamlFault(Place(1, 1), "a fence of Markdown stands around the YAML", "remove it at both ends")
    said = str(getattr(error, "problem", None) or getattr(error, "reason", None) or error)
    mark, context = getattr(error, "problem_mark", None), getattr(error, "context_mark", None)
    if context and said == "found unexpected end of stream":
        return YamlFault(_place(context), "the quote that starts here is never closed", "close the quote")
    if context and mark and "did not find expected ',' or" in said:
        sign, closing = ("{", "}") if "'}'" in said else ("[", "]")
        message = f"the {sign} of line {context.line + 1} is not closed before this"
        return YamlFault(_place(mark), message, f"write {closing}, or a comma")
    if mark and any(part in said for part in _COLONS) and (colon := _colon(text, mark)):
        return colon
    if said.startswith("but "):
        said = f"{getattr(error, 'context', '')} {said}"
    control = None if mark else re.search(_UNPRINTABLE, text)
    place = _place(mark) if mark else Lines(text).place(control.start() if control else 0)
    return YamlFault(place, said, next((hint for part, hint in _HINTS.items() if part in said), None))


def flow_fault(key: yaml.Node, value: yaml.Node) -> tuple[str, str] | None:
    """Find a member of `{…}` that is all key, for want of a colon or a space: what is wrong, and the remedy."""
    if not isinstance(key, yaml.ScalarNode) or key.style or not isinstance(value, yaml.ScalarNode):
        return None
    if value.style or value.value or value.start_mark.index > key.end_mark.index:  # there is a colon behind the key
        return None
    name, colon, rest = key.value.partition(":")
    if colon and name and rest and not rest.startswith("//"):
        return "a space is missing behind the colon", f"write {name}: {rest}"
    name, blank, rest = key.value.partition(" ")
    return ("a colon is missing", f"write {name}: {rest}") if blank and rest else None


def no_text(key: yaml.Node) -> tuple[str, str]:
    """Say what is wrong with a key that is no text, and the remedy."""
    if isinstance(key, yaml.ScalarNode):
        return f"the key {key.value} is no text", f'write "{key.value}" in quotes'
    return "a mapping or a list stands where a key should", "put text with braces or brackets in quotes"


def _colon(text: str, mark: yaml.Mark) -> YamlFault | None:
    """Find a key without its colon, or without a space behind it, in the line where the parser stopped or before."""
    lines = [*_BREAK.split(text), ""]
    number = min(mark.line, len(lines) - 1)
    here, before = lines[number], lines[number - 1] if number else ""
    if narrow := _NARROW.match(here):
        return _narrow(narrow, number)
    if here.lstrip().startswith("- "):  # an item by itself: the line before is whole
        return None
    if narrow := _NARROW.match(before):
        return _narrow(narrow, number - 1)
    bare = _BARE.fullmatch(before)
    if bare is None or (here.strip() and len(bare[1]) != len(here) - len(here.lstrip(" -"))):
        return None
    place = Place(number, bare.end(2) + 1)
    return YamlFault(place, f"a colon is missing after {bare[2]}", f"write {bare[2]}: {bare[3]}")


def _narrow(found: re.Match[str], line: int) -> YamlFault:
    """Report a colon without a space behind it in a line, counted from 0."""
    place = Place(line + 1, found.end(1) + 1)
    return YamlFault(place, "a space is missing behind the colon", f"write {found[1]}: {found[2]}")


def _place(mark: yaml.Mark) -> Place:
    return Place(mark.line + 1, mark.column + 1)
