"""Mocks in place around runs that somebody else starts: a test's own `Runner`, or ADK's `AgentEvaluator`.

The edges are those of a case that evalkit plays itself. Tools are answered by the mocks; models are the agents' own,
unless the scene is golden: then its cases' turns are played back. Each session is in play for itself, with fresh mocks;
where there are several cases, its first message tells which one it is.
"""

from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import ExitStack, aclosing
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any

from google.adk.events import Event
from google.adk.runners import Runner
from google.adk.workflow import BaseNode
from google.genai import types

from evalkit.adk.edges import edges
from evalkit.adk.environment import agent_environment
from evalkit.adk.load import loaded_agent
from evalkit.adk.patches import Patches
from evalkit.adk.played import Part, Played, Scene, Session
from evalkit.adk.playing import CURRENT, Playing
from evalkit.adk.provided import Giver
from evalkit.adk.seeding import seed_once
from evalkit.adk.survey import Declarations, survey
from evalkit.adk.toolset_checks import AgentToolsets, Mocks
from evalkit.errors import FakeError
from evalkit.fakes import Fake
from evalkit.mocks.below.world import World
from evalkit.models.tree import AgentTree
from evalkit.redaction.redactor import Redactor

RunAsync = Callable[..., AsyncGenerator[Event, None]]


class UnansweredError(AssertionError):
    """Something was asked that no mock answers, or a golden turn did not go as it is written."""


@dataclass(slots=True)
class _Team:
    """An agent that was met, with all that is known of it."""

    root: BaseNode
    toolsets: AgentToolsets
    giver: Giver
    declarations: Declarations = field(default_factory=Declarations)


