"""`check --fix`: what is wrong with files and needs no judgement to mend, mended in their text."""

import os
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from evalkit.bundles import Reader
from evalkit.check import CheckReport, survey, tidy
from evalkit.diffing import unified_diff
from evalkit.errors import Fix, Problem, Replace, Rewrite, Splice
from evalkit.formats import evalset as evalset_format
from evalkit.formats.edits import apply_fixes
from evalkit.formats.evalset_writer import write_case_set
from evalkit.formats.files import YAML_SUFFIXES, read_bytes
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
        left: The problems that it has then; those of values have no place yet.
    """

    path: Path
    before: str
    after: str
    count: int
    left: Sequence[Problem] = ()

    def write(self) -> None:
        """Replace the file in one step; of a symbolic link, the file it leads to."""
        write_atomically(Path(os.path.realpath(self.path)), self.after)

    def diff(self) -> str:
        """The change as a unified diff."""
        return unified_diff(self.before, self.after, self.path.as_posix().lstrip("/"))


def fix(paths: Sequence[str | Path], ignored: Collection[str] = ()) -> Iterator[FixedFile]:
    """Find the files among those that `check` reads that change when everything is mended that can be.

    Args:
        paths: What the user named.
        ignored: Rules that are switched off; their problems stay.

    Raises:
        SelectionError: A path does not exist, or there is nothing to check.
    """

    def usable(problem: Problem) -> bool:
        return bool(problem.fixes) and problem.rule not in ignored

    reader = survey(paths)
    for path in reader.files:
        file = str(path)
        problems = [problem for problem in reader.problems if problem.file == file]
        data = read_bytes(path, file).value if any(map(usable, problems)) else None
        if data is not None:
            fixed = _fixed(reader, path, data.decode(), problems, usable)
            if fixed.after != fixed.before:
                own = {(problem.rule, problem.path) for problem in reader.problems_in(file, data)}
                between = [problem for problem in problems if (problem.rule, problem.path) not in own]
                yield replace(fixed, left=(*fixed.left, *between))


def remaining(report: CheckReport, files: Sequence[FixedFile]) -> CheckReport:
    """Tell what is wrong once files are fixed, each problem where it stands then.

    Args:
        report: What is wrong as the files are now.
        files: Those that change.
    """
    texts = {str(file.path): file.after.encode() for file in files}
    same = [problem for problem in report.problems if problem.file not in texts]
    left = [problem for file in files for problem in file.left]
    return replace(report, problems=tidy([*same, *left], report.files, texts))


def _fixed(
    reader: Reader, path: Path, before: str, problems: Sequence[Problem], usable: Callable[[Problem], bool]
) -> FixedFile:
    """Mend a file, without the renames that only further fixes could make right, if those did not."""
    fixed = _mended(reader, path, before, problems, usable)
    known = {(problem.rule, problem.path) for problem in problems}
    if all((problem.rule, problem.path) in known for problem in fixed.left if problem.severity == "error"):
        return fixed
    return _mended(reader, path, before, problems, lambda problem: usable(problem) and problem.fixable)


def _mended(
    reader: Reader, path: Path, before: str, problems: Sequence[Problem], usable: Callable[[Problem], bool]
) -> FixedFile:
    """Apply fixes until there are none left; a text that stays unreadable is left as it was."""
    text, count = before, 0
    for _ in range(_ROUNDS):
        now = _first([problem for problem in problems if usable(problem)])
        fixes = [_concrete(fix, text, path) for problem in now for fix in problem.fixes]
        changed = apply_fixes(text, fixes, yaml=path.suffix in YAML_SUFFIXES)
        if changed == text:
            break
        text, count = changed, count + len(now)
        problems = reader.problems_in(str(path), text.encode())
    readable = not any(problem.rule in UNREADABLE for problem in problems)
    return FixedFile(path=path, before=before, after=text if readable else before, count=count, left=problems)


def _concrete(fix: Fix, text: str, path: Path) -> Fix:
    """A fix as a change of the text's values."""
    if not isinstance(fix, Rewrite):
        return fix
    case_set = evalset_format.parse(text, file=str(path)).value
    assert case_set is not None, "a list that is not read has no such fix"
    return Replace((), write_case_set(case_set))


def _first(problems: Sequence[Problem]) -> Sequence[Problem]:
    """The problems to mend now: those of the text alone if there are any, since every place after them shifts."""
    return [problem for problem in problems if isinstance(problem.fixes[0], Splice)] or problems
