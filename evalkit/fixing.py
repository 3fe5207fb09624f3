"""`check --fix`: what is wrong with files and needs no judgement to mend, mended in their text."""

import difflib
import os
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from evalkit.bundles import Reader
from evalkit.check import survey
from evalkit.errors import Fix, Problem, Replace, Rewrite, Splice
from evalkit.formats import evalset as evalset_format
from evalkit.formats.edits import apply_fixes
from evalkit.formats.evalset_writer import write_case_set
from evalkit.formats.files import read_bytes
from evalkit.formats.rules import UNREADABLE
from evalkit.storage import write_atomically

_ROUNDS = 50
"""Fixes can lay bare what is fixed next; so often at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FixedFile:
    """A file with fixes applied.

    Attributes:
        path: The file as the user named it.
        before: Its text as it is.
        after: Its text with the fixes.
        count: How many problems they remove.
    """

    path: Path
    before: str
    after: str
    count: int

    def write(self) -> None:
        """Replace the file in one step; of a symbolic link, the file it leads to."""
        write_atomically(Path(os.path.realpath(self.path)), self.after)

    def diff(self) -> str:
        """The change as a unified diff."""
        name = self.path.as_posix()
        lines = difflib.unified_diff(_lines(self.before), _lines(self.after), f"a/{name}", f"b/{name}")
        return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def fix(paths: Sequence[str | Path], ignored: Collection[str] = ()) -> Iterator[FixedFile]:
    """Find the files among those that `check` reads that change when everything is mended that can be.

    Args:
        paths: What the user named.
        ignored: Rules that are switched off; their problems stay.

    Raises:
        SelectionError: A path does not exist, or there is nothing to check.
    """
    reader = survey(paths)
    for path in reader.files:
        file = str(path)
        problems = [problem for problem in reader.problems if problem.file == file]
        data = read_bytes(path, file).value if _fixable(problems, ignored) else None
        if data is not None:
            fixed = _fixed(reader, path, data.decode(), problems, ignored)
            if fixed.after != fixed.before:
                yield fixed


def _fixed(reader: Reader, path: Path, before: str, problems: Sequence[Problem], ignored: Collection[str]) -> FixedFile:
    """Apply fixes until there are none left; a text that could not be read in the end is left as it was."""
    text, count = before, 0
    for _ in range(_ROUNDS):
        now = _first(_fixable(problems, ignored))
        fixes = [_concrete(fix, text, path) for problem in now for fix in problem.fixes]
        changed = apply_fixes(text, fixes, yaml=path.suffix != ".json")
        if changed == text:
            break
        text, count = changed, count + len(now)
        problems = reader.problems_in(str(path), text.encode())
    readable = not any(problem.rule in UNREADABLE for problem in problems)
    return FixedFile(path=path, before=before, after=text if readable else before, count=count)


def _concrete(fix: Fix, text: str, path: Path) -> Fix:
    """A fix as a change of the text's values."""
    if not isinstance(fix, Rewrite):
        return fix
    case_set = evalset_format.parse(text, file=str(path)).value
    assert case_set is not None, "a list that is not read has no such fix"
    return Replace((), write_case_set(case_set))


def _fixable(problems: Sequence[Problem], ignored: Collection[str]) -> list[Problem]:
    return [problem for problem in problems if problem.fixes and problem.rule not in ignored]


def _first(problems: Sequence[Problem]) -> Sequence[Problem]:
    """The problems to mend now: one of the text by itself, since every place after it shifts, or all of its values."""
    return next(([problem] for problem in problems if isinstance(problem.fixes[0], Splice)), problems)


def _lines(text: str) -> list[str]:
    """The lines of a text with their ends, cut at newlines alone."""
    *lines, rest = text.split("\n")
    return [f"{line}\n" for line in lines] + ([rest] if rest else [])
