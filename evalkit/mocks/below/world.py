"""The world below an agent's tools, in two phases.

Agents may read addresses and find programs when they are imported. So servers, the PATH and variables are put in place
before that, once for all cases of the agent; each case then brings its own routes, with fresh state, and its own
replaced attributes.
"""

import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Literal, Self

from evalkit.errors import FakeError
from evalkit.fakes import CommandFake, Fake, HttpFake, PythonFake
from evalkit.mocks.below.attribution import CASE, TOOL_CODE, followed_into_executors
from evalkit.mocks.below.background import Background
from evalkit.mocks.below.case import CaseFakes, service_of
from evalkit.mocks.below.commands import serve_commands, write_shims
from evalkit.mocks.below.guard import Doors, Guard, guarded
from evalkit.mocks.below.http_server import HOST, serve_http
from evalkit.mocks.below.interception import intercepted
from evalkit.mocks.below.native_clients import native_clients
from evalkit.mocks.below.programs import Programs
from evalkit.mocks.below.python_fakes import patched
from evalkit.mocks.below.refusals import Refusal
from evalkit.mocks.below.replacing import environment
from evalkit.traces import Miss

Closed = Literal["all", "tools", "nobody"]


class World:
    """Everything below the tools of one agent; enter it before the agent is imported, leave it after the last case.

    Args:
        fakes: The fakes of all cases that are to be played, and of their folders.
        root: The project's root, from where factories of `python` fakes are imported.
        closed: Whose connections and programs are refused, where a case does not fake them: `all`, as replay wants it;
            those of `tools` that run over fakes, where models are asked for real; or those of `nobody`.
        passthrough: Whether the command line lets programs run for real where a fake says so.
    """

    def __init__(
        self, fakes: Iterable[Fake], *, root: Path = Path(), closed: Closed = "all", passthrough: bool = False
    ) -> None:
        self._fakes = tuple(fakes)
        self._root = root
        self._closed = closed
        self._passthrough = passthrough
        self._outside = CaseFakes()
        self._open: list[CaseFakes] = []
        self._ports: dict[str, int] = {}
        self._shims: Path | None = None
        self._background: Background | None = None
        self._undo = ExitStack()

    def __enter__(self) -> Self:
        """Put everything in place that lasts longer than a case.

        Raises:
            FakeError: Two fakes contradict each other, or this system cannot have them.
        """
        services = _services(self._fakes)
        programs = {fake.program for fake in self._fakes if isinstance(fake, CommandFake) and not fake.passthrough}
        with ExitStack() as undo:
            if services or programs:
                self._background = undo.enter_context(Background())
                undo.enter_context(environment({**_without_proxies(), **self._serve(services, undo)}))
            if programs:
                undo.enter_context(environment({"PATH": self._install(programs, undo)}))
            undo.enter_context(intercepted(self._origins()))
            if self._closed != "nobody":
                undo.enter_context(followed_into_executors())
                undo.enter_context(guarded(Guard(self._doors, self._refused, self._concerns)))
            self._undo = undo.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._undo.close()

    @property
    def alone(self) -> bool:
        """Whether cases have to be played one at a time, because what they fake is the whole process's."""
        return bool(self._fakes)

    @property
    def outside(self) -> tuple[Miss, ...]:
        """What was missed or refused while no case was in play, such as when the agent was imported."""
        return self._outside.misses

    @contextmanager
    def case(
        self,
        own: Iterable[Fake] = (),
        folder: Iterable[Fake] = (),
        *,
        package: str | None = None,
        turn: Callable[[], int] = lambda: 0,
    ) -> Iterator[CaseFakes]:
        """Let these fakes answer while the block lasts. A case that has any must be the only one in play.

        Args:
            own: The fakes of the case's own mocks file.
            folder: The fakes of its folder's mocks file.
            package: The agent's package, for `python` fakes that name their target relative to it.
            turn: Tells the 0-based turn in play.

        Raises:
            FakeError: A `python` fake cannot be put in place.
        """
        own, folder = tuple(own), tuple(folder)
        if self._open and (own or folder or any(other.alone for other in self._open)):
            raise RuntimeError("a case with fakes below its tools must be the only one in play in its process")
        fakes = CaseFakes(own, folder, turn)
        replacements = [fake for fake in (*own, *folder) if isinstance(fake, PythonFake)]
        token = CASE.set(fakes)
        self._open.append(fakes)
        try:
            with patched(replacements, root=self._root, package=package):
                yield fakes
        finally:
            if self._closed == "all" or (self._closed == "tools" and fakes.alone):
                for sentence in native_clients():
                    fakes.note(sentence)
            self._open.remove(fakes)
            CASE.reset(token)
            if self._background is not None:
                self._background.soon(fakes.over.set)

    def _serve(self, services: Mapping[str, HttpFake], undo: ExitStack) -> dict[str, str]:
        """Start a server for each service; return the variables that say where it is."""
        assert self._background is not None
        variables: dict[str, str] = {}
        for name, fake in services.items():
            server = self._background.run(serve_http(name, self._current))
            undo.callback(self._background.soon, server.close)
            port = self._ports[name] = server.sockets[0].getsockname()[1]
            url = f"http://{HOST}:{port}{fake.path}"
            variables |= {key: form.format(url=url, host=HOST, port=port) for key, form in fake.env.items()}
        return variables

    def _install(self, programs: Iterable[str], undo: ExitStack) -> str:
        """Write the fake programs; return the PATH on which they come first."""
        assert self._background is not None
        folder = undo.enter_context(tempfile.TemporaryDirectory(prefix="evalkit-"))
        self._shims = Path(folder).resolve()
        server = self._background.run(serve_commands(self._shims, self._current))
        undo.callback(self._background.soon, server.close)
        write_shims(self._shims, programs)
        return os.pathsep.join([str(self._shims), os.environ.get("PATH", os.defpath)])

    def _origins(self) -> dict[str, int]:
        return {name: port for name, port in self._ports.items() if "://" in name}

    def _current(self) -> CaseFakes:
        """The case in play; requests that come at another time are kept apart."""
        return self._open[0] if len(self._open) == 1 else self._outside

    def _doors(self) -> Doors:
        passthrough = frozenset(name for fakes in self._open for name in fakes.passthrough)
        return Doors(
            ports=frozenset(self._ports.values()),
            origins=frozenset(self._origins()),
            programs=Programs(self._shims, passthrough, self._passthrough),
        )

    def _concerns(self) -> bool:
        return self._closed == "all" or TOOL_CODE.get()

    def _refused(self, refusal: Refusal) -> None:
        """Keep a refusal with the case that it happened in; with all in play if a thread does not say which."""
        fakes = CASE.get()
        concerned = self._open if fakes is None else [fakes] if fakes in self._open else []
        for case in concerned or [self._outside]:
            case.refused(refusal)


def _services(fakes: Iterable[Fake]) -> dict[str, HttpFake]:
    """Find the services among the fakes; of those of one service the first.

    Raises:
        FakeError: They give one variable different forms.
    """
    services: dict[str, HttpFake] = {}
    variables: dict[str, HttpFake] = {}
    for fake in fakes:
        if not isinstance(fake, HttpFake):
            continue
        services.setdefault(service_of(fake), fake)
        for name in fake.env:
            first = variables.setdefault(name, fake)
            if (first.env, first.path) != (fake.env, fake.path):
                raise FakeError(
                    f"{fake.label or service_of(fake)}: sets {name} otherwise than {first.label or 'another'} does; an "
                    "agent reads it once for all its cases, so give it the same `env` and `path` everywhere"
                )
    return services


def _without_proxies() -> dict[str, str]:
    """Keep requests to our servers away from a proxy that the machine uses for everything else."""
    names = ("NO_PROXY", "no_proxy")
    return {name: ",".join(filter(None, (os.environ.get(name), HOST, "localhost"))) for name in names}
