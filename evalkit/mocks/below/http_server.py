"""A server of HTTP/1.1 on 127.0.0.1 for each service, whose answers are those of the case in play."""

import asyncio
from collections.abc import Callable

from evalkit.fakes import HttpReply
from evalkit.mocks.below.case import CaseFakes
from evalkit.mocks.below.http_reply import CaseOver, send_reply
from evalkit.mocks.below.http_request import BadRequestError, HttpRequest, read_request

HOST = "127.0.0.1"

Current = Callable[[], CaseFakes]
"""Tells the fakes of the case in play."""


async def serve_http(service: str, current: Current) -> asyncio.Server:
    """Open a server for a service on a free port."""

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while await _exchange(service, current, reader, writer):
                pass
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, asyncio.CancelledError):
            pass  # the client went away, or everything ends
        finally:
            writer.close()

    return await asyncio.start_server(connected, HOST, 0)


async def _exchange(service: str, current: Current, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
    """Take one request and answer it; return whether there can be another."""
    try:
        request = await read_request(reader, writer)
    except BadRequestError as error:
        refusal = HttpReply(status=error.status, headers=(("Connection", "close"),), body=f"{error}\n".encode())
        return await send_reply(writer, HttpRequest("GET", "/", "HTTP/1.1", ()), refusal, current().pause)
    if request is None:
        return False
    fakes = current()
    reply, record = fakes.answer_request(service, request)
    try:
        return await send_reply(writer, request, reply, fakes.pause)
    except CaseOver:
        writer.transport.abort()
        return False
    finally:
        record.end()
