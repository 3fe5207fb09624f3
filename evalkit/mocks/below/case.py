"""The fakes of one case: what answers, what was missed, and a record of everything that was asked."""

import asyncio
import shlex
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from threading import RLock
from typing import Literal, TypeVar

from evalkit.cases import Json
from evalkit.fakes import CommandFake, CommandReply, Fake, HttpFake, HttpReply
from evalkit.mocks.below import command_call, http_reply, routing
from evalkit.mocks.below.command_call import CommandCall
from evalkit.mocks.below.http_request import HttpRequest
from evalkit.mocks.below.origins import origin_of
from evalkit.mocks.below.refusals import Refusal
from evalkit.mocks.below.routing import Asked, RouteInUse, View
from evalkit.traces import BackendEvent, Miss

R = TypeVar("R", HttpReply, CommandReply)

_LONGEST_REQUEST = 300
"""Characters of a request or command line in a record."""

_LONGEST_BODY = 2000
"""Characters of a body in a miss."""


@dataclass(slots=True)
class Record:
    """Something that was asked, while it is being answered."""

    kind: Literal["http", "command"]
    target: str
    request: str
    reply: str
    route: str | None
    turn: int
    began: float = field(default_factory=time.perf_counter)
    ended: float | None = None

    def end(self) -> None:
        """Note that the answer is out."""
        self.ended = time.perf_counter()

    def event(self, case_began: float) -> BackendEvent:
        """Return what the trace keeps."""
        ended = time.perf_counter() if self.ended is None else self.ended
        return BackendEvent(
            kind=self.kind,
            target=self.target,
            request=self.request,
            reply=self.reply,
            route=self.route,
            turn=self.turn,
            started=self.began - case_began,
            seconds=ended - self.began,
        )


def service_of(fake: HttpFake) -> str:
    """Name the service that a fake is of; fakes of one service share a server, and their routes stand in one list."""
    return origin_of(fake.base_url) if fake.base_url is not None else " and ".join(sorted(fake.env))


