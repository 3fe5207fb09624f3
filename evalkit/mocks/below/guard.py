"""Replay's closed door: connections and programs that the case does not fake are refused, and every refusal is kept.

Python reports each connection, look-up of a name and start of a program to audit hooks before it happens, whichever
library asks, and an exception from a hook stops it. A hook can never be removed, so there is one for the process, and
it does nothing while no guard is up. Native clients do not go through Python: `native_clients` names those loaded.
"""

import contextlib
import errno
import os
import socket
import sys
import weakref
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

from evalkit.errors import EvalkitError
from evalkit.mocks.below.origins import origin
from evalkit.mocks.below.programs import Programs
from evalkit.mocks.below.refusals import Refusal, connection_refusal, shell_refusal, socket_file_refusal

NATIVE_CLIENTS: Mapping[str, str] = {
    "confluent_kafka": "librdkafka",
    "grpc": "gRPC's core",
    "psycopg2": "libpq",
    "psycopg_c": "libpq",
    "psycopg_binary": "libpq",
    "pycurl": "libcurl",
    "pyodbc": "ODBC",
    "uvloop": "libuv",
    "zmq": "ZeroMQ",
}
"""Modules whose connections are made in native code, with what makes them."""

_LOCAL_NAMES = frozenset({"", "localhost", "localhost.localdomain", "ip6-localhost", "0.0.0.0", "::"})  # noqa: S104 - compared with, not bound to
_EXPORTERS = ("opentelemetry.exporter.", "opentelemetry.sdk.", "sentry_sdk.transport", "sentry_sdk.worker")
"""Modules that only carry telemetry away; an agent does the same whether that works or not."""

_PROBING_MODULES = frozenset({"platform", "ctypes.util", "uuid", "_osx_support", "sysconfig"})
"""Modules of Python's own that ask the system about itself by running a program such as `uname`."""

_CALLING_MODULES = frozenset({"subprocess", "os", "asyncio"})
"""What stands between the code that starts a program and the start itself."""


class RefusedConnectionError(EvalkitError, ConnectionRefusedError):
    """A connection that the case does not fake."""


class RefusedProgramError(EvalkitError, PermissionError):
    """A program that the case does not fake."""


@dataclass(frozen=True, slots=True)
class Doors:
    """What stays open.

    Attributes:
        ports: Ports of our own servers on this machine.
        origins: Origins that are intercepted, for a better message.
        programs: The programs that can be called.
    """

    ports: Collection[int] = ()
    origins: Collection[str] = ()
    programs: Programs = field(default_factory=Programs)


class Guard:
    """Refuses what is not open, while it is up.

    Args:
        doors: Tells what is open at the moment.
        refused: Takes each refusal, in the thread and context of whoever asked.
    """

    def __init__(self, doors: Callable[[], Doors], refused: Callable[[Refusal], None]) -> None:
        self._doors = doors
        self._refused = refused
        self._bound: weakref.WeakSet[socket.socket] = weakref.WeakSet()

    def check(self, event: str, args: tuple[Any, ...]) -> None:
        """Look at an audit event.

        Raises:
            RefusedConnectionError: It would connect somewhere, or look up a name.
            RefusedProgramError: It would start a program.
        """
        refusal = _CHECKS[event](self, args)
        if refusal is None:
            return
        self._refused(refusal)
        if refusal.kind == "connection":
            raise RefusedConnectionError(errno.ECONNREFUSED, refusal.message)
        raise RefusedProgramError(errno.EACCES, refusal.message)

    def bind(self, args: tuple[Any, ...]) -> None:
        """Note a socket of our own: a process may talk to itself, as event loops on some systems do."""
        with contextlib.suppress(TypeError):  # the bare C type takes no weak references
            self._bound.add(args[0])

    def connect(self, args: tuple[Any, ...]) -> Refusal | None:
        """Judge a connection, or a datagram to an address."""
        address = args[1]
        if address is None or any(_address_of(own) == address for own in list(self._bound)):
            return None
        if not isinstance(address, tuple):
            return socket_file_refusal(os.fsdecode(address) if isinstance(address, str | bytes) else repr(address))
        host, port = str(address[0]), int(address[1])
        if port in self._doors().ports and (host in _LOCAL_NAMES or host.startswith("127.") or host == "::1"):
            return None
        return self._connection(host, port)

    def look_up(self, args: tuple[Any, ...]) -> Refusal | None:
        """Judge the look-up of a name, which asks the network unless it is a number or this machine."""
        host = args[0].decode("ascii", "replace") if isinstance(args[0], bytes) else str(args[0] or "")
        if host.lower() in _LOCAL_NAMES or host == socket.gethostname() or _is_number(host):
            return None
        port = str(args[1]) if len(args) > 1 else ""
        return self._connection(host, int(port) if port.isdecimal() else None)

    def program(self, args: tuple[Any, ...]) -> Refusal | None:
        """Judge `subprocess.Popen`, whose event has the folder before the environment."""
        executable, argv, cwd, env = args
        return None if _asked_by_python_itself() else self._doors().programs.refuse(executable, argv, cwd, env)

    def execute(self, args: tuple[Any, ...]) -> Refusal | None:
        """Judge the `os` functions that execute a file."""
        executable, argv, env = args
        return self._doors().programs.refuse(executable, argv, None, env or None)

    def system(self, args: tuple[Any, ...]) -> Refusal | None:
        """Judge `os.system`."""
        return self._doors().programs.refuse_script(os.fsdecode(args[0]))

    def spawn_terminal(self, args: tuple[Any, ...]) -> Refusal | None:
        """Judge `pty.spawn`."""
        argv = args[0]
        return self._doors().programs.refuse(argv if isinstance(argv, str) else argv[0], argv)

    def start_file(self, args: tuple[Any, ...]) -> Refusal | None:
        """Judge what opens a file with whatever program the system has for it."""
        return shell_refusal(str(args[0]), "which program opens it cannot be told")

    def _connection(self, host: str, port: int | None) -> Refusal:
        ours = {origin(scheme, host, port) for scheme in ("http", "https")}
        return connection_refusal(
            host, port, intercepted=bool(ours & set(self._doors().origins)), telemetry=_asked_by_an_exporter()
        )


