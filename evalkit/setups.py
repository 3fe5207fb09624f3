"""What has to be there before a case is played: earlier events of its session, and what a live run sets up.

Plain values without I/O, as the `evalkit` block of a case says them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


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
