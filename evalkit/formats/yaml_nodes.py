"""The nodes of a YAML text: composed by PyYAML's fast parser, with JSON's scalars, and where they stand."""

import re
from typing import Any, NamedTuple

import yaml

from evalkit.formats.paths import JsonPath
from evalkit.formats.positions import Place

TAG = "tag:yaml.org,2002:"
STRING, LIST, OBJECT, MERGE = f"{TAG}str", f"{TAG}seq", f"{TAG}map", f"{TAG}merge"
_NUMBER = r"-?(?:0|[1-9][0-9]*)"
_PLAIN = re.compile(
    rf"(?P<null>~|null|Null|NULL|)|(?P<bool>true|True|TRUE|false|False|FALSE)|(?P<int>{_NUMBER})"
    rf"|(?P<float>{_NUMBER}(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?)|(?P<merge><<)"
)
_FIRST = frozenset("~nNtTfF<-0123456789")
"""What a plain scalar that is no text starts with."""


MAX_NODES = 1_000_000
"""Keys and values of a file: each takes half a kilobyte, and two to three microseconds."""


class _Loader(yaml.CSafeLoader):
    """PyYAML's fast loader with the scalars of JSON, for files that are not too large."""

    _nodes = 0

    def resolve(self, kind: type[yaml.Node], value: Any, implicit: Any) -> str:
        """Tell the type of a node without a tag; `implicit` says first whether it is a plain scalar.

        Raises:
            yaml.YAMLError: There are too many nodes.
        """
        self._nodes += 1
        if self._nodes > MAX_NODES:
            raise yaml.YAMLError(f"the file has more than {MAX_NODES:,} keys and values")
        if kind is not yaml.ScalarNode:
            return LIST if kind is yaml.SequenceNode else OBJECT
        if not implicit[0] or (value and value[0] not in _FIRST):
            return STRING
        found = _PLAIN.fullmatch(value)
        return f"{TAG}{found.lastgroup}" if found else STRING


def compose(text: str) -> yaml.Node | None:
    """Compose the one document of a text; None if it is empty.

    Raises:
        yaml.YAMLError: The text is no YAML, or more than one document.
    """
    root: yaml.Node | None = _Loader(text).get_single_node()
    return root


class Member(NamedTuple):
    """The nodes of a member's key and value; an item of a list is its own key."""

    key: yaml.Node
    value: yaml.Node


class YamlPositions:
    """The places in a YAML text, by the marks of its composed nodes."""

    def __init__(self, root: yaml.Node | None) -> None:
        self._root = root
        self._members: dict[yaml.Node, dict[str | int, Member]] = {}

    def place(self, path: JsonPath, *, key: bool = False) -> Place:
        """Find the value at a path, or the key before it."""
        if self._root is None:
            return Place(1, 1)
        found, whole = self._follow(self._root, path)
        mark = (found.key if key and whole else found.value).start_mark
        return Place(mark.line + 1, mark.column + 1)

    def plain(self, path: JsonPath) -> str | None:
        """The text of a scalar that stands at a path without quotes; None for anything else."""
        if self._root is None:
            return None
        found, whole = self._follow(self._root, path)
        node = found.value
        return node.value if whole and isinstance(node, yaml.ScalarNode) and not node.style else None

    def key_span(self, path: JsonPath) -> tuple[int, int] | None:
        """Where the key of the member at a path starts and ends in the text; None if there is none."""
        if self._root is None or not path:
            return None
        found, whole = self._follow(self._root, path)
        return (found.key.start_mark.index, found.key.end_mark.index) if whole else None

    def _follow(self, root: yaml.Node, path: JsonPath) -> tuple[Member, bool]:
        """Go along a path as far as it leads, and tell whether that was to its end."""
        found = Member(root, root)
        for step in path:
            inner = self._inside(found.value).get(step)
            if inner is None:
                return found, False
            found = inner
        return found, True

    def _inside(self, node: yaml.Node) -> dict[str | int, Member]:
        if node not in self._members:
            self._members[node] = self._index(node)
        return self._members[node]

    def _index(self, node: yaml.Node) -> dict[str | int, Member]:
        """The members of a node: those that it takes in by `<<`, then its own, which win."""
        if isinstance(node, yaml.SequenceNode):
            return {index: Member(item, item) for index, item in enumerate(node.value)}
        if not isinstance(node, yaml.MappingNode):
            return {}
        members: dict[str | int, Member] = {}
        for base in reversed(merged(node)):
            members |= self._inside(base)
        return members | {key.value: Member(key, value) for key, value in node.value if key.tag == STRING}


def merged(node: yaml.MappingNode) -> list[yaml.Node]:
    """The nodes that a mapping takes in by `<<`, the ones that win first."""
    bases = [value for key, value in node.value if key.tag == MERGE]
    return [base for value in bases for base in (value.value if isinstance(value, yaml.SequenceNode) else [value])]
