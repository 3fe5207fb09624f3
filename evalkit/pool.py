"""Worker processes and their supervision: cases are handed out, outcomes come back, what hangs or dies is replaced."""

import json
import os
import queue
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Self

from evalkit.codec.decoding import DecodeError, decode
from evalkit.errors import AgentLoadError
from evalkit.play import Job
from evalkit.process import WorkerProcess
from evalkit.protocol import AgentReady, Assignment, Done, Finished, Message, Secrets, Started, Unusable
from evalkit.redaction.redactor import Redactor
from evalkit.traces import Failure, Outcome

LOAD_TIMEOUT = 120.0
"""Seconds that importing ADK and an agent may take."""

HARD_GRACE = 5.0
"""Seconds beyond a case's time limit after which a worker that says nothing is ended."""

CLOSING = 10.0
"""Seconds that an agent may take, after its last case, to close its toolsets and plugins."""

WORTH_A_WORKER = 25
"""Golden cases of one agent for which it pays to load it in a further process; live ones take far longer than that."""

_LOOK = 0.5
"""Seconds between two looks at workers that say nothing."""

_HELD_UP = 5.0
"""Seconds without a look after which nothing can be said of workers: this process was suspended, or busy elsewhere."""


@dataclass(slots=True, eq=False)
class _Part:
    """An assignment in the hands of a process.

    Attributes:
        waiting: Jobs without an outcome, by number.
        in_play: When each case in play began, and the byte of the process's log from which it may have written.
        heard: When the process last said something.
        talking: Whether it has more to say.
        ready: Whether the agent is loaded.
        moved: Whether a case has ended.
        hung: Whether it was ended from here, because it said nothing for too long.
    """

    process: WorkerProcess
    assignment: Assignment
    waiting: dict[int, Job]
    in_play: dict[int, tuple[float, int]] = field(default_factory=dict)
    heard: float = field(default_factory=time.monotonic)
    talking: bool = True
    ready: bool = False
    moved: bool = False
    hung: bool = False

    def may_be_silent(self) -> float:
        if not self.ready:
            return LOAD_TIMEOUT
        return self.assignment.options.timeout + HARD_GRACE if self.waiting else CLOSING


