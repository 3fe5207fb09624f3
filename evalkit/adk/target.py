"""An ADK agent as a target: cases are played through ADK's own `Runner`, with the two edges in place."""

import asyncio
import contextlib
import inspect
import logging
from collections.abc import Iterable, Iterator
from contextlib import aclosing
from typing import Any

from google.adk.artifacts import InMemoryArtifactService
from google.adk.memory import InMemoryMemoryService
from google.adk.runners import Runner
from google.adk.sessions import InMemorySessionService, Session

from evalkit.adk.conversation import Conversation
from evalkit.adk.events import as_json
from evalkit.adk.failures import failure_of
from evalkit.adk.load import LoadedAgent
from evalkit.adk.playing import CURRENT, Playing
from evalkit.adk.survey import Declarations, survey, toolsets_of_agent_tools
from evalkit.adk.toolset_checks import AgentToolsets, Mocks
from evalkit.adk.user import user_content
from evalkit.cases import Case, Turn
from evalkit.errors import FakeError
from evalkit.mocks.backend import Backend
from evalkit.mocks.below.world import World
from evalkit.models.known import known_agents
from evalkit.models.tree import CONTROL_TOOLS
from evalkit.targets.base import Play
from evalkit.traces import Failure, Trace

_log = logging.getLogger(__name__)

CLOSING_TIMEOUT = 30.0
"""Seconds that the closing of an agent's toolsets and plugins may take."""


class AdkTarget:
    """One loaded agent.

    Args:
        agent: The agent; `edges()` must be in place while its cases are played.
        golden: Whether models are scripted by the case (golden) or the agent's own (live).
        passthrough: Whether routes may let a tool run for real.
        mocks: The mocks files of all cases that will be played.
        world: What is faked below the tools, opened before the agent was imported; None for nothing.

    Raises:
        AgentLoadError: A mocks file and the agent's toolsets do not fit together.
    """

    def __init__(
        self,
        agent: LoadedAgent,
        *,
        golden: bool = True,
        passthrough: bool = False,
        mocks: Iterable[Mocks] = (),
        world: World | None = None,
    ) -> None:
        self.agent = agent
        self.golden = golden
        self.passthrough = passthrough
        self.toolsets = AgentToolsets(agent.root)
        self.tree = self.toolsets.completed(survey(agent.root), mocks)
        self.known = known_agents(self.tree)
        self.declarations = Declarations()
        self.world = world
        self.serial = agent.reset is not None or passthrough or (world is not None and world.alone)

    def prepare(self, case: Case, backend: Backend) -> Play:
        """Make a fresh play of the case, with its own session, artifacts, memory and mocks."""
        return AdkPlay(self, case, backend)

    def runner(self, app_name: str) -> Runner:
        """Make a runner as `adk eval` does: the agent's `App` where it has one, else the bare agent."""
        services: dict[str, Any] = {
            "session_service": InMemorySessionService(),
            "artifact_service": InMemoryArtifactService(),
            "memory_service": InMemoryMemoryService(),
        }
        if self.agent.app is not None:
            return Runner(app=self.agent.app, app_name=app_name, **services)
        return Runner(agent=self.agent.root, app_name=app_name, **services)  # type: ignore[arg-type]  # any node runs

    def tools(self) -> dict[str, tuple[str, ...]]:
        """Return the tools of each agent, for coverage: agent tools and ADK's control tools left out."""
        return {
            agent.name: tuple(t for t in agent.tools if t not in agent.agent_tools and t not in CONTROL_TOOLS)
            for agent in self.tree.agents.values()
            if agent.tools
        }

    async def close(self) -> None:
        """Close the agent's toolsets and plugins, once, after its last case."""
        for close in (self._close_runner, *(toolset.close for toolset in toolsets_of_agent_tools(self.agent.root))):
            try:
                async with asyncio.timeout(CLOSING_TIMEOUT):
                    await close()
            except Exception as error:  # noqa: BLE001 - the cases are played and judged; what fails now is worth a line
                said = f"{type(error).__name__}: {error}"
                _log.warning("%s: closing toolsets and plugins failed: %s", self.agent.name, said)

    async def _close_runner(self) -> None:
        await self.runner(self.agent.name).close()


