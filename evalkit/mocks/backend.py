"""What tools answer during one case: its own routes, then the folder's, then its recorded replies."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Final

from evalkit.cases import Json
from evalkit.matching import Members, compile_args
from evalkit.mocks.misses import Call, Mock, no_match, no_mock, used_up
from evalkit.mocks.raising import mocked_exception
from evalkit.mocks.recordings import Recorded, Recording, next_recording, recordings
from evalkit.replies import finds_something
from evalkit.routes import MockSet, ProvidedTool, Route
from evalkit.traces import Miss

NEUTRAL_REPLY: Final = {"status": "error", "error": "The service has no result for this request."}
"""What an agent is told after a miss: nothing that hints at a test, since that might change what it does."""


@dataclass(frozen=True, slots=True)
class Returned:
    """The tool returns `value`, and the caller writes `state` into the session's state.

    Both are copies that the receiver may change. `route` names the mock that answered.
    """

    value: Json
    state: Mapping[str, Json]
    route: str


@dataclass(frozen=True, slots=True)
class Raised:
    """The tool raises, after the caller has written `state` into the session's state."""

    type_name: str
    message: str
    state: Mapping[str, Json]
    route: str

    def exception(self) -> Exception:
        """Build the exception to raise."""
        return mocked_exception(self.type_name, self.message)


@dataclass(frozen=True, slots=True)
class Passthrough:
    """The real tool is meant to run; whether it may is the caller's decision."""

    route: str


@dataclass(frozen=True, slots=True)
class Missed:
    """Nothing answers: the agent is told `NEUTRAL_REPLY`, the report `miss`."""

    miss: Miss


Answer = Returned | Raised | Passthrough | Missed
Accepts = Callable[[Json], bool]


@dataclass(slots=True)
class _RouteInUse:
    """A route with the number of calls that it has answered; its pattern is compiled when a call first meets it."""

    route: Route
    answered: int = 0
    compiled: Members | None = None

    @property
    def label(self) -> str:
        return self.route.label or f"a route of {self.route.tool}"

    @property
    def agent(self) -> str | None:
        return self.route.agent

    @property
    def matcher(self) -> Members:
        if self.compiled is None:
            self.compiled = compile_args(self.route.args or {})
        return self.compiled

    def serves(self, agent: str, tool: str) -> bool:
        return self.route.tool == tool and self.route.agent in (None, agent)

    def answer(self) -> Returned | Raised | Passthrough | None:
        """Give the next reply; None once a sequence is used up."""
        replies = self.route.replies
        if self.route.passthrough:
            self.answered += 1
            return Passthrough(self.label)
        if self.answered < len(replies):
            reply = replies[self.answered]
        elif replies and self.route.repeat_last:
            reply = replies[-1]
        else:
            return None
        self.answered += 1
        if reply.raises is not None:
            return Raised(reply.raises, reply.message, _copied(dict(reply.state)), self.label)
        return Returned(_copied(reply.value), _copied(dict(reply.state)), self.label)


