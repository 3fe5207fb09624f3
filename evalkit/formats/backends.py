"""The `backends` of a mocks file: fakes below the tools, out of a document that its schema accepts."""

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from string import Formatter
from typing import Any
from urllib.parse import urlsplit

from evalkit.cases import Json
from evalkit.errors import Problem
from evalkit.fakes import CommandFake, CommandRoute, Fake, HttpFake, HttpRoute, PythonFake
from evalkit.formats.backend_replies import BackendReplies
from evalkit.formats.documents import Document
from evalkit.formats.paths import JsonPath, read_path
from evalkit.formats.reply_files import ReplyFiles
from evalkit.formats.text_patterns import text_pattern
from evalkit.matching.faults import args_faults, pattern_faults

JsonObject = Mapping[str, Any]

_FIELDS = ("url", "host", "port")
_VARIABLE = re.compile(r"[A-Za-z_]\w*")
_NAME = r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*"
_FACTORY = re.compile(rf"{_NAME}:[A-Za-z_]\w*")
_TARGET = re.compile(rf"(\.|\.?{_NAME}):{_NAME}")


def read_backends(document: Document, folder: Path, files: ReplyFiles) -> tuple[tuple[Fake, ...], tuple[Problem, ...]]:
    """Read the fakes of a mocks file, and find what its schema cannot say.

    Args:
        document: The mocks file.
        folder: Its folder.
        files: The files beside it; it reports those itself that a reply names and that are not there.
    """
    reader = _Reader(document, folder, files)
    return tuple(reader.fakes()), tuple(reader.problems)


