"""The keeper of a stage as the process above sees it: started, listened to, told that the case is over, and ended."""

import json
import os
import select
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import IO, Any

from evalkit.staging.processes import GRACE

COMMAND = (sys.executable, "-P", "-m", "evalkit.staging.keeper")
"""`-P` keeps what lies in the current folder off its import path."""

_LOOK = 0.2
"""Seconds between two looks at whether the user wants to stop."""

_PATIENCE = GRACE + 8.0
"""Seconds that it has for ending what it keeps and itself, once it is told to give up."""


class KeeperProcess:
    """A keeper that runs; it must be closed.

    Args:
        order: What it does.
        environment: What it and all that it starts have for their environment.

    Attributes:
        said: What it said so far.
    """

    def __init__(self, order: Mapping[str, Any], environment: Mapping[str, str]) -> None:
        self.said: dict[str, Any] = {}
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the rest
        self._process: subprocess.Popen[bytes] = subprocess.Popen(
            COMMAND,
            env=dict(environment),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            start_new_session=True,  # Ctrl-C is for the process above, which then says what is to be done
        )
        self._heard = b""
        assert self._process.stdin is not None
        with suppress(OSError):  # it died at once, as listening will show
            self._process.stdin.write(json.dumps(order).encode() + b"\n")
            self._process.stdin.flush()

    def listen(self, word: str, stop: Callable[[], bool] = lambda: False) -> bool:
        """Take what it says until it says a word, or has nothing more to say; return whether it said it.

        Args:
            word: The key of what is waited for.
            stop: Tells whether the case is not to be played any more; it is then told so.
        """
        assert self._process.stdout is not None
        while word not in self.said:
            if stop():
                self.release()
            if not select.select([self._process.stdout], [], [], _LOOK)[0]:
                continue
            data = os.read(self._process.stdout.fileno(), 65_536)
            if not data:
                return False
            *lines, self._heard = (self._heard + data).split(b"\n")
            for line in lines:
                self.said |= json.loads(line)
        return True

    def release(self) -> None:
        """Tell it that the case is over, so that it cleans up; harmless if it knows."""
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.close()

    def close(self) -> None:
        """Let it clean up, and wait for that; an interruption meanwhile makes it give up."""
        try:
            self.release()
            self.listen("over")
            self._process.wait()
        except BaseException:
            self._process.terminate()
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(_PATIENCE)
            raise
        finally:
            self._process.kill()
            self._process.wait()
            assert self._process.stdout is not None
            self._process.stdout.close()
            self._errors.close()

    def last_words(self) -> str:
        """Say what it wrote about an end that nobody had in mind, in one line."""
        self._errors.seek(0)
        lines = self._errors.read().decode("utf-8", "replace").splitlines()
        return lines[-1] if lines else f"it ended with exit code {self._process.wait()}"
