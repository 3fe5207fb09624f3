"""Who asks: what the modules on the call stack say about a connection or the start of a program."""

import sys
from collections.abc import Iterator
from types import FrameType

_EXPORTERS = (
    "opentelemetry.exporter.",
    "opentelemetry.sdk.",
    "sentry_sdk.transport",
    "sentry_sdk.worker",
    "logging.handlers",
)
"""Modules that only carry telemetry and logs away; an agent does the same whether that works or not."""

_PROBING = frozenset({"platform", "ctypes.util", "uuid", "_osx_support", "sysconfig"})
"""Modules of Python's own that ask the system about itself by running a program such as `uname`."""

_BETWEEN = frozenset({"subprocess", "os", "asyncio", "evalkit"})
"""What stands on the stack between the code that starts a program and this module."""


def is_probe() -> bool:
    """Whether the code that starts a program is a module of Python's own that asks about the system."""
    starter = next((module for module in _modules() if module.partition(".")[0] not in _BETWEEN), "")
    return starter in _PROBING


def is_exporter() -> bool:
    """Whether a connection is made for an exporter of telemetry or logs."""
    return any(module.startswith(_EXPORTERS) for module in _modules())


def _modules() -> Iterator[str]:
    """Name the modules of the frames on the stack, innermost first."""
    frame: FrameType | None = sys._getframe(1)  # noqa: SLF001 - Python's own `logging` and `warnings` look at callers so
    while frame is not None:
        yield frame.f_globals.get("__name__", "")
        frame = frame.f_back