_CHECKS: Mapping[str, Callable[[Guard, tuple[Any, ...]], Refusal | None]] = {
    "socket.bind": Guard.bind,
    "socket.connect": Guard.connect,
    "socket.sendto": Guard.connect,
    "socket.sendmsg": Guard.connect,
    "socket.getaddrinfo": Guard.look_up,
    "socket.gethostbyname": Guard.look_up,
    "socket.gethostbyaddr": Guard.look_up,
    "subprocess.Popen": Guard.program,
    "os.exec": Guard.execute,
    "os.posix_spawn": Guard.execute,
    "os.system": Guard.system,
    "os.startfile": Guard.start_file,
    "pty.spawn": Guard.spawn_terminal,
}

_up: list[Guard] = []
_hooked: list[bool] = []


@contextlib.contextmanager
def guarded(guard: Guard) -> Iterator[None]:
    """Put a guard up while the block lasts."""
    if not _hooked:
        _hooked.append(True)
        sys.addaudithook(_hook)
    _up.append(guard)
    try:
        yield
    finally:
        _up.remove(guard)


def native_clients() -> tuple[str, ...]:
    """Say which loaded modules could connect without being seen, one sentence each."""
    return tuple(
        f"{module} is loaded, which connects from native code ({maker}): replay cannot refuse that inside the process"
        for module, maker in NATIVE_CLIENTS.items()
        if module in sys.modules
    )


def _hook(event: str, args: tuple[Any, ...]) -> None:
    if _up and event in _CHECKS:
        _up[-1].check(event, args)


def _asked_by_python_itself() -> bool:
    """Whether the code that starts a program is a module of Python's own that asks about the system."""
    for module in _callers():
        if module != __name__ and module.partition(".")[0] not in _CALLING_MODULES:
            return module in _PROBING_MODULES
    return False


def _asked_by_an_exporter() -> bool:
    return any(module.startswith(_EXPORTERS) for module in _callers())


def _callers() -> Iterator[str]:
    """Name the modules of the frames above, innermost first."""
    frame: FrameType | None = sys._getframe(1)  # noqa: SLF001 - how Python's own `logging` and `warnings` look at callers
    while frame is not None:
        yield frame.f_globals.get("__name__", "")
        frame = frame.f_back


def _address_of(own: socket.socket) -> Any:
    try:
        return own.getsockname()
    except OSError:
        return None


def _is_number(host: str) -> bool:
    for family in (socket.AF_INET, socket.AF_INET6):
        with contextlib.suppress(OSError, ValueError):
            socket.inet_pton(family, host.partition("%")[0])
            return True
    return False
