"""By what a stored run is judged again: the cases and criteria that it used, or those that the files have now."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from evalkit.cases import Case, CaseSet, Config
from evalkit.check import tidy
from evalkit.errors import InputError, Problem, SelectionError
from evalkit.formats import config as config_format
from evalkit.gather import gather
from evalkit.lint import lint_config
from evalkit.plan import CheckError
from evalkit.play import why_skipped
from evalkit.redaction.redactor import Redactor
from evalkit.repeats import CaseKey
from evalkit.runs import RunFolder
from evalkit.selection import Selector

UNDONE = "nothing was scored"


@dataclass(frozen=True, slots=True, kw_only=True)
class Basis:
    """By what a run is judged.

    Attributes:
        case_sets: The cases, by file.
        configs: The criteria, by file.
        folders: Where the files are, as gold files are read beside them.
        unfit: Cases whose outcome is judged no more, with the reason.
        skipped: Cases that are to be skipped now, with the reason.
        notes: Facts worth telling.
    """

    case_sets: tuple[CaseSet, ...]
    configs: Mapping[str, Config]
    folders: Mapping[str, Path]
    unfit: Mapping[CaseKey, str] = field(default_factory=dict)
    skipped: Mapping[CaseKey, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def cases(self) -> dict[CaseKey, Case]:
        """Every case, by its file and id."""
        return {(found.file, case.eval_id): case for found in self.case_sets for case in found.cases}


def basis_of(
    folder: RunFolder,
    files: Collection[str],
    *,
    current: bool,
    config: Path | None,
    root: Path,
    redactor: Redactor,
) -> Basis:
    """Find by what a run is to be judged.

    Args:
        folder: The stored run.
        files: The evalsets that matter.
        current: Whether the files are read again.
        config: Criteria for every file, instead of its own.
        root: The project's folder, where files are looked for that are not below the current one.
        redactor: Hides in files of now what was hidden in the stored cases, so that both can be compared.

    Raises:
        CheckError: A file has an error.
        SelectionError: An evalset is not there any more.
        InputError: The stored cases or criteria cannot be read.
    """
    stored = tuple(found for found in folder.case_sets() if found.file in files)
    if current:
        return _as_now(stored, folder.info.mode, config, root, redactor)
    configs = {file: config for file, config in folder.configs().items() if file in files}
    lacking = None if config else next((found.file for found in stored if found.file not in configs), None)
    if lacking is not None:
        raise InputError(f"{folder.path}: has no criteria for {lacking}; name some with --config")
    if config is not None:
        configs = dict.fromkeys((found.file for found in stored), _read_config(config, stored))
    folders = {found.file: (_found(found.file, root) or Path(found.file)).parent for found in stored}
    return Basis(case_sets=stored, configs=configs, folders=folders)


def _read_config(path: Path, case_sets: Sequence[CaseSet]) -> Config:
    """Read criteria, and make sure before anything is judged that they judge something of every file."""
    loaded = config_format.read(path)
    problems = list(loaded.problems)
    if loaded.value is not None:
        problems += [problem for found in case_sets for problem in lint_config(found, loaded.value)]
    problems = list(tidy(problems))
    if loaded.value is None or _have_errors(problems):
        raise CheckError(problems, UNDONE)
    return loaded.value


def _as_now(stored: Sequence[CaseSet], mode: str, config: Path | None, root: Path, redactor: Redactor) -> Basis:
    places = {found.file: _place(found.file, root) for found in stored}
    bundles, problems = gather([Selector(path) for path in places.values()], config)
    if _have_errors(problems):
        raise CheckError(problems, UNDONE)
    by_path = {bundle.path: bundle for bundle in bundles}
    now = {file: replace(by_path[path].cases, file=file) for file, path in places.items()}
    return Basis(
        case_sets=tuple(map(_with_lost_ones, stored, now.values())),
        configs={file: by_path[path].config for file, path in places.items()},
        folders={file: path.parent for file, path in places.items()},
        unfit={
            (found.file, case.eval_id): reason
            for found in stored
            for case, present in _pairs(found, now[found.file])
            if present and (reason := _departure(case, redactor.clear(present), mode))
        },
        skipped=dict(_skipped(stored, now, mode)),
        notes=(*(str(problem) for problem in problems if problem.severity == "warning"), *_new_ones(stored, now)),
    )


def _place(file: str, root: Path) -> Path:
    """Find an evalset; it is needed.

    Raises:
        SelectionError: It is not there.
    """
    path = _found(file, root)
    if path is None:
        raise SelectionError(
            f"{file}: the evalset is not there any more; run this in the folder of the run, or leave out --current"
        )
    return path


def _found(file: str, root: Path) -> Path | None:
    """Find an evalset where the run found it: from the current folder, or from the project's."""
    return next((path for path in (Path(file), root / file) if path.is_file()), None)


def _with_lost_ones(stored: CaseSet, now: CaseSet) -> CaseSet:
    """Return the cases of now, and of those that are gone what the run knew: their outcomes stay in the count."""
    present = {case.eval_id for case in now.cases}
    return replace(now, cases=(*now.cases, *(case for case in stored.cases if case.eval_id not in present)))


def _pairs(stored: CaseSet, now: CaseSet) -> Iterator[tuple[Case, Case | None]]:
    present = {case.eval_id: case for case in now.cases}
    yield from ((case, present.get(case.eval_id)) for case in stored.cases)


def _departure(stored: Case, now: Case, mode: str) -> str:
    """Say why what was played is no outcome of the case as it is now; empty if it is."""
    if _asked(stored) != _asked(now):
        return "the case asks something else now than what was played: play it again"
    if mode != "live" and _replayed(stored) != _replayed(now):
        return "its expected calls or answer changed, and they are what was replayed: play it again"
    return ""


def _asked(case: Case) -> object:
    """Return what an agent is given in a case."""
    users = None if case.turns is None else [turn.user for turn in case.turns]
    return users, case.scenario, case.session, case.prior_events


def _replayed(case: Case) -> object:
    """Return what a replay plays beside that."""
    return None if case.turns is None else [(turn.steps, turn.final) for turn in case.turns]


def _skipped(stored: Sequence[CaseSet], now: Mapping[str, CaseSet], mode: str) -> Iterator[tuple[CaseKey, str]]:
    for found in stored:
        for case, present in _pairs(found, now[found.file]):
            reason = why_skipped(present, mode, scenarios=True) if present else f"it is not in {found.file} any more"
            if reason:
                yield (found.file, case.eval_id), reason


def _new_ones(stored: Sequence[CaseSet], now: Mapping[str, CaseSet]) -> Iterator[str]:
    """Tell of cases that are new: they have no outcome, so nothing can be said of them."""
    for found in stored:
        known = {case.eval_id for case in found.cases}
        new = [case.eval_id for case in now[found.file].cases if case.eval_id not in known]
        if new:
            yield f"{found.file}: not played by this run, so not scored: {', '.join(new)}"


def _have_errors(problems: Sequence[Problem]) -> bool:
    return any(problem.severity == "error" for problem in problems)
