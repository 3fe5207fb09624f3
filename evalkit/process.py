"""One worker process as the one above sees it: started, talked to, asked where it hangs, and ended without a trace."""

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import IO

from evalkit.last_words import LastWords, last_words
from evalkit.protocol import WHERE_SIGNAL, Assignment, Done, Message, Unusable, frame, read_frame, write_frame
from evalkit.staging.processes import descendants

COMMAND = (sys.executable, "-P", "-m", "evalkit.worker")
"""`-P` keeps what lies in the current folder off the worker's import path."""

PATIENCE = 2.0
"""Seconds that a worker has for leaving on its own, and for writing down where it hangs."""

_LAST_BYTES = 50_000

Hear = Callable[[Message | None], None]


class WorkerProcess:
    """A worker that runs; it must be ended.

    Attributes:
        pid: Its process id, which is also the number of the group of all that agents start in it.
        fresh: Whether it has had no assignment but the last one.
    """

    def __init__(self) -> None:
        self._log: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - closed when the process is ended
        self._process: subprocess.Popen[bytes] = subprocess.Popen(
            COMMAND,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            start_new_session=True,  # Ctrl-C is for the process above alone, and the group can be ended as a whole
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),  # the same on Windows
        )
        self._listener: threading.Thread | None = None
        self._log_start = 0
        self.pid = self._process.pid
        self.fresh = True

    def assign(self, assignment: Assignment, hear: Hear) -> None:
        """Hand over an assignment; a thread reports each message up to the last, or None when the process is gone.

        The thread also writes, because a pipe takes a large assignment only as fast as the worker reads it.
        """
        self.fresh = self._listener is None
        self._log_start = self._written()
        self._listener = threading.Thread(target=self._converse, args=(frame(assignment), hear), daemon=True)
        self._listener.start()

    def _converse(self, assignment: bytes, hear: Hear) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with suppress(OSError):  # it died at once, as reading will show
            write_frame(self._process.stdin, assignment)  # type: ignore[arg-type]  # a pipe of bytes
        message: Message | None = None
        while not isinstance(message, Done | Unusable):
            try:
                message = read_frame(self._process.stdout)  # type: ignore[arg-type]  # a pipe of bytes
            except Exception:  # noqa: BLE001 - its end, or bytes that are no message: either way it is lost
                message = None
            hear(message)
            if message is None:
                return

    def has_ended(self) -> bool:
        """Tell whether it is gone; something that it started may still hold its end of the pipe."""
        return self._process.poll() is not None

    def kill(self) -> bool:
        """End it in the middle of its assignment, after asking it where it hangs.

        Returns:
            Whether all that it said has been reported, None at the end included.
        """
        if WHERE_SIGNAL is not None and not self.has_ended():
            written = self._written()
            self._process.send_signal(WHERE_SIGNAL)
            until = time.monotonic() + PATIENCE
            while self._written() == written and time.monotonic() < until:
                time.sleep(0.01)
            time.sleep(0.05)  # it writes frame by frame
        self._end_group(patience=0)
        return self._is_heard_out()

    def dismiss(self) -> None:
        """Let it know that nothing is left to do; it then leaves on its own."""
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.close()

    def end(self) -> None:
        """Let it leave if it has nothing to do, else end it; afterwards nothing of it is left."""
        assert self._process.stdout is not None
        busy = self._listener is not None and self._listener.is_alive()
        if not busy:  # else the listener may be writing to it still
            self.dismiss()
        self._end_group(patience=0 if busy else PATIENCE)
        if self._is_heard_out():
            self.dismiss()
            self._process.stdout.close()
        self._log.close()

    def how_it_ended(self) -> str:
        """Say by what it ended, once its pipe is closed."""
        self._end_group(patience=PATIENCE)
        code = self._process.returncode
        if code < 0:
            with suppress(ValueError):
                return f"the process was ended by {signal.Signals(-code).name}"
        return f"the process ended with exit code {code}"

    def last_words(self, redact: Callable[[str], str], since: int | None = None) -> LastWords:
        """Tell what it wrote last, once it is gone.

        Args:
            redact: Takes the secrets out, before lines are left out and a secret of several can no longer be told.
            since: The byte of its log before which it wrote for somebody else; None means its last assignment.
        """
        start = self._log_start if since is None else since
        self._log.seek(max(start, self._written() - _LAST_BYTES))
        return last_words(redact(self._log.read().decode(errors="replace")))

    def _written(self) -> int:
        return os.fstat(self._log.fileno()).st_size

    def _is_heard_out(self) -> bool:
        if self._listener is None:
            return True
        self._listener.join(PATIENCE)
        return not self._listener.is_alive()  # else something outside its group still has the pipe

    def _end_group(self, patience: float) -> None:
        """End the process, unless it does so itself in time, and all that agents started in it."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(patience)
        if hasattr(os, "killpg"):
            left = descendants(self.pid) if self._process.poll() is None else ()  # some of them may be in other groups
            for pid in left:
                with suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
            with suppress(ProcessLookupError, PermissionError):  # there is none left, as macOS may put it
                os.killpg(self.pid, signal.SIGKILL)
        else:
            self._process.kill()
        self._process.wait()