class Backend:
    """The mocks of one case; fresh for each case and repeat. Threads may share it.

    Attributes:
        own_fakes: The fakes below the tools of the case's own mocks file; its tools then run for real.
        folder_fakes: Those of its folder's mocks file.
        toolsets: What the mocks files say of toolsets, by name; the case's own file wins.
        provided: The tools that they give to the agent, by name; the case's own file wins.
    """

    def __init__(
        self,
        case_mocks: MockSet | None,
        folder_mocks: MockSet | None,
        recorded: Sequence[Recorded],
    ) -> None:
        """Take the mocks in the order in which they are asked.

        Args:
            case_mocks: The file that the case names; a case that names the folder's file has none of its own.
            folder_mocks: The file of the evalset's folder.
            recorded: The case's recorded tool responses; see `recordings.recorded_replies`.
        """
        if case_mocks and folder_mocks and case_mocks.file == folder_mocks.file:
            case_mocks = None
        self.own_fakes = case_mocks.fakes if case_mocks else ()
        self.folder_fakes = folder_mocks.fakes if folder_mocks else ()
        self.toolsets: dict[str, Mapping[str, Json]] = {}
        self.provided: dict[str, ProvidedTool] = {}
        for mocks in (folder_mocks, case_mocks):
            self.toolsets |= mocks.toolsets if mocks else {}
            self.provided |= {tool.name: tool for tool in mocks.provides} if mocks else {}
        self._own = [_RouteInUse(route) for route in case_mocks.routes] if case_mocks else []
        self._folder = [_RouteInUse(route) for route in folder_mocks.routes] if folder_mocks else []
        self._recordings: dict[str, list[Recording]] = {}
        for recording in recordings(recorded):
            self._recordings.setdefault(recording.tool, []).append(recording)
        self._ordered: dict[tuple[str, str], list[tuple[Accepts, _RouteInUse]]] = {}
        self._misses: list[Miss] = []
        self._lock = Lock()

    @property
    def misses(self) -> tuple[Miss, ...]:
        """The calls that nothing answered, in order."""
        return tuple(self._misses)

    def answer(self, agent: str, tool: str, args: Mapping[str, Json], turn: int) -> Answer:
        """Answer a call, given the arguments as the model sent them.

        The first route that matches answers; if its sequence is used up, the call is a miss, whatever else would match.
        """
        with self._lock:
            for accepts, route in self._candidates(agent, tool):
                if accepts(args):
                    return route.answer() or self._used_up(route, Call(agent, tool, _copied(dict(args)), turn))
            recording = next_recording(self._recordings.get(tool, ()), agent, args)
            if recording is not None:
                recording.used = True
                return Returned(_copied(dict(recording.reply.response)), {}, recording.label)
            return self._missed(self._explained(Call(agent, tool, _copied(dict(args)), turn)))

    def unmatched(self, agent: str, tool: str, args: Mapping[str, Json]) -> Miss | None:
        """Return the miss that a call would be because it is like no mock; None if one takes it. Uses nothing up."""
        with self._lock:
            if any(accepts(args) for accepts, _ in self._candidates(agent, tool)):
                return None
            if next_recording(self._recordings.get(tool, ()), agent, args) is not None:
                return None
            return self._explained(Call(agent, tool, _copied(dict(args)), 0))

    def has_routes(self, agent: str, tool: str, *, recorded: bool = True) -> bool:
        """Whether any mock could answer this agent's calls of a tool; `recorded` counts recorded replies in."""
        routes = (*self._own, *self._folder)
        return any(route.serves(agent, tool) for route in routes) or (recorded and tool in self._recordings)

    def unused(self) -> tuple[str, ...]:
        """Name the routes of the case's own mocks file that have answered nothing."""
        return tuple(route.label for route in self._own if not route.answered)

    @property
    def has_evidence(self) -> bool:
        """Whether a mock tells of something found, if it is asked: neither of an error nor of no data."""
        replies = (reply for route in (*self._own, *self._folder) for reply in route.route.replies)
        recorded = (one for same in self._recordings.values() for one in same)
        return any(reply.raises is None and finds_something(reply.value) for reply in replies) or any(
            finds_something(one.reply.response) for one in recorded
        )

    def _candidates(self, agent: str, tool: str) -> list[tuple[Accepts, _RouteInUse]]:
        """Order what may answer: file by file, and in a file first the routes that are scoped to this agent."""
        candidates = self._ordered.get((agent, tool))
        if candidates is None:
            own, folder = ([route for route in file if route.serves(agent, tool)] for file in (self._own, self._folder))
            in_order = (*sorted(own, key=_unscoped), *sorted(folder, key=_unscoped))
            candidates = self._ordered[agent, tool] = [(route.matcher.accepts, route) for route in in_order]
        return candidates

    def _used_up(self, route: _RouteInUse, call: Call) -> Missed:
        return self._missed(used_up(call, route, len(route.route.replies)))

    def _explained(self, call: Call) -> Miss:
        routes = (*self._own, *self._folder)
        mocks: list[Mock] = [route for route in routes if route.route.tool == call.tool]
        mocks += self._recordings.get(call.tool, ())
        if mocks:
            return no_match(call, mocks)
        return no_mock(call, {route.route.tool for route in routes} | self._recordings.keys())

    def _missed(self, miss: Miss) -> Missed:
        self._misses.append(miss)
        return Missed(miss)


def _unscoped(route: _RouteInUse) -> bool:
    return route.agent is None


def _copied(value: Json) -> Json:
    """Copy JSON, so that an agent that changes a reply cannot change the next one; `deepcopy` takes far longer."""
    if isinstance(value, dict):
        return {key: _copied(member) for key, member in value.items()}
    if isinstance(value, list):
        return [_copied(item) for item in value]
    return value
