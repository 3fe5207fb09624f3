"""Fakes below the tools, as the `backends` of a mocks file say them: a service, a program or an object that answers.

With these the tool's own code runs, its client included. Plain values without I/O: `formats.backends` makes them,
`mocks.below` puts them in place.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

HttpFault = Literal["ConnectionResetError", "TimeoutError"]
"""How a service can fail without an answer: it resets the connection, or stays silent until the client gives up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """A piece of a streamed body, sent after a pause of so many seconds."""

    data: bytes
    delay: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpReply:
    """One answer of a service.

    Attributes:
        headers: In order; a name may stand several times. Those that frame the body are added where they are missing.
        body: The whole body; empty if it is streamed.
        chunks: The body in pieces, sent with chunked transfer coding; None for a body of known length.
        truncate: After so many bytes of the body the connection closes, although more was promised; None for never.
        raises: How the service fails instead of answering.
        delay: Seconds before the first byte.
    """

    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    chunks: tuple[Chunk, ...] | None = None
    truncate: int | None = None
    raises: HttpFault | None = None
    delay: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpRoute:
    """One entry under a service.

    Attributes:
        request: Patterns by part of the request: `method`, `path`, `query`, `headers`, `body`. A part that is not
            listed is free; so are parameters and headers that `query` and `headers` do not list.
        replies: One, or a sequence that is used up in order.
        repeat_last: Whether the last reply of a sequence stays for further requests.
        label: `file:line GET /path`, for messages.
    """

    replies: tuple[HttpReply, ...]
    request: Mapping[str, Any] = field(default_factory=dict)
    repeat_last: bool = True
    label: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpFake:
    """A service over HTTP: either a server whose address the agent reads, or a fixed address that is intercepted.

    Attributes:
        env: What goes into which environment variable: a text with `{url}`, `{host}` and `{port}`.
        base_url: The address that is intercepted, such as `http://grafana:3000`; None for a server.
        path: The path below which the service lives, such as `/prometheus`; part of `{url}`, and of no route.
    """

    routes: tuple[HttpRoute, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    base_url: str | None = None
    path: str = ""
    label: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandReply:
    """One run of a program: what it writes, its exit code, and the seconds it takes."""

    stdout: bytes = b""
    stderr: bytes = b""
    exit_code: int = 0
    delay: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandRoute:
    """One entry under a program.

    Attributes:
        call: Patterns by part of the call: `argv` (the arguments without the program), `stdin`, `env`. A part that is
            not listed is free; so are variables that `env` does not list.
        label: `file:line docker ps`, for messages.
    """

    replies: tuple[CommandReply, ...]
    call: Mapping[str, Any] = field(default_factory=dict)
    repeat_last: bool = True
    label: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandFake:
    """A program that is found on the PATH before the real one.

    Attributes:
        program: Its name, without folders.
        passthrough: Whether the real program runs, which the command line must allow; it then has no routes.
    """

    program: str
    routes: tuple[CommandRoute, ...] = ()
    passthrough: bool = False
    label: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class PythonFake:
    """An attribute of the agent's modules that is replaced for the length of a case.

    Attributes:
        factory: `module:function`, importable from the project's root or from the folder of the mocks file; called
            anew for each case, it returns the replacement.
        patches: `module:attribute`, where the module may start with a dot: below the agent's package.
        data: What the factory is called with; None for a call without an argument.
        folder: The folder of the mocks file.
    """

    factory: str
    patches: str
    data: Any = None
    folder: str = "."
    label: str = field(default="", compare=False)


Fake = HttpFake | CommandFake | PythonFake
