"""Every process below this one, also those that went into the background, and their end.

On Linux a process can become the parent of all processes below it that lose their own (`PR_SET_CHILD_SUBREAPER`). So a
daemon that forks twice and opens a session of its own is still found. Elsewhere such a daemon belongs to the system's
first process, and is found only while it stays in the process group of the script that started it.
"""

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

GRACE = 2.0
"""Seconds that processes have for leaving on their own once they are asked to (SIGTERM)."""

_INSIST = 5.0
"""Seconds for which what does not leave is killed again and again, since it may start more meanwhile."""

_PR_SET_CHILD_SUBREAPER = 36
_PROC = Path("/proc")

_LONGEST_COMMAND = 200
"""Characters of a command line in a message."""


class Offspring:
    """What this process starts, and all that comes of it.

    Make one only in a process that waits for no children of its own otherwise: from then on orphans come to it.
    """

    def __init__(self) -> None:
        self._adopting = _adopt_orphans()
        self._groups: list[int] = []

    def start(self, argv: Sequence[str], workdir: str | None = None) -> "subprocess.Popen[bytes]":
        """Start a program in a session of its own, with an empty input and its output to be read.

        Raises:
            OSError: There is no such program, or it cannot be run.
        """
        process = subprocess.Popen(
            argv,
            cwd=workdir,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        if not self._adopting:  # else all are found anyway, and in time a group's number could be another's
            self._groups.append(process.pid)
        return process

    def end(self, grace: float = GRACE) -> tuple[str, ...]:
        """End everything: ask first, then kill.

        The exit codes of children that nobody has waited for are lost.

        Args:
            grace: Seconds to leave on their own.

        Returns:
            The command lines of what ran.
        """
        running = _signal(signal.SIGTERM, self._groups)
        _wait_until_gone(grace)
        until = time.monotonic() + _INSIST
        while _signal(signal.SIGKILL, self._groups) and time.monotonic() < until:
            _wait_until_gone(0.1)
        return tuple(running.values())


def _adopt_orphans() -> bool:
    """Become the parent of every process below that loses its own; return whether this system can do that."""
    if not sys.platform.startswith("linux"):
        return False
    try:
        return bool(ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0)
    except (OSError, AttributeError):  # a C library without it
        return False


def descendants(ancestor: int) -> dict[int, str]:
    """Return the living processes below one, each with its command line."""
    children: dict[int, list[int]] = {}
    for pid, parent in _living():
        children.setdefault(parent, []).append(pid)
    found: list[int] = []
    generation = [ancestor]
    while generation:
        generation = [child for parent in generation for child in children.get(parent, ())]
        found += generation
    return {pid: _command(pid) for pid in found}


def _signal(number: signal.Signals, groups: Iterable[int]) -> dict[int, str]:
    """Send a signal to all, and return to whom."""
    found = descendants(os.getpid())
    for group in groups:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(group, number)
    for pid in found:
        with suppress(ProcessLookupError, PermissionError):  # it left, or belongs to somebody else (sudo)
            os.kill(pid, number)
    return found


def _wait_until_gone(seconds: float) -> None:
    until = time.monotonic() + seconds
    while True:
        with suppress(ChildProcessError):  # collect the dead, so that they vanish
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        if not descendants(os.getpid()) or time.monotonic() > until:
            return
        time.sleep(0.01)


def _living() -> Iterator[tuple[int, int]]:
    """Yield each process with its parent; those that are dead and wait to be collected are left out."""
    if not (_PROC / "self" / "stat").exists():
        yield from _living_by_ps()
        return
    for entry in _PROC.iterdir():
        if entry.name.isdigit():
            with suppress(OSError, ValueError):  # it is gone
                state, parent, *_ = (entry / "stat").read_text(errors="replace").rpartition(")")[2].split()
                if state not in "ZX":
                    yield int(entry.name), int(parent)


def _living_by_ps() -> Iterator[tuple[int, int]]:
    listing = subprocess.Popen(["/bin/ps", "-axo", "pid=,ppid=,stat="], stdout=subprocess.PIPE, text=True)
    rows = [line.split() for line in listing.communicate()[0].splitlines()]
    yield from (
        (int(pid), int(parent))
        for pid, parent, state, *_ in rows
        if not state.startswith("Z") and int(pid) != listing.pid
    )


def _command(pid: int) -> str:
    try:
        written = (_PROC / str(pid) / "cmdline").read_bytes()
    except OSError:
        written = b""
    words = written.replace(b"\0", b" ").decode("utf-8", "replace").strip()
    return words[:_LONGEST_COMMAND] or f"process {pid}"