class InPlace:
    """Puts a scene in place; use as a context manager, one at a time in a process.

    Args:
        scene: What is put in place.
        allow_misses: Whether it is left to the test to look at `Played.misses` and `Played.faults`.
    """

    _busy = False

    def __init__(self, scene: Scene, *, allow_misses: bool = False) -> None:
        self._scene = scene
        self._allow_misses = allow_misses
        self._undo = ExitStack()
        self._teams: dict[int, _Team] = {}
        self._sessions: dict[tuple[int, str, str, str], Session] = {}
        loose = Part(mocks=scene.mocks).backend()
        self._played = Played(Playing(tree=AgentTree(root="", agents={}), backend=loose))

    def __enter__(self) -> Played:
        """Put the scene in place.

        Raises:
            FakeError: Another scene is in place, or a fake of this one cannot be.
            AgentLoadError: The agent cannot be loaded.
        """
        if InPlace._busy:
            raise FakeError("mocks are in place already; leave that `with` block first")
        with ExitStack() as undo:
            InPlace._busy = True
            undo.callback(setattr, InPlace, "_busy", False)
            self._enter(undo)
            self._undo = undo.pop_all()
        return self._played

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Take everything back.

        Raises:
            UnansweredError: Something was not answered, and no other exception tells of a failure already.
        """
        __tracebackhide__ = True
        faults = "\n".join(self._played.faults())
        told = Redactor.of_process().text(faults) if faults else ""  # while the agent's environment is in place
        self._undo.close()
        if told and error is None and not self._allow_misses:
            raise UnansweredError(told)

    def _enter(self, undo: ExitStack) -> None:
        scene, played = self._scene, self._played
        own, folder = self._fakes()
        if scene.agent is not None:
            undo.enter_context(agent_environment(Path(scene.agent)))
        world = undo.enter_context(World((*own, *folder), root=scene.root, closed="nobody"))
        undo.enter_context(edges())
        if scene.agent is not None:
            played.loaded = undo.enter_context(loaded_agent(scene.agent))
        if world.alone:
            package = played.loaded.package if played.loaded else None
            played.loose.below = undo.enter_context(world.case(own, folder, package=package))
        undo.enter_context(Patches()).wrap(Runner, "run_async", self._following)
        undo.callback(CURRENT.set, CURRENT.get())
        CURRENT.set(played.loose)  # for tools that the test calls itself

    def _fakes(self) -> tuple[tuple[Fake, ...], tuple[Fake, ...]]:
        """Return the fakes below the tools; they are the process's, so that several cases cannot have their own."""
        mocks = [part.mocks for part in self._scene.parts] or [self._scene.mocks]
        own = {id(one.own): one.own.fakes for one in mocks if one.own and one.own.fakes}
        if own and len(mocks) > 1:
            raise FakeError("cases with `backends` of their own cannot be in place together; name one: FILE:CASE")
        folder = next((one.folder.fakes for one in mocks if one.folder), ())
        return next(iter(own.values()), ()), folder

    def _following(self, original: RunAsync) -> RunAsync:
        async def run_async(runner: Runner, **kwargs: Any) -> AsyncGenerator[Event, None]:
            if CURRENT.get() not in (None, self._played.loose):  # within a run that is followed already
                async with aclosing(original(runner, **kwargs)) as events:
                    async for event in events:
                        yield event
                return
            session = self._session(runner, kwargs)
            await seed_once(runner, kwargs["user_id"], kwargs["session_id"], session.prior_events)
            take = session.begin(kwargs.get("new_message"))
            try:
                async with aclosing(_in_play(original(runner, **kwargs), session.playing)) as events:
                    async for event in events:
                        take(event)
                        yield event
            finally:
                session.conversation.end()

        return run_async

    def _session(self, runner: Runner, run: dict[str, Any]) -> Session:
        key = (id(runner.session_service), runner.app_name, run["user_id"], run["session_id"])
        if key not in self._sessions:
            part = self._part(run.get("new_message"))
            session = Session(part, self._playing(runner, part), golden=self._scene.golden)
            self._sessions[key] = session
            self._played.sessions.append(session)
        return self._sessions[key]

    def _part(self, message: types.Content | None) -> Part:
        """Find out which case a session is."""
        parts = self._scene.parts
        if len(parts) == 1:
            return parts[0]
        said = "\n".join(part.text for part in (message.parts if message else None) or () if part.text).strip()
        fitting = [part for part in parts if part.opening == said]
        if len(fitting) == 1:
            return fitting[0]
        names = ", ".join(part.case.eval_id for part in fitting if part.case)
        if fitting:
            raise FakeError(f"the cases {names} all begin with {said!r}; name one of them: FILE:CASE")
        if self._scene.golden:
            raise FakeError(f"no case begins with {said!r}, so that there are no golden turns to play")
        return Part(mocks=self._scene.mocks)

    def _playing(self, runner: Runner, part: Part) -> Playing:
        team = self._team(runner.agent)
        backend = part.backend()
        given = team.giver.provision(backend.provided)
        self._undo.enter_context(team.giver.giving(given))
        playing = Playing(
            tree=given.tree,
            backend=backend,
            toolsets=team.toolsets.paired(backend.toolsets),
            provided=given.tools,
            below=self._played.loose.below,
            declarations=team.declarations,
        )
        if given.note:
            playing.note(given.note)
        return playing

    def _team(self, root: Any) -> _Team:
        if id(root) not in self._teams:
            toolsets = AgentToolsets(root)
            tree = toolsets.completed(survey(root), self._mocks())
            self._teams[id(root)] = _Team(root, toolsets, Giver(root, tree))
        return self._teams[id(root)]

    def _mocks(self) -> Iterator[Mocks]:
        yield self._scene.mocks
        yield from (part.mocks for part in self._scene.parts)


async def _in_play(events: AsyncGenerator[Event, None], playing: Playing) -> AsyncGenerator[Event, None]:
    """Let a run find its case at each of its steps, and the test between them its own."""
    async with aclosing(events):
        while True:
            before = CURRENT.get()
            CURRENT.set(playing)
            try:
                event = await anext(events)
            except StopAsyncIteration:
                return
            finally:
                CURRENT.set(before)
            yield event
