"""A stored run, read for being scored again: its outcomes in the order of the run, and what it came to before."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evalkit.cases import Case, Config
from evalkit.errors import InputError
from evalkit.formats.collector import paused_collector
from evalkit.repeats import CaseKey
from evalkit.report.model import Report
from evalkit.report.stored import RESULTS_FILE
from evalkit.report.stored_report import stored_report
from evalkit.results import CaseResult
from evalkit.runs import RunFolder
from evalkit.traces import Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredRun:
    """One run of one model.

    Attributes:
        outcomes: What is to be judged again, in the order of the run.
        cases: The cases as they were used.
        configs: The criteria as they were used, by file.
        report: What the run came to; None if it never came to its end.
        results: What each play of each case came to, by its file, id and repeat.
    """

    folder: RunFolder
    outcomes: tuple[Outcome, ...]
    cases: Mapping[CaseKey, Case]
    configs: Mapping[str, Config]
    report: Report | None
    results: Mapping[tuple[str, str, int], CaseResult]

    def before(self, outcome: Outcome) -> CaseResult | None:
        """Return what an outcome came to before, if that is known."""
        return self.results.get((outcome.file, outcome.eval_id, outcome.run))


def read_run(folder: RunFolder) -> StoredRun:
    """Read a run, be it cut off: what it has of outcomes can be judged.

    Raises:
        InputError: A file cannot be read, or there is nothing to judge.
    """
    cases = {(found.file, case.eval_id): case for found in folder.case_sets() for case in found.cases}
    with paused_collector():
        outcomes = [outcome for outcome in folder.outcomes() if (outcome.file, outcome.eval_id) in cases]
    if not outcomes:
        raise InputError(f"{folder.path}: nothing was played in this run, so there is nothing to score; run it again")
    report = stored_report(folder) if (folder.path / RESULTS_FILE).is_file() else None
    plays = [run for result in report.results for run in result.plays] if report else []
    return StoredRun(
        folder=folder,
        outcomes=_in_order(outcomes, list(cases)),
        cases=cases,
        configs=folder.configs(),
        report=report,
        results={(run.file, run.eval_id, run.run): run for run in plays},
    )


def _in_order(outcomes: Sequence[Outcome], keys: Sequence[CaseKey]) -> tuple[Outcome, ...]:
    """Sort outcomes, which are stored as they came, by the files' order."""
    place = {key: number for number, key in enumerate(keys)}
    return tuple(sorted(outcomes, key=lambda outcome: (outcome.run, place[outcome.file, outcome.eval_id])))