class _Reader:
    """Reads one document; the problems that it meets gather in `problems`."""

    def __init__(self, document: Document, folder: Path, files: ReplyFiles) -> None:
        self._document = document
        self._folder = str(folder)
        self._replies = BackendReplies(files, self._report)
        self.problems: list[Problem] = []

    def fakes(self) -> Iterator[Fake]:
        """Read every fake."""
        kinds: Mapping[str, Callable[[JsonObject, JsonPath], Fake]]
        kinds = {"http": self._http, "command": self._command, "python": self._python}
        for index, entry in enumerate(self._document.value.get("backends") or ()):
            for kind, value in entry.items():
                yield kinds[kind](value, ("backends", index, kind))

    def _http(self, value: JsonObject, path: JsonPath) -> HttpFake:
        if ("env" in value) == ("base_url" in value):
            message = "an HTTP backend needs an env or a base_url, and not both"
            self._report("wrong-value", path, message, "write one of them")
        base_url, prefix = None, value.get("path", "").rstrip("/")
        if "base_url" in value:
            if "path" in value:
                self._report("wrong-value", (*path, "path"), "the path is part of base_url", "write it there")
            base_url, prefix = self._base_url(value["base_url"], (*path, "base_url"))
        return HttpFake(
            env=self._env(value.get("env", {}), (*path, "env")),
            base_url=base_url,
            path=prefix,
            routes=tuple(
                self._http_route(route, (*path, "routes", index)) for index, route in enumerate(value["routes"])
            ),
            label=self._label(path, value.get("base_url") or "http"),
        )

    def _env(self, env: str | JsonObject, path: JsonPath) -> Mapping[str, str]:
        forms = {env: "{url}"} if isinstance(env, str) else dict(env)
        for name, form in forms.items():
            where = path if isinstance(env, str) else (*path, name)
            if not _VARIABLE.fullmatch(name):
                self._report(
                    "wrong-value",
                    where,
                    f"{name!r} is not the name of a variable",
                    "write it with letters, digits and _",
                )
            if not _uses_only(form, _FIELDS):
                hint = 'write "{url}", "{host}:{port}" or text with these in it; a brace itself is doubled'
                self._report("wrong-value", where, f"{form!r} does not say where the server is", hint)
        return forms

    def _base_url(self, url: str, path: JsonPath) -> tuple[str, str]:
        """Split an address into its origin and the path below which the service lives."""
        parts = urlsplit(url)
        try:
            usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        except ValueError:  # the port is no number
            usable = False
        if not usable or parts.query or parts.fragment:
            self._report("wrong-value", path, f"{url} is not an address", "write one such as http://grafana:3000")
        return f"{parts.scheme}://{parts.netloc}", parts.path.rstrip("/")

    def _http_route(self, route: JsonObject, path: JsonPath) -> HttpRoute:
        request = {part: route[part] for part in ("method", "path", "query", "headers", "body") if part in route}
        for part in ("method", "path", "body"):
            self._check_pattern(request.get(part), (*path, part))
        for part in ("query", "headers"):
            if part in request:
                request[part] = self._named(request[part], (*path, part))
        if isinstance(request.get("method"), str):
            request["method"] = request["method"].upper()
        self._check_path(request.get("path"), (*path, "path"))
        replies, repeat_last = self._replies.of_route(route, path, self._replies.http)
        name = " ".join(str(request[part]) for part in ("method", "path") if isinstance(request.get(part), str))
        return HttpRoute(
            request=request, replies=replies, repeat_last=repeat_last, label=self._label(path, name or "any request")
        )

    def _check_path(self, pattern: Json, path: JsonPath) -> None:
        if not isinstance(pattern, str):
            return
        if "?" in pattern:
            hint = "write its parameters under query"
            self._report("wrong-value", path, "a path ends before the question mark", hint)
        elif not pattern.startswith("/"):
            hint = f'write "/{pattern}", or {{$regex: …}} or {{$glob: …}} for a part of it'
            self._report("wrong-value", path, "a path starts with a slash, so this one never matches", hint)

    def _command(self, value: JsonObject, path: JsonPath) -> CommandFake:
        program, routes = value["program"], value.get("routes", ())
        if not program or "/" in program or program.startswith("."):
            hint = "write the name by which it is found on the PATH"
            self._report("wrong-value", (*path, "program"), f"{program!r} is not a program's name", hint)
        passthrough = value.get("passthrough", False)
        if passthrough == ("routes" in value):
            message = "a program needs routes, or passthrough: true to run for real, and not both"
            self._report("wrong-value", path, message, "write one of them")
        return CommandFake(
            program=program,
            passthrough=passthrough,
            routes=tuple(
                self._command_route(program, route, (*path, "routes", index)) for index, route in enumerate(routes)
            ),
            label=self._label(path, program),
        )

    def _command_route(self, program: str, route: JsonObject, path: JsonPath) -> CommandRoute:
        call = {part: route[part] for part in ("argv", "stdin", "env") if part in route}
        self._check_pattern(call.get("stdin"), (*path, "stdin"))
        if "argv" in call:
            self._check_pattern(call["argv"], (*path, "argv"))
            call["argv"] = text_pattern(call["argv"], (*path, "argv"), self._bad_text)
        if "env" in call:
            call["env"] = self._named(call["env"], (*path, "env"))
        replies, repeat_last = self._replies.of_route(route, path, self._replies.command)
        argv = call.get("argv")
        words = [item for item in argv if isinstance(item, str)] if isinstance(argv, list) else []
        return CommandRoute(
            call=call,
            replies=replies,
            repeat_last=repeat_last,
            label=self._label(path, " ".join([program, *words[:3]])),
        )

    def _python(self, value: JsonObject, path: JsonPath) -> PythonFake:
        factory, patches = value["factory"], value["patches"]
        if not _FACTORY.fullmatch(factory):
            hint = "write module:function, such as evalsets.orders.fakes:admin_client"
            self._report("wrong-value", (*path, "factory"), f"{factory!r} names no function", hint)
        if not _TARGET.fullmatch(patches):
            hint = "write module:name, with a dot before the module to start at the agent's package: .tools:client"
            self._report("wrong-value", (*path, "patches"), f"{patches!r} names no attribute of a module", hint)
        return PythonFake(
            factory=factory,
            patches=patches,
            data=value.get("data"),
            folder=self._folder,
            label=self._label(path, patches),
        )

    def _named(self, patterns: JsonObject, path: JsonPath) -> dict[str, Json]:
        for inner, message in args_faults(patterns):
            self._report("bad-pattern", (*path, *read_path("$" + inner)), message, None)
        return {name: text_pattern(pattern, (*path, name), self._bad_text) for name, pattern in patterns.items()}

    def _check_pattern(self, pattern: Json, path: JsonPath) -> None:
        for inner, message in pattern_faults(pattern):
            self._report("bad-pattern", (*path, *read_path("$" + inner)), message, None)

    def _bad_text(self, path: JsonPath, message: str, hint: str | None) -> None:
        self._report("bad-pattern", path, message, hint)

    def _report(self, rule: str, path: JsonPath, message: str, hint: str | None) -> None:
        self.problems.append(self._document.problem(rule, path, message, hint))

    def _label(self, path: JsonPath, name: str) -> str:
        return f"{self._document.file}:{self._document.positions.place(path).line} {name}"


def _uses_only(form: str, fields: tuple[str, ...]) -> bool:
    """Whether a text has replacement fields, and these alone."""
    try:
        used = [(name, spec, conversion) for _, name, spec, conversion in Formatter().parse(form) if name is not None]
    except ValueError:
        return False
    return bool(used) and all(name in fields and not spec and not conversion for name, spec, conversion in used)
