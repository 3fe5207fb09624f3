"""Replay's closed door: connections and programs that the case does not fake are refused, and every refusal is kept.

Python reports each connection, look-up of a name and start of a program to audit hooks before it happens, whichever
library asks, and an exception from a hook stops it. A hook can never be removed, so there is one for the process, and
it does nothing while no guard is up. Native code connects without Python's knowledge: see `native_clients`.
"""

import contextlib
import errno
import os
import socket
import sys
import weakref
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from evalkit.errors import EvalkitError
from evalkit.mocks.below.callers import is_exporter, is_probe
from evalkit.mocks.below.origins import origin
from evalkit.mocks.below.programs import Programs
from evalkit.mocks.below.refusals import Refusal, connection_refusal, shell_refusal, socket_file_refusal

_WILDCARDS = frozenset({"0.0.0.0", "::"})  # noqa: S104 - compared with, not bound to
_LOCAL_NAMES = frozenset({"", "localhost", "localhost.localdomain", "ip6-localhost", "::1"}) | _WILDCARDS


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
        concerns: Tells whether the code that runs is any of its business.
    """

    def __init__(
        self,
        doors: Callable[[], Doors],
        refused: Callable[[Refusal], None],
        concerns: Callable[[], bool] = lambda: True,
    ) -> None:
        self._doors = doors
        self._refused = refused
        self._concerns = concerns
        self._bound: weakref.WeakSet[socket.socket] = weakref.WeakSet()

    def check(self, event: str, args: tuple[Any, ...]) -> None:
        """Look at an audit event.

        Raises:
            RefusedConnectionError: It would connect somewhere, or look up a name.
            RefusedProgramError: It would start a program.
        """
        refusal = _CHECKS[event](self, args)
        if refusal is None or not self._concerns():
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
        if address is None or self._is_own(address):
            return None
        if not isinstance(address, tuple):
            path = os.fsdecode(address) if isinstance(address, str | bytes) else repr(address)
            return socket_file_refusal(path, telemetry=is_exporter())
        host, port = str(address[0]), int(address[1])
        return None if port in self._doors().ports and _is_local(host) else self._connection(host, port)

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
        return None if is_probe() else self._doors().programs.refuse(executable, argv, cwd, env)

    def execute(self, args: tuple[Any, ...]) -> Refusal | None:
        """Judge the `os` functions that execute a file."""
        executable, argv, env = args
        file = Path(os.fsdecode(executable))
        if file.is_absolute() and not file.exists():  # `os.execvp` tries one folder of the PATH after the other
            return None
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

    def _is_own(self, address: Any) -> bool:
        """Whether this process itself listens at an address."""
        for own in map(_address_of, list(self._bound)):
            if own == address:
                return True
            if isinstance(own, tuple) and isinstance(address, tuple) and own[1] == address[1] and own[0] in _WILDCARDS:
                return _is_local(str(address[0]))
        return False

    def _connection(self, host: str, port: int | None) -> Refusal:
        ours = {origin(scheme, host, port) for scheme in ("http", "https")}
        return connection_refusal(
            host, port, intercepted=bool(ours & set(self._doors().origins)), telemetry=is_exporter()
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


def _hook(event: str, args: tuple[Any, ...]) -> None:
    if _up and event in _CHECKS:
        _up[-1].check(event, args)


_hook.__cantrace__ = True  # type: ignore[attr-defined]  # how Python lets debuggers and coverage look into a hook


def _address_of(own: socket.socket) -> Any:
    try:
        return own.getsockname()
    except OSError:
        return None


def _is_local(host: str) -> bool:
    return host in _LOCAL_NAMES or host.startswith("127.")


def _is_number(host: str) -> bool:
    for family in (socket.AF_INET, socket.AF_INET6):
        with contextlib.suppress(OSError, ValueError):
            socket.inet_pton(family, host.partition("%")[0])
            return True
    return False
