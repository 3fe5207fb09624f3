"""An ADK agent as a target: cases are played through ADK's own `Runner`, with the two edges in place."""

import asyncio
import contextlib
import inspect
import itertools
import logging
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import aclosing
from typing import Any

from google.adk.agents.run_config import RunConfig
from google.adk.artifacts import InMemoryArtifactService
from google.adk.events import Event
from google.adk.memory import InMemoryMemoryService
from google.adk.runners import Runner
from google.adk.sessions import InMemorySessionService
from google.genai import types

from evalkit.adk.conversation import Conversation
from evalkit.adk.events import TurnRecorder
from evalkit.adk.failures import failure_of
from evalkit.adk.load import LoadedAgent
from evalkit.adk.playing import CURRENT, Playing, any_fits
from evalkit.adk.provided import Giver
from evalkit.adk.seeding import goes_on_with
from evalkit.adk.simulated_user import Config, SimulatedUser
from evalkit.adk.stage import Stage
from evalkit.adk.survey import Declarations, survey, toolsets_of_agent_tools
from evalkit.adk.toolset_checks import AgentToolsets, Mocks
from evalkit.adk.user import user_content
from evalkit.cases import Case
from evalkit.errors import FakeError
from evalkit.mocks.backend import Backend
from evalkit.mocks.below.world import World
from evalkit.models.known import known_agents
from evalkit.models.tree import CONTROL_TOOLS
from evalkit.targets.base import LiveOptions, Play
from evalkit.traces import Failure, Trace

_log = logging.getLogger(__name__)

CLOSING_TIMEOUT = 30.0
"""Seconds that the closing of an agent's toolsets and plugins may take."""


class AdkTarget:
    """One loaded agent.

    Args:
        agent: The agent; `edges()` must be in place while its cases are played.
        live: How to ask the agent's own models; None where the case scripts them (golden).
        passthrough: Whether routes may let a tool run for real.
        live_tools: Whether tools run for real, save those that a case's live setup has mocked.
        mocks: The mocks files of all cases that will be played.
        world: What is faked below the tools, opened before the agent was imported; None for nothing.

    Raises:
        AgentLoadError: A mocks file and the agent's toolsets do not fit together.
    """

    def __init__(
        self,
        agent: LoadedAgent,
        *,
        live: LiveOptions | None = None,
        passthrough: bool = False,
        live_tools: bool = False,
        mocks: Iterable[Mocks] = (),
        world: World | None = None,
    ) -> None:
        self.agent = agent
        self.live = live
        self.passthrough = passthrough or live_tools
        self.live_tools = live_tools
        self.toolsets = AgentToolsets(agent.root)
        self.tree = self.toolsets.completed(survey(agent.root), mocks)
        self.giver = Giver(agent.root, self.tree)
        self.known = known_agents(self.tree, complete=not self.toolsets.found)
        self.declarations = Declarations()
        self.world = world
        self.serial = agent.reset is not None or self.passthrough or (world is not None and world.alone)

    def prepare(self, case: Case, backend: Backend, simulator: Config | None = None) -> Play:
        """Make a fresh play of the case, with its own session, artifacts, memory and mocks."""
        return AdkPlay(self, case, backend, simulator)

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

    def run_config(self) -> RunConfig | None:
        """Say how models are to be asked; None leaves it to ADK, which asks for whole answers."""
        return RunConfig.model_validate({"streaming_mode": "sse"}) if self.live and self.live.streaming else None

    def deadline(self) -> float | None:
        """Say until when models are to be asked again in a case that starts now; None where none is asked."""
        return time.monotonic() + self.live.timeout if self.live else None

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

    def __init__(self, target: AdkTarget, case: Case, backend: Backend, simulator: Config | None) -> None:
        self._target = target
        self._case = case
        self._simulator = simulator
        mocked = None if not target.live_tools else case.live.mocked_tools if case.live else ()
        given = {name: tool for name, tool in backend.provided.items() if mocked is None or any_fits(name, mocked)}
        self._given = target.giver.provision(given)
        self._playing = Playing(
            tree=self._given.tree,
            backend=backend,
            toolsets=target.toolsets.paired(backend.toolsets),
            provided=self._given.tools,
            passthrough=target.passthrough,
            mocked=mocked,
            declarations=target.declarations,
            deadline=target.deadline(),
        )
        if self._given.note:
            self._playing.note(self._given.note)
        self._conversation = Conversation(self._playing, goes_on_with(case.prior_events, self._given.tree))
        self._states: list[dict[str, Any]] = []

    async def run(self) -> Failure | None:
        """Play every turn; return why the case ended early, if it did."""
        token = CURRENT.set(self._playing)
        try:
            with self._over_fakes(), self._target.giver.giving(self._given):
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
        given = self._case.session
        runner = self._target.runner(given.app_name if given else self._target.agent.name)
        stage = await Stage.open(runner, given, self._case.prior_events)
        if self._case.turns is None:
            await self._play_scenario(stage)
        for turn in self._case.turns or ():
            message = user_content(turn, self._conversation.open)
            recorder = self._conversation.begin(turn.index, message, None if self._target.live else turn)
            await self._play(stage, recorder, message)
            if self._playing.failure is not None:
                break
        return self._playing.failure

    async def _play_scenario(self, stage: Stage) -> None:
        user = SimulatedUser(self._case, self._simulator, self._playing)
        for index in itertools.count():
            message = await user.next_message()
            if message is None or self._playing.failure is not None:
                break
            await self._play(stage, self._conversation.begin(index, message), message, user.hear)

    async def _reset(self) -> None:
        if self._target.agent.reset is not None:
            done = self._target.agent.reset()
            if inspect.isawaitable(done):
                await done

    async def _play(
        self,
        stage: Stage,
        recorder: TurnRecorder,
        message: types.Content,
        hear: Callable[[Event], None] = lambda _event: None,
    ) -> None:
        """Send a message and take all that comes of it."""
        try:
            async with aclosing(stage.send(message, self._target.run_config())) as events:
                async for event in events:
                    recorder.take(event)
                    hear(event)
        finally:
            self._conversation.end()
            self._states.append(await stage.state())
        if recorder.errors and recorder.final is None:
            self._playing.fail(Failure(kind="model_error", message="; ".join(recorder.errors)))

    def trace(self) -> Trace:
        """Return what happened so far, the turn in play included."""
        self._conversation.end()
        backend, below = self._playing.backend, self._playing.below
        return Trace(
            mode="live" if self._target.live else "golden",
            turns=tuple(self._conversation.turns),
            state=self._states[-1] if self._states else {},
            states=tuple(self._states),
            misses=(*backend.misses, *(below.misses if below else ())),
            unused_routes=(*(() if self._target.live_tools else backend.unused()), *(below.unused() if below else ())),
            notes=(*self._playing.notes, *self._asked_again(), *(below.notes if below else ())),
            models=dict(self._playing.models),
            agents=self._target.known,
            backend_events=below.events if below else (),
            has_evidence=backend.has_evidence,
        )

    def held_up(self) -> Failure | None:
        """Name the model that refused to answer when the case's time was up, and would have been asked again."""
        down = self._playing.model_down
        return Failure(kind="model_error", message=f"{down} (until the case's time was up)") if down else None

    def _asked_again(self) -> Iterator[str]:
        for answer, times in self._playing.asked_again.items():
            yield f"{answer} and was asked again, {times} time{'' if times == 1 else 's'}"
