"""Playing: cases on a target, each with fresh mocks and its time limit, and whatever happens as an `Outcome`."""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from evalkit.cases import Case
from evalkit.limits import OverTimeError, TimeLimits, being_cancelled
from evalkit.mocks.backend import Backend
from evalkit.mocks.recordings import recorded_replies
from evalkit.routes import MockSet
from evalkit.targets.base import Play, Target
from evalkit.traces import Failure, Outcome, Trace

DEFAULT_TIMEOUT = 300.0
"""Seconds that a case may take."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One case to be played once.

    Attributes:
        number: Its place in the run, by which its outcome is known.
        file: The evalset file as the user named it.
        case_mocks: The case's own mocks file.
        folder_mocks: The mocks file of its evalset's folder.
        run: 0-based repeat.
        simulator: How to set up the simulated user of a scenario; None for ADK's defaults.
    """

    number: int
    file: str
    case: Case
    case_mocks: MockSet | None = None
    folder_mocks: MockSet | None = None
    run: int = 0
    simulator: Mapping[str, Any] | None = None

    def backend(self) -> Backend:
        """Make its mocks, fresh."""
        return Backend(self.case_mocks, self.folder_mocks, recorded_replies(self.case))

    def outcome(self, **fields: object) -> Outcome:
        """Build this job's outcome."""
        return Outcome(file=self.file, eval_id=self.case.eval_id, run=self.run, **fields)  # type: ignore[arg-type]  # the caller names Outcome's own fields


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayOptions:
    """How cases are played.

    Attributes:
        timeout: Seconds a case may take.
        concurrency: How many cases are in play at once in one process; 1 for a target whose cases share something.
    """

    timeout: float = DEFAULT_TIMEOUT
    concurrency: int = 1


Emit = Callable[[Job, Outcome], None]


def why_skipped(case: Case, mode: str, *, scenarios: bool = False) -> str | None:
    """Say why a case is not played in this mode, None if it is; `scenarios` lets simulated users have their say."""
    if case.skip is not None:
        return case.skip or "skipped without a reason"
    if case.turns is None and mode == "golden":
        return "conversation_scenario: there is no golden conversation to play; a simulated user needs a live model"
    if case.turns is None and not scenarios:
        return "conversation_scenario: `evalkit run --mode live --scenarios` plays it, with a model for the user too"
    return None


async def play(
    jobs: Sequence[Job],
    target: Target,
    options: PlayOptions,
    emit: Emit,
    started: Callable[[Job], None] = lambda _job: None,
) -> None:
    """Play every job once and hand each outcome to `emit` as it comes; at the end the target is closed.

    Must run in the main thread for code that blocks the event loop to be cut.
    """
    waiting = iter(jobs)
    places = 1 if target.serial else max(1, min(options.concurrency, len(jobs)))

    async def play_on() -> None:
        for job in waiting:
            started(job)
            emit(job, await _outcome(job, target, limits, options.timeout))

    try:
        with TimeLimits() as limits:
            async with asyncio.TaskGroup() as group:
                for _ in range(places):
                    group.create_task(play_on())
    finally:
        await target.close()


async def _outcome(job: Job, target: Target, limits: TimeLimits, seconds: float) -> Outcome:
    """Play one job; whatever happens is data, so that the other cases go on."""
    began, account = time.perf_counter(), _account_of(job.case)
    trace: Trace | None = None
    failure: Failure | None = None
    try:
        playing = target.prepare(job.case, job.backend(), job.simulator)
        failure = await _failure(playing, limits, seconds)
        trace = playing.trace()
    except Exception as error:  # noqa: BLE001 - a target's own bug must not take the other cases with it
        failure = failure or _crash(error)
    return job.outcome(trace=trace, failure=failure, seconds=time.perf_counter() - began, **account())


def _account_of(case: Case) -> Callable[[], dict[str, Any]]:
    """Return what notes when and where a case was answered of which nobody is to know yet what is expected."""
    if case.gold is None:
        return dict
    workdir = str(Path.cwd())
    return lambda: {"answered_at": datetime.now(UTC), "workdir": workdir}


async def _failure(playing: Play, limits: TimeLimits, seconds: float) -> Failure | None:
    """Run the play to its end, or to the end of its time."""
    try:
        return await limits.within(seconds, playing.run())
    except OverTimeError:
        return playing.held_up() or Failure(kind="timeout_exceeded", message=f"the case used up its {seconds:g} s")
    except asyncio.CancelledError:
        if being_cancelled():
            raise
        return Failure(kind="agent_error", message="the agent cancelled the task that plays it")
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # noqa: BLE001 - agents may raise what is no `Exception`, such as a test's `fail()`
        return _crash(error)


def _crash(error: BaseException) -> Failure:
    text = " ".join(str(error).split())
    return Failure(kind="agent_error", message=f"{type(error).__name__}: {text}" if text else type(error).__name__)
