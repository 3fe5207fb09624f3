"""The tool edge: what a tool calls is replaced, not the tool.

A function tool runs as in production (argument checks, confirmation, state, callbacks) up to the one call of its
function, which the case's mocks answer. Tools that fetch credentials before they do anything, tools that run their
function in a way of their own, and tools of other kinds are answered at `run_async`. Agent tools run for real unless a
route names them; ADK's control tools always do.
"""

import contextlib
import copy
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Literal

from google.adk.tools.base_tool import BaseTool
from google.adk.tools.function_tool import FunctionTool
from google.adk.tools.tool_context import ToolContext

from evalkit.adk import private
from evalkit.adk.elsewhere import is_remote
from evalkit.adk.patches import Patches
from evalkit.adk.playing import CURRENT, INSIDE, Answered, Playing
from evalkit.adk.provided import GivenTool, note_misfits
from evalkit.adk.survey import agent_in
from evalkit.errors import FakeError
from evalkit.mocks.backend import NEUTRAL_REPLY, Missed, Passthrough, Raised, Returned
from evalkit.mocks.below.attribution import TOOL_CODE
from evalkit.models.tree import CONTROL_TOOLS
from evalkit.traces import Failure

RunAsync = Callable[..., Coroutine[Any, Any, Any]]
Original = Callable[[], Coroutine[Any, Any, Any]]

_CREDENTIAL_TOOLS = frozenset({"AuthenticatedFunctionTool", "GoogleTool", "BaseAuthenticatedTool"})
"""Classes that fetch credentials before the function: by name, because importing them loads their clouds' libraries."""

_TOOLS_OF_SERVERS = frozenset({"GoogleApiTool", "IntegrationConnectorTool", "McpTool", "RestApiTool"})
"""Classes whose own code runs down to an MCP session or an HTTP request, where `answer_below` takes over."""

_HARMLESS_TOOLS = frozenset(
    {"LoadMemoryTool", "PreloadMemoryTool", "LoadArtifactsTool", "LoadMcpResourceTool", "ExampleTool"}
)
"""ADK's own tools that touch nothing but the session's services, or nothing but what is replaced below them."""

Way = Literal["control", "harmless", "agent", "below", "whole", "real"]
"""How a tool is answered: the first two run as they are, an agent unless a route names it; `whole` is at `run_async`.

Between stand tools whose own code runs: down to the function, the MCP session or the HTTP request. `real` ones are not
answered from here at all, as in a live run.
"""


@dataclass(frozen=True, slots=True)
class _Call:
    """The call that is running: found again at the function, below ADK's own work on it."""

    tool: BaseTool
    call_id: str
    agent: str
    args: Mapping[str, Any]
    context: ToolContext


_CALL: ContextVar[_Call | None] = ContextVar("evalkit_call", default=None)


def install(patches: Patches) -> None:
    """Put the edge in place until `patches` is left."""
    patches.wrap_family(BaseTool, "run_async", _at_run_async)
    patches.wrap(FunctionTool, private.INVOKE_CALLABLE, _at_function)
    patches.wrap(FunctionTool, private.RUN_GENERATOR, _at_generator)


def _at_run_async(original: RunAsync) -> RunAsync:
    async def run_async(self: BaseTool, *, args: dict[str, Any], tool_context: ToolContext) -> Any:
        playing = CURRENT.get()
        if playing is None or _is_running(self, tool_context):
            return await original(self, args=args, tool_context=tool_context)
        call = _the_call(playing, self, args, tool_context)
        async with _running(playing, call):
            return await _run(playing, call, lambda: original(self, args=args, tool_context=tool_context))

    return run_async


def _at_function(original: RunAsync) -> RunAsync:
    async def invoke_callable(self: FunctionTool, target: Callable[..., Any], args_to_call: dict[str, Any]) -> Any:
        def invoke() -> Coroutine[Any, Any, Any]:
            return original(self, target, args_to_call)

        return await (_instead(args_to_call, invoke) if target is self.func else invoke())

    return invoke_callable


def _at_generator(original: RunAsync) -> RunAsync:
    async def run_generator_as_node(
        self: FunctionTool, *, args_to_call: dict[str, Any], tool_context: ToolContext
    ) -> Any:
        return await _instead(
            args_to_call, lambda: original(self, args_to_call=args_to_call, tool_context=tool_context)
        )

    return run_generator_as_node


async def _instead(args_to_call: Mapping[str, Any], original: Original) -> Any:
    """Answer the running call in place of the tool's function, unless it was decided above that the tool runs."""
    playing, call = CURRENT.get(), _CALL.get()
    if playing is None or call is None or playing.answered[call.call_id].status != "refused":
        return await original()
    try:
        return await _answer(playing, call, original)
    finally:
        mocked = playing.answered[call.call_id].status in ("answered", "raised")
        if mocked and any(isinstance(value, ToolContext) for value in args_to_call.values()):
            playing.note(
                f"`{call.tool.name}` takes a tool context: it was mocked, so what it writes to the state and the"
                " confirmations it asks for itself did not run"
            )


async def answer_below(what: str, original: Original) -> Any:
    """Answer the running call in place of the request that its tool sends.

    A tool may send several, such as again after a 401: each is answered, by the next reply of a sequence.

    Args:
        what: The request, for a message.
        original: Sends it.

    Raises:
        FakeError: No tool is running, so that nothing says whose routes answer.
    """
    playing, call = CURRENT.get(), _CALL.get()
    if playing is None:
        return await original()
    if call is None:
        message = f"{what} was sent outside of any tool call of an agent, so that no route can answer it"
        playing.fail(Failure(kind="case_error", message=message))
        raise FakeError(message)
    if playing.answered[call.call_id].status == "real":
        return await original()
    return await _answer(playing, call, original)


