"""What changed in a text, as a unified diff, in time that grows with the text alone.

Python's `difflib` looks for the longest lines in common again and again, which takes minutes for a file of some hundred
thousand lines with a change in each. Changes that mend a file are many and small, and nothing moves: so both texts are
gone through side by side, and after a change the nearest lines are sought where they agree again.
"""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Literal

_AHEAD = 60
"""So many lines after a change are looked at; if none agree, all the rest counts as changed."""

_Opcode = tuple[Literal["replace", "delete", "insert", "equal"], int, int, int, int]
"""As `difflib` has it: what became of which lines of the one text, in which lines of the other."""


def unified_diff(before: str, after: str, name: str) -> str:
    """Write a diff that `patch` and `git apply` take; `name` is the file's, with slashes."""
    one, other = _lines(before), _lines(after)
    if one == other:
        return ""
    lines = [f"--- a/{name}\n", f"+++ b/{name}\n"]
    for group in _Matcher(one, other).get_grouped_opcodes():
        (_, start, _, begin, _), (_, _, stop, _, end) = group[0], group[-1]
        lines.append(f"@@ -{_range(start, stop)} +{_range(begin, end)} @@\n")
        for tag, i1, i2, j1, j2 in group:
            if tag == "equal":
                lines += (f" {line}" for line in one[i1:i2])
            else:
                lines += (f"-{line}" for line in one[i1:i2])
                lines += (f"+{line}" for line in other[j1:j2])
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


class _Matcher(SequenceMatcher[str]):
    """Groups changes as `difflib` does, and finds them in another way."""

    def __init__(self, one: Sequence[str], other: Sequence[str]) -> None:
        super().__init__(None, (), ())
        self._texts = one, other

    def get_opcodes(self) -> list[_Opcode]:
        """Every run of lines that agree or do not, in order."""
        return [*_opcodes(*self._texts)]


def _opcodes(one: Sequence[str], other: Sequence[str]) -> Iterator[_Opcode]:
    i = j = 0
    while i < len(one) or j < len(other):
        start, begin = i, j
        while i < len(one) and j < len(other) and one[i] == other[j]:
            i, j = i + 1, j + 1
        if i > start:
            yield "equal", start, i, begin, j
        start, begin = i, j
        i, j = _agreement(one, other, i, j)
        if (start, begin) != (i, j):
            yield "insert" if start == i else "delete" if begin == j else "replace", start, i, begin, j


def _agreement(one: Sequence[str], other: Sequence[str], i: int, j: int) -> tuple[int, int]:
    """Find the nearest places from `i` and `j` on from where two lines agree, or all that are left."""
    for lines in range(1, 2 * _AHEAD):
        for ahead in range(max(0, lines - _AHEAD), min(lines, _AHEAD) + 1):
            here, there = i + ahead, j + lines - ahead
            if here < len(one) and there < len(other) and one[here : here + 2] == other[there : there + 2]:
                return here, there
    return len(one), len(other)


def _range(start: int, stop: int) -> str:
    """Write a range of lines as a diff has it: from 1, its length left out where that is one."""
    length = stop - start
    return f"{start + 1}" if length == 1 else f"{start + 1 if length else start},{length}"


def _lines(text: str) -> list[str]:
    """The lines of a text with their ends, cut at newlines alone."""
    *lines, rest = text.split("\n")
    return [f"{line}\n" for line in lines] + ([rest] if rest else [])