class AdkPlay:
    """One case played on one agent."""

    def __init__(self, target: AdkTarget, case: Case, backend: Backend) -> None:
        self._target = target
        self._case = case
        self._playing = Playing(
            tree=target.tree,
            backend=backend,
            toolsets=target.toolsets.paired(backend.toolsets),
            passthrough=target.passthrough,
            declarations=target.declarations,
        )
        self._conversation = Conversation(self._playing)
        self._states: list[dict[str, Any]] = []

    async def run(self) -> Failure | None:
        """Play every turn; return why the case ended early, if it did."""
        token = CURRENT.set(self._playing)
        try:
            with self._over_fakes():
                return await self._play_turns()
        except FakeError as error:
            return Failure(kind="case_error", message=str(error))
        except Exception as error:  # noqa: BLE001 - whatever the agent raises is the case's outcome
            return failure_of(error, self._playing)
        finally:
            CURRENT.reset(token)

    @contextlib.contextmanager
    def _over_fakes(self) -> Iterator[None]:
        """Let the case's fakes below the tools answer while the block lasts."""
        world, backend = self._target.world, self._playing.backend
        if world is None:
            yield
            return
        package = self._target.agent.package
        with world.case(
            backend.own_fakes, backend.folder_fakes, package=package, turn=lambda: self._playing.turn
        ) as fakes:
            self._playing.below = fakes
            yield

    async def _play_turns(self) -> Failure | None:
        await self._reset()
        runner, session = await self._session()
        for turn in self._case.turns or ():
            await self._play(turn, runner, session)
            if self._playing.failure is not None:
                return self._playing.failure
        return None

    async def _reset(self) -> None:
        if self._target.agent.reset is not None:
            done = self._target.agent.reset()
            if inspect.isawaitable(done):
                await done

    async def _session(self) -> tuple[Runner, Session]:
        given = self._case.session
        runner = self._target.runner(given.app_name if given else self._target.agent.name)
        session = await runner.session_service.create_session(
            app_name=runner.app_name,
            user_id=given.user_id if given else "test_user_id",
            session_id=given.session_id if given else None,
            state=dict(given.state) if given else {},
        )
        return runner, session

    async def _play(self, turn: Turn, runner: Runner, session: Session) -> None:
        message = user_content(turn, self._conversation.open)
        recorder = self._conversation.begin(turn.index, message, turn if self._target.golden else None)
        try:
            async with aclosing(
                runner.run_async(user_id=session.user_id, session_id=session.id, new_message=message)
            ) as events:
                async for event in events:
                    recorder.take(event)
        finally:
            self._conversation.end()
            await self._keep_state(runner, session)
        if recorder.errors and recorder.final is None:
            self._playing.fail(Failure(kind="model_error", message="; ".join(recorder.errors)))

    async def _keep_state(self, runner: Runner, session: Session) -> None:
        current = await runner.session_service.get_session(
            app_name=session.app_name, user_id=session.user_id, session_id=session.id
        )
        self._states.append(as_json(current.state) if current else {})

    def trace(self) -> Trace:
        """Return what happened so far, the turn in play included."""
        self._conversation.end()
        backend, below = self._playing.backend, self._playing.below
        return Trace(
            mode="golden" if self._target.golden else "live",
            turns=tuple(self._conversation.turns),
            state=self._states[-1] if self._states else {},
            states=tuple(self._states),
            misses=(*backend.misses, *(below.misses if below else ())),
            unused_routes=(*backend.unused(), *(below.unused() if below else ())),
            notes=(*self._playing.notes, *(below.notes if below else ())),
            models=dict(self._playing.models),
            agents=self._target.known,
            backend_events=below.events if below else (),
        )
