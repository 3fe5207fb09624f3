"""Requests as a server reads them from a connection, and as the patterns of routes see them."""

import asyncio
import gzip
import json
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import parse_qsl, unquote, urlsplit, urlunsplit

from evalkit.cases import Json


class BadRequestError(Exception):
    """What came is not a request; `status` says so to the client."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """A request.

    Attributes:
        target: Path and query as they were sent.
        version: `HTTP/1.1` or `HTTP/1.0`.
        headers: In order, names in lower case.
    """

    method: str
    target: str
    version: str
    headers: tuple[tuple[str, str], ...]
    body: bytes = b""

    def header(self, name: str) -> str:
        """Return the values of a header, joined by commas; empty if there is none."""
        return ", ".join(value for key, value in self.headers if key == name)

    @property
    def keep_alive(self) -> bool:
        """Whether the client may send another request on this connection."""
        connection = self.header("connection").lower()
        return "close" not in connection and (self.version != "HTTP/1.0" or "keep-alive" in connection)

    def view(self) -> dict[str, Json]:
        """Return the request as patterns see it.

        `path` is decoded. Names in `query` and `headers` that stand once have a text, others a list of texts. `body` is
        JSON where it reads as JSON, the fields of a form, else text; `body_text` is text in any case. Both
        are missing if the body is empty.
        """
        path, _, query = self.target.partition("?")
        view: dict[str, Json] = {
            "method": self.method,
            "path": decode_path(path),
            "query": _by_name(parse_qsl(query, keep_blank_values=True)),
            "headers": _by_name(self.headers),
        }
        body = _decompressed(self.body, self.header("content-encoding"))
        if body:
            view["body_text"] = body.decode("utf-8", "replace")
            view["body"] = _body(view["body_text"], self.header("content-type"))
        return view


def decode_path(path: str) -> str:
    """Decode a path segment by segment, so that an encoded slash does not become a separator."""
    return "/".join(unquote(segment).replace("/", "%2F") for segment in path.split("/"))


def read_text(text: str) -> Json:
    """Return the JSON object or list that a text is; any other text stays text."""
    if text.lstrip()[:1] in ("{", "["):
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            return text
    return text


async def read_request(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> HttpRequest | None:
    """Read the next request of a connection; None once the client has closed it.

    Raises:
        BadRequestError: It is not a request that a server of HTTP/1.1 understands.
        asyncio.IncompleteReadError: The client went away in the middle of it.
    """
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError as error:
        if error.partial.strip():
            raise
        return None
    except asyncio.LimitOverrunError as error:
        raise BadRequestError(431, "the request's head is too large") from error
    request = _parse_head(head)
    if request.header("expect").lower() == "100-continue":
        writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
    body = await _read_body(reader, request)
    return HttpRequest(request.method, request.target, request.version, request.headers, body)


def _parse_head(head: bytes) -> HttpRequest:
    try:
        text = head.decode()
    except UnicodeDecodeError:
        text = head.decode("latin-1")
    first, *lines = text.strip("\r\n").split("\r\n")
    parts = first.split(" ")
    if len(parts) != 3 or parts[2] not in ("HTTP/1.1", "HTTP/1.0"):  # noqa: PLR2004 - method, target, version
        raise BadRequestError(400, "the request line is not one of HTTP/1.1")
    headers = []
    for line in lines:
        name, colon, value = line.partition(":")
        if not colon or not name or name != name.strip():
            raise BadRequestError(400, "a header line has no name")
        headers.append((name.lower(), value.strip()))
    return HttpRequest(parts[0], _origin_form(parts[1]), parts[2], tuple(headers))


def _origin_form(target: str) -> str:
    """Drop scheme and host, which a client sends that believes it talks to a proxy."""
    if not target.lower().startswith(("http://", "https://")):
        return target
    parts = urlsplit(target)
    return urlunsplit(("", "", parts.path or "/", parts.query, ""))


async def _read_body(reader: asyncio.StreamReader, request: HttpRequest) -> bytes:
    if request.header("transfer-encoding").lower().endswith("chunked"):
        return await _read_chunks(reader)
    length = request.header("content-length") or "0"
    if not length.isdecimal():
        raise BadRequestError(400, "the Content-Length is no number")
    return await reader.readexactly(int(length))


async def _read_chunks(reader: asyncio.StreamReader) -> bytes:
    body = bytearray()
    while size := _chunk_size(await reader.readuntil(b"\r\n")):
        body += await reader.readexactly(size)
        await reader.readuntil(b"\r\n")
    while (await reader.readuntil(b"\r\n")).strip():
        pass  # trailers say nothing that a route could ask for
    return bytes(body)


def _chunk_size(line: bytes) -> int:
    try:
        return int(line.partition(b";")[0], 16)
    except ValueError as error:
        raise BadRequestError(400, "a chunk has no size") from error


def _by_name(pairs: Iterable[tuple[str, str]]) -> Mapping[str, Json]:
    found: dict[str, list[str]] = {}
    for name, value in pairs:
        found.setdefault(name, []).append(value)
    return {name: values[0] if len(values) == 1 else values for name, values in found.items()}


def _decompressed(body: bytes, coding: str) -> bytes:
    """Undo the content coding; what cannot be undone stays as it is."""
    try:
        match coding.lower():
            case "gzip" | "x-gzip":
                return gzip.decompress(body)
            case "deflate":
                return zlib.decompress(body)
    except (OSError, EOFError, zlib.error):
        return body
    return body


def _body(text: str, content_type: str) -> Json:
    kind = content_type.partition(";")[0].strip().lower()
    value = read_text(text)
    if not isinstance(value, str):
        return value
    if kind == "application/x-www-form-urlencoded":
        return _by_name(parse_qsl(text, keep_blank_values=True))
    if kind == "application/json" or kind.endswith("+json"):
        try:
            return json.loads(text)
        except ValueError:
            return text
    return text
