"""The seam between cases and whatever plays them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from evalkit.cases import Case
from evalkit.mocks.backend import Backend
from evalkit.traces import Failure, Trace


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveOptions:
    """How an agent's own models are asked.

    Attributes:
        streaming: Whether answers are asked for in pieces, as a chat does.
        timeout: Seconds a case may take: for as long a busy model is asked again.
    """

    timeout: float
    streaming: bool = False


class Play(Protocol):
    """One case being played. What happened so far can be had at any time, also after the play was cut."""

    async def run(self) -> Failure | None:
        """Play every turn; return why the case ended early, if it did."""

    def trace(self) -> Trace:
        """Return what happened so far."""

    def held_up(self) -> Failure | None:
        """Say what held the play up when its time was up, if that was out of the hands of what is evaluated."""


class Target(Protocol):
    """Something that can play cases.

    Attributes:
        serial: Whether cases must be played one at a time, because they share something process-wide.
    """

    serial: bool

    def prepare(self, case: Case, backend: Backend, simulator: Mapping[str, Any] | None = None) -> Play:
        """Make a fresh play of the case; nothing of it is shared with any other.

        Args:
            case: The case.
            backend: What its tools answer.
            simulator: How to set up the simulated user of a scenario, as a config's `user_simulator_config` says it.
        """

    async def close(self) -> None:
        """Give back what the target holds, after its last case."""
