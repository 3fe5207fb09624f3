"""Replies as they go out over a connection, broken ones included."""

import asyncio
import json
import socket
import struct
from collections.abc import AsyncIterator, Awaitable, Callable
from http import HTTPStatus

from evalkit.fakes import HttpReply
from evalkit.mocks.backend import NEUTRAL_REPLY
from evalkit.mocks.below.http_request import HttpRequest

Pause = Callable[[float | None], Awaitable[None]]
"""Waits so many seconds, or for good; raises `CaseOver` if the case ends meanwhile."""

MISSED_REPLY = HttpReply(
    status=501,
    headers=(("Content-Type", "application/json"),),
    body=json.dumps(NEUTRAL_REPLY).encode(),
)
"""What a client is told that asks for something no route has."""

_WITHOUT_BODY = (204, 304)


class CaseOver(Exception):  # noqa: N818 - not an error, but the end of the time in which an answer makes sense
    """The case ended while an answer was being held back."""


def summary(reply: HttpReply) -> str:
    """Say in one line what a client gets."""
    if reply.raises is not None:
        return reply.raises
    size = f"{len(reply.body)} bytes" if reply.chunks is None else f"{len(reply.chunks)} chunks"
    return f"{reply.status}, {size}" + ("" if reply.truncate is None else f", cut after {reply.truncate} bytes")


async def send_reply(writer: asyncio.StreamWriter, request: HttpRequest, reply: HttpReply, pause: Pause) -> bool:
    """Send a reply, or fail as it says; return whether the connection can take another request.

    Raises:
        CaseOver: The case ended first.
        OSError: The client went away.
    """
    if reply.delay:
        await pause(reply.delay)
    if reply.raises == "TimeoutError":
        await pause(None)
    if reply.raises is not None:
        reset(writer)
        return False
    headers = _framed(request, reply)
    writer.write(_head(reply.status, headers))
    bodiless = request.method == "HEAD" or reply.status in _WITHOUT_BODY
    if not bodiless:
        async for data in _body(reply, pause, chunked=("Transfer-Encoding", "chunked") in headers):
            writer.write(data)
            await writer.drain()
    await writer.drain()
    closing = any(name.lower() == "connection" and value.lower() == "close" for name, value in headers)
    return not closing and (bodiless or reply.truncate is None)


def reset(writer: asyncio.StreamWriter) -> None:
    """Close a connection the way a crashed service does: with a reset, not with an orderly end."""
    writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


def _framed(request: HttpRequest, reply: HttpReply) -> list[tuple[str, str]]:
    """Add the headers that frame the body, where the route does not set them itself."""
    given = {name.lower() for name, _ in reply.headers}
    headers = list(reply.headers)
    endless = reply.chunks is not None and request.version == "HTTP/1.0"
    if "content-length" not in given and reply.status not in _WITHOUT_BODY and not endless:
        streamed = reply.chunks is not None
        headers.append(("Transfer-Encoding", "chunked") if streamed else ("Content-Length", str(len(reply.body))))
    if "connection" not in given and (endless or not request.keep_alive):
        headers.append(("Connection", "close"))
    return headers


def _head(status: int, headers: list[tuple[str, str]]) -> bytes:
    try:
        phrase = HTTPStatus(status).phrase
    except ValueError:  # a status of the service's own, such as nginx's 499
        phrase = "Unknown"
    lines = [f"HTTP/1.1 {status} {phrase}", *(f"{name}: {value}" for name, value in headers), "", ""]
    return "\r\n".join(lines).encode()


async def _body(reply: HttpReply, pause: Pause, *, chunked: bool) -> AsyncIterator[bytes]:
    """Yield what goes over the wire, up to where the reply is cut."""
    if reply.chunks is None:
        yield reply.body[: reply.truncate]
        return
    left = reply.truncate
    for chunk in reply.chunks:
        if left == 0:
            return
        if chunk.delay:
            await pause(chunk.delay)
        data = chunk.data[:left]
        left = None if left is None else left - len(data)
        if data:
            yield b"%x\r\n%s\r\n" % (len(data), data) if chunked else data
    if chunked and left is None:
        yield b"0\r\n\r\n"
