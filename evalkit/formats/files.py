"""Finding files and reading their bytes."""

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Generic, Literal, NamedTuple, TypeVar

from evalkit.errors import Problem, SelectionError

T = TypeVar("T")

FileKind = Literal["evalset", "config", "mocks", "gold", "holmes"]

EVALSET_SUFFIXES = (".evalset.json", ".test.json")
CONFIG_NAME = "test_config.json"
RECORDING_SUFFIX = ".txt"
"""How the names of HolmesGPT's recorded replies end."""
YAML_SUFFIXES = (".yaml", ".yml")
MOCKS_NAMES = ("mocks.yaml", "mocks.yml", "mocks.json")
GOLD_NAME = "gold.json"
HOLMES_NAME = "test_case.yaml"
"""The file that makes a folder a fixture of HolmesGPT's."""

_SUSPECT = re.compile("eval|test", re.IGNORECASE)
_CASES = re.compile(rb'"(?:eval_cases|evalCases|expected_tool_use)"\s*:')
_START = 65_536
"""So many bytes of a file are looked at to tell whether it is an evalset."""


class Loaded(NamedTuple, Generic[T]):
    """What came of reading a file.

    Attributes:
        value: The value, or None if a problem is an error.
        problems: Everything found on the way, warnings too.
    """

    value: T | None
    problems: tuple[Problem, ...] = ()


class Found(NamedTuple):
    """A file and what its name says it is; None for a named file whose name says nothing."""

    path: Path
    kind: FileKind | None


def discover(paths: Iterable[str | Path]) -> tuple[Found, ...]:
    """Find the files of every kind that the paths name, each once and in stable order.

    A named file is taken whatever its name. A folder is searched to the bottom for `*.evalset.json`, `*.test.json`,
    `test_config.json`, `mocks.yaml`, `gold.json` and `test_case.yaml`, by name; hidden folders and links to folders are
    left out.

    Raises:
        SelectionError: A path does not exist.
    """
    found: dict[str, Found] = {}
    for path in map(Path, paths):
        if not path.exists():
            raise SelectionError(f"{path}: no such file or folder")
        if path.is_dir():
            for real, file in _walk(path):
                found.setdefault(real, file)
        else:
            found.setdefault(os.path.realpath(path), Found(path, kind_of(path.name)))
    return tuple(found.values())


def overlooked(paths: Iterable[str | Path]) -> tuple[Path, ...]:
    """Find evalsets in the folders among the paths that have a name by which nobody finds them."""
    found: dict[str, Path] = {}
    for folder in (path for path in map(Path, paths) if path.is_dir()):
        for parent, names in _folders(folder):
            for name in names:
                path = Path(parent, name)
                if name.endswith(".json") and _SUSPECT.search(name) and kind_of(name) is None and _holds_cases(path):
                    found.setdefault(os.path.realpath(path), path)
    return tuple(found.values())


def kind_of(name: str) -> FileKind | None:
    """Tell from a file's name what is in it, if the name says so."""
    if name.endswith(EVALSET_SUFFIXES):
        return "evalset"
    if name == CONFIG_NAME:
        return "config"
    if name == GOLD_NAME:
        return "gold"
    if name == HOLMES_NAME:
        return "holmes"
    if name in MOCKS_NAMES or name.endswith(YAML_SUFFIXES):
        return "mocks"
    return None


def read_bytes(path: Path, file: str) -> Loaded[bytes]:
    """Read a file's bytes; what the system refuses becomes a problem."""
    try:
        return Loaded(path.read_bytes())
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        return Loaded(None, (Problem(file=file, rule="unreadable-file", message=f"cannot be read: {reason}"),))


def has_errors(problems: Iterable[Problem]) -> bool:
    """Whether a problem among them stops a run."""
    return any(problem.severity == "error" for problem in problems)


def _walk(folder: Path) -> Iterator[tuple[str, Found]]:
    """Yield each file of a known kind, after its path with symbolic links followed."""
    for parent, names in _folders(folder):
        known = [name for name in names if (kind := kind_of(name)) and (kind != "mocks" or name in MOCKS_NAMES)]
        real = os.path.realpath(parent) if known else ""
        for name in known:
            path = Path(parent, name)
            place = os.path.realpath(path) if path.is_symlink() else os.path.join(real, name)  # noqa: PTH118 - a string
            yield place, Found(path, kind_of(name))


def _folders(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield every folder from one down to the bottom, with the names of its files."""
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith((".", "__")) and name != "node_modules")
        yield parent, sorted(names)


def _holds_cases(path: Path) -> bool:
    """Whether a file looks like an evalset at its start."""
    try:
        with path.open("rb") as stream:
            return _CASES.search(stream.read(_START)) is not None
    except OSError:
        return False
