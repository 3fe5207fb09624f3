"""The composition root: reads, plays, scores and reports, out of parts that know nothing of one another."""

import importlib.metadata
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from evalkit.bundles import Bundle
from evalkit.cases import Case, Config
from evalkit.errors import InputError, Problem, SelectionError
from evalkit.gather import gather
from evalkit.interrupt import Interruption
from evalkit.locate import agent_of
from evalkit.play import Job, PlayOptions, why_skipped
from evalkit.pool import Pool
from evalkit.protocol import Assignment
from evalkit.report import render_run_files
from evalkit.report.model import Report, build_report
from evalkit.report.progress import Progress, SilentProgress
from evalkit.results import CaseResult
from evalkit.runs import RunFolder, RunInfo
from evalkit.score import JudgeOptions, judge
from evalkit.selection import keyword_filter, parse_selector
from evalkit.settings import PLAYABLE_MODES, Mode, Settings
from evalkit.traces import Failure, Outcome

RUNS = Path(".evalkit", "runs")
"""Where runs are kept, relative to the project."""


class CheckError(InputError):
    """Files have faults, so nothing was played.

    Attributes:
        problems: Every problem that was found, warnings too.
    """

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        count = sum(problem.severity == "error" for problem in problems)
        super().__init__(f"{count} error{'s' if count != 1 else ''} in the files; nothing was played")


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """What the user asks of a run; None leaves a choice to the settings.

    Attributes:
        paths: Selectors: folders, files, or `file:case,case`.
        agent: The agent to play instead of the one each evalset belongs to.
        config: Criteria for every file, instead of each folder's own.
        keyword: A `-k` expression.
        tags: Cases with any of these tags.
        timeout: Seconds a case may take.
        jobs: How many processes play.
        fail_fast: Stop at the first case that fails or errors.
        report_dir: Where the run's files go; None makes a new folder below `.evalkit/runs`.
        passthrough: Whether routes may let real tools run.
        require_judged: Exit with 2 where no case was judged.
        command_line: The arguments as given, for the record.
    """

    paths: tuple[str, ...] = ()
    agent: str | None = None
    config: Path | None = None
    mode: Mode | None = None
    keyword: str | None = None
    tags: tuple[str, ...] = ()
    timeout: float | None = None
    jobs: int | None = None
    fail_fast: bool = False
    report_dir: Path | None = None
    passthrough: bool = False
    require_judged: bool = False
    command_line: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """One case that was selected: its file, its agent, and why it is not played, if so."""

    bundle: Bundle
    case: Case
    agent: str
    skipped: str | None

    def job(self, number: int) -> Job:
        """Return what is to be played, known by a number."""
        return Job(
            number=number,
            file=self.bundle.file,
            case=self.case,
            case_mocks=self.bundle.case_mocks.get(self.case.mocks) if self.case.mocks else None,
            folder_mocks=self.bundle.mocks,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Everything that a run will do.

    Attributes:
        cases: In file order.
        problems: Warnings and notes about the files.
    """

    mode: Mode
    cases: tuple[Planned, ...]
    problems: tuple[Problem, ...] = field(default=())


def plan(options: RunOptions, settings: Settings) -> Plan:
    """Read and check the files, and choose the cases.

    Raises:
        CheckError: A file has an error.
        SelectionError: Nothing is selected, or a selector names nothing.
    """
    mode = options.mode or settings.mode
    if mode not in PLAYABLE_MODES:
        raise SelectionError(f"mode {mode}: this version plays {' and '.join(PLAYABLE_MODES)}")
    paths = options.paths or (os.path.relpath(settings.root / settings.evalsets),)
    bundles, problems = gather([parse_selector(path) for path in paths], options.config)
    if any(problem.severity == "error" for problem in problems):
        raise CheckError(problems)
    wanted = _wanted(options)
    cases = [
        Planned(bundle=bundle, case=case, agent=agent, skipped=why_skipped(case, mode))
        for bundle, agent in _with_agents(bundles, options, settings)
        for case in bundle.cases.cases
        if (case.eval_id in bundle.ids if bundle.ids else wanted(bundle.file, case))
    ]
    if not cases:
        total = sum(len(bundle.cases.cases) for bundle in bundles)
        raise SelectionError(f"no case selected: none of the {total} cases in {', '.join(paths)} fits -k and --tag")
    return Plan(mode=mode, cases=tuple(cases), problems=tuple(problems))


def _wanted(options: RunOptions) -> Callable[[str, Case], bool]:
    by_keyword = keyword_filter(options.keyword) if options.keyword else None
    tags = {tag.lower() for tag in options.tags}

    def keep(file: str, case: Case) -> bool:
        if tags and not tags & {tag.lower() for tag in case.tags}:
            return False
        return by_keyword is None or by_keyword(file, case)

    return keep


def _with_agents(bundles: Sequence[Bundle], options: RunOptions, settings: Settings) -> Iterator[tuple[Bundle, str]]:
    for bundle in bundles:
        yield bundle, options.agent or agent_of(bundle.path, bundle.cases, bundle.mocks, settings)


def evaluate(options: RunOptions, settings: Settings, progress: Progress | None = None) -> tuple[Report, RunFolder]:
    """Play and judge the selected cases; every outcome is on disk as soon as it is known.

    Ctrl-C ends the run early: what was played is judged and reported, the rest is reported as not played.

    Raises:
        InputError: The input cannot be used; nothing was played.
    """
    return _Run(options, settings, plan(options, settings), progress or SilentProgress()).play()


class _Run:
    """One run, from its plan to its report."""

    def __init__(self, options: RunOptions, settings: Settings, planned: Plan, progress: Progress) -> None:
        self._options = options
        self._root = settings.root
        self._plan = planned
        self._progress = progress
        self._timeout = options.timeout or settings.timeout
        self._workers = options.jobs or settings.jobs
        self._judging = JudgeOptions(optional_offline=frozenset(settings.optional_offline))
        self._results: dict[int, CaseResult] = {}
        self._models: dict[str, dict[str, str]] = {}
        self._called: dict[str, set[tuple[str, str]]] = {}
        self._interrupted = False
        info = RunInfo.begin(planned.mode, options=options.command_line, adk=_version("google-adk"))
        self._folder = (
            RunFolder.create_at(options.report_dir, info)
            if options.report_dir
            else RunFolder.create(settings.root / RUNS, info)
        )

    def play(self) -> tuple[Report, RunFolder]:
        """Play every case, judge it as it ends, and write the report."""
        cases = self._plan.cases
        bundles = {planned.bundle.file: planned.bundle for planned in cases}
        configs = {file: bundle.config for file, bundle in bundles.items()}
        self._folder.write_inputs([bundle.cases for bundle in bundles.values()], configs)
        self._progress.start(len(cases))
        with (
            closing(self._folder),
            Interruption(self._progress.message) as interruption,
            Pool(self._assignments(), self._workers) as pool,
        ):
            self._take_all(pool, interruption)
            self._interrupted = interruption.asked()
            self._rest("not played: the run was interrupted" if self._interrupted else "not played: --fail-fast")
            return self._finish(pool, configs)

    def _assignments(self) -> list[Assignment]:
        """Sort the cases by agent; those that are skipped need none."""
        by_agent: dict[str, list[Job]] = {}
        for number, planned in enumerate(self._plan.cases):
            if planned.skipped is None:
                by_agent.setdefault(planned.agent, []).append(planned.job(number))
        live = self._plan.mode == "live"
        options = PlayOptions(timeout=self._timeout, concurrency=4 if live else 1)
        return [
            Assignment(
                agent=agent,
                jobs=tuple(jobs),
                options=options,
                golden=not live,
                passthrough=self._options.passthrough,
                root=str(self._root),
            )
            for agent, jobs in by_agent.items()
        ]

    def _take_all(self, pool: Pool, interruption: Interruption) -> None:
        for number, planned in enumerate(self._plan.cases):
            if planned.skipped is not None:
                self._take(number, planned.job(number).outcome(skipped=planned.skipped))
        for job, outcome in pool.outcomes(stop=interruption.asked):
            self._take(job.number, outcome)
            if self._options.fail_fast and self._breaks(job.number):
                return

    def _take(self, number: int, outcome: Outcome) -> None:
        planned = self._plan.cases[number]
        self._folder.append(outcome)
        result = judge(planned.case, outcome, planned.bundle.config, self._judging)
        self._results[number] = result
        self._remember(planned.agent, outcome)
        self._progress.case_done(result)

    def _breaks(self, number: int) -> bool:
        result = self._results[number]
        return result.known_failing is None and result.verdict in ("failed", "error")

    def _rest(self, reason: str) -> None:
        """Keep cases that were not played in the count."""
        for number, planned in enumerate(self._plan.cases):
            if number not in self._results:
                self._take(number, planned.job(number).outcome(failure=Failure(kind="interrupted", message=reason)))

    def _remember(self, agent: str, outcome: Outcome) -> None:
        if outcome.trace is None:
            return
        self._models.setdefault(agent, {}).update(outcome.trace.models)
        called = self._called.setdefault(agent, set())
        called.update((event.agent, event.name) for turn in outcome.trace.turns for event in turn.tools)

    def _finish(self, pool: Pool, configs: Mapping[str, Config]) -> tuple[Report, RunFolder]:
        self._progress.stop()
        info = replace(
            self._folder.info, finished=datetime.now(UTC), agents=self._models, interrupted=self._interrupted
        )
        report = build_report(
            [self._results[number] for number in sorted(self._results)],
            info,
            configs=configs,
            uncalled_tools=self._uncalled(pool),
            notes=[str(problem) for problem in self._plan.problems if problem.severity == "warning"],
            require_judged=self._options.require_judged,
        )
        self._folder.finish(info, render_run_files(report))
        return report, self._folder

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


def _version(distribution: str) -> str | None:
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return None
