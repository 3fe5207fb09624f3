"""What would leave the agent's own process without being a tool: code executors, and agents on other machines."""

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import Any

from google.adk.agents import BaseAgent
from google.adk.code_executors.base_code_executor import BaseCodeExecutor
from google.adk.events import Event

from evalkit.adk.patches import Patches
from evalkit.adk.playing import CURRENT, Playing
from evalkit.errors import EvalkitError
from evalkit.traces import Failure, FailureKind

REMOTE_AGENTS = frozenset({"RemoteA2aAgent", "ManagedAgent"})
"""Agents that run elsewhere: by name, because importing them loads what they connect with."""


class NotAllowedError(EvalkitError):
    """Something would run that a replay lets run only if the command line allows it."""


def install(patches: Patches) -> None:
    """Put the guards in place until `patches` is left."""
    patches.wrap_family(BaseCodeExecutor, "execute_code", _needs_leave, born="__pydantic_init_subclass__")
    patches.wrap(BaseAgent, "run_async", _needs_a_route)


def is_remote(agent: object) -> bool:
    """Tell whether an agent runs on another machine."""
    return any(base.__name__ in REMOTE_AGENTS for base in type(agent).__mro__)


def _needs_leave(original: Callable[..., Any]) -> Callable[..., Any]:
    def execute_code(self: BaseCodeExecutor, *args: Any, **kwargs: Any) -> Any:
        playing = CURRENT.get()
        if playing is None or playing.passthrough:
            return original(self, *args, **kwargs)
        what = f"{type(self).__name__} was asked to run code, which needs --allow-passthrough"
        raise _refused(playing, "tool_error", what)

    return execute_code


def _needs_a_route(original: Callable[..., AsyncGenerator[Event, None]]) -> Callable[..., AsyncGenerator[Event, None]]:
    async def run_async(self: BaseAgent, *args: Any, **kwargs: Any) -> AsyncGenerator[Event, None]:
        playing = CURRENT.get()
        if playing is not None and is_remote(self) and not playing.passthrough:
            what = (
                f"{self.name} is a {type(self).__name__}, which runs on another machine: offer it as an agent tool and"
                " mock that with a route, or allow the real one with --allow-passthrough"
            )
            raise _refused(playing, "case_error", what)
        async with aclosing(original(self, *args, **kwargs)) as events:
            async for event in events:
                yield event

    return run_async


def _refused(playing: Playing, kind: FailureKind, message: str) -> NotAllowedError:
    playing.fail(Failure(kind=kind, message=message))
    return NotAllowedError(message)
