"""Timing: two programs in turn, medians, and one figure a row.

Machines drift, so the two sides are timed in interleaved pairs, each side first in every other pair. What is compared
is the median of the pairs' ratios, which a slow moment that hits both sides of a pair does not move.
"""

import os
import resource
import statistics
import subprocess
import sysconfig
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

Clock = Callable[[], float]

Timer = Callable[[], float]
"""Does the work once and returns the seconds it took."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """What a row has to work with.

    Attributes:
        folder: An empty folder of its own, removed afterwards.
        quick: Whether a rough figure will do.
    """

    folder: Path
    quick: bool = False

    def size(self, full: int, quick: int) -> int:
        """Choose how many cases or pairs to work on."""
        return quick if self.quick else full

    def command(self, name: str, *args: str | Path, clock: Clock = time.perf_counter, **environment: str) -> Timer:
        """Time a command of this environment, start to finish; it has to succeed."""
        argv = [str(Path(sysconfig.get_path("scripts"), name)), *map(str, args)]
        return timed(lambda: _run(argv, self.folder, environment), clock)


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One line of the table.

    Attributes:
        what: What was measured.
        ours: evalkit's median.
        other: The other side's median, or empty.
        result: What is compared with the aim.
        aim: What DESIGN asks for, if it does.
        met: Whether the result reaches the aim; None without one.
    """

    what: str
    ours: str
    other: str = ""
    result: str
    aim: str = ""
    met: bool | None = None


@dataclass(frozen=True, slots=True)
class Pairs:
    """Seconds of both sides, pair by pair."""

    ours: tuple[float, ...]
    other: tuple[float, ...]

    @property
    def speed_up(self) -> float:
        """How many times faster evalkit is."""
        return statistics.median(other / ours for ours, other in zip(self.ours, self.other, strict=True))

    @property
    def added(self) -> float:
        """How many seconds more evalkit takes."""
        return statistics.median(ours - other for ours, other in zip(self.ours, self.other, strict=True))

    def faster(self, what: str, *, aim: float | None) -> Figure:
        """Compare as a ratio: `aim` is how many times faster evalkit has to be, None if that is only of interest."""
        return Figure(
            what=what,
            ours=duration(statistics.median(self.ours)),
            other=duration(statistics.median(self.other)),
            result=f"{self.speed_up:.2f}x",
            aim="" if aim is None else f"{aim:g}x",
            met=None if aim is None else self.speed_up >= aim,
        )


def pairs(ours: Timer, other: Timer, *, rounds: int, warm_up: bool = True) -> Pairs:
    """Time both sides in turn, after one round that only warms up."""
    if warm_up:
        ours(), other()
    taken: list[tuple[float, float]] = []
    for round_ in range(rounds):
        if round_ % 2:
            second = other()
            taken.append((ours(), second))
        else:
            taken.append((ours(), other()))
    return Pairs(tuple(first for first, _ in taken), tuple(second for _, second in taken))


def median(timer: Timer, *, rounds: int) -> float:
    """Time one side alone, after one round that only warms up."""
    timer()
    return statistics.median(timer() for _ in range(rounds))


def cpu(work: Callable[[], object], *, each: int = 1) -> Timer:
    """Time work in this process by the CPU time it takes, or a part of it if it does so many things alike."""
    timer = timed(work, time.process_time)
    return lambda: timer() / each


def timed(work: Callable[[], object], clock: Clock) -> Timer:
    """Time work by a clock."""

    def timer() -> float:
        start = clock()
        work()
        return clock() - start

    return timer


def children_cpu() -> float:
    """A clock: CPU seconds of the processes that were started here and have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def duration(seconds: float) -> str:
    """Write a duration with three digits."""
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-6:.3g} µs"


def _run(argv: list[str], folder: Path, environment: Mapping[str, str]) -> None:
    """Run a command with bytecode caches on: without them every start would measure the compiler."""
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(
        argv,
        cwd=folder,
        env={**inherited, **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        said = done.stdout[-2000:] + done.stderr[-2000:]
        raise RuntimeError(f"{' '.join(argv)} exited with {done.returncode}:\n{said}")