def _is_running(tool: BaseTool, context: ToolContext) -> bool:
    """Tell whether a `run_async` was called by another one of the same call.

    That is `super().run_async`, and a tool that sends its request through another tool, of another name.
    """
    running = _CALL.get()
    if running is None or running.call_id != (context.function_call_id or ""):
        return False
    return running.tool is tool or not _TOOLS_OF_SERVERS.isdisjoint(_classes(running.tool))


def _the_call(playing: Playing, tool: BaseTool, args: dict[str, Any], context: ToolContext) -> _Call:
    call_id = context.function_call_id or ""
    return _Call(tool, call_id, context.agent_name, playing.sent.get(call_id, copy.deepcopy(args)), context)


@contextlib.asynccontextmanager
async def _running(playing: Playing, call: _Call) -> AsyncIterator[None]:
    token = _CALL.set(call)
    started = time.perf_counter()
    noted = playing.answered.setdefault(call.call_id, Answered(status="refused"))
    noted.status = "refused"  # until something below says that the call got through
    try:
        yield
    except Exception as error:
        playing.raised.append(error)
        noted.status = "raised"
        noted.error = noted.error or f"{type(error).__name__}: {error}"
        raise
    finally:
        noted.seconds = time.perf_counter() - started
        _CALL.reset(token)
        if noted.status == "refused":
            _why_not_reached(noted, call)


def _why_not_reached(noted: Answered, call: _Call) -> None:
    if call.call_id in (call.context.actions.requested_tool_confirmations or {}):
        noted.status = "waiting"
    elif call.context.tool_confirmation is not None and not call.context.tool_confirmation.confirmed:
        noted.status = "rejected"


async def _run(playing: Playing, call: _Call, original: Original) -> Any:
    tool = call.tool
    way = _way_of_call(playing, call)
    if way == "real":
        playing.answered[call.call_id].status = "real"
        return await original()
    if way == "below":
        return await original()
    if way == "whole":
        if isinstance(tool, FunctionTool) and not _is_adks(type(tool)):
            playing.note(
                f"`{tool.name}` has a `run_async` of its own: it was answered as a whole, its code did not run"
            )
        note_misfits(playing, tool, call.args)
        return await _answer(playing, call, original)
    playing.answered[call.call_id].status = "agent" if way == "agent" else "control"
    token = INSIDE.set(call.call_id)
    try:
        return await original()
    finally:
        INSIDE.reset(token)


def _way_of_call(playing: Playing, call: _Call) -> Way:
    """Say how this call is answered; where tools are real, so are the sessions and requests of those that are not."""
    tool = call.tool
    way = _way(tool)
    through_function = isinstance(tool, FunctionTool)
    if not playing.is_mocked(tool.name):
        return "real" if way == "whole" or (way == "below" and not through_function) else way
    if way == "below" and not through_function and playing.mocked is not None:
        return "whole"
    over = way in ("harmless", "agent") and playing.backend.has_routes(call.agent, tool.name, recorded=False)
    return "whole" if over else way


def _way(tool: BaseTool) -> Way:
    classes = _classes(tool)
    agent = agent_in(tool)
    if tool.name in CONTROL_TOOLS:
        return "control"
    if classes & _HARMLESS_TOOLS:
        return "harmless"
    if agent is not None:
        return "whole" if is_remote(agent) else "agent"
    through_function = isinstance(tool, FunctionTool) and not classes & _CREDENTIAL_TOOLS
    known = through_function or not classes.isdisjoint(_TOOLS_OF_SERVERS)
    return "below" if known and _is_adks(type(tool)) else "whole"


def _classes(value: object) -> set[str]:
    return {base.__name__ for base in type(value).__mro__}


def _is_adks(tool: type[BaseTool]) -> bool:
    """Tell whether the tool's `run_async` is ADK's, which is known to come down to where the answer is given."""
    definer = next(base for base in tool.__mro__ if "run_async" in vars(base))
    return definer.__module__.startswith("google.adk.")


def _runs_over_fakes(playing: Playing, call: _Call) -> bool:
    """Tell whether the tool's own code runs, because the case fakes what is below it and has no route for it."""
    over_fakes = playing.below is not None and playing.below.alone and not isinstance(call.tool, GivenTool)
    return over_fakes and not playing.backend.has_routes(call.agent, call.tool.name, recorded=False)


async def _answer(playing: Playing, call: _Call, original: Original) -> Any:
    noted = playing.answered[call.call_id]
    if not playing.is_mocked(call.tool.name):
        noted.status = "real"
        return await original()
    if _runs_over_fakes(playing, call):
        noted.status = "real"
        token = TOOL_CODE.set(True)
        try:
            return await original()
        finally:
            TOOL_CODE.reset(token)
    answer = playing.backend.answer(call.agent, call.tool.name, call.args, playing.turn)
    if isinstance(answer, Passthrough):
        if playing.passthrough:
            noted.status, noted.route = "real", answer.route
            return await original()
        playing.note(f"{answer.route} passes through to the real tool, which needs --allow-passthrough")
        noted.status = "missed"
        return copy.deepcopy(NEUTRAL_REPLY)
    if isinstance(answer, Missed):
        noted.status = "missed"
        return copy.deepcopy(NEUTRAL_REPLY)
    noted.route = answer.route
    for key, value in answer.state.items():
        call.context.state[key] = value
    if isinstance(answer, Raised):
        noted.status, noted.error = "raised", f"{answer.type_name}: {answer.message}"
        raise answer.exception()
    assert isinstance(answer, Returned)
    noted.status = "answered"
    return answer.value
