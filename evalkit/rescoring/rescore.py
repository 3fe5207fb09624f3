"""`score_again`: from a stored run to a new one with other verdicts. The stored run is only read."""

import platform
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from evalkit import __version__
from evalkit.cases import ALWAYS, CaseSet, Gate
from evalkit.errors import InputError
from evalkit.evaluate import RUNS
from evalkit.gating import terms_for
from evalkit.locate import as_typed
from evalkit.redaction.redactor import Redactor
from evalkit.repeats import Terms
from evalkit.report import render_run_files
from evalkit.report.merging import merge_reports
from evalkit.report.model import Report, build_report
from evalkit.report.progress import Progress, SilentProgress
from evalkit.rescoring.basis import Basis, basis_of
from evalkit.rescoring.chosen import choose
from evalkit.rescoring.judged import Bench
from evalkit.rescoring.news import news
from evalkit.rescoring.options import ScoreOptions
from evalkit.rescoring.stored_run import StoredRun, read_run
from evalkit.runs import RunFolder, RunInfo
from evalkit.settings import Settings
from evalkit.sides import open_run


@dataclass(frozen=True, slots=True, kw_only=True)
class _Task:
    """A stored run of one model, by what it is judged, and under what terms its cases gate."""

    run: StoredRun
    basis: Basis
    terms: Terms
    whole: bool


def score_again(
    options: ScoreOptions, settings: Settings, progress: Progress | None = None
) -> tuple[Report, RunFolder]:
    """Judge the outcomes of a stored run again, and write a run of its own.

    Raises:
        InputError: The run, the files or the options cannot be used; nothing was written.
    """
    progress = progress or SilentProgress()
    source = open_run(options.run, settings.root / RUNS)
    _must_not_be_replaced(source, options.report_dir)
    redactor = Redactor.of_process()
    parts = {model: RunFolder.open(source.path / part) for model, part in source.info.parts.items()}
    tasks = {model: _task(folder, options, settings, redactor) for model, folder in (parts or {"": source}).items()}
    bench = Bench(options, settings, redactor, progress)
    info = _info(source, options)
    place = settings.root / RUNS
    with (
        RunFolder.create_at(options.report_dir, info, redactor)
        if options.report_dir
        else RunFolder.create(place, info, redactor)
    ) as folder:
        if not parts:
            return _scored(tasks[""], bench, folder), folder
        return _with_each_model(source, tasks, bench, folder, options), folder


def _must_not_be_replaced(source: RunFolder, report_dir: Path | None) -> None:
    """Make sure that the new run does not go where the stored one is, or the run that it is a part of."""
    if report_dir is None:
        return
    target = report_dir.resolve()
    own = {source.path, *(source.path / part for part in source.info.parts.values())}
    if target in own or target in _holders(source):
        raise InputError(f"{report_dir}: is the run that is scored, which stays as it is; name another folder")


def _holders(source: RunFolder) -> Iterator[Path]:
    """Yield the run with several models that a run is a part of, if it is."""
    try:
        parent = RunFolder.open(source.path.parent)
    except InputError:
        return
    if source.path.name in parent.info.parts.values():
        yield parent.path


def _task(folder: RunFolder, options: ScoreOptions, settings: Settings, redactor: Redactor) -> _Task:
    """Read everything that judging a run takes."""
    run = read_run(folder)
    chosen = choose(folder.case_sets(), options.chosen)
    outcomes = tuple(outcome for outcome in run.outcomes if (outcome.file, outcome.eval_id) in chosen)
    if not outcomes:
        raise InputError(f"{folder.path}: none of the cases asked for was played in this run")
    files = {outcome.file for outcome in outcomes}
    basis = basis_of(
        folder, files, current=options.current, config=options.config, root=settings.root, redactor=redactor
    )
    return _Task(
        run=replace(run, outcomes=outcomes),
        basis=basis,
        terms=_terms(folder.info, basis.case_sets, options, settings),
        whole=len(outcomes) == len(run.outcomes),
    )


def _terms(info: RunInfo, case_sets: Sequence[CaseSet], options: ScoreOptions, settings: Settings) -> Terms:
    """Find under what terms cases gate: flags win over those of the run's own command line, and these over settings."""
    return terms_for(
        case_sets,
        settings,
        mode=info.mode,
        case=_first(options.gate, info.gate),
        suite=_first(options.suite, info.suite),
        require_judged=options.require_judged,
    )


def _first(flags: Gate, stored: Gate) -> Gate:
    return flags or stored or ALWAYS


def _info(source: RunFolder, options: ScoreOptions) -> RunInfo:
    """Describe the new run: what was played and how is as it was, the rest is of now."""
    return replace(
        source.info,
        started=datetime.now(UTC),
        finished=None,
        evalkit=__version__,
        python=platform.python_version(),
        options=options.command_line,
        interrupted=source.info.interrupted or source.info.finished is None,
        gate=_first(options.gate, source.info.gate),
        suite=_first(options.suite, source.info.suite),
        scored_from=as_typed(str(source.path)),
        parts={},
    )


def _scored(task: _Task, bench: Bench, folder: RunFolder) -> Report:
    """Judge a run and write the new one."""
    judged = bench.judge(task.run, task.basis)
    folder.write_inputs(task.basis.case_sets, task.basis.configs)
    for one in judged:
        folder.append(one.outcome)
    info = replace(folder.info, finished=datetime.now(UTC), interrupted=folder.info.interrupted or bench.interrupted)
    before = task.run.report
    report = build_report(
        [one.result for one in judged],
        info,
        configs=task.basis.configs,
        uncalled_tools=before.uncalled_tools if before and task.whole else None,
        notes=task.basis.notes,
        terms=task.terms,
    )
    report = _with_news(report, folder, before, task.run.folder)
    folder.finish(info, render_run_files(report))
    return report


def _with_each_model(
    source: RunFolder, tasks: dict[str, _Task], bench: Bench, whole: RunFolder, options: ScoreOptions
) -> Report:
    """Judge a run with several models: each has a run of its own again, in a subfolder of the new one."""
    reports: dict[str, Report] = {}
    for model, task in tasks.items():
        info = _info(task.run.folder, options)
        with RunFolder.create_at(whole.path / source.info.parts[model], info, whole.redactor) as folder:
            reports[model] = _scored(task, bench, folder)
    info = replace(
        whole.info,
        finished=datetime.now(UTC),
        interrupted=any(report.info.interrupted for report in reports.values()),
        parts=source.info.parts,
    )
    merged = merge_reports(reports, info, terms=next(iter(tasks.values())).terms)
    whole.finish(info, render_run_files(merged))
    return merged


def _with_news(report: Report, folder: RunFolder, before: Report | None, source: RunFolder) -> Report:
    name = as_typed(str(source.path))
    told = tuple(folder.redactor.clear(note) for note in news(name, before, report))
    return replace(report, notes=(*told, *report.notes))
