"""Cases that ADK's own evaluation plays: with the edges in place, and taken down as if evalkit had played them.

ADK makes the runner and the session, and sends the messages. What each case needs is put in place around that, and each
run of an agent is listened to. So whatever judges a case of `evalkit run` can judge these.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Iterator, Mapping
from contextlib import aclosing, contextmanager
from contextvars import ContextVar
from typing import Any

from google.adk.events import Event
from google.adk.runners import Runner
from google.genai import types

from evalkit.adk.events import as_json
from evalkit.adk.patches import Patches
from evalkit.adk.seeding import seed_once
from evalkit.adk.target import AdkPlay, AdkTarget
from evalkit.adk.user import user_content
from evalkit.cases import Case
from evalkit.errors import EvalkitError
from evalkit.mocks.backend import Backend
from evalkit.traces import Failure

RunAsync = Callable[..., AsyncGenerator[Event, None]]
Close = Callable[..., Coroutine[Any, Any, None]]

Infer = Callable[[Case], Awaitable[str | None]]
"""Lets ADK play a case; returns what ADK says went wrong, None if nothing did."""

_TIDYING = 1.0
"""Seconds that a case which was cut has for tidying up."""


class EndedError(EvalkitError):
    """The case has ended, although ADK would go on with its next turn."""


class HostedTarget:
    """An agent whose cases ADK's evaluation plays.

    Args:
        target: The agent.
        infer: Lets ADK play one case.
    """

    def __init__(self, target: AdkTarget, infer: Infer) -> None:
        self.serial = target.serial
        self._target = target
        self._infer = infer

    def prepare(self, case: Case, backend: Backend, simulator: Mapping[str, Any] | None = None) -> "HostedPlay":
        """Make a fresh play of the case."""
        return HostedPlay(self._target, case, backend, simulator, infer=self._infer)

    async def close(self) -> None:
        """Leave toolsets and plugins open for the next evalset; whoever opened the target closes them."""


class HostedPlay(AdkPlay):
    """One case, played by ADK's evaluation."""

    def __init__(self, *args: Any, infer: Infer) -> None:
        super().__init__(*args)
        self._infer = infer
        self._raised: Exception | None = None
        self._inside: asyncio.Task[Any] | None = None

    async def _play_turns(self) -> Failure | None:
        await self._reset()
        token = _HOSTED.set(self)
        try:
            said = await self._infer(self._case)
        finally:
            _HOSTED.reset(token)
            await self._cut()
        if self._raised is not None:
            raise self._raised  # ADK has made a line of its log of it
        if said is not None and self._playing.failure is None:
            self._playing.fail(Failure(kind="agent_error", message=said))
        return self._playing.failure

    async def _cut(self) -> None:
        """End the task in which ADK plays the case, if it is still at it: ADK lets go of a task without ending it."""
        if self._inside is not None and not self._inside.done():
            self._inside.cancel()
            await asyncio.wait({self._inside}, timeout=_TIDYING)

    def follow(self, original: RunAsync, runner: Runner, kwargs: dict[str, Any]) -> AsyncGenerator[Event, None]:
        """Return the events of a run, and take note of them if it is a turn of the case, not a run inside one."""
        if self._inside is not None:
            return original(runner, **kwargs)
        return self._turn(original, runner, kwargs)

    async def _turn(self, original: RunAsync, runner: Runner, kwargs: dict[str, Any]) -> AsyncGenerator[Event, None]:
        if self._playing.failure is not None:
            raise EndedError(self._playing.failure.message)
        self._inside = asyncio.current_task()
        try:
            message = self._message(kwargs["new_message"])
            index = len(self._conversation.turns)
            if index == 0:
                await seed_once(runner, kwargs["user_id"], kwargs["session_id"], self._case.prior_events)
            script = None if self._target.live or self._case.turns is None else self._case.turns[index]
            recorder = self._conversation.begin(index, message, script)
            async with aclosing(original(runner, **{**kwargs, "new_message": message})) as events:
                async for event in events:
                    recorder.take(event)
                    yield event
            if recorder.errors and recorder.final is None:
                self._playing.fail(Failure(kind="model_error", message="; ".join(recorder.errors)))
        except Exception as error:
            self._raised = error
            raise
        finally:
            self._inside = None
            self._conversation.end()
            await self._keep_state(runner, kwargs["user_id"], kwargs["session_id"])

    def _message(self, sent: types.Content) -> types.Content:
        """Fill in the ids that only the running session knows; a simulated user says what it says."""
        turns, index = self._case.turns, len(self._conversation.turns)
        return sent if turns is None else user_content(turns[index], self._conversation.open)

    async def _keep_state(self, runner: Runner, user_id: str, session_id: str) -> None:
        session = await runner.session_service.get_session(
            app_name=runner.app_name, user_id=user_id, session_id=session_id
        )
        self._states.append(as_json(session.state) if session else {})


_HOSTED: ContextVar[HostedPlay | None] = ContextVar("evalkit_hosted", default=None)


@contextmanager
def hosting() -> Iterator[None]:
    """Listen to the runs of hosted cases while the block lasts; `edges()` must be in place around it."""
    with Patches() as patches:
        patches.wrap(Runner, "run_async", _followed)
        patches.wrap(Runner, "close", _not_after_each_case)
        yield


def _followed(original: RunAsync) -> RunAsync:
    async def run_async(self: Runner, **kwargs: Any) -> AsyncGenerator[Event, None]:
        play = _HOSTED.get()
        run = original(self, **kwargs) if play is None else play.follow(original, self, kwargs)
        async with aclosing(run) as events:
            async for event in events:
                yield event

    return run_async


def _not_after_each_case(original: Close) -> Close:
    """Keep ADK from closing the agent's toolsets and plugins after each case, since all cases share them."""

    async def close(self: Runner) -> None:
        if _HOSTED.get() is None:
            await original(self)

    return close
