"""Mocks files (`mocks.yaml`): what tools answer in place of the systems they talk to."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evalkit.cases import Json
from evalkit.errors import Problem
from evalkit.formats.documents import Document
from evalkit.formats.files import Loaded, has_errors, read_bytes
from evalkit.formats.json_text import parse_shallow_json
from evalkit.formats.paths import JsonPath, read_path, write_path
from evalkit.formats.provides import provides_faults, read_provides
from evalkit.formats.reply_files import ReplyFiles
from evalkit.formats.secret_shapes import secret_problems
from evalkit.formats.toolsets import http_reply_faults, toolset_faults
from evalkit.formats.validation import schema_problems
from evalkit.matching.faults import args_faults
from evalkit.routes import MockSet, Reply, Route, reply_faults

if TYPE_CHECKING:
    from evalkit.fakes import Fake

JsonObject = Mapping[str, Any]

_ANSWERS = ("returns", "returns_file", "raises", "sequence", "passthrough")


def read(path: str | Path, name: str | None = None) -> Loaded[MockSet]:
    """Read a mocks file, and the reply files that it names.

    Args:
        path: The file: JSON if its name ends so, else YAML.
        name: What to call it in problems and labels; its path by default.
    """
    file = name or str(path)
    data = read_bytes(Path(path), file)
    return Loaded(None, data.problems) if data.value is None else parse(data.value, file=file, folder=Path(path).parent)


def parse(data: bytes, *, file: str, folder: Path) -> Loaded[MockSet]:
    """Read a mocks file from its bytes, and the reply files that it names from its folder."""
    parsed = parse_text(data, file)
    if parsed.value is None:
        return Loaded(None, parsed.problems)
    problems = (*parsed.problems, *secret_problems(parsed.value, data), *schema_problems("mocks", parsed.value))
    if has_errors(problems):
        return Loaded(None, problems)
    reader = _Reader(parsed.value, folder)
    mock_set = reader.mock_set()
    problems = (*problems, *reader.problems)
    return Loaded(None if has_errors(problems) else mock_set, problems)


def parse_text(data: bytes, file: str) -> Loaded[Document]:
    """Parse JSON or YAML, as the file's name says."""
    if file.endswith(".json"):
        return parse_shallow_json(data, file)
    from evalkit.formats.yaml_text import parse_yaml

    return parse_yaml(data, file)


class _Reader:
    """Reads one document; the problems that it meets gather in `problems`."""

    def __init__(self, document: Document, folder: Path) -> None:
        self._document = document
        self._folder = folder
        self._files = ReplyFiles(document, folder)
        self._problems: list[Problem] = []

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What the schema cannot say."""
        return (*self._problems, *self._files.problems)

    def mock_set(self) -> MockSet:
        """Read the whole document."""
        value: JsonObject = self._document.value
        for inner, rule, message in toolset_faults(value.get("toolsets") or {}):
            self._report(rule, ("toolsets", *inner), message)
        for inner, rule, message in provides_faults(value.get("provides") or ()):
            self._report(rule, ("provides", *inner), message)
        return MockSet(
            file=self._document.file,
            routes=tuple(self._routes(value)),
            agent=value.get("agent"),
            provides=read_provides(value.get("provides") or ()),
            toolsets=value.get("toolsets") or {},
            backends=tuple(value.get("backends") or ()),
            fakes=self._fakes() if value.get("backends") else (),
        )

    def _fakes(self) -> "tuple[Fake, ...]":
        from evalkit.formats.backends import read_backends  # most files have none, and do not pay for it

        fakes, problems = read_backends(self._document, self._folder, self._files)
        self._problems += problems
        return fakes

    def _routes(self, value: JsonObject) -> Iterator[Route]:
        for tool, routes in (value.get("tools") or {}).items():
            for index, route in enumerate(routes):
                yield self._route(tool, route, ("tools", tool, index), None)
        for agent, scoped in (value.get("agents") or {}).items():
            for tool, routes in ((scoped or {}).get("tools") or {}).items():
                for index, route in enumerate(routes):
                    yield self._route(tool, route, ("agents", agent, "tools", tool, index), agent)

    def _route(self, tool: str, route: JsonObject, path: JsonPath, agent: str | None) -> Route:
        for inner, message in args_faults(route.get("args", {})):
            self._report("bad-pattern", (*path, "args", *read_path("$" + inner)), message)
        self._check_answers(route, path)
        sequence = route.get("sequence")
        replies = [] if route.get("passthrough") or sequence else [self._reply(route, path)]
        replies += [self._reply(item, (*path, "sequence", index)) for index, item in enumerate(sequence or ())]
        line = self._document.positions.place(path).line
        return Route(
            tool=tool,
            agent=agent,
            args=route.get("args"),
            replies=tuple(replies),
            repeat_last=sequence is None or route.get("repeat_last", False),
            passthrough=route.get("passthrough", False),
            label=f"{self._document.file}:{line} {tool}",
            where=write_path(path),
        )

    def _check_answers(self, route: JsonObject, path: JsonPath) -> None:
        """Make sure that a route answers in one way, and that its keys fit together."""
        self._check_one(route, path, _ANSWERS)
        for index, item in enumerate(route.get("sequence", ())):
            self._check_one(item, (*path, "sequence", index), _ANSWERS[:3])
        if "sequence" in route and "state" in route:
            hint = "put the state into the replies of the sequence"
            self._report("wrong-value", (*path, "state"), "the state of a sequence belongs to one of its replies", hint)
        if "repeat_last" in route and "sequence" not in route:
            message = "repeat_last belongs to a sequence; a single reply answers every call anyway"
            self._report("wrong-value", (*path, "repeat_last"), message, "remove it")

    def _check_one(self, reply: JsonObject, path: JsonPath, kinds: tuple[str, ...]) -> None:
        given = [kind for kind in kinds if kind in reply and reply[kind] is not False]
        if not given:
            inside = [kind for kind in kinds if kind in reply.get("args", {})]
            hint = f"move {inside[0]} out of `args`" if inside else f"write one of {', '.join(kinds)}"
            self._report("no-reply", path, "nothing says what to answer", hint)
        elif len(given) > 1:
            self._report("many-replies", path, f"{' and '.join(given)} stand side by side", "keep one of them")

    def _reply(self, reply: JsonObject, path: JsonPath) -> Reply:
        raises = reply.get("raises", {})
        value: Json = reply.get("returns")
        if "returns_file" in reply:
            value = self._files.read(reply["returns_file"], (*path, "returns_file"))
        key = next((key for key in ("returns_file", "raises") if key in reply), "returns")
        made = Reply(
            value=value,
            raises=raises.get("type"),
            message=raises.get("message", ""),
            state=reply.get("state", {}),
            where=write_path((*path, key)),
        )
        for inside, rule, message in http_reply_faults(value):
            self._report(rule, (*path, key, *inside), message)
        for inner, message in reply_faults(made):
            self._report("wrong-value", (*path, *read_path("$" + inner)), message)
        return made

    def _report(self, rule: str, path: JsonPath, message: str, hint: str | None = None) -> None:
        self._problems.append(self._document.problem(rule, path, message, hint))
