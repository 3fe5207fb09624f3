"""Applying fixes to the text of a JSON file: what they do not touch keeps its every character."""

import json
import re
from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

from evalkit.cases import Json
from evalkit.errors import Add, Fix, Remove, Rename, Replace, Rewrite, Splice
from evalkit.formats.positions import JsonPositions, Member
from evalkit.formats.yaml_nodes import YamlPositions, compose

_INDENT = re.compile(r"\n([ \t]+)\S")


class _Edit(NamedTuple):
    """Other text in the place of a span."""

    start: int
    end: int
    text: str


def apply_fixes(text: str, fixes: Iterable[Fix], *, yaml: bool = False) -> str:
    """Apply fixes to a text; of two that meet in one place, the wider is applied and the other left out.

    Args:
        text: Valid JSON or YAML; if every fix is a `Splice`, any text.
        fixes: In any order. One whose path leads nowhere is left out too, and so is a `Rewrite`.
        yaml: Whether the text is YAML, in which only keys are renamed.
    """
    writer = _YamlWriter(text) if yaml else _JsonWriter(text)
    edits = sorted(
        {edit for fix in fixes if (edit := writer.edit(fix))},
        key=lambda edit: (edit.start, edit.end > edit.start, -edit.end, edit.text),  # what is added before what goes
    )
    pieces: list[str] = []
    done = 0
    for edit in edits:
        if edit.start >= done:
            pieces += text[done : edit.start], edit.text
            done = edit.end
    return "".join([*pieces, text[done:]])


class _YamlWriter:
    """Renames keys in YAML."""

    def __init__(self, text: str) -> None:
        self._text = text.removeprefix("\ufeff")
        self._mark = len(text) - len(self._text)

    def edit(self, fix: Fix) -> _Edit | None:
        """Turn a fix into an edit; None for what cannot be done."""
        span = self._positions.key_span(fix.path) if isinstance(fix, Rename) else None
        if span is None or not isinstance(fix, Rename):
            return None
        start, end = span
        quote = self._text[start] if self._text[start] in "\"'" else ""
        return _Edit(start + self._mark, end + self._mark, f"{quote}{fix.key}{quote}")

    @cached_property
    def _positions(self) -> YamlPositions:
        return YamlPositions(compose(self._text))


class _JsonWriter:
    """Writes values the way a text is written already."""

    def __init__(self, text: str) -> None:
        self._text = text

    def edit(self, fix: Fix) -> _Edit | None:
        """Turn a fix into an edit; None if there is nothing at its path."""
        if isinstance(fix, Splice):
            return _Edit(fix.start, fix.end, fix.text)
        if isinstance(fix, Rewrite):
            return None
        found = self._positions.find(fix.path)
        if found is None:
            return None
        if isinstance(fix, Rename):
            return _Edit(found.key, self._positions.end(found.key), json.dumps(fix.key, ensure_ascii=False))
        if isinstance(fix, Replace):
            return _Edit(found.value, self._positions.end(found.value), self._write(fix.value, found.value))
        return self._removal(fix, found) if isinstance(fix, Remove) else self._addition(fix, found.value)

    @cached_property
    def _positions(self) -> JsonPositions:
        return JsonPositions(self._text)

    @cached_property
    def _newline(self) -> str:
        return "\r\n" if "\r\n" in self._text else "\n"

    @cached_property
    def _indent(self) -> str | None:
        """What one level of nesting is indented by; None in a text of one line."""
        found = _INDENT.search(self._text)
        return found[1] if found else None

    def _removal(self, fix: Remove, found: Member) -> _Edit:
        """Take out a member with the comma after it; the last one with the comma before it."""
        around = self._positions.find(fix.path[:-1])
        members = [*self._positions.walk(around.value)] if around else []
        index = members.index(found)
        if index + 1 < len(members):
            return _Edit(found.key, members[index + 1].key, "")
        start = self._positions.end(members[index - 1].value) if index else found.key
        return _Edit(start, self._positions.end(found.value), "")

    def _addition(self, fix: Add, offset: int) -> _Edit | None:
        """Put a member after the last one, on a line of its own if that has one; None if it is there already."""
        added = f"{json.dumps(fix.key)}: {json.dumps(fix.value, ensure_ascii=False)}"
        members = [*self._positions.walk(offset)]
        if not members:
            return _Edit(offset, self._positions.end(offset), f"{{{added}}}")
        if any(member.step == fix.key for member in members):
            return None
        last = members[-1]
        end = self._positions.end(last.value)
        line = self._line(last.key)
        return _Edit(end, end, f", {added}" if line.strip() else f",{self._newline}{line}{added}")

    def _write(self, value: Json, offset: int) -> str:
        """Write a value for a place in the text, over several lines if the text has several."""
        if not self._indent:
            return json.dumps(value, ensure_ascii=False)
        line = self._line(offset)
        margin = line[: len(line) - len(line.lstrip())]
        written = json.dumps(value, ensure_ascii=False, indent=self._indent)
        return written.replace("\n", self._newline + margin)

    def _line(self, offset: int) -> str:
        """What stands in the line before an offset."""
        return self._text[self._text.rfind("\n", 0, offset) + 1 : offset]
