"""Where fixtures lie: below a folder of suites, in one suite, or in a single folder."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from evalkit.adapters.holmes.live import SHARED
from evalkit.adapters.holmes.test_case import CASE_FILE
from evalkit.errors import SelectionError

SUITES: Final = ("test_ask_holmes", "test_investigate", "test_workload_health", "compaction")
"""HolmesGPT's own suites, by the names of their folders."""
_DEEPEST: Final = 8
"""Levels below a folder that are searched for suites; HolmesGPT's lie four below its root."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The fixtures of a folder.

    Attributes:
        suites: The folders of each suite, by its name, both sorted.
        others: Folders beside the suites, which hold no cases.
        shared: The folder that fixtures share, if there is one.
    """

    suites: dict[str, tuple[Path, ...]]
    others: tuple[Path, ...] = ()
    shared: Path | None = None


def find_fixtures(source: Path, name: str | None = None) -> Found:
    """Find the fixtures that a folder holds, however deep they are buried.

    Args:
        source: A folder of suites, a suite or a fixture; or a folder in which such a folder of suites lies somewhere.
        name: What a suite is called that the source itself is; the folder's name by default.

    Raises:
        SelectionError: There are none, or several folders could be meant.
    """
    if not source.is_dir():
        raise SelectionError(f"{source}: no such folder")
    source = source.resolve()
    if (source / CASE_FILE).is_file():
        return Found(suites={name or source.parent.name: (source,)}, shared=_shared(source.parent.parent))
    if _is_suite(source):
        return Found(suites={name or source.name: _folders(source)}, shared=_shared(source.parent))
    root = _root(source)
    suites = [folder for folder in _folders(root) if folder.name in SUITES or _is_suite(folder)]
    return Found(
        suites={suite.name: _folders(suite) for suite in suites},
        others=tuple(folder for folder in _folders(root) if folder not in suites),
        shared=_shared(root),
    )


def _root(source: Path) -> Path:
    """The folder that holds the suites: the nearest one below the source, itself included."""
    level = [source]
    for _ in range(_DEEPEST):
        roots = [folder for folder in level if any(map(_is_suite, _folders(folder)))]
        if len(roots) > 1:
            listed = "".join(f"\n  {folder}" for folder in roots)
            raise SelectionError(f"{source}: several folders hold suites of fixtures; name one of them:{listed}")
        if roots:
            return roots[0]
        level = [inner for folder in level for inner in _folders(folder)]
    names = ", ".join(SUITES)
    raise SelectionError(f"{source}: no fixtures of HolmesGPT: no {CASE_FILE}, and no suite such as {names}")


def _is_suite(folder: Path) -> bool:
    """Whether a folder holds fixtures: one of its folders has a test case."""
    return folder.name != SHARED and any((inner / CASE_FILE).is_file() for inner in _folders(folder))


def _shared(root: Path) -> Path | None:
    return root / SHARED if (root / SHARED).is_dir() else None


def _folders(folder: Path) -> tuple[Path, ...]:
    return tuple(sorted(_visible(folder)))


def _visible(folder: Path) -> Iterator[Path]:
    """The folders in a folder, without hidden ones, links and caches."""
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink() and not path.name.startswith((".", "__", "node_modules")):
            yield path
