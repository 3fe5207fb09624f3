"""What services and programs answer, as a mocks file says it."""

import json
import mimetypes
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from evalkit.cases import Json
from evalkit.fakes import Chunk, CommandReply, HttpReply
from evalkit.formats.files import read_bytes
from evalkit.formats.paths import JsonPath
from evalkit.formats.reply_files import ReplyFiles

R = TypeVar("R")

JsonObject = Mapping[str, Any]
Report = Callable[[str, JsonPath, str, str | None], None]
"""Takes a rule, the path of the faulty value, what is wrong, and what to write instead."""

_BODIES = ("json", "text", "body_file", "stream")
_OUTPUTS = ("json", "stdout", "stdout_file")
_TYPES = {"json": "application/json", "text": "text/plain; charset=utf-8", "stream": "text/plain; charset=utf-8"}
_SERVER_SETS = {"transfer-encoding"}


class BackendReplies:
    """Reads the replies of one mocks file.

    Args:
        files: The files beside it.
        report: Takes each problem.
    """

    def __init__(self, files: ReplyFiles, report: Report) -> None:
        self._files = files
        self._report = report

    def of_route(
        self, route: JsonObject, path: JsonPath, read: Callable[[JsonObject, JsonPath], R]
    ) -> tuple[tuple[R, ...], bool]:
        """Read the replies of a route, and whether the last one stays."""
        sequence = route.get("sequence")
        if sequence is None:
            if "repeat_last" in route:
                message = "repeat_last belongs to a sequence; a single reply answers every call anyway"
                self._report("wrong-value", (*path, "repeat_last"), message, "remove it")
            return (read(route, path),), True
        beside = [key for key in route if key in _REPLY_KEYS]
        if beside:
            message = f"{' and '.join(beside)} and sequence stand side by side"
            self._report("many-replies", (*path, beside[0]), message, "keep one of them")
        replies = tuple(read(reply, (*path, "sequence", index)) for index, reply in enumerate(sequence))
        return replies, bool(route.get("repeat_last", False))

    def http(self, reply: JsonObject, path: JsonPath) -> HttpReply:
        """Read one reply of a service."""
        self._check_one(reply, path, (*_BODIES, "raises"), enough=("status",))
        if "raises" in reply:
            strange = [key for key in ("status", "reply_headers", "truncate") if key in reply]
            if strange:
                message = f"{' and '.join(strange)} cannot be sent by a service that fails before it answers"
                self._report("wrong-value", (*path, strange[0]), message, "remove it, or the raises")
            return HttpReply(raises=reply["raises"]["type"], delay=reply.get("delay", 0.0))
        body = self._body(reply, path)
        for index, chunk in enumerate(reply.get("stream", ())):
            if not isinstance(chunk, str):
                self._check_one(chunk, (*path, "stream", index), ("text", "json"))
        chunks = tuple(map(_chunk, reply["stream"])) if "stream" in reply else None
        size = len(body) if chunks is None else sum(len(chunk.data) for chunk in chunks)
        return HttpReply(
            status=reply.get("status", 200),
            headers=self._headers(reply, path),
            body=body,
            chunks=chunks,
            truncate=self._truncate(reply, path, size),
            delay=reply.get("delay", 0.0),
        )

    def command(self, reply: JsonObject, path: JsonPath) -> CommandReply:
        """Read one run of a program."""
        self._check_one(reply, path, _OUTPUTS, enough=("stderr", "exit_code"))
        stdout = reply.get("stdout", "").encode()
        if "json" in reply:
            stdout = _json(reply["json"]) + b"\n"
        if "stdout_file" in reply:
            stdout = self._file(reply["stdout_file"], (*path, "stdout_file"))
        return CommandReply(
            stdout=stdout,
            stderr=reply.get("stderr", "").encode(),
            exit_code=reply.get("exit_code", 0),
            delay=reply.get("delay", 0.0),
        )

    def _body(self, reply: JsonObject, path: JsonPath) -> bytes:
        if "json" in reply:
            return _json(reply["json"])
        if "body_file" in reply:
            return self._file(reply["body_file"], (*path, "body_file"))
        text: str = reply.get("text", "")
        return text.encode()

    def _headers(self, reply: JsonObject, path: JsonPath) -> tuple[tuple[str, str], ...]:
        headers: list[tuple[str, str]] = []
        for name, value in reply.get("reply_headers", {}).items():
            where = (*path, "reply_headers", name)
            values = [str(item) for item in (value if isinstance(value, list) else [value])]
            if any(set(text) & set("\r\n\0") for text in (name, *values)):
                self._report("wrong-value", where, "a header is one line", "remove the line break")
            if name.lower() in _SERVER_SETS:
                hint = "write stream for a body in chunks, truncate for a broken one"
                self._report("wrong-value", where, f"the server sets {name} itself", hint)
            headers += [(name, text) for text in values]
        kind = _content_type(reply)
        if kind and "content-type" not in {name.lower() for name, _ in headers}:
            headers.insert(0, ("Content-Type", kind))
        return tuple(headers)

    def _truncate(self, reply: JsonObject, path: JsonPath, size: int) -> int | None:
        cut = reply.get("truncate", False)
        if cut is False:
            return None
        if cut is True:
            return size if "stream" in reply else size // 2
        if cut >= size and "stream" not in reply:
            message = f"the body has {size} bytes, so nothing is cut after {cut}"
            self._report("wrong-value", (*path, "truncate"), message, "write a smaller number, or true for half of it")
        return int(cut)

    def _file(self, name: str, path: JsonPath) -> bytes:
        file = self._files.find(name, path)
        loaded = read_bytes(file, name) if file is not None else None
        if loaded is None:
            return b""
        for problem in loaded.problems:
            self._report("missing-reply-file", path, f"{name} {problem.message}", None)
        return loaded.value or b""

    def _check_one(
        self, reply: JsonObject, path: JsonPath, kinds: tuple[str, ...], enough: tuple[str, ...] = ()
    ) -> None:
        """Make sure that a reply says what to answer, and says it once."""
        given = [kind for kind in kinds if kind in reply]
        if len(given) > 1:
            self._report("many-replies", path, f"{' and '.join(given)} stand side by side", "keep one of them")
        elif not given and not any(key in reply for key in enough):
            hint = f"write one of {', '.join((*kinds, *enough))}"
            self._report("no-reply", path, "nothing says what to answer", hint)


_REPLY_KEYS = {
    *_BODIES,
    *_OUTPUTS,
    *("status", "reply_headers", "truncate", "raises", "delay", "stderr", "exit_code"),
}


def _chunk(chunk: str | JsonObject) -> Chunk:
    if isinstance(chunk, str):
        return Chunk(data=chunk.encode())
    data = _json(chunk["json"]) + b"\n" if "json" in chunk else chunk.get("text", "").encode()
    return Chunk(data=data, delay=chunk.get("delay", 0.0))


def _json(value: Json) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


def _content_type(reply: JsonObject) -> str | None:
    if "body_file" in reply:
        return mimetypes.guess_type(reply["body_file"])[0] or "application/octet-stream"
    return next((kind for key, kind in _TYPES.items() if key in reply), None)
