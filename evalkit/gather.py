"""Reading what a run needs: each evalset with its criteria and its mocks, and every problem on the way."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from evalkit.cases import CaseSet, Config
from evalkit.check import tidy
from evalkit.errors import Problem, SelectionError
from evalkit.formats import config as config_format, evalset as evalset_format, mocks as mocks_format
from evalkit.formats.files import MOCKS_NAMES, discover
from evalkit.lint import lint_cases
from evalkit.routes import MockSet
from evalkit.selection import Selector, check_ids


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundle:
    """One evalset with all that belongs to it.

    Attributes:
        ids: The case ids asked for by a selector; empty means all.
        mocks: The mocks file of its folder.
        case_mocks: The cases' own mocks files, by the name that the case gives.
    """

    path: Path
    cases: CaseSet
    config: Config
    ids: tuple[str, ...] = ()
    mocks: MockSet | None = None
    case_mocks: Mapping[str, MockSet] = field(default_factory=dict)

    @property
    def file(self) -> str:
        """The evalset file as the user named it."""
        return self.cases.file


def gather(selectors: Sequence[Selector], config_path: Path | None = None) -> tuple[list[Bundle], list[Problem]]:
    """Read every evalset that the selectors name.

    Args:
        selectors: What the user asked for.
        config_path: A config for all of them, instead of each folder's own.

    Returns:
        The evalsets that could be read, and every problem of every file.

    Raises:
        SelectionError: A selector names a case that is not there, or there is no evalset at all.
    """
    bundles: list[Bundle] = []
    problems: list[Problem] = []
    reader = _Reader(problems)
    for path, ids in _files(selectors):
        bundle = reader.bundle(path, ids, config_path)
        if bundle is not None:
            bundles.append(bundle)
    return bundles, list(tidy(problems))


def _files(selectors: Sequence[Selector]) -> list[tuple[Path, tuple[str, ...]]]:
    wanted: dict[Path, tuple[str, ...]] = {}
    for selector in selectors:
        found = [item.path for item in discover([selector.path]) if item.kind == "evalset"]
        if not found and selector.path.is_file():
            found = [selector.path]
        if not found:
            raise SelectionError(f"{selector.path}: no evalset here (*.evalset.json or *.test.json)")
        if selector.ids and len(found) > 1:
            raise SelectionError(f"{selector.path}: is a folder; case ids go with one file")
        for path in found:
            earlier = wanted.get(path)
            whole = earlier == () or not selector.ids
            wanted[path] = () if whole else tuple(dict.fromkeys((*(earlier or ()), *selector.ids)))
    return list(wanted.items())


class _Reader:
    """Reads each file once, however many evalsets share it."""

    def __init__(self, problems: list[Problem]) -> None:
        self._problems = problems
        self._mocks: dict[Path, MockSet | None] = {}
        self._configs: dict[Path, Config | None] = {}

    def bundle(self, path: Path, ids: tuple[str, ...], config_path: Path | None) -> Bundle | None:
        loaded = evalset_format.read(path)
        self._problems += loaded.problems
        config = self._config(path, config_path)
        cases = loaded.value
        folder_mocks = self._folder_mocks(path.parent)
        if cases is None or config is None:
            return None
        check_ids(cases.file, [case.eval_id for case in cases.cases], ids)
        self._problems += lint_cases(cases, config)
        return Bundle(
            path=path, cases=cases, config=config, ids=ids, mocks=folder_mocks, case_mocks=self._case_mocks(path, cases)
        )

    def _config(self, evalset: Path, config_path: Path | None) -> Config | None:
        key = config_path or evalset.parent
        if key not in self._configs:
            loaded = config_format.read(config_path) if config_path else config_format.config_for(evalset)
            self._problems += loaded.problems
            self._configs[key] = loaded.value
        return self._configs[key]

    def _folder_mocks(self, folder: Path) -> MockSet | None:
        path = next((folder / name for name in MOCKS_NAMES if (folder / name).is_file()), None)
        return self._read_mocks(path) if path else None

    def _case_mocks(self, evalset: Path, cases: CaseSet) -> dict[str, MockSet]:
        found: dict[str, MockSet] = {}
        for name, path in _named_mocks(evalset, cases):
            mocks = self._read_mocks(path) if path.is_file() else None
            if mocks is not None:
                found[name] = mocks
        return found

    def _read_mocks(self, path: Path) -> MockSet | None:
        if path not in self._mocks:
            loaded = mocks_format.read(path)
            self._problems += loaded.problems
            self._mocks[path] = loaded.value
        return self._mocks[path]


def _named_mocks(evalset: Path, cases: CaseSet) -> Iterable[tuple[str, Path]]:
    names = dict.fromkeys(case.mocks for case in cases.cases if case.mocks)
    return ((name, evalset.parent / name) for name in names)
