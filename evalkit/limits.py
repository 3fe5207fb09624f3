"""Time limits that also cut blocked synchronous code.

A waiting coroutine is cut by cancelling its task. Code that blocks the event loop cannot be cancelled: a watchdog
alarm, which every beat of the loop puts off, goes off inside the code that blocks and raises `TimeIsUp` right there
once its case is over time. While one case blocks the loop, the clocks of the others stand still. What even the alarm
cannot cut (a C function that never returns, code that swallows everything) is for the process above to end.
"""

import asyncio
import signal
import threading
import time
from collections.abc import Coroutine
from contextvars import ContextVar, copy_context
from dataclasses import dataclass
from types import FrameType
from typing import Any, Self, TypeVar

T = TypeVar("T")

TICK = 0.2
"""Seconds between two beats of the loop: how late the end of a case's time may be noticed."""

AGAIN = 1.0
"""Seconds that code which was cut has for tidying up before it is cut again."""


class TimeIsUp(BaseException):
    """Raised inside code that blocks after its case's time is up; `except Exception` lets it pass."""


class OverTimeError(TimeoutError):
    """A case's time was up and it was cut; any other `TimeoutError` is the case's own."""


@dataclass(slots=True, eq=False)
class _Watch:
    """One case's clock, in the loop's time, and whether the case was cut."""

    deadline: float
    task: asyncio.Task[Any] | None = None
    cut: bool = False

    def is_over(self, now: float) -> bool:
        """Tell whether to cut the case now; if so, the next cut is due only after a while."""
        if now <= self.deadline:
            return False
        self.cut = True
        self.deadline = now + AGAIN
        return True


_WATCH: ContextVar[_Watch | None] = ContextVar("evalkit_watch", default=None)


class TimeLimits:
    """Watches the cases of one event loop; use as a context manager inside it.

    Outside the main thread, and where the system has no timer signals, only waiting code is cut.
    """

    def __init__(self) -> None:
        self._watches: set[_Watch] = set()
        self._blocker: _Watch | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._beat_due = 0.0
        self._next_beat: asyncio.TimerHandle | None = None
        self._alarm: _Alarm | None = None

    def __enter__(self) -> Self:
        self._loop = asyncio.get_running_loop()
        if hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread():
            self._alarm = _Alarm(self._look)
        self._beat_due = self._loop.time()
        self._beat()
        return self

    def __exit__(self, *_: object) -> None:
        assert self._next_beat is not None
        self._next_beat.cancel()
        if self._alarm is not None:
            self._alarm.give_back()

    async def within(self, seconds: float, work: Coroutine[Any, Any, T]) -> T:
        """Run the work in a task of its own, for at most so many seconds of its own.

        Raises:
            OverTimeError: The time was up and the work was cut, whatever it made of that.
        """
        assert self._loop is not None
        watch = _Watch(self._loop.time() + seconds)
        context = copy_context()
        context.run(_WATCH.set, watch)
        task = asyncio.create_task(work, context=context)
        watch.task = task
        self._watches.add(watch)
        try:
            result = await task
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException:
            if not watch.cut or being_cancelled():
                raise
        finally:
            self._watches.discard(watch)
        if watch.cut:
            raise OverTimeError
        return result

    def _look(self, _signal: int, _frame: FrameType | None) -> None:
        """See, when the alarm says that the loop is blocked, who blocks it, and whether that case's time is up."""
        watch = _WATCH.get()
        if watch is None or watch not in self._watches or self._loop is None:
            return
        self._blocker = watch
        if watch.is_over(self._loop.time()):
            raise TimeIsUp

    def _beat(self) -> None:
        """At each beat of a loop that is not blocked: give back the time that it was, and cut what is over time."""
        assert self._loop is not None
        now = self._loop.time()
        late = now - self._beat_due
        if late > TICK:
            for watch in self._watches - {self._blocker}:
                watch.deadline += late
        self._blocker = None
        for watch in self._watches:
            if watch.is_over(now) and watch.task is not None:
                watch.task.cancel()
        self._beat_due = now + TICK
        self._next_beat = self._loop.call_at(self._beat_due, self._beat)
        if self._alarm is not None:
            self._alarm.put_off()


class _Alarm:
    """The process's timer signal, borrowed: it goes off only where nobody puts it off in time.

    Args:
        ring: The signal handler.
    """

    def __init__(self, ring: Any) -> None:
        self._ring = ring
        self._handler_before = signal.signal(signal.SIGALRM, ring)
        self._timer_before = signal.setitimer(signal.ITIMER_REAL, 0)
        self._since = time.monotonic()

    def put_off(self) -> None:
        """Ring in a while, then again and again; not at all while code in play uses the signal for itself."""
        if signal.getsignal(signal.SIGALRM) == self._ring:
            # Before the next beat is late by a whole TICK, so that whoever blocks the loop for that long is known.
            signal.setitimer(signal.ITIMER_REAL, 1.5 * TICK, TICK / 2)
        elif signal.getitimer(signal.ITIMER_REAL)[1] == TICK / 2:  # the timer is still this one
            signal.setitimer(signal.ITIMER_REAL, 0)

    def give_back(self) -> None:
        """Restore the handler and the timer that were there before."""
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, self._handler_before or signal.SIG_DFL)
        remaining, interval = self._timer_before
        if remaining:
            left = remaining - (time.monotonic() - self._since)
            signal.setitimer(signal.ITIMER_REAL, max(left, 0.001), interval)


def being_cancelled() -> bool:
    """Tell whether somebody asked the running task itself to stop, rather than one that it waits for."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
