"""Before anything is played: which cases were chosen, on which agents and how, and whether their files can be used."""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from evalkit.bundles import Bundle
from evalkit.cases import Case
from evalkit.choosing import chosen, must_have_turns, stage_of, time_limit, why_left_out
from evalkit.errors import InputError, Problem, SelectionError, SettingsError
from evalkit.gather import gather
from evalkit.gating import terms_for
from evalkit.judges.jury import Hearing
from evalkit.locate import agent_of, given_agent
from evalkit.options import RunOptions
from evalkit.play import Job, PlayOptions
from evalkit.protocol import Assignment
from evalkit.repeats import Terms
from evalkit.sealed import unseal
from evalkit.selection import parse_selector
from evalkit.settings import PLAYABLE_MODES, Mode, Settings
from evalkit.staging.stage import StageOptions
from evalkit.traces import Outcome

__all__ = ["LIVE_AT_ONCE", "CheckError", "Plan", "Planned", "RunOptions", "assignments", "plan"]

LIVE_AT_ONCE = 4
"""Cases that wait for their models at the same time in one process, as `adk eval` has it."""


class CheckError(InputError):
    """Files have faults, so nothing was played.

    Attributes:
        problems: Every problem that was found, warnings too.
    """

    def __init__(self, problems: Sequence[Problem], undone: str = "nothing was played") -> None:
        self.problems = tuple(problems)
        count = sum(problem.severity == "error" for problem in problems)
        super().__init__(f"{count} error{'s' if count != 1 else ''} in the files; {undone}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """One case that was selected.

    Attributes:
        bundle: Its file, with all that belongs to it.
        agent: Who plays it.
        skipped: Why it is not played, if so.
        stage: How the stage is set up that it has for itself; None for a case that is played among others.
    """

    bundle: Bundle
    case: Case
    agent: str
    skipped: str | None
    stage: StageOptions | None = None

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

    @property
    def gold(self) -> Path | None:
        """Its gold file."""
        return self.bundle.path.parent / self.case.gold if self.case.gold else None

    def hearing(self, outcome: Outcome) -> Hearing:
        """Open its gold, now that it has been answered, and return what is to be judged."""
        own = self.bundle.case_mocks.get(self.case.mocks) if self.case.mocks else None
        mocks = [one for one in (own, self.bundle.mocks) if one]
        unsealed = unseal(self.case, outcome, self.bundle.path.parent, mocks)
        return Hearing(case=unsealed.case, outcome=outcome, config=self.bundle.config, audit=unsealed.audit)


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
    wanted = chosen(bundles, options)
    cases = [
        Planned(
            bundle=bundle,
            case=case,
            agent=agent,
            skipped=why_left_out(case, mode, options),
            stage=stage_of(case, options, settings),
        )
        for bundle, agent in _with_agents(bundles, options, settings)
        for case in bundle.cases.cases
        if wanted(bundle, case)
    ]
    if not cases:
        total = sum(len(bundle.cases.cases) for bundle in bundles)
        raise SelectionError(f"no case selected: none of the {total} cases in {', '.join(paths)} fits -k and --tag")
    if options.live_setup and mode != "live":
        must_have_turns(one.case for one in cases if one.stage and one.stage.live and one.skipped is None)
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


def _with_agents(bundles: Sequence[Bundle], options: RunOptions, settings: Settings) -> Iterator[tuple[Bundle, str]]:
    given = given_agent(options.agent, settings) if options.agent else None
    for bundle in bundles:
        yield bundle, given or agent_of(bundle.path, bundle.cases, bundle.mocks, settings)


def assignments(planned: Plan, options: RunOptions, settings: Settings, *, staged: bool = False) -> list[Assignment]:
    """Sort the cases by agent, for the processes that play them; those that are skipped need none.

    Args:
        planned: The cases.
        options: What the user asks.
        settings: The project's.
        staged: Whether to return the cases that have a stage of their own instead of all others.
    """
    groups: dict[tuple[str, bool, bool], list[Job]] = {}
    for number, (one, run) in enumerate(planned.plays):
        if one.skipped is None and (one.stage is not None) is staged:
            live_tools = one.stage is not None and one.stage.live
            apart = one.stage is None and one.case.gold is not None
            groups.setdefault((one.agent, live_tools, apart), []).append(one.job(number, run))
    live = planned.mode == "live"
    ways = PlayOptions(timeout=time_limit(options, settings), concurrency=LIVE_AT_ONCE if live else 1)
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
            live_tools=live_tools,
            apart=apart,
        )
        for (agent, live_tools, apart), jobs in groups.items()
    ]
