"""A worker: a process of its own that plays the cases of one agent after the other.

Agents, their environment and whatever they do to a process stay in here. The process above talks to it over standard
input and output (see `protocol`); what agents print goes to standard error, and they find their input empty. When the
process above is gone, however it ended, so is this one, at once.
"""

import asyncio
import atexit
import faulthandler
import logging
import os
import queue
import signal
import sys
import tempfile
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, chdir, nullcontext, suppress
from pathlib import Path
from typing import BinaryIO, NoReturn

from evalkit.codec.encoding import dumps
from evalkit.errors import AdkVersionError, AgentLoadError, InputError
from evalkit.play import Job, play
from evalkit.protocol import (
    WHERE_SIGNAL,
    AgentReady,
    Assignment,
    Done,
    Finished,
    Message,
    Secrets,
    Started,
    Unusable,
    frame,
    read_frame,
    write_frame,
)
from evalkit.redaction.environment import secret_variables
from evalkit.staging.processes import Offspring
from evalkit.targets.base import Target
from evalkit.traces import Failure, Outcome

Send = Callable[[Message], None]


def main() -> None:
    """Serve assignments until standard input closes."""
    source, sink = _take_over_streams()
    _settle_in()
    orders = _Orders(source)

    def send(message: Message) -> None:
        write_frame(sink, frame(message))

    for assignment in orders:
        end = serve(assignment, send)
        orders.busy = False  # first: the answer to the next message may be that nothing is left to do
        send(end)


def _take_over_streams() -> tuple[BinaryIO, BinaryIO]:
    """Keep the pipes for the protocol; agents get an empty input, and their output goes to standard error."""
    source = os.fdopen(os.dup(0), "rb")
    sink = os.fdopen(os.dup(1), "wb")
    with Path(os.devnull).open("rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(line_buffering=True)  # what an agent prints before it dies is worth reading
    return source, sink


def _settle_in() -> None:
    """Let crashes and hangs say where they are; keep out of the log what outcomes say anyway."""
    faulthandler.enable()
    if WHERE_SIGNAL is not None:
        faulthandler.register(WHERE_SIGNAL, all_threads=True)
    if not sys.warnoptions:
        warnings.simplefilter("ignore")
    for name in ("google_adk", "google_genai", "asyncio"):
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)


class _Orders:
    """Assignments as they come in. A thread reads them, so that the end of the process above is noticed at once.

    Attributes:
        busy: Whether an assignment is being served.
    """

    def __init__(self, source: BinaryIO) -> None:
        self.busy = False
        self._waiting: queue.SimpleQueue[Assignment | None] = queue.SimpleQueue()
        threading.Thread(target=self._read, args=(source,), daemon=True).start()

    def __iter__(self) -> Iterator[Assignment]:
        while (assignment := self._waiting.get()) is not None:
            self.busy = True
            yield assignment

    def _read(self, source: BinaryIO) -> None:
        if hasattr(signal, "pthread_sigmask"):
            # Some systems give a signal to any thread that takes it, and the time limits' must reach the main one.
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})
        try:
            with suppress(EOFError, OSError):
                while True:
                    self._waiting.put(read_frame(source))
        finally:
            if self.busy:
                _end_at_once()
            self._waiting.put(None)


def _end_at_once() -> None:
    """End this process, whatever it does, and what agents started in it."""
    if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(1)


def serve(assignment: Assignment, send: Send) -> Done | Unusable:
    """Play an assignment; say what happens on the way, and return the last thing to be said."""
    tell_secrets = _SecretsTold(send)
    offspring = Offspring() if assignment.live_tools else None

    def emit(job: Job, outcome: Outcome) -> None:
        tell_secrets()
        send(Finished(job.number, _line(job, outcome)))

    try:
        with _workdir(assignment) as workdir, chdir(Path.cwd()), opened(assignment, tell_secrets) as (target, ready):
            tell_secrets()  # those that the agent fetched when it was imported
            send(ready)
            os.chdir(workdir)
            asyncio.run(
                play(
                    () if assignment.look_only else assignment.jobs,
                    target,
                    assignment.options,
                    emit=emit,
                    started=lambda job: send(Started(job.number, _printed())),
                )
            )
    except AdkVersionError as error:
        return Unusable(AdkVersionError(str(error)))  # made anew, because it travels without what caused it
    except InputError as error:
        return Unusable(AgentLoadError(str(error)))
    finally:
        if offspring is not None:
            offspring.end()  # what real tools left in the background
    return Done()


def _workdir(assignment: Assignment) -> AbstractContextManager[str | Path]:
    """Return the working directory of an assignment's cases; an empty one is removed afterwards."""
    if assignment.apart:
        return tempfile.TemporaryDirectory(prefix="evalkit-case-", ignore_cleanup_errors=True)
    return nullcontext(assignment.workdir or Path.cwd())


def opened(
    assignment: Assignment, in_environment: Callable[[], None]
) -> AbstractContextManager[tuple[Target, AgentReady]]:
    """Load the agent and put the edges in place, until the assignment is played.

    Args:
        assignment: What is to be played.
        in_environment: Called once the agent's environment is in place, before anything of the agent runs.
    """
    from evalkit.opening import opened_agent  # loads ADK

    return opened_agent(assignment, in_environment)


class _SecretsTold:
    """Tells the process above what it has to hide, as soon as that stands in the environment.

    Args:
        send: Sends a message.
    """

    def __init__(self, send: Send) -> None:
        self._send = send
        self._told: dict[str, str] = {}

    def __call__(self) -> None:
        """Tell of variables that are new or have another value."""
        variables = secret_variables(os.environ)
        if variables != self._told:
            self._told = variables
            self._send(Secrets(variables))


def _line(job: Job, outcome: Outcome) -> str:
    try:
        return dumps(outcome)
    except Exception as error:  # noqa: BLE001 - a mapping of the agent's own may raise anything when it is read
        message = f"what happened cannot be stored: {type(error).__name__}: {error}"
        return dumps(job.outcome(failure=Failure(kind="agent_error", message=message), seconds=outcome.seconds))


def _printed() -> int:
    """Say how long the log is by now."""
    try:
        return os.lseek(2, 0, os.SEEK_CUR)
    except OSError:  # not a file
        return 0


def _leave() -> NoReturn:
    """End without taking ADK's thousands of modules down, which takes longer than many a run."""
    with suppress(Exception):  # it has been printed
        atexit._run_exitfuncs()  # noqa: SLF001 - what agents, logging and coverage put off until the end
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
    _leave()
