"""What a worker process and the one above it say to each other.

`Assignment`s go down, messages come up, one pickle a frame. Outcomes travel as the line of JSON that is stored anyway:
agents put objects of their own into replies and state, and the process above has neither their classes nor their
libraries.
"""

import pickle
import signal
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, BinaryIO

from evalkit.credentials import ModelInUse
from evalkit.errors import EvalkitError
from evalkit.play import Job, PlayOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class Assignment:
    """Cases of one agent, to be played in one process.

    Attributes:
        agent: A folder or dotted module.
        golden: Whether the cases' own turns are played back.
        streaming: Whether the agents' own models are asked for their answers in pieces.
        model: The model that all agents ask instead of their own; None for their own.
        look_only: Whether to load the agent and look at its models, and play nothing.
        passthrough: Whether routes may let real tools run.
        root: The project's folder, from which factories of `python` fakes are imported.
        environment: Variables that win over the process's own and over the agent's `.env`.
        live_tools: Whether the agent's own tools run for real, save those that a case's live setup has mocked.
        workdir: The working directory while cases are played; None for that of the process.
        apart: Whether it is an empty one instead: what is expected of the cases may lie below that of the process.
    """

    agent: str
    jobs: tuple[Job, ...]
    options: PlayOptions
    golden: bool = True
    streaming: bool = False
    model: str | None = None
    look_only: bool = False
    passthrough: bool = False
    root: str = "."
    environment: Mapping[str, str] = field(default_factory=dict)
    live_tools: bool = False
    workdir: str | None = None
    apart: bool = False


@dataclass(frozen=True, slots=True)
class Secrets:
    """Variables of the agent's environment, its `.env` included, whose values are to be in nothing that is written."""

    variables: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class AgentReady:
    """The agent is loaded.

    Attributes:
        agent: Its folder or dotted module.
        tools: The tools of each of its agents, agent tools and control tools left out.
        models: The models that it asks, agent by agent, and where they come from; empty where none is to be asked.
        out_of_reach: Why they cannot be asked from here; None if they can.
        user_out_of_reach: Why the models that play its scenarios' users cannot; None if they can, or there are none.
        unplayable: Why no case may be played with these models, such as one that nobody chose.
    """

    agent: str
    tools: Mapping[str, tuple[str, ...]]
    models: tuple[ModelInUse, ...] = ()
    out_of_reach: str | None = None
    user_out_of_reach: str | None = None
    unplayable: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Started:
    """A case is in play; what the process prints from now on starts at byte `printed` of its log."""

    number: int
    printed: int = 0


@dataclass(frozen=True, slots=True)
class Finished:
    """A case has ended; `outcome` is its line of JSON."""

    number: int
    outcome: str


@dataclass(frozen=True, slots=True)
class Done:
    """The assignment is played."""


@dataclass(frozen=True, slots=True)
class Unusable:
    """The agent cannot be played at all, and why."""

    error: EvalkitError


Message = Secrets | AgentReady | Started | Finished | Done | Unusable

WHERE_SIGNAL = getattr(signal, "SIGUSR2", None)
"""Asks a worker that does not answer to write down where it hangs, which works even inside a C function."""

_LENGTH = struct.Struct(">Q")


def frame(value: object) -> bytes:
    """Turn one value into the bytes of one frame."""
    data = pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL)
    return _LENGTH.pack(len(data)) + data


def write_frame(stream: BinaryIO, data: bytes) -> None:
    """Send one frame at once."""
    stream.write(data)
    stream.flush()


def read_frame(stream: BinaryIO) -> Any:
    """Read one value.

    Raises:
        EOFError: The other side is gone.
    """
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        raise EOFError
    (length,) = _LENGTH.unpack(head)
    data = stream.read(length)
    if len(data) < length:
        raise EOFError
    return pickle.loads(data)  # noqa: S301 - both ends are this program, and nobody else has the pipe
