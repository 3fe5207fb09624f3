"""What mocks in place are made of, and what happened while they were: the values around `in_place`."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from google.adk.apps import App
from google.adk.events import Event
from google.genai import types

from evalkit.adk.conversation import Conversation
from evalkit.adk.load import LoadedAgent
from evalkit.adk.playing import Playing
from evalkit.adk.seeding import goes_on_with
from evalkit.adk.toolset_checks import Mocks
from evalkit.cases import Case
from evalkit.errors import FakeError
from evalkit.mocks.backend import Backend
from evalkit.mocks.recordings import recorded_replies
from evalkit.models.owners import UnplayableCaseError
from evalkit.traces import Miss, ToolEvent, TurnTrace


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A case that a session may turn out to be, with the mocks that answer in it."""

    mocks: Mocks
    case: Case | None = None

    @property
    def opening(self) -> str | None:
        """What its user says first."""
        return self.case.turns[0].user.text.strip() if self.case and self.case.turns else None

    def backend(self) -> Backend:
        """Make its mocks, fresh."""
        return Backend(self.mocks.own, self.mocks.folder, recorded_replies(self.case) if self.case else ())


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """What is put in place.

    Attributes:
        mocks: What answers where no case is known.
        parts: The cases that sessions may be; none if only mocks are put in place.
        agent: The folder or module of an agent to be loaded, in its own environment; None if the test has its agent.
        golden: Whether the cases' own turns are played back; else models speak for themselves.
        root: The project's folder.
    """

    mocks: Mocks
    parts: tuple[Part, ...] = ()
    agent: str | None = None
    golden: bool = False
    root: Path = field(default_factory=Path)


class Session:
    """One session in play.

    Args:
        part: The case that it turned out to be.
        playing: How the edges see it.
        golden: Whether the case's turns are played back.

    Attributes:
        prior_events: What the session is to hold before its first turn.
    """

    def __init__(self, part: Part, playing: Playing, *, golden: bool) -> None:
        self.playing = playing
        self.prior_events = part.case.prior_events if part.case else ()
        self.conversation = Conversation(playing, goes_on_with(self.prior_events, playing.tree))
        self._part = part
        self._golden = golden
        self._turn = -1

    def begin(self, message: types.Content | None) -> Callable[[Event], None]:
        """Begin the turn that a message opens, and return what takes its events; without a message the last goes on.

        Raises:
            UnplayableCaseError: A golden case has no such turn.
        """
        if message is not None or self._turn < 0:
            self._turn += 1
        case = self._part.case
        script = None
        if self._golden and case is not None:
            turns = case.turns or ()
            if self._turn >= len(turns):
                raise UnplayableCaseError(f"{case.eval_id} has {len(turns)} turns; this is message {self._turn + 1}")
            script = turns[self._turn]
        said = message or types.Content(role="user", parts=[])
        return self.conversation.begin(self._turn, said, script).take


class Played:
    """What happened while mocks were in place.

    Attributes:
        loaded: The agent that was loaded for it; None if the test has its own.
        loose: How the edges see what happens outside of any session.
        sessions: The sessions, in the order of their first messages.
    """

    def __init__(self, loose: Playing) -> None:
        self.loaded: LoadedAgent | None = None
        self.loose = loose
        self.sessions: list[Session] = []

    @property
    def root_agent(self) -> Any:
        """The agent that was loaded, for a `Runner`.

        Raises:
            FakeError: None was named.
        """
        if self.loaded is None:
            raise FakeError("no agent was loaded: name one, as in evalkit.mocks(path, agent='agents/kafka_health')")
        return self.loaded.root

    @property
    def app(self) -> App | None:
        """The `App` of the agent that was loaded, if it has one."""
        return self.loaded.app if self.loaded else None

    @property
    def turns(self) -> tuple[TurnTrace, ...]:
        """Every turn that has ended, session by session."""
        return tuple(turn for session in self.sessions for turn in session.conversation.turns)

    @property
    def calls(self) -> tuple[ToolEvent, ...]:
        """Every call of a tool in them, those inside agent tools included."""
        return tuple(call for turn in self.turns for call in turn.tools)

    @property
    def misses(self) -> tuple[Miss, ...]:
        """What was asked and not answered, of mocks and of fakes below the tools."""
        below = self.loose.below.misses if self.loose.below else ()
        return (*(miss for playing in self._playings() for miss in playing.backend.misses), *below)

    @property
    def unused_routes(self) -> tuple[str, ...]:
        """The routes of the file that was named, or of the cases' own, that answered nothing."""
        of_each = [playing.backend.unused() for playing in self._playings()]
        return tuple(route for route in dict.fromkeys(sum(of_each, ())) if all(route in one for one in of_each))

    @property
    def notes(self) -> tuple[str, ...]:
        """Facts worth telling, such as a mocked tool whose own state writes did not run."""
        return tuple(dict.fromkeys(note for playing in self._playings() for note in playing.notes))

    def faults(self) -> tuple[str, ...]:
        """Say what went otherwise than the mocks, and the cases of a golden scene, have it; one sentence each."""
        return tuple(dict.fromkeys(self._faults()))

    def _faults(self) -> Iterator[str]:
        yield from (miss.message for miss in self.misses)
        yield from (playing.failure.message for playing in self._playings() if playing.failure)
        for turn in self.turns:
            if turn.golden is not None:
                yield from (*turn.golden.faults, *turn.golden.misfits, *turn.golden.leftover)

    def _playings(self) -> list[Playing]:
        return [self.loose, *(session.playing for session in self.sessions)]
