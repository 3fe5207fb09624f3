"""The composition root: reads, plays, scores and reports, out of parts that know nothing of one another."""

import asyncio
import importlib.metadata
import os
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from evalkit.cases import Config
from evalkit.errors import InputError
from evalkit.interrupt import Interruption
from evalkit.judges.jury import Hearing, Jury
from evalkit.locate import as_typed
from evalkit.look import look
from evalkit.plan import Plan, RunOptions, assignments, plan
from evalkit.pool import Pool
from evalkit.protocol import Assignment
from evalkit.redaction.redactor import Redactor
from evalkit.repeats import hopeless
from evalkit.report import render_run_files
from evalkit.report.merging import merge_reports, with_comparison
from evalkit.report.model import Report, build_report
from evalkit.report.progress import Progress, SilentProgress
from evalkit.results import CaseResult, Score
from evalkit.runs import RunFolder, RunInfo, part_name
from evalkit.score import JudgeOptions, judge
from evalkit.sealed import Sealed, audited
from evalkit.settings import Settings
from evalkit.sides import compare_runs, must_be_comparable, open_run
from evalkit.staged import StagedCases
from evalkit.traces import Failure, Outcome

RUNS = Path(".evalkit", "runs")
"""Where runs are kept, relative to the project."""


def evaluate(options: RunOptions, settings: Settings, progress: Progress | None = None) -> tuple[Report, RunFolder]:
    """Play and judge the selected cases; every outcome is on disk as soon as it is known.

    Ctrl-C ends the run early: what was played is judged and reported, the rest is reported as not played.

    Raises:
        InputError: The input cannot be used; nothing was played.
    """
    planned = plan(options, settings)
    baseline = _baseline(options, settings, planned)
    report, folder = _evaluated(planned, options, settings, progress or SilentProgress())
    if baseline is not None:
        report = with_comparison(report, compare_runs([baseline, folder]))
        folder.finish(folder.info, render_run_files(report))
    return report, folder


def _baseline(options: RunOptions, settings: Settings, planned: Plan) -> RunFolder | None:
    """Open the run to compare with, and make sure that this one can be."""
    if options.baseline is None:
        return None
    baseline = open_run(options.baseline, settings.root / RUNS)
    if options.report_dir and options.report_dir.resolve() == baseline.path:
        raise InputError(f"{options.report_dir}: is the baseline, which the new run would replace; name another folder")
    keys = {(one.bundle.file, one.case.eval_id) for one in planned.cases}
    must_be_comparable(baseline, planned.mode, keys)
    return baseline


def _evaluated(planned: Plan, options: RunOptions, settings: Settings, progress: Progress) -> tuple[Report, RunFolder]:
    redactor = Redactor.of_process()
    plans = [replace(planned, model=model) for model in dict.fromkeys(options.models)] or [planned]
    with Pool((), options.jobs or settings.jobs, redactor) as pool:
        if planned.mode == "live":
            plans = [look(one, _all(one, options, settings), pool, progress.message) for one in plans]
        if len(plans) == 1:
            return _Run(options, settings, plans[0], progress, redactor).play(pool)
    return _with_each_model(plans, options, settings, progress, redactor)


def _with_each_model(
    plans: Sequence[Plan], options: RunOptions, settings: Settings, progress: Progress, redactor: Redactor
) -> tuple[Report, RunFolder]:
    """Play the same cases with one model after the other: each has a run of its own, in a subfolder of this one."""
    begun = RunInfo.begin("live", options=options.command_line, adk=_version("google-adk"))
    info = replace(begun, runs=options.runs, gate=options.gate, suite=options.suite)
    whole = _folder(options, settings, info, redactor)
    parts: dict[str, tuple[Report, RunFolder]] = {}
    for one in plans:
        model = str(one.model)
        progress.message(f"with {model}:")
        taken = [folder.path.name for _, folder in parts.values()]
        own = replace(options, report_dir=whole.path / part_name(model, taken))
        with Pool((), options.jobs or settings.jobs, redactor) as pool:
            parts[model] = report, _ = _Run(own, settings, one, progress, redactor).play(pool)
        if report.info.interrupted:
            break
    info = replace(
        info,
        finished=datetime.now(UTC),
        interrupted=report.info.interrupted,
        agent_of=report.info.agent_of,
        parts={model: folder.path.name for model, (_, folder) in parts.items()},
    )
    merged = merge_reports({model: report for model, (report, _) in parts.items()}, info, terms=plans[0].terms)
    whole.finish(info, render_run_files(merged))
    return merged, whole


