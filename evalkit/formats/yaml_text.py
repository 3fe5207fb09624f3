"""YAML text to a document that holds plain JSON values.

Scalars are resolved as YAML 1.2's JSON schema does: `null`, `true`, `false` and numbers as JSON writes them; everything
else is text. So `yes`, `on`, `12:30`, `010` and `2024-01-31` stay what they look like, as in a mock's reply they must.
"""

import re
from collections.abc import Mapping, Sequence

import yaml

from evalkit.cases import Json
from evalkit.errors import Problem
from evalkit.formats.documents import MOCKS_DEPTH, MOST_FAULTS, Document
from evalkit.formats.files import Loaded
from evalkit.formats.key_faults import listed
from evalkit.formats.paths import JsonPath, write_path
from evalkit.formats.positions import Lines, Place
from evalkit.formats.text import decode
from evalkit.formats.yaml_nodes import LIST, MERGE, OBJECT, STRING, TAG, YamlPositions, compose, merged

MAX_VALUES = 1_000_000
"""Values of a file, those that aliases repeat counted each time; a few lines of YAML could stand for billions."""

_HINTS = {
    "mapping values are not allowed": "put text with a colon in quotes, and check the indentation",
    "cannot start any token": "indent with spaces, and put text that starts with a special character in quotes",
    "could not find expected ':'": "write a colon after the key, and check the indentation",
    "did not find expected": "check the indentation, and that every bracket and quote is closed",
    "unexpected end of stream": "close the quote",
    "tab character": "indent with spaces",
    "unknown escape character": "write the text in single quotes, or the backslash as \\\\",
    "undefined alias": "define the anchor before the alias; put text that starts with * in quotes",
    "maximum nesting depth": "nest less deep",
    "another document": "keep one document, and remove the line ---",
    "keys and values": "keep large replies in JSON files of their own, named by returns_file",
}
_COLONS = ("could not find expected ':'", "mapping values are not allowed")
_NARROW = re.compile(r"[ -]*([\w$.-]+):(?!//)([^\s:].*)")
_UNPRINTABLE = r"[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
"""What YAML takes nowhere; compiling it takes milliseconds, so that is left to whoever needs it."""


def parse_yaml(data: bytes | str, file: str) -> Loaded[Document]:
    """Parse YAML; every key that is no text, repeated or not JSON is reported in one go.

    Args:
        data: The file's bytes, or text that was decoded already.
        file: The file as the user named it, for problems.
    """
    text, problems = decode(data, file)
    if text is None:
        return Loaded(None, problems)
    try:
        root = compose(text.removeprefix("\ufeff"))
    except yaml.YAMLError as error:
        return Loaded(None, (_syntax_problem(error, text, file),))
    if root is None:
        return Loaded(Document(file, None, YamlPositions(None)))
    reader = _Reader(file)
    value = reader.read(root)
    document = Document(file, value, YamlPositions(root))
    found = sorted(reader.problems, key=lambda problem: (problem.line, problem.column))
    return Loaded(None if reader.endless else document, tuple(document.most(iter(found))))


def _syntax_problem(error: yaml.YAMLError, text: str, file: str) -> Problem:
    """Say what PyYAML found, where, and what usually helps."""
    said = str(getattr(error, "problem", None) or getattr(error, "reason", None) or error)
    if said.startswith("but "):
        said = f"{getattr(error, 'context', '')} {said}"
    mark = getattr(error, "problem_mark", None)
    if mark and any(part in said for part in _COLONS) and (narrow := _narrow_colon(text, mark.line, file)):
        return narrow
    control = None if mark else re.search(_UNPRINTABLE, text)
    place = Place(mark.line + 1, mark.column + 1) if mark else Lines(text).place(control.start() if control else 0)
    return Problem(
        file=file,
        rule="bad-yaml",
        message=said,
        hint=next((hint for part, hint in _HINTS.items() if part in said), None),
        line=place.line,
        column=place.column,
    )


def _narrow_colon(text: str, line: int, file: str) -> Problem | None:
    """Find a key whose value follows without a space, in the line where the parser stopped or the one before."""
    lines = text.split("\n")
    for number in (line - 1, line):
        found = _NARROW.match(lines[number]) if 0 <= number < len(lines) else None
        if found:
            hint = f"write {found[1]}: {found[2]}"
            message = "a space is missing behind the colon"
            place = Place(number + 1, found.end(1) + 1)
            return Problem(file=file, rule="bad-yaml", message=message, hint=hint, line=place.line, column=place.column)
    return None


