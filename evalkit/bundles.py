"""An evalset with all that belongs to it: its criteria, its folder's mocks and its cases' own, each file read once."""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from evalkit.cases import CaseSet, Config
from evalkit.errors import Problem
from evalkit.formats import (
    config as config_format,
    evalset as evalset_format,
    mocks as mocks_format,
)
from evalkit.formats.files import CONFIG_NAME, EVALSET_SUFFIXES, MOCKS_NAMES, FileKind, read_bytes
from evalkit.formats.other_files import OtherKind, check_other
from evalkit.gold import GoldFile
from evalkit.lint import lint_cases, lint_criteria, lint_mocks, lint_sets
from evalkit.lint.gold_rules import idle_gold, silent_gold
from evalkit.routes import MockSet

_JUDGED_TWICE = "legacy-form"
"""The rule whose severity depends on the criteria too, which a format does not see."""


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


class Reader:
    """Reads files, each once, however many evalsets it belongs to.

    Args:
        whole: False leaves out of evalsets what no rule has anything to say of, for whoever wants nothing but problems;
            and only then gold files are read, which before a play stay closed.

    Attributes:
        files: Every file that was read, in order.
        problems: Everything found on the way.
    """

    def __init__(self, *, whole: bool = True) -> None:
        self._whole = whole
        self.files: list[Path] = []
        self.problems: list[Problem] = []
        self._configs: dict[str, Config | None] = {}
        self._mocks: dict[str, MockSet | None] = {}
        self._folder_configs: dict[str, Config | None] = {}
        self._folder_mocks: dict[str, MockSet | None] = {}
        self._sets: list[CaseSet] = []
        self._gold: dict[str, GoldFile | None] = {}
        self._gold_asked: dict[str, set[str]] = {}
        self._as: dict[str, tuple[FileKind, Config | None]] = {}

    def evalset(self, path: Path, config_path: Path | None = None) -> Bundle | None:
        """Read an evalset and what belongs to it; None if it or its config cannot be used.

        Args:
            path: The evalset.
            config_path: A config to use instead of the one beside it.
        """
        self.files.append(path)
        loaded = evalset_format.read(path, whole=self._whole)
        config = self._config_of(path, config_path)
        self._as[str(path)] = ("evalset", config)
        mocks = self._mocks_of(path)
        cases = loaded.value
        self.problems += _together(loaded.problems, lint_cases(cases, config) if cases else ())
        if cases is None:
            return None
        self._sets.append(cases)
        case_mocks = self._case_mocks(path, cases)
        if not self._whole:
            self._read_gold(path, cases)
        if config is None:
            return None
        return Bundle(path=path, cases=cases, config=config, mocks=mocks, case_mocks=case_mocks)

    def finish(self) -> None:
        """Find what is wrong between the files that were read."""
        self.problems += lint_sets(self._sets)
        for key, gold in self._gold.items():
            if gold is not None and self._knows_all_beside(Path(gold.file)):
                self.problems += idle_gold(gold, self._gold_asked.get(key, ()))

    def config(self, path: Path) -> Config | None:
        """Read a config; None if it cannot be used."""
        key = os.path.realpath(path)
        if key not in self._configs:
            self.files.append(path)
            self._as[str(path)] = ("config", None)
            loaded = config_format.read(path)
            self.problems += (*loaded.problems, *(lint_criteria(loaded.value) if loaded.value else ()))
            self._configs[key] = loaded.value
        return self._configs[key]

    def mocks(self, path: Path) -> MockSet | None:
        """Read a mocks file; None if it cannot be used."""
        key = os.path.realpath(path)
        if key not in self._mocks:
            self.files.append(path)
            self._as[str(path)] = ("mocks", None)
            loaded = mocks_format.read(path)
            self.problems += (*loaded.problems, *(lint_mocks(loaded.value) if loaded.value else ()))
            self._mocks[key] = loaded.value
        return self._mocks[key]

    def gold(self, path: Path) -> GoldFile | None:
        """Read a gold file; None if it cannot be used."""
        key = os.path.realpath(path)
        if key not in self._gold:
            self.files.append(path)
            self._as[str(path)] = ("gold", None)
            from evalkit.formats.gold import read  # most projects have none, and do not pay for it

            loaded = read(path)
            self.problems += loaded.problems
            self._gold[key] = loaded.value
        return self._gold[key]

    def problems_in(self, file: str, data: bytes) -> tuple[Problem, ...]:
        """Find what would be wrong with a file that was read, if it had other content."""
        kind, config = self._as[file]
        if kind == "evalset":
            evalset = evalset_format.parse(data, file=file, whole=self._whole)
            return tuple(_together(evalset.problems, lint_cases(evalset.value, config) if evalset.value else ()))
        if kind == "config":
            parsed = config_format.parse(data, file=file)
            return (*parsed.problems, *(lint_criteria(parsed.value) if parsed.value else ()))
        if kind == "gold":
            from evalkit.formats.gold import parse

            return parse(data, file=file).problems
        if kind == "holmes":
            from evalkit.formats.holmes_case import parse_case

            return parse_case(data, file, Path(file).parent).problems
        mocks = mocks_format.parse(data, file=file, folder=Path(file).parent)
        return (*mocks.problems, *(lint_mocks(mocks.value) if mocks.value else ()))

    def fixture(self, path: Path, *, named: bool) -> None:
        """Read a fixture of HolmesGPT's by its `test_case.yaml`, of which nothing is played before it is converted.

        Args:
            path: The file.
            named: Whether the user named it; else it is passed over if it is another program's.
        """
        from evalkit.formats.holmes_fixture import check_fixture  # most projects have none, and do not pay for it

        checked = check_fixture(path, named=named)
        known = {*map(str, self.files)}
        self.files += (file for file in checked.files if str(file) not in known)
        self.problems += checked.problems
        self._as[str(path)] = ("holmes", None)

    def recording(self, path: Path) -> bool:
        """Read a recording of HolmesGPT's by itself, and tell whether the file is one."""
        from evalkit.formats.holmes_recording import parse_recording

        data = read_bytes(path, str(path))
        loaded = parse_recording(data.value or b"", str(path))
        if loaded.value is None and not loaded.problems:
            return False
        if str(path) not in map(str, self.files):
            self.files.append(path)
            self.problems += loaded.problems
        return True

    def other(self, path: Path, kind: OtherKind) -> None:
        """Read a file of which nothing is played or judged."""
        self.files.append(path)
        self.problems += check_other(path, kind)

    def _config_of(self, evalset: Path, config_path: Path | None) -> Config | None:
        if config_path is not None:
            return self.config(config_path)
        folder = str(evalset.parent)
        if folder not in self._folder_configs:
            path = evalset.parent / CONFIG_NAME
            there = path.exists()
            self._folder_configs[folder] = self.config(path) if there else config_format.config_for(evalset).value
        return self._folder_configs[folder]

    def _mocks_of(self, evalset: Path) -> MockSet | None:
        folder = str(evalset.parent)
        if folder not in self._folder_mocks:
            present = [path for name in MOCKS_NAMES if (path := evalset.parent / name).is_file()]
            for other in present[1:]:
                message = f"nothing reads this file, since {present[0]} is there too"
                self.problems.append(Problem(file=str(other), rule="unread-file", message=message, severity="warning"))
            self._folder_mocks[folder] = self.mocks(present[0]) if present else None
        return self._folder_mocks[folder]

    def _case_mocks(self, evalset: Path, cases: CaseSet) -> dict[str, MockSet]:
        named = dict.fromkeys(case.mocks for case in cases.cases if case.mocks)
        read = {name: self.mocks(evalset.parent / name) for name in named if (evalset.parent / name).is_file()}
        return {name: mocks for name, mocks in read.items() if mocks is not None}

    def _read_gold(self, evalset: Path, cases: CaseSet) -> None:
        """Read the gold files that cases name, and find cases of which theirs says nothing."""
        for name in dict.fromkeys(case.gold for case in cases.cases if case.gold):
            path = evalset.parent / name
            gold = self.gold(path) if path.is_file() else None
            if gold is not None:
                asked = self._gold_asked.setdefault(os.path.realpath(path), set())
                asked.update(case.eval_id for case in cases.cases if case.gold == name)
                self.problems += silent_gold(cases, name, gold)

    def _knows_all_beside(self, gold: Path) -> bool:
        """Tell whether every evalset in the folder of a gold file was read, and so all that may name it there."""
        beside = [path for path in gold.parent.iterdir() if path.name.endswith(EVALSET_SUFFIXES)]
        return bool(beside) and {*map(os.path.realpath, beside)} <= {*map(os.path.realpath, self.files)}


def _together(read: Sequence[Problem], linted: Sequence[Problem]) -> Iterator[Problem]:
    """Yield the problems of a file and those of its meaning; what both found once, as the latter knew more."""
    found = {(problem.rule, problem.path): problem for problem in read if problem.rule == _JUDGED_TWICE}
    for problem in linted:
        first = found.pop((problem.rule, problem.path), None)
        yield replace(problem, hint=first.hint, fixes=first.fixes) if first else problem
    yield from (problem for problem in read if problem.rule != _JUDGED_TWICE)
    yield from found.values()
