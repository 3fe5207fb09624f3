"""What became of the cases that ADK's command was given, from their outcomes to the report."""

import os
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime

from evalkit.adk.eval_results import Judged
from evalkit.bundles import Bundle
from evalkit.evaluate import RUNS
from evalkit.locate import as_typed
from evalkit.look import reachable
from evalkit.plan import Plan, Planned, RunOptions
from evalkit.play import Job
from evalkit.protocol import AgentReady
from evalkit.redaction.environment import secret_variables
from evalkit.report import render_run_files
from evalkit.report.model import Report, build_report
from evalkit.results import CaseResult, Score
from evalkit.runs import RunFolder, RunInfo
from evalkit.score import JudgeOptions, judge
from evalkit.sealed import audited
from evalkit.settings import Settings
from evalkit.traces import Failure, Outcome


class Record:
    """Keeps outcomes and verdicts; everything that happens is on disk as soon as it is known.

    Args:
        planned: The cases.
        options: Where the run's files go, and the command line.
        settings: The project's.

    Attributes:
        folder: Where the run's files are.
        interrupted: Whether the user stopped the run.
        crashes: What ADK's command itself ended with.
    """

    def __init__(self, planned: Plan, options: RunOptions, settings: Settings) -> None:
        info = RunInfo.begin(planned.mode, options=options.command_line)
        self.folder = (
            RunFolder.create_at(options.report_dir, info)
            if options.report_dir
            else RunFolder.create(settings.root / RUNS, info)
        )
        self.interrupted = False
        self.crashes: list[str] = []
        self._plan = planned
        self._judging = JudgeOptions.of(settings)
        self._outcomes: dict[int, Outcome] = {}
        self._results: dict[int, CaseResult] = {}
        self._bundles = {one.bundle.file: one.bundle for one in planned.cases}
        self._configs = {file: bundle.config for file, bundle in self._bundles.items()}

    def learn_secrets(self) -> None:
        """Have the secrets of the environment, as it is now, hidden in all that is written."""
        self.folder.redactor.add(secret_variables(os.environ))

    def write_inputs(self) -> None:
        """Store the cases and criteria as used, without the secrets that are known by now."""
        self.folder.write_inputs([bundle.cases for bundle in self._bundles.values()], self._configs)

    @property
    def live(self) -> bool:
        """Whether agents ask their own models."""
        return self._plan.mode == "live"

    def skip_what_is_out_of_reach(self, ready: AgentReady) -> None:
        """Skip cases whose models cannot be asked from here."""
        self._plan = replace(self._plan, cases=tuple(reachable(one, ready) for one in self._plan.cases))

    def to_be_played(self) -> list[Bundle]:
        """List the evalsets with a case to be played."""
        return list({one.bundle.file: one.bundle for one in self._plan.cases if one.skipped is None}.values())

    def jobs(self, bundle: Bundle) -> list[Job]:
        """List what is to be played of an evalset."""
        cases = enumerate(self._plan.cases)
        return [one.job(number) for number, one in cases if one.bundle is bundle and one.skipped is None]

    def take(self, job: Job, outcome: Outcome) -> None:
        """Keep what happened in a case."""
        self._outcomes[job.number] = outcome
        self.folder.append(outcome)

    def judge(self, number: int, elsewhere: Mapping[str, Score]) -> Judged:
        """Judge a case that was played.

        Args:
            number: Its place in the run.
            elsewhere: What somebody else found, by criterion.
        """
        one, outcome = self._plan.cases[number], self._outcomes[number]
        hearing = one.hearing(outcome)
        judged = audited(judge(hearing.case, outcome, hearing.config, self._judging, elsewhere), hearing.audit)
        result = self._results[number] = self.folder.redactor.clear(judged)
        return Judged(case=one.case, outcome=outcome, result=result)

    def finish(self) -> Report:
        """Judge what ADK did not come to, sum up, and write the run's files."""
        for number, one in enumerate(self._plan.cases):
            if number not in self._outcomes:
                self.take(one.job(number), self._not_played(one, one.job(number)))
            if number not in self._results:
                self.judge(number, {})
        info = replace(
            self.folder.info,
            finished=datetime.now(UTC),
            agents=self._models(),
            agent_of={one.bundle.file: as_typed(one.agent) for one in self._plan.cases},
            interrupted=self.interrupted,
        )
        warnings = [str(problem) for problem in self._plan.problems if problem.severity == "warning"]
        results = [self._results[number] for number in sorted(self._results)]
        report = build_report(
            results,
            self.folder.redactor.clear(info),
            configs=self._configs,
            notes=[*map(self.folder.redactor.text, self.crashes), *warnings],
            terms=self._plan.terms,
        )
        if self.crashes and not report.exit_code:
            report = replace(report, exit_code=2, exit_meaning="exit 2: `adk eval` itself failed")
        self.folder.finish(info, render_run_files(report))
        return report

    def _not_played(self, one: Planned, job: Job) -> Outcome:
        if one.skipped is not None:
            return job.outcome(skipped=one.skipped)
        why = "the run was interrupted" if self.interrupted else "`adk eval` did not come to it"
        return job.outcome(failure=Failure(kind="interrupted", message=f"not played: {why}"))

    def _models(self) -> dict[str, dict[str, str]]:
        """Collect which model each agent asked, by the agent under evaluation."""
        models: dict[str, dict[str, str]] = {}
        for number, outcome in self._outcomes.items():
            if outcome.trace is not None:
                models.setdefault(as_typed(self._plan.cases[number].agent), {}).update(outcome.trace.models)
        return models
