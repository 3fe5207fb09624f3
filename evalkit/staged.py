"""Cases that have a stage of their own: each is set up, played alone and taken down before the next one.

The stage is kept by this process, not by the worker that plays the case: it comes down also if the worker dies.
"""

from collections.abc import Callable
from dataclasses import replace

from evalkit.errors import SetupError
from evalkit.plan import Planned
from evalkit.play import Job
from evalkit.pool import Pool
from evalkit.protocol import Assignment
from evalkit.redaction.environment import secret_variables
from evalkit.redaction.redactor import Redactor
from evalkit.report.progress import Progress
from evalkit.setups import LiveSetup
from evalkit.staging.stage import Scene, Stage
from evalkit.traces import Failure, Outcome

STOPPED = Failure(kind="interrupted", message="not played: the run was interrupted")


class StagedCases:
    """Plays cases on stages of their own.

    Args:
        pool: Plays them; nothing else may be in play in it.
        redactor: Learns the secrets of their environments.
        progress: Tells the user what goes on.
        stop: Tells whether the user wants to stop.
    """

    def __init__(self, pool: Pool, redactor: Redactor, progress: Progress, stop: Callable[[], bool]) -> None:
        self._pool = pool
        self._redactor = redactor
        self._progress = progress
        self._stop = stop

    def play(self, planned: Planned, job: Job, assignment: Assignment) -> Outcome:
        """Set up a case, play it, and take it down, whatever happens.

        Args:
            planned: The case.
            job: The same, as it is to be played.
            assignment: How it is to be played; its jobs are of no account.

        Raises:
            AgentLoadError: The agent cannot be loaded.
        """
        assert planned.stage is not None
        stage = Stage(_scene(planned), planned.stage)
        self._redactor.add(secret_variables(stage.environment))
        outcome = job.outcome(failure=STOPPED)
        try:
            with stage:
                if planned.stage.live:
                    self._progress.message(f"{job.case.eval_id}: setting up in {stage.record.workdir}")
                stage.set_up(self._stop)
                here = replace(
                    assignment, jobs=(job,), workdir=stage.record.workdir, environment=dict(stage.environment)
                )
                outcome = self._played(here) or outcome
                stage.played()
        except SetupError as error:
            if not self._stop():
                outcome = job.outcome(failure=Failure(kind="setup_failed", message=str(error)))
        return replace(outcome, stage=stage.record)

    def _played(self, assignment: Assignment) -> Outcome | None:
        """Play a single job to its end; None if the user stops it."""
        self._pool.add(assignment)
        outcome = None
        try:
            for _, outcome in self._pool.outcomes(self._stop):  # noqa: B007 - to the end, when the agent is closed
                pass
        finally:
            if outcome is None:
                self._pool.end()  # first, because what comes after the case is not for an agent that still acts
        return outcome


def _scene(planned: Planned) -> Scene:
    case, base = planned.case, planned.bundle.path.parent
    return Scene(
        name=case.eval_id,
        setup=case.live or LiveSetup(),
        base=base,
        gold=[base / case.gold] if case.gold else [],
    )
