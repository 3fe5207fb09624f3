"""What tools answer, as a mocks file says it: routes, replies and the file that holds them.

Plain values without I/O: `formats.mocks` makes them, `mocks` answers with them.
"""

import builtins
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:  # most mocks files have none
    from evalkit.fakes import Fake

HTTP_REPLY: Final = "$http"
"""The key of a value that is not the JSON body of an OpenAPI tool's answer but all of it: status, headers and body."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """One answer: a value, or an exception to raise, and what it writes into the session's state.

    Attributes:
        value: What the tool returns.
        raises: The exception's type name; None for a value. Names of Python's built-in exceptions and dotted paths
            are raised as what they name, any other name as an exception class of that name.
        message: The exception's message.
        state: Keys to set in the session's state.
        where: JSON path of what it answers in its file, for messages.
    """

    value: Any = None
    raises: str | None = None
    message: str = ""
    state: Mapping[str, Any] = field(default_factory=dict)
    where: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """One entry under a tool.

    Attributes:
        tool: The tool's name.
        agent: The agent it is scoped to, or None for any.
        args: A pattern for each listed argument; others are free. None matches every call.
        replies: One, or a sequence that is used up in order.
        repeat_last: Whether the last reply of a sequence stays for further calls.
        passthrough: Whether the real tool runs, which the command line must allow.
        label: `file:line tool`, for messages.
        where: JSON path of the entry in its file, for messages.
    """

    tool: str
    replies: tuple[Reply, ...]
    agent: str | None = None
    args: Mapping[str, Any] | None = None
    repeat_last: bool = True
    passthrough: bool = False
    label: str = field(default="", compare=False)
    where: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProvidedTool:
    """A tool that an agent is given for the cases of a mocks file, if it has none of that name.

    Attributes:
        name: What the model calls.
        description: What the model is told about it.
        parameters: The JSON Schema of its arguments; None for a tool that takes none.
        where: JSON path of the declaration in its file, for messages.
    """

    name: str
    description: str = ""
    parameters: Mapping[str, Any] | None = None
    where: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class MockSet:
    """One mocks file.

    Attributes:
        file: The file as the user named it.
        agent: The agent folder it was written for, if it says so.
        routes: Every route in file order, scoped and unscoped.
        provides: Tools that the agent is given, in file order.
        toolsets: MCP toolsets by name, as the file has them.
        backends: Fakes below the tool, as the file has them.
        fakes: The same, ready to be put in place.
    """

    file: str
    routes: tuple[Route, ...] = ()
    agent: str | None = None
    provides: tuple[ProvidedTool, ...] = ()
    toolsets: Mapping[str, Any] = field(default_factory=dict)
    backends: tuple[Mapping[str, Any], ...] = ()
    fakes: "tuple[Fake, ...]" = ()


def reply_faults(reply: Reply) -> list[tuple[str, str]]:
    """Find what cannot be raised, as the path inside the reply (`.raises.type`) and a message; imports nothing.

    A mock may raise what a tool may: an `Exception`. What ends a process or cancels a task would never reach the agent.
    """
    if reply.raises is None:
        return []
    name = reply.raises.removeprefix("builtins.")
    known = getattr(builtins, name, None)
    if not all(part.isidentifier() for part in name.split(".")):
        fault = f'"{name}" names no exception; write a built-in one such as TimeoutError, a dotted path, or a new name'
    elif name in ("asyncio.CancelledError", "asyncio.exceptions.CancelledError"):
        fault = f"{name} cancels the task that plays the case and never reaches the agent; raise an Exception"
    elif known is None:
        return []
    elif not isinstance(known, type) or not issubclass(known, BaseException):
        fault = f"{name} is not an exception; write one such as TimeoutError"
    elif not issubclass(known, Exception):
        fault = f"{name} ends the process and never reaches the agent; raise an Exception such as TimeoutError"
    elif issubclass(known, BaseExceptionGroup):
        fault = f"{name} cannot be made from a message; name one of the exceptions it would hold"
    else:
        return []
    return [(".raises.type", fault)]