class CaseFakes:
    """What services and programs answer during one case; fresh for each case and repeat. Threads may share it.

    Args:
        own: The fakes of the case's own mocks file.
        folder: The fakes of its folder's mocks file, whose routes come after the case's own.
        turn: Tells the 0-based turn in play.
    """

    def __init__(
        self, own: Iterable[Fake] = (), folder: Iterable[Fake] = (), turn: Callable[[], int] = lambda: 0
    ) -> None:
        own, folder = tuple(own), tuple(folder)
        self.alone = bool(own or folder)
        self.over = asyncio.Event()
        self.passthrough: set[str] = set()
        self._turn = turn
        self._began = time.perf_counter()
        self._services: dict[str, list[RouteInUse[HttpReply]]] = {}
        self._programs: dict[str, list[RouteInUse[CommandReply]]] = {}
        self._own = self._add(own)
        self._add(folder)
        self._records: list[Record] = []
        self._misses: list[Miss] = []
        self._refusals: set[Refusal] = set()
        self._notes: dict[str, None] = {}
        self._lock = RLock()

    @property
    def misses(self) -> tuple[Miss, ...]:
        """What nothing answered, and what was refused, in order."""
        with self._lock:
            return tuple(self._misses)

    @property
    def events(self) -> tuple[BackendEvent, ...]:
        """Everything that was asked, in order."""
        with self._lock:
            return tuple(record.event(self._began) for record in self._records)

    @property
    def notes(self) -> tuple[str, ...]:
        """Facts worth telling that do not touch the verdict."""
        with self._lock:
            return tuple(self._notes)

    def unused(self) -> tuple[str, ...]:
        """Name the routes of the case's own mocks file that have answered nothing."""
        return tuple(route.label for route in self._own if not route.answered)

    async def pause(self, seconds: float | None) -> None:
        """Wait so many seconds, or for good; in the loop where the answers are given.

        Raises:
            CaseOver: The case ended meanwhile.
        """
        try:
            await asyncio.wait_for(self.over.wait(), seconds)
        except TimeoutError:
            return
        raise http_reply.CaseOver

    def note(self, text: str) -> None:
        """Keep a fact, once."""
        with self._lock:
            self._notes[text] = None

    def refused(self, refusal: Refusal) -> None:
        """Keep a refusal, once: as a miss, since nothing answered, or as a note if it cannot have mattered."""
        with self._lock:
            if refusal in self._refusals:
                return
            self._refusals.add(refusal)
            if refusal.telemetry:
                self._notes[refusal.message] = None
            else:
                asked = Asked("", refusal.kind, {"target": refusal.target}, self._turn(), refusal.message)
                self._misses.append(routing.miss(asked, refusal.message))

    def answer_request(self, service: str, request: HttpRequest) -> tuple[HttpReply, Record]:
        """Answer a request; what no route answers is told 501 and becomes a miss."""
        line = _shortened(f"{request.method} {request.target}")
        view = request.view()
        asked = Asked("", f"http {service}", view, self._turn(), f"the agent's code asked {service} for {line}")
        gist = routing.gist_of_path(request.method, view["path"])
        with self._lock:
            route, reply = self._choose(self._services.get(service, []), view, asked, gist)
            told = reply or http_reply.MISSED_REPLY
            record = Record("http", service, line, http_reply.summary(told), route, asked.turn)
            self._records.append(record)
            return told, record

    def answer_command(self, call: CommandCall) -> tuple[CommandReply, Record] | None:
        """Answer a program's call; None if that depends on its input, which has not been read yet."""
        line = _shortened(shlex.join((call.program, *call.argv)))
        view = call.view()
        asked = Asked("", f"command {call.program}", view, self._turn(), f"the agent's code ran {line}")
        with self._lock:
            routes = self._programs.get(call.program, [])
            if call.stdin is None and _waits_for_input(routes, view):
                return None
            route, reply = self._choose(routes, view, asked, call.argv)
            told = reply or command_call.missed_run(call.program)
            record = Record("command", call.program, line, command_call.summary(told), route, asked.turn)
            self._records.append(record)
            return told, record

    def _add(self, fakes: Iterable[Fake]) -> list[RouteInUse[HttpReply] | RouteInUse[CommandReply]]:
        added: list[RouteInUse[HttpReply] | RouteInUse[CommandReply]] = []
        for fake in fakes:
            if isinstance(fake, HttpFake):
                routes = [routing.http_route(route, fake.path) for route in fake.routes]
                self._services.setdefault(service_of(fake), []).extend(routes)
                added += routes
            elif isinstance(fake, CommandFake):
                commands = [routing.command_route(route) for route in fake.routes]
                self._programs.setdefault(fake.program, []).extend(commands)
                added += commands
                if fake.passthrough:
                    self.passthrough.add(fake.program)
        return added

    def _choose(
        self, routes: Sequence[RouteInUse[R]], view: View, asked: Asked, gist: Sequence[str]
    ) -> tuple[str | None, R | None]:
        """Let the first route that matches answer; if its sequence is used up that is a miss, whatever else matches."""
        route = next((route for route in routes if route.matcher.accepts(view)), None)
        reply = route.next_reply() if route is not None else None
        if route is not None and reply is not None:
            return route.label, reply
        if route is not None:
            miss = routing.exhausted(asked, route)
        elif routes:
            miss = routing.explain(asked, routes, gist)
        else:
            miss = routing.miss(asked, f"{asked}, but the case fakes nothing there")
        self._misses.append(replace(miss, args=_worth_keeping(view)))
        return None, None


def _waits_for_input(routes: Sequence[RouteInUse[CommandReply]], view: View) -> bool:
    first = next((route for route in routes if route.before_input.accepts(view)), None)
    return first is not None and first.reads_input


def _worth_keeping(view: View) -> dict[str, Json]:
    """Leave out headers and environment, which hold secrets and noise, and shorten what is long."""
    kept = {part: view[part] for part in ("method", "path", "query", "argv", "body", "stdin") if part in view}
    for part in ("body", "stdin"):
        text = str(view.get(f"{part}_text", ""))
        if len(text) > _LONGEST_BODY:
            kept[part] = _shortened(text, _LONGEST_BODY)
    return kept


def _shortened(text: str, limit: int = _LONGEST_REQUEST) -> str:
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
