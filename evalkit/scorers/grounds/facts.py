"""Everything a conversation has shown the agent so far: values in their records, and the text of all of them.

A reply is a tree; a *leaf* is a text, a number or a truth value in it, a *node* the object or list that holds it. Items
of one list, and replies of one tool, are *siblings*: what is true of one is not therefore true of another.
"""

import bisect
import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate, pairwise
from typing import Any, Literal, NamedTuple, TypeVar

from evalkit.cases import Json
from evalkit.scorers.grounds.passages import places_of, plain, spaced

_SPAN = re.compile(r"(?<![\w.])(\d{1,6})([smhdw])\b")
_SECONDS_OF = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}
_ENOUGH = 64
"""Places at which a name is looked at, the first ones; a record has a few."""

ROOT = 0

T = TypeVar("T")
Relation = Literal["same", "sibling", "elsewhere"]


class Leaf(NamedTuple):
    """A value with its place: the node that holds it, and the nearest key above it."""

    node: int
    key: str
    value: Json
    is_key: bool = False


class Facts:
    """Collects what was shown, and finds names in it."""

    def __init__(self) -> None:
        self.leaves: list[Leaf] = []
        self.parents: list[int] = [ROOT]
        self._depths: list[int] = [0]
        self.lists: list[bool] = [False]
        self.labels: list[str] = [""]
        self.values: list[Json] = [None]
        self.calls: list[str] = []
        self.spans: set[int] = set()
        self._texts: list[str] = []
        self._text = ""
        self._starts: list[int] = []
        self._named: dict[int, list[str]] = {}
        self._last: dict[str, int] = {}
        self.outdated: set[int] = set()
        self._keys: set[str] = set()
        self._computed: dict[tuple[int, str], Any] = {}
        self._paths: set[tuple[str, str]] = set()
        self._walked = 0

    def say(self, text: str) -> None:
        """Add what the user said, or the name of a tool."""
        self._leaf(text, ROOT, "")

    def add(self, value: Json, *, tool: str = "", args: Json = None) -> None:
        """Add a reply.

        Args:
            value: What the tool replied, or another JSON value.
            tool: The tool; replies of one tool are siblings.
            args: The arguments of the call: no source, but they say what the reply is about. What the same call was
                answered before is outdated.
        """
        node = self._node(ROOT, tool, value)
        self._named[node] = [word.casefold() for word in _words_in(args)]
        self.spans.update(_spans_in(args))
        if tool:
            call = json.dumps([tool, args], sort_keys=True, default=str)
            if call in self._last:
                self.outdated.add(self._last[call])
            self._last[call] = node
        self._walk(value, node, "")

    def find(self, word: str) -> list[int]:
        """Return the leaves that have a name in them as a whole: `broker-2` in `broker-2.eu`, not in `broker-22`."""
        wanted = spaced(word).casefold()
        text, starts = self._joined()
        found: list[int] = []
        for place in places_of(text, wanted):
            leaf = bisect.bisect_right(starts, place) - 1
            if not found or found[-1] != leaf:
                found.append(leaf)
            if len(found) == _ENOUGH:
                break
        return found

    def have_together(self, parts: Sequence[str]) -> bool:
        """Tell whether names that are written in one, such as `namespace/name`, were shown, none with a sibling's."""
        found = [[self.leaves[leaf].node for leaf in self.find(part)] for part in parts]
        return all(found) and all(
            any(self.relation(node, other) != "sibling" for node in one for other in following)
            for one, following in pairwise(found)
        )

    def has_text(self, text: str) -> bool:
        """Tell whether a passage occurs somewhere, whatever its spaces and quotes are."""
        return plain(text) in self._plain()

    def has_pair(self, pair: str) -> bool:
        """Tell whether a record has a label with a value: `tier=web`."""
        key, joint, value = pair.partition("=")
        written = rf"(?<!\w){re.escape(key.casefold())}\W+(?:is\W+)?{re.escape(value.casefold())}\b"
        return bool(joint) and (
            self.has_pattern(written)
            or any(
                leaf.key == key and not leaf.is_key and str(leaf.value).casefold() == value.casefold()
                for leaf in self.leaves
            )
        )

    def has_pattern(self, pattern: str) -> bool:
        """Tell whether a regular expression is found somewhere."""
        return bool(re.search(pattern, self._joined()[0]))

    def named(self, word: str) -> list[int]:
        """Return the nodes of the replies whose call named this."""
        return [node for node, names in self._named.items() if word.casefold() in names]

    def asked_for(self, leaf: int, word: str) -> bool:
        """Tell whether the call that a leaf answers had a word in an argument, such as `rate(` in a query."""
        return any(word in text for text in self._named.get(self.reply_of(self.leaves[leaf].node), ()))

    def path(self, leaf: int) -> tuple[str, str]:
        """Return a leaf's key, alone and with the key above it: `memory` and `limits.memory`."""
        node, key, *_ = self.leaves[leaf]
        return key, f"{self.labels[node]}.{key}"

    def paths(self) -> frozenset[tuple[str, str]]:
        """Return each key that has numbers, with the key above it."""
        for leaf in self.leaves[self._walked :]:
            path = (self.labels[leaf.node], leaf.key)
            if path not in self._paths and _has_number(leaf.value):
                self._paths.add(path)
        self._walked = len(self.leaves)
        return frozenset(self._paths)

    def text(self) -> str:
        """Return everything that was shown, in small letters."""
        return self._joined()[0]

    def is_outdated(self, node: int) -> bool:
        """Tell whether the same call was answered again, later."""
        return bool(self.outdated) and not self.outdated.isdisjoint(self.ancestors(node))

    def once(self, node: int, compute: Callable[[Any], T]) -> T:
        """Compute something of a node's value, the first time that it is asked for."""
        key = (node, compute.__name__)
        if key not in self._computed:
            self._computed[key] = compute(self.values[node])
        found: T = self._computed[key]
        return found

    def reply_of(self, node: int) -> int:
        """Return the reply that a node is a part of."""
        while node != ROOT and self.parents[node] != ROOT:
            node = self.parents[node]
        return node

    def ancestors(self, node: int) -> Iterator[int]:
        """Yield a node and all above it, up to the root."""
        while node != ROOT:
            yield node
            node = self.parents[node]
        yield ROOT

    def relation(self, one: int, other: int) -> Relation:
        """Tell how two nodes belong together."""
        below_one: int | None = None
        below_other: int | None = None
        while one != other:
            if self._depths[one] >= self._depths[other]:
                below_one, one = one, self.parents[one]
            else:
                below_other, other = other, self.parents[other]
        return self._meeting(one, below_one, below_other)

    def _meeting(self, node: int, one: int | None, other: int | None) -> Relation:
        if one is None or other is None:
            return "same" if node != ROOT else "elsewhere"
        if node == ROOT:
            return "sibling" if self.labels[one] == self.labels[other] != "" else "elsewhere"
        return "sibling" if self.lists[node] else "same"

    def _walk(self, value: Json, node: int, key: str) -> None:
        if isinstance(value, dict):
            keyed = is_keyed(value)
            for name, item in value.items():
                inner = self._node(node, str(name), item) if isinstance(item, dict | list) else node
                if keyed or name not in self._keys:
                    self._keys.add(name)
                    self._leaf(str(name), inner, key, is_key=True)
                self._walk(item, inner, str(name))
        elif isinstance(value, list | tuple):
            for item in value:
                self._walk(item, self._node(node, key, item) if isinstance(item, dict | list) else node, key)
        elif value is not None:
            self._leaf(value, node, key)

    def _node(self, parent: int, label: str, value: Json) -> int:
        self.parents.append(parent)
        self._depths.append(self._depths[parent] + 1)
        self.lists.append(isinstance(value, list) or (isinstance(value, dict) and is_keyed(value)))
        self.labels.append(label)
        self.values.append(value)
        return len(self.parents) - 1

    def _leaf(self, value: Json, node: int, key: str, *, is_key: bool = False) -> None:
        if isinstance(value, float) and not math.isfinite(value):
            return
        self.leaves.append(Leaf(node, key, value, is_key))
        text = "" if isinstance(value, bool) else str(value)
        self._texts.append((spaced(text) if "-" in text and ":" in text else text).casefold())

    def _joined(self) -> tuple[str, Sequence[int]]:
        if len(self._starts) != len(self._texts):
            self._text = "\n".join(self._texts)
            self._starts = [0, *accumulate(len(text) + 1 for text in self._texts)][:-1]
        return self._text, self._starts

    def _plain(self) -> str:
        return plain(self._joined()[0])


def _words_in(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _words_in(item)


def _spans_in(args: Json) -> Iterator[int]:
    """Yield the spans of time in a query, in seconds: a reply to `rate(errors[5m])` is about five minutes."""
    for text in _words_in(args):
        for digits, unit in _SPAN.findall(text):
            yield int(digits) * _SECONDS_OF[unit]


def _has_number(value: Json) -> bool:
    return value[:1].isdigit() if isinstance(value, str) else not isinstance(value, bool)


def is_keyed(value: Mapping[str, Json]) -> bool:
    """Tell whether an object is a collection by name rather than a record: several objects of one kind."""
    return len(value) > 1 and all(isinstance(item, dict) for item in value.values())