class _Run:
    """One run, from its plan to its report; what is judged is what happened, what is kept and shown has no secrets."""

    def __init__(
        self, options: RunOptions, settings: Settings, planned: Plan, progress: Progress, redactor: Redactor
    ) -> None:
        self._options = options
        self._settings = settings
        self._plan = planned
        self._plays = planned.plays
        self._progress = progress
        self._judging = JudgeOptions.of(settings)
        self._jury = Jury(settings, options.judge, hide=redactor.text)
        self._sealed = Sealed({number: one.gold for number, (one, _) in enumerate(self._plays) if one.gold})
        self._taken: set[int] = set()
        self._held: dict[int, Hearing] = {}
        self._results: dict[int, CaseResult] = {}
        self._models: dict[str, dict[str, str]] = {}
        self._called: dict[str, set[tuple[str, str]]] = {}
        self._interrupted = False
        info = RunInfo.begin(planned.mode, options=options.command_line, adk=_version("google-adk"))
        info = replace(info, gate=options.gate, suite=options.suite)
        self._redactor = redactor
        self._known = redactor.known
        self._folder = _folder(options, settings, replace(info, model=planned.model), redactor)

    def play(self, pool: Pool) -> tuple[Report, RunFolder]:
        """Play every case, judge it as it ends, and write the report."""
        cases = self._plan.cases
        bundles = {planned.bundle.file: planned.bundle for planned in cases}
        configs = {file: bundle.config for file, bundle in bundles.items()}
        self._folder.write_inputs([bundle.cases for bundle in bundles.values()], configs)
        self._progress.start(len(self._plays))
        pool.share_out(assignments(self._plan, self._options, self._settings))
        with closing(self._folder), Interruption(self._progress.message) as interruption:
            self._take_all(pool, interruption)
            self._interrupted = interruption.asked()
            self._rest("not played: the run was interrupted" if self._interrupted else "not played: --fail-fast")
            self._hear(interruption)
            return self._finish(pool, configs)

    def _take_all(self, pool: Pool, interruption: Interruption) -> None:
        for number, (planned, _) in enumerate(self._plays):
            if planned.skipped is not None:
                self._take(number, planned.job(number).outcome(skipped=planned.skipped))
        for job, outcome in pool.outcomes(stop=interruption.asked):
            self._take(job.number, outcome)
            if self._options.fail_fast and self._breaks(job.number):
                return
        self._take_staged(pool, interruption)

    def _take_staged(self, pool: Pool, interruption: Interruption) -> None:
        """Play the cases that have a stage of their own, one after the other."""
        staged = StagedCases(pool, self._redactor, self._progress, interruption.asked)
        for assignment in assignments(self._plan, self._options, self._settings, staged=True):
            for job in assignment.jobs:
                if interruption.asked():
                    return
                planned, _ = self._plays[job.number]
                self._take(job.number, staged.play(planned, job, assignment))
                if self._options.fail_fast and self._breaks(job.number):
                    return

    def _take(self, number: int, outcome: Outcome) -> None:
        planned, _ = self._plays[number]
        self._folder.append(outcome)
        self._taken.add(number)
        self._remember(as_typed(planned.agent), outcome)
        for released, answered in self._sealed.release(number, outcome):
            self._open(released, answered)

    def _open(self, number: int, outcome: Outcome) -> None:
        hearing = self._plays[number][0].hearing(outcome)
        if self._jury.wants(hearing):
            self._held[number] = hearing
        else:
            self._decide(number, hearing, {})

    def _hear(self, interruption: Interruption) -> None:
        """Have the cases judged that need a judge: all together, so that several are asked at once."""
        if not self._held:
            return
        scores = asyncio.run(self._jury.hear([*self._held.values()], self._progress.message, interruption.asked))
        for (number, hearing), found in zip(self._held.items(), scores, strict=True):
            self._decide(number, hearing, found)
        self._interrupted = interruption.asked()

    def _decide(self, number: int, hearing: Hearing, found: Mapping[str, Score]) -> None:
        judged = judge(hearing.case, hearing.outcome, hearing.config, self._judging, found)
        result = self._redactor.clear(audited(judged, hearing.audit))
        self._results[number] = result
        self._progress.case_done(self._plan.terms.marked(result))

    def _breaks(self, number: int) -> bool:
        """Tell whether a case fails now, whatever becomes of its further repeats."""
        result, terms = self._results.get(number), self._plan.terms
        if result is None:  # a judge will decide, or gold that is still closed
            return False
        key = (result.file, result.eval_id)
        if result.known_failing is not None or key in terms.quarantine:
            return False
        runs = [one for one in self._results.values() if (one.file, one.eval_id) == key]
        return hopeless(runs, self._plan.runs, terms.gate_of(key))

    def _rest(self, reason: str) -> None:
        """Keep cases that were not played in the count."""
        for number, (planned, run) in enumerate(self._plays):
            if number not in self._taken:
                job = planned.job(number, run)
                self._take(number, job.outcome(failure=Failure(kind="interrupted", message=reason)))

    def _remember(self, agent: str, outcome: Outcome) -> None:
        if outcome.trace is None:
            return
        self._models.setdefault(agent, {}).update(outcome.trace.models)
        called = self._called.setdefault(agent, set())
        called.update((event.agent, event.name) for turn in outcome.trace.turns for event in turn.tools)

    def _finish(self, pool: Pool, configs: Mapping[str, Config]) -> tuple[Report, RunFolder]:
        self._progress.stop()
        info = replace(
            self._folder.info,
            finished=datetime.now(UTC),
            agents=self._models,
            origins=self._plan.origins,
            agent_of={planned.bundle.file: as_typed(planned.agent) for planned in self._plan.cases},
            interrupted=self._interrupted,
        )
        report = build_report(
            self._cleared(),
            self._redactor.clear(info),
            configs=configs,
            uncalled_tools=self._uncalled(pool),
            notes=[str(problem) for problem in self._plan.problems if problem.severity == "warning"],
            terms=self._plan.terms,
        )
        self._folder.finish(info, render_run_files(report))
        return report, self._folder

    def _cleared(self) -> list[CaseResult]:
        """List the results, without the secrets that became known only after they were found."""
        results = [self._results[number] for number in sorted(self._results)]
        return results if self._redactor.known == self._known else [*map(self._redactor.clear, results)]

    def _uncalled(self, pool: Pool) -> dict[str, tuple[str, ...]]:
        """List each agent's tools that no case called; a choice of files or cases says nothing about coverage."""
        chosen = self._options.keyword or self._options.tags or not all(map(os.path.isdir, self._options.paths))
        if chosen or self._interrupted:
            return {}
        called = set().union(*self._called.values())  # an agent may be evaluated by itself and as part of another
        return {
            name: tuple(tool for tool in tools if (name, tool) not in called)
            for ready in pool.agents.values()
            for name, tools in ready.tools.items()
        }


def _all(planned: Plan, options: RunOptions, settings: Settings) -> list[Assignment]:
    return [one for staged in (False, True) for one in assignments(planned, options, settings, staged=staged)]


def _folder(options: RunOptions, settings: Settings, info: RunInfo, redactor: Redactor) -> RunFolder:
    if options.report_dir:
        return RunFolder.create_at(options.report_dir, info, redactor)
    return RunFolder.create(settings.root / RUNS, info, redactor)


def _version(distribution: str) -> str | None:
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return None
