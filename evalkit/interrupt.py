"""Ctrl-C between two steps instead of in the middle of one, so that nothing is lost or half written."""

import signal
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any, Self

SIGNALS = (signal.SIGINT, signal.SIGTERM)
"""Ctrl-C, and what CI services, containers and `timeout` send to end a job."""


class Interruption:
    """Takes the first such signal as a wish to stop soon; a second one interrupts at once, as Ctrl-C does in Python.

    Use as a context manager. Outside the main thread, where signals do not arrive, it never asks to stop.

    Args:
        tell: Called at the first signal, with what to say to the user.
    """

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell
        self._previous: dict[signal.Signals, Any] = {}
        self._asked = False

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            self._previous = {number: signal.signal(number, self._take) for number in SIGNALS}
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._previous.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)  # None: not set from Python

    def asked(self) -> bool:
        """Whether the user wants to stop."""
        return self._asked

    def _take(self, _signal: int, _frame: FrameType | None) -> None:
        if self._asked:
            raise KeyboardInterrupt
        self._asked = True
        self._tell("stopping; what was played is kept (Ctrl-C again to stop at once)")
