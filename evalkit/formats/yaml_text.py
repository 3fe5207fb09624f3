"""YAML text to a document that holds plain JSON values.

Scalars are resolved as YAML 1.2's JSON schema does: `null`, `true`, `false` and numbers as JSON writes them; everything
else is text. So `yes`, `on`, `12:30`, `010` and `2024-01-31` stay what they look like, as in a mock's reply they must.
"""

from collections.abc import Mapping, Sequence

import yaml

from evalkit.cases import Json
from evalkit.errors import Problem
from evalkit.formats.documents import MOCKS_DEPTH, MOST_FAULTS, Document
from evalkit.formats.files import Loaded
from evalkit.formats.paths import JsonPath, write_path
from evalkit.formats.text import decode
from evalkit.formats.wording import listed
from evalkit.formats.yaml_faults import explain, flow_fault, no_text
from evalkit.formats.yaml_nodes import LIST, MERGE, OBJECT, STRING, TAG, YamlPositions, compose, merged

MAX_VALUES = 1_000_000
"""Values of a file, those that aliases repeat counted each time; a few lines of YAML could stand for billions."""


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
        fault = explain(error, text)
        place, message, hint = fault.place, fault.message, fault.hint
        problem = Problem(file=file, rule="bad-yaml", message=message, hint=hint, line=place.line, column=place.column)
        return Loaded(None, (problem,))
    if root is None:
        return Loaded(Document(file, None, YamlPositions(None)))
    reader = _Reader(file)
    value = reader.read(root)
    document = Document(file, value, YamlPositions(root))
    found = sorted(reader.problems, key=lambda problem: (problem.line, problem.column))
    return Loaded(None if reader.endless else document, tuple(document.most(iter(found))))


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
            if key.tag != STRING or not isinstance(key, yaml.ScalarNode):
                self._report(key, path, "bad-yaml", *no_text(key))
                continue
            if node.flow_style and (fault := flow_fault(key, value)):
                self._report(key, (*path, key.value), "bad-yaml", *fault)
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
