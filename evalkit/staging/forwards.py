"""Port-forwards: `kubectl port-forward` kept running while a case is played, in the keeper."""

import socket
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from evalkit.staging.processes import Offspring
from evalkit.staging.streams import Capture, Streams

READY = 60.0
"""Seconds within which a forwarded port must take connections: what `before_test` made may not be up at once."""

AGAIN = 1.0
"""Seconds before one that ended is started again, as when the pod behind it was replaced."""

_HOST = "127.0.0.1"
_LOOK = 0.1


class ForwardError(Exception):
    """A port cannot be forwarded."""


@dataclass(slots=True)
class _Forward:
    """One port and the program that forwards it."""

    argv: Sequence[str]
    port: int
    process: "subprocess.Popen[bytes] | None" = None
    errors: Capture = field(default_factory=Capture)
    due: float = 0.0

    def __str__(self) -> str:
        return " ".join(self.argv)

    def keep(self, offspring: Offspring, streams: Streams) -> None:
        """Start it if it does not run, though not again and again without a pause."""
        now = time.monotonic()
        if now < self.due or (self.process is not None and self.process.poll() is None):
            return
        self.due = now + AGAIN
        try:
            self.process = offspring.start(self.argv)
        except OSError as error:
            raise ForwardError(f"{self}: {self.argv[0]}: {error.strerror}") from error
        _, self.errors = streams.follow(self.process)


class Forwards:
    """All port-forwards of a case.

    Args:
        wanted: For each its command line (`argv`) and `port`.
        offspring: Starts the programs, and will end them.
        streams: Reads what they write.
    """

    def __init__(self, wanted: Sequence[Mapping[str, Any]], offspring: Offspring, streams: Streams) -> None:
        self._forwards = [_Forward(one["argv"], one["port"]) for one in wanted]
        self._offspring = offspring
        self._streams = streams

    def open(self, stopped: Callable[[], bool]) -> None:
        """Start them, and wait until each takes connections, or until they are no longer wanted.

        Raises:
            ForwardError: One does not in time, or its port is taken.
        """
        for one in self._forwards:
            if _takes_connections(one.port):
                raise ForwardError(f"{one}: port {one.port} of this machine is in use already; free it first")
        until = time.monotonic() + READY
        for one in self._forwards:
            while not stopped():
                one.keep(self._offspring, self._streams)
                self._streams.read(_LOOK)
                if one.process and one.process.poll() is None and _takes_connections(one.port):
                    break
                if time.monotonic() > until:
                    raise ForwardError(f"{one}: no connection within {READY:g} s: {_last_line(one.errors)}")

    def keep(self) -> None:
        """Start those again that ended."""
        for one in self._forwards:
            with suppress(ForwardError):  # the program itself is gone meanwhile; what needs the port will say so
                one.keep(self._offspring, self._streams)


def _takes_connections(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(1.0)
        return probe.connect_ex((_HOST, port)) == 0


def _last_line(written: Capture) -> str:
    lines = written.text().split("\n")
    return next((line for line in reversed(lines) if line.strip()), "it said nothing")
