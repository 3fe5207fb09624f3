"""What has to be there before a case is played: earlier events of its session, and what a live run sets up.

Plain values without I/O: as the `evalkit` block of a case says them, and what came of them.
"""

import signal
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class PriorEvent:
    """One event that the session already holds when the case begins; the agent is not asked for it again.

    Attributes:
        author: `user`, or the agent's name; `agent` stands for the root agent, whatever its name is.
        content: Role and parts as in `google.genai.types.Content`, as a dict in snake_case.
    """

    author: str
    content: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class PortForward:
    """A port of this machine that leads to a service of the cluster while the case is played."""

    namespace: str
    service: str
    local_port: int
    remote_port: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveSetup:
    """What a live run does around a case, and only if the command line allows it.

    Attributes:
        needed: Why the case cannot be played from recordings alone, if so.
        before: A shell script that runs first; where it fails, the agent is not asked.
        after: A shell script that always runs at the end.
        timeout: Seconds that each script may take; None leaves it to the run.
        env: Variables for the scripts and the agent, unexpanded.
        port_forwards: Services that must be reachable.
        folder: A folder whose copy is the working directory, relative to the evalset's; None gives an empty one.
        shared: A folder that scripts reach as `../../shared`, relative to the evalset's.
        may_create_files: Whether the case asks the agent for files.
        mocked_tools: Tools that mocks answer in a live run too, as shell patterns; all others run for real.
    """

    needed: str | None = None
    before: str | None = None
    after: str | None = None
    timeout: float | None = None
    env: Mapping[str, str] = field(default_factory=dict)
    port_forwards: tuple[PortForward, ...] = ()
    folder: str | None = None
    shared: str | None = None
    may_create_files: bool = False
    mocked_tools: tuple[str, ...] = ()


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