class _Reader:
    """Turns composed nodes into values and collects what JSON cannot say.

    Attributes:
        endless: Whether aliases make the value infinite, or so large that nothing should walk it.
    """

    def __init__(self, file: str) -> None:
        self._file = file
        self._values: dict[yaml.Node, Json] = {}
        self._sizes: dict[yaml.Node, int] = {}
        self._open: set[yaml.Node] = set()
        self.problems: list[Problem] = []
        self.endless = False

    def read(self, root: yaml.Node) -> Json:
        """Turn the top node into its value."""
        value = self._read(root, ())
        if self._size(root) > MAX_VALUES:
            self.endless = True
            message = f"aliases repeat values more than {MAX_VALUES:,} times in all"
            self._report(root, (), "bad-yaml", message, "write the values out")
        return value

    def _size(self, node: yaml.Node) -> int:
        """How many values a node stands for, aliases counted each time."""
        return self._sizes.get(node, 1)

    def _read(self, node: yaml.Node, path: JsonPath) -> Json:
        """Turn a node into its value; a node that an alias repeats is read once."""
        if isinstance(node, yaml.ScalarNode):
            return self._scalar(node, path)
        if node in self._values:
            return self._values[node]
        if node in self._open:
            self.endless = True
            self._report(node, path, "bad-yaml", "an alias stands inside what it repeats", "write the value out")
            return None
        if len(path) >= MOCKS_DEPTH:
            self._report(node, path[:2], "too-deep", f"the values are nested deeper than {MOCKS_DEPTH} levels")
            return None
        self._open.add(node)
        value = self._values[node] = self._convert(node, path)
        self._open.discard(node)
        return value

    def _convert(self, node: yaml.Node, path: JsonPath) -> Json:
        if isinstance(node, yaml.MappingNode) and node.tag == OBJECT:
            return self._mapping(node, path)
        if isinstance(node, yaml.SequenceNode) and node.tag == LIST:
            items = [self._read(item, (*path, index)) for index, item in enumerate(node.value)]
            self._sizes[node] = 1 + sum(map(self._size, node.value))
            return items
        return self._unknown_tag(node, path)

    def _mapping(self, node: yaml.MappingNode, path: JsonPath) -> dict[str, Json]:
        members: dict[str, Json] = {}
        lines: dict[str, int] = {}
        repeated: list[yaml.ScalarNode] = []
        for base in reversed(merged(node)):
            inherited = self._read(base, path)
            if isinstance(inherited, dict):
                members |= inherited
            else:
                self._report(base, path, "bad-yaml", "`<<` takes a mapping or a list of mappings")
        for key, value in node.value:
            if key.tag == MERGE:
                continue
            if key.tag != STRING:
                shown = getattr(key, "value", None)
                name = shown if isinstance(shown, str) else "this"
                self._report(key, path, "bad-yaml", f"the key {name} is no text", f'write "{name}" in quotes')
                continue
            inner = (*path, key.value)
            if key.value in lines:
                repeated.append(key)
            else:
                lines[key.value] = key.start_mark.line + 1
            members[key.value] = self._read(value, inner)
        self._report_repeated(repeated, lines, path)
        self._sizes[node] = 1 + sum(self._size(value) for _, value in node.value)
        return members

    def _report_repeated(self, repeated: Sequence[yaml.ScalarNode], lines: Mapping[str, int], path: JsonPath) -> None:
        """Report keys that stand twice; several in an item of a list are those of an item that lacks its dash."""
        if len(repeated) > 1 and path and isinstance(path[-1], int):
            first = repeated[0]
            message = f"an item of the list has the keys {listed([key.value for key in repeated])} twice"
            hint = "write - before the first of them, if a new item begins here"
            self._report(first, (*path, first.value), "duplicate-key", message, hint)
            return
        for key in repeated:
            message = f"the key `{key.value}` stands already in line {lines[key.value]}, and one of the two is lost"
            self._report(key, (*path, key.value), "duplicate-key", message, "keep one of them")

    def _scalar(self, node: yaml.ScalarNode, path: JsonPath) -> Json:
        match node.tag.removeprefix(TAG):
            case "str" | "merge":
                return node.value
            case "null":
                return None
            case "bool":
                return node.value.lower() == "true"
            case "int":
                return self._number(node, path, int)
            case "float":
                return self._number(node, path, float)
        return self._unknown_tag(node, path)

    def _unknown_tag(self, node: yaml.Node, path: JsonPath) -> None:
        self._report(node, path, "bad-yaml", f"the tag {node.tag} has no meaning here", "remove it")

    def _number(self, node: yaml.ScalarNode, path: JsonPath, convert: type[int] | type[float]) -> Json:
        try:
            return convert(node.value)
        except ValueError:  # `!!int twelve`, or more digits than Python converts
            self._report(node, path, "bad-yaml", f"{node.value[:40]} is no number", "put it in quotes")
            return None

    def _report(self, node: yaml.Node, path: JsonPath, rule: str, message: str, hint: str | None = None) -> None:
        if len(self.problems) > MOST_FAULTS:
            return
        self.problems.append(
            Problem(
                file=self._file,
                rule=rule,
                message=message,
                path=write_path(path),
                line=node.start_mark.line + 1,
                column=node.start_mark.column + 1,
                hint=hint,
            )
        )
