"""The files of a stage: a fresh copy of the case's folder to work in, and of what it shares, and nothing else.

    <root>/shared              what scripts reach as `../../shared`
    <root>/cases/<case>        the working directory
    <root>/scripts             the case's scripts, out of the agent's way

What says how the case should end stays out of it: gold, evalsets, HolmesGPT's `test_case.yaml` and its side file.
A link is kept if it leads to something that is in the tree as well.
"""

import os
import re
import shutil
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from evalkit.errors import SetupError
from evalkit.setups import LiveSetup

_TELLING = ("test_case.yaml", "*.golden.yaml", "gold.json", "*.evalset.json", "*.test.json", "conversion.json")
"""Files that may say what is expected, wherever they lie."""


@dataclass(frozen=True, slots=True)
class Tree:
    """A tree that has been laid out, and what was left out of it, one sentence each."""

    root: Path
    workdir: Path
    scripts: Path
    notes: tuple[str, ...] = ()


def lay_out(root: Path, live: LiveSetup, base: Path, name: str, gold: Collection[Path] = ()) -> Tree:
    """Copy what the case needs.

    Args:
        root: An empty folder.
        live: What the case sets up.
        base: The evalset's folder, to which the case's paths are relative.
        name: The case's id, for the name of its working directory.
        gold: Files that are not to be copied, whatever they are called.

    Raises:
        SetupError: A folder is missing or cannot be copied.
    """
    root = root.resolve()
    fixture = re.sub(r"\[\d+\]$", "", name)  # all prompts of a fixture have the folder that its author knows
    workdir = root / "cases" / (re.sub(r"[^\w.-]+", "-", fixture).strip(".-") or "case")
    scripts = root / "scripts"
    scripts.mkdir()
    workdir.parent.mkdir()
    hidden = frozenset(path.resolve() for path in gold)
    notes: list[str] = []
    if live.shared is not None:
        _copy(base / live.shared, root / "shared", _Links(root, hidden, notes))
    if live.folder is None:
        workdir.mkdir()
    else:
        _copy(base / live.folder, workdir, _Links(root, hidden, notes))
    return Tree(root, workdir, scripts, tuple(notes))


def files_in(folder: Path) -> frozenset[str]:
    """List the files and links below a folder, by their paths in it."""
    return frozenset(Path(at, name).relative_to(folder).as_posix() for at, name in _walk(folder))


def _walk(folder: Path) -> Iterator[tuple[str, str]]:
    for at, folders, files in os.walk(folder):
        yield from ((at, name) for name in files)
        yield from ((at, name) for name in folders if Path(at, name).is_symlink())


@dataclass(frozen=True, slots=True)
class _Links:
    """Which links and files are copied, and how."""

    root: Path
    hidden: frozenset[Path]
    notes: list[str]

    def ignoring(self, source: Path, target: Path) -> Callable[[str, list[str]], set[str]]:
        """Say what `shutil.copytree` leaves out."""

        def ignored(at: str, names: list[str]) -> set[str]:
            return {name for name in names if self._stays_out(Path(at, name), source, target)}

        return ignored

    def _stays_out(self, path: Path, source: Path, target: Path) -> bool:
        if any(fnmatchcase(path.name, pattern) for pattern in _TELLING) or path.resolve() in self.hidden:
            return True
        if not path.is_symlink():
            return False
        leads = path.readlink()
        there = _normal(target / path.parent.relative_to(source) / leads)
        homes = (source,) if leads.is_absolute() else (target, self.root / "shared")
        inside = any(there.is_relative_to(home) for home in homes)
        if not inside:
            self.notes.append(f"{path}: a link that leads out of the case's folder, to {leads}; it was not copied")
        return not inside


def _copy(source: Path, target: Path, links: _Links) -> None:
    source = source.resolve()
    if not source.is_dir():
        raise SetupError(f"{source}: no such folder, which the case's live setup names")
    try:
        shutil.copytree(source, target, symlinks=True, ignore=links.ignoring(source, target))
    except (OSError, shutil.Error) as error:
        raise SetupError(f"{source}: cannot be copied: {error}") from error
    for at, name in list(_walk(target)):
        path = Path(at, name)
        if path.is_symlink() and path.readlink().is_absolute():  # leads into the original, else it were not here
            inside = target / path.readlink().relative_to(source)
            path.unlink()
            path.symlink_to(os.path.relpath(inside, path.parent))


def _normal(path: Path) -> Path:
    """Take the `..` out of a path by its text alone: what it leads to may not be copied yet."""
    return Path(os.path.normpath(path))
