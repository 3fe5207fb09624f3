"""Both edges, and what nested runs need: an ear on them, and that they leave open what other cases still use."""

from collections.abc import AsyncGenerator, Callable, Coroutine, Iterator
from contextlib import aclosing, contextmanager, nullcontext
from typing import Any

from google.adk.events import Event
from google.adk.runners import Runner

from evalkit.adk import elsewhere, model_edge, private, tool_edge
from evalkit.adk.patches import Patches
from evalkit.adk.playing import CURRENT, INSIDE
from evalkit.adk.toolset_edge import offline_toolsets


@contextmanager
def edges(*, live_tools: bool = False) -> Iterator[None]:
    """Replace what models and tools reach for; afterwards everything is as before.

    Args:
        live_tools: Whether tools and toolsets reach what they reach in production, save those that are mocked.

    Raises:
        AdkVersionError: This google-adk lacks a name that the edges hold on to.
    """
    private.check()
    with Patches() as patches, nullcontext() if live_tools else offline_toolsets(patches):
        model_edge.install(patches)
        tool_edge.install(patches)
        elsewhere.install(patches)
        patches.wrap(Runner, "run_async", _overheard)
        patches.wrap(Runner, "close", _not_when_nested)
        yield


def _not_when_nested(original: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., Coroutine[Any, Any, None]]:
    """Keep an agent tool from closing its agent's toolsets after each call; they are closed after the last case."""

    async def close(self: Runner) -> None:
        if CURRENT.get() is None or INSIDE.get() is None:
            await original(self)

    return close


def _overheard(original: Callable[..., AsyncGenerator[Event, None]]) -> Callable[..., AsyncGenerator[Event, None]]:
    """Listen to the runs that agent tools make; ADK keeps their events to itself."""

    async def run_async(self: Runner, **kwargs: Any) -> AsyncGenerator[Event, None]:
        playing, inside = CURRENT.get(), INSIDE.get()
        async with aclosing(original(self, **kwargs)) as events:
            async for event in events:
                if playing is not None and playing.observe is not None and inside is not None:
                    playing.observe(event, inside)
                yield event

    return run_async
