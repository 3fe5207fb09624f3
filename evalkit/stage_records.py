"""What came of what a live run set up around a case: how its scripts ran, and what they and the agent left behind."""

import signal
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptRun:
    """How a script of a case ran.

    Attributes:
        exit_code: As the shell left it, negative for a signal; None if it was ended from here.
        seconds: How long it took.
        stdout: What it wrote, of which the middle is left out if that is much.
        ended: Why it was ended from here: its time was up, or the user stopped the run.
    """

    exit_code: int | None = None
    seconds: float = 0.0
    stdout: str = ""
    stderr: str = ""
    ended: Literal["time_limit", "stopped"] | None = None

    @property
    def failed(self) -> bool:
        """Whether it did not come to a good end."""
        return self.exit_code != 0

    def __str__(self) -> str:
        """Say how it ended, and the last that it wrote."""
        lines = [line for line in (self.stderr or self.stdout).splitlines() if line.strip()]
        return f"{self._end()}: {lines[-1].strip()}" if lines and self.failed else self._end()

    def _end(self) -> str:
        if self.ended == "time_limit":
            return f"its time was up after {self.seconds:.3g} s"
        if self.exit_code is None:
            return "the run was stopped"
        if self.exit_code >= 0:
            return f"exit code {self.exit_code}"
        try:
            return f"ended by {signal.Signals(-self.exit_code).name}"
        except ValueError:
            return f"ended by signal {-self.exit_code}"


@dataclass(frozen=True, slots=True, kw_only=True)
class StageRecord:
    """What was set up around one play of a case, and what came of it.

    Attributes:
        workdir: The working directory while it was played; it is gone afterwards.
        live: Whether the agent's own tools ran for real.
        before: How `before_test` ran; None if there is none, or it was not come to.
        after: How `after_test` ran.
        ended: What still ran at the end and was ended, by its command lines: port-forwards and servers too.
        files_created: Files that came into the working directory while the agent was asked, by their paths in it.
        files_unasked: Whether the case fails if there are any.
        notes: Facts worth telling, such as a link that was not copied.
    """

    workdir: str
    live: bool = False
    before: ScriptRun | None = None
    after: ScriptRun | None = None
    ended: tuple[str, ...] = ()
    files_created: tuple[str, ...] = ()
    files_unasked: bool = False
    notes: tuple[str, ...] = ()
