"""The sections of an answer: keys of a JSON object, or headings of Markdown."""

import json
import re

_HEADING = re.compile(r"^ {0,3}(?P<marks>#{1,6})[ \t]+(?P<title>.+?)[ \t]*#*[ \t]*$")
_BOLD = re.compile(r"^[ \t]*(?:\*\*|__)(?P<title>[^*_]+?)(?:\*\*|__)[ \t]*:?[ \t]*$")
_RULE = re.compile(r"^ {0,3}(?P<kind>=+|-+)[ \t]*$")
_CODE = re.compile(r"^ {0,3}(?:```|~~~)")
_FENCED = re.compile(r"\A\s*```(?:json)?[ \t]*\n(?P<inside>.*)\n[ \t]*```\s*\Z", re.DOTALL)
_LOWEST = 7
"""The level of a line in bold, below those of headings."""


def section(answer: str, title: str) -> str | None:
    """Return what stands in a section; None if the answer has none of that title, in any case, or nothing is in it.

    A heading's section ends with the next heading of its level or a higher one.
    """
    found = [text for name, text in _sections(answer) if _same(name, title) and text.strip()]
    return "\n".join(found) if found else None


def _same(one: str, other: str) -> bool:
    return one.strip(" \t:*_").casefold() == other.strip(" \t:*_").casefold()


def _sections(answer: str) -> list[tuple[str, str]]:
    fenced = _FENCED.match(answer)
    try:
        value = json.loads(fenced["inside"] if fenced else answer)
    except ValueError:
        return _under_headings(answer.splitlines())
    if not isinstance(value, dict):
        return []
    return [(title, _text(inside)) for title, inside in value.items()]


def _text(inside: object) -> str:
    if isinstance(inside, str):
        return inside
    return json.dumps(inside, ensure_ascii=False) if inside else ""


def _under_headings(lines: list[str]) -> list[tuple[str, str]]:
    headings = list(_headings(lines))
    found = []
    for place, (start, level, title) in enumerate(headings):
        later = (begin for begin, other, _ in headings[place + 1 :] if other <= level)
        found.append((title, "\n".join(lines[start + 1 : next(later, len(lines))])))
    return found


def _headings(lines: list[str]) -> list[tuple[int, int, str]]:
    """List the headings: line, level and title. What stands in a block of code is none."""
    found: list[tuple[int, int, str]] = []
    in_code = False
    for number, line in enumerate(lines):
        if _CODE.match(line):
            in_code = not in_code
        elif in_code:
            continue
        elif heading := _HEADING.match(line):
            found.append((number, len(heading["marks"]), heading["title"]))
        elif bold := _BOLD.match(line):
            found.append((number, _LOWEST, bold["title"]))
        elif (rule := _RULE.match(line)) and number and lines[number - 1].strip():
            found.append((number, 1 if rule["kind"].startswith("=") else 2, lines[number - 1]))
    return found
