"""The seam between cases and whatever plays them."""

from typing import Protocol

from evalkit.cases import Case
from evalkit.mocks.backend import Backend
from evalkit.traces import Failure, Trace


class Play(Protocol):
    """One case being played. What happened so far can be had at any time, also after the play was cut."""

    async def run(self) -> Failure | None:
        """Play every turn; return why the case ended early, if it did."""

    def trace(self) -> Trace:
        """Return what happened so far."""


class Target(Protocol):
    """Something that can play cases.

    Attributes:
        serial: Whether cases must be played one at a time, because they share something process-wide.
    """

    serial: bool

    def prepare(self, case: Case, backend: Backend) -> Play:
        """Make a fresh play of the case; nothing of it is shared with any other."""

    async def close(self) -> None:
        """Give back what the target holds, after its last case."""
