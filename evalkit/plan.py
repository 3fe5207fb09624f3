"""Before anything is played: which cases were chosen, on which agents and how, and whether their files can be used."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from evalkit.bundles import Bundle
from evalkit.cases import ALWAYS, Case, Gate
from evalkit.errors import InputError, Problem, SelectionError, SettingsError
from evalkit.gather import gather
from evalkit.gating import terms_for
from evalkit.locate import agent_of
from evalkit.play import Job, PlayOptions, why_skipped
from evalkit.protocol import Assignment
from evalkit.repeats import Terms
from evalkit.selection import keyword_filter, parse_selector
from evalkit.settings import PLAYABLE_MODES, Mode, Settings

LIVE_AT_ONCE = 4
"""Cases that wait for their models at the same time in one process, as `adk eval` has it."""


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
        models: Models that all agents ask instead of their own, each for a set of results.
        scenarios: Whether simulated users play the cases that have a scenario instead of a conversation.
        streaming: Whether models are asked for their answers in pieces, as a chat does.
        runs: How often each case is played.
        gate: How often a case must pass.
        suite: How many of all runs together must pass.
        baseline: A stored run to compare with: its folder, or its name below that of all runs.
        require_judged: Exit with 2 where no case was judged.
        judge: Who judges what no program can, by name.
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
    models: tuple[str, ...] = ()
    scenarios: bool = False
    streaming: bool = False
    runs: int = 1
    gate: Gate = ALWAYS
    suite: Gate = ALWAYS
    baseline: str | None = None
    require_judged: bool = False
    judge: str | None = None
    command_line: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """One case that was selected: its file, its agent, and why it is not played, if so."""

    bundle: Bundle
    case: Case
    agent: str
    skipped: str | None

    def job(self, number: int, run: int = 0) -> Job:
        """Return what is to be played, known by a number; `run` is the repeat."""
        return Job(
            number=number,
            file=self.bundle.file,
            case=self.case,
            case_mocks=self.bundle.case_mocks.get(self.case.mocks) if self.case.mocks else None,
            folder_mocks=self.bundle.mocks,
            run=run,
            simulator=self.bundle.config.extra.get("user_simulator_config") if self.case.turns is None else None,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Everything that a run will do.

    Attributes:
        cases: In file order.
        problems: Warnings and notes about the files.
        model: The model that all agents ask; None for their own.
        origins: For each agent under evaluation, where the model of each agent in it comes from, once that is known.
        runs: How often each case is played.
        terms: Under what terms the cases gate.
    """

    mode: Mode
    cases: tuple[Planned, ...]
    problems: tuple[Problem, ...] = field(default=())
    model: str | None = None
    origins: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    runs: int = 1
    terms: Terms = field(default_factory=Terms)

    @property
    def plays(self) -> tuple[tuple[Planned, int], ...]:
        """Each case with each of its repeats: all cases once, then all of them again, so that what ends early is whole.

        The place in here is the number of a job. A case that is skipped is not repeated.
        """
        return tuple((one, run) for run in range(self.runs) for one in self.cases if run == 0 or one.skipped is None)


def plan(options: RunOptions, settings: Settings) -> Plan:
    """Read and check the files, and choose the cases.

    Raises:
        CheckError: A file has an error.
        SelectionError: Nothing is selected, or a selector names nothing.
        SettingsError: The options do not go together.
    """
    mode = _mode(options, settings)
    paths = options.paths or (os.path.relpath(settings.root / settings.evalsets),)
    bundles, problems = gather([parse_selector(path) for path in paths], options.config)
    if any(problem.severity == "error" for problem in problems):
        raise CheckError(problems)
    wanted = _wanted(options)
    cases = [
        Planned(bundle=bundle, case=case, agent=agent, skipped=why_skipped(case, mode, scenarios=options.scenarios))
        for bundle, agent in _with_agents(bundles, options, settings)
        for case in bundle.cases.cases
        if (case.eval_id in bundle.ids if bundle.ids else wanted(bundle.file, case))
    ]
    if not cases:
        total = sum(len(bundle.cases.cases) for bundle in bundles)
        raise SelectionError(f"no case selected: none of the {total} cases in {', '.join(paths)} fits -k and --tag")
    terms = terms_for(
        [bundle.cases for bundle in bundles],
        settings,
        mode=mode,
        case=options.gate,
        suite=options.suite,
        require_judged=options.require_judged,
    )
    return Plan(mode=mode, cases=tuple(cases), problems=tuple(problems), runs=options.runs, terms=terms)


_FOR_MODELS: Mapping[str, str] = {"models": "--model", "scenarios": "--scenarios", "streaming": "--streaming"}
"""Options that only a live run has a use for, with their flags."""


def _mode(options: RunOptions, settings: Settings) -> Mode:
    mode = options.mode or settings.mode
    if mode not in PLAYABLE_MODES:
        raise SelectionError(f"mode {mode}: this version plays {' and '.join(PLAYABLE_MODES)}")
    useless = [flag for name, flag in _FOR_MODELS.items() if getattr(options, name)]
    if useless and mode != "live":
        raise SettingsError(f"{' and '.join(useless)}: {mode} mode asks no model; add --mode live, or leave it out")
    return mode


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


def assignments(planned: Plan, options: RunOptions, settings: Settings) -> list[Assignment]:
    """Sort the cases by agent, for the processes that play them; those that are skipped need none."""
    by_agent: dict[str, list[Job]] = {}
    for number, (one, run) in enumerate(planned.plays):
        if one.skipped is None:
            by_agent.setdefault(one.agent, []).append(one.job(number, run))
    live = planned.mode == "live"
    ways = PlayOptions(timeout=options.timeout or settings.timeout, concurrency=LIVE_AT_ONCE if live else 1)
    return [
        Assignment(
            agent=agent,
            jobs=tuple(jobs),
            options=ways,
            golden=not live,
            streaming=options.streaming,
            model=planned.model,
            passthrough=options.passthrough,
            root=str(settings.root),
        )
        for agent, jobs in by_agent.items()
    ]