def split(assignments: Sequence[Assignment], workers: int) -> list[Assignment]:
    """Cut each agent's cases into parts for so many workers, biggest part first."""
    parts: list[Assignment] = []
    for assignment in assignments:
        least = WORTH_A_WORKER if assignment.golden else 1
        count = min(workers, -(-len(assignment.jobs) // least))
        parts += [replace(assignment, jobs=assignment.jobs[start::count]) for start in range(count)]
    return sorted(parts, key=lambda part: -len(part.jobs))


class Pool:
    """Plays assignments in up to so many processes.

    Use as a context manager: leaving it ends every process that is still there.

    Args:
        assignments: What is to be played; job numbers are unique among all of them.
        workers: How many processes at once.
        redactor: Hides secrets in what is told of workers' ends, and learns those of the agents' environments; what
            happened in a case is handed on as it is.

    Attributes:
        agents: What is known of each agent that has been loaded, by its folder or module.
    """

    def __init__(self, assignments: Sequence[Assignment], workers: int = 1, redactor: Redactor | None = None) -> None:
        self._redactor = redactor or Redactor.of_process()
        self._limit = max(1, workers)
        self._todo: deque[Assignment] = deque()
        self.share_out(assignments)
        self._parts: set[_Part] = set()
        self._idle: list[WorkerProcess] = []
        self._inbox: queue.SimpleQueue[tuple[_Part, Message | None]] = queue.SimpleQueue()
        self._looked = time.monotonic()
        self.agents: dict[str, AgentReady] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def end(self) -> None:
        """End every process, and whatever is in play in it; more can be handed over afterwards."""
        for process in self._idle:
            process.dismiss()
        processes = [*(part.process for part in self._parts), *self._idle]
        self._parts, self._idle = set(), []
        self._todo.clear()
        for process in processes:
            process.end()

    def share_out(self, assignments: Sequence[Assignment]) -> None:
        """Hand over assignments, cut into parts for all processes; then ask for `outcomes`."""
        self._todo.extend(split(assignments, self._limit))

    def add(self, assignment: Assignment) -> None:
        """Hand over one more assignment, to be played whole in one process; then ask for `outcomes` again."""
        self._todo.append(assignment)

    def outcomes(self, stop: Callable[[], bool] = lambda: False) -> Iterator[tuple[Job, Outcome]]:
        """Yield each case's outcome as it ends, until all have or `stop` says so.

        Raises:
            AgentLoadError: An agent cannot be loaded.
            AdkVersionError: The installed google-adk does not fit.
        """
        while (self._todo or self._parts) and not stop():
            while self._todo and self._has_room():
                self._start(self._todo.popleft())
            try:
                part, message = self._inbox.get(timeout=_LOOK)
            except queue.Empty:
                pass
            else:
                if part in self._parts:
                    yield from self._take(part, message)
            self._look()

    def _has_room(self) -> bool:
        """Tell whether to start one more: not too many at once, since each import of ADK keeps a core busy."""
        starting = sum(not part.ready for part in self._parts)
        return len(self._parts) < self._limit and starting < (os.cpu_count() or 1)

    def _start(self, assignment: Assignment) -> None:
        process = self._idle.pop() if self._idle else WorkerProcess()
        part = _Part(process, assignment, {job.number: job for job in assignment.jobs})
        self._parts.add(part)

        def hear(message: Message | None) -> None:
            part.heard = time.monotonic()
            part.talking = isinstance(message, Secrets | AgentReady | Started | Finished)
            self._inbox.put((part, message))

        process.assign(assignment, hear)

    def _take(self, part: _Part, message: Message | None) -> Iterator[tuple[Job, Outcome]]:
        match message:
            case Secrets():
                self._redactor.add(message.variables)
            case AgentReady():
                part.ready = True
                self.agents[message.agent] = message
            case Started():
                part.in_play[message.number] = (time.monotonic(), message.printed)
            case Finished():
                del part.in_play[message.number]
                part.moved = True
                job = part.waiting.pop(message.number)
                yield job, _outcome(job, message.outcome)
            case Done():
                self._parts.remove(part)
                self._idle.append(part.process)
            case Unusable():
                self._parts.remove(part)
                self._idle.append(part.process)
                raise type(message.error)(self._redactor.text(str(message.error)))
            case None:
                yield from self._bury(part)

    def _bury(self, part: _Part) -> Iterator[tuple[Job, Outcome]]:
        """Find out by whom a worker died, and let the others go on in a new one."""
        suspects = [part.waiting.pop(number) for number in part.in_play]
        rest = replace(part.assignment, jobs=tuple(part.waiting.values()))
        culprit = suspects[0] if len(suspects) == 1 else None
        outcome = _died(part, culprit, self._redactor) if culprit else None
        self._parts.remove(part)
        try:
            if not part.ready and not part.process.fresh:  # an agent before this one may have spoiled the process
                self._todo.appendleft(rest)
            elif rest.jobs and not suspects and not part.moved:
                raise AgentLoadError(_died_outside(part, self._redactor))
            elif rest.jobs:
                self._todo.append(rest)
        finally:
            part.process.end()
        if culprit and outcome:
            yield culprit, outcome
        else:
            alone = replace(rest.options, concurrency=1)
            self._todo.extendleft(replace(rest, jobs=(job,), options=alone) for job in reversed(suspects))

    def _look(self) -> None:
        """End workers that have said nothing for too long, and notice those that died with their pipe left open."""
        now = time.monotonic()
        if now - self._looked < _LOOK:
            return
        held_up = now - self._looked > _HELD_UP
        for part in [part for part in self._parts if part.talking]:
            if held_up:
                part.heard = now
            silent = now - part.heard
            part.hung = silent > part.may_be_silent()
            died = silent > _LOOK and part.process.has_ended()
            if (part.hung or died) and not part.process.kill():
                self._inbox.put((part, None))
        self._looked = time.monotonic()


def _outcome(job: Job, line: str) -> Outcome:
    try:
        return decode(Outcome, json.loads(line))
    except DecodeError as error:  # the agent gave, say, a name that is no string
        return job.outcome(failure=Failure(kind="agent_error", message=f"what happened cannot be read back: {error}"))


def _died(part: _Part, job: Job, redactor: Redactor) -> Outcome:
    began, printed = part.in_play[job.number]
    seconds = time.monotonic() - began
    if part.hung:
        limit = part.assignment.options.timeout
        cause = f"the case could not be cut when its {limit:g} s were up; its process was ended"
    else:
        cause = f"{part.process.how_it_ended()} in the middle of the case"
    words = part.process.last_words(redactor.text, printed)
    message = f"{cause}; the last it wrote: {words.text}" if words.text else cause
    return job.outcome(failure=Failure(kind="worker_died", message=message, where=words.where), seconds=seconds)


def _died_outside(part: _Part, redactor: Redactor) -> str:
    """Say how a worker ended that has not played a single case."""
    if part.hung and not part.ready:
        what = f"loading the agent did not end within {LOAD_TIMEOUT:g} s"
    else:
        when = "before a case was in play" if part.ready else "while the agent was loaded"
        what = f"{part.process.how_it_ended()} {when}"
    words = part.process.last_words(redactor.text)
    place = f", in {words.where}" if words.where else ""
    said = f"; the last it wrote: {words.text}" if words.text else ""
    return f"{part.assignment.agent}: {what}{place}{said}"
