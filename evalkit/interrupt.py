"""Ctrl-C between two steps instead of in the middle of one, so that nothing is lost or half written."""

import signal
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any, Self


class Interruption:
    """Takes the first Ctrl-C as a wish to stop soon; a second one interrupts at once, as Python does.

    Use as a context manager. Outside the main thread, where signals do not arrive, it never asks to stop.

    Args:
        tell: Called at the first Ctrl-C, with what to say to the user.
    """

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell
        self._previous: Any = None
        self._asked = False

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            self._previous = signal.signal(signal.SIGINT, self._take)
        return self

    def __exit__(self, *_: object) -> None:
        if self._previous is not None:
            signal.signal(signal.SIGINT, self._previous)

    def asked(self) -> bool:
        """Whether the user wants to stop."""
        return self._asked

    def _take(self, _signal: int, _frame: FrameType | None) -> None:
        if self._asked:
            raise KeyboardInterrupt
        self._asked = True
        self._tell("stopping; what was played is kept (Ctrl-C again to stop at once)")
