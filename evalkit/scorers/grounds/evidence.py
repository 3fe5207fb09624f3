"""What a value shows of the state of the record that it stands in."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from evalkit.answers.units import key_words
from evalkit.cases import Json
from evalkit.matching.differences import shorten
from evalkit.scorers.grounds.facts import ROOT, Facts, Leaf
from evalkit.scorers.grounds.statuses import statuses

_ENVELOPE = frozenset({"status", "ok", "success"})
"""Keys that say whether a tool did its work, at the top of its reply."""

_SETTINGS = frozenset({"min", "max", "minimum", "maximum", "limit", "threshold", "timeout", "policy"})
"""Words of keys that have what is allowed or wanted, and no state."""

MEASURES = {"lag": "lagging"}
"""Keys whose number shows a state, though it counts no things that have it."""

_SHARE = re.compile(r"(\d+)/(\d+)")
_SHOWN = 60
_LONG = 2_000
"""Longer texts are logs: what they tell is past, and of many things."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What shows a state, or the contrary: a value, or how long a list is."""

    node: int
    key: str
    value: Json
    word: str
    holds: bool

    @property
    def counts(self) -> bool:
        """Whether it says of how many things."""
        return is_count(self.value) and not is_code(self.key) and self.key not in MEASURES

    def __str__(self) -> str:
        """Write it as its key and value."""
        return shown(Leaf(self.node, self.key, self.value))


def _is_condition(facts: Facts, leaf: Leaf) -> bool:
    """Whether a record is a condition of Kubernetes: its type is no state, but what the state is about."""
    record = facts.values[leaf.node]
    return isinstance(record, dict) and str(record.get("status")) in ("True", "False", "Unknown")


def states_of(facts: Facts, leaf: Leaf) -> Iterator[tuple[str, bool]]:
    """Yield the states that a leaf shows, and whether they hold."""
    value = leaf.value
    if leaf.is_key or leaf.node == ROOT:
        return
    if isinstance(value, str):
        outer = leaf.key in _ENVELOPE and facts.parents[leaf.node] == ROOT
        share = _SHARE.fullmatch(value)
        if share:  # `ready: 0/1`
            yield from ((word, share[1] == share[2] != "0") for word in words_of_key(leaf.key))
        elif not (outer or len(value) > _LONG or (leaf.key == "type" and _is_condition(facts, leaf))):
            yield from _words_of_text(value)
    elif is_code(leaf.key):
        yield from [("exited", True)] if value else []
    elif is_count(value) and leaf.key in MEASURES:
        yield MEASURES[leaf.key], value > 0
    elif isinstance(value, int) and not (is_count(value) and facts.lists[leaf.node]):
        yield from ((word, value > 0) for word in words_of_key(leaf.key))


def is_count(value: Json) -> bool:
    """Tell whether a value is a whole number."""
    return isinstance(value, int) and not isinstance(value, bool)


@lru_cache(maxsize=10_000)
def is_code(key: str) -> bool:
    """Tell whether a key has the code with which something ended: it has, at least once."""
    return key_words(key) == ("exit", "code")


@lru_cache(maxsize=10_000)
def words_of_key(key: str) -> tuple[str, ...]:
    """Return the states that a key names; none if its value is what is allowed or wanted."""
    if not _SETTINGS.isdisjoint(key_words(key)):
        return ()
    return tuple(status.word for status in statuses(" ".join(key_words(key)), asserted=False))


@lru_cache(maxsize=10_000)
def _words_of_text(text: str) -> tuple[tuple[str, bool], ...]:
    if "-" in text and " " not in text and not text.isalpha() and any(map(str.isdigit, text)):
        return ()  # a name or a time
    return tuple((status.word, not status.denied) for status in statuses(text, asserted=False))


def shown(leaf: Leaf) -> str:
    """Write a leaf as its key and value."""
    value: Json = leaf.value
    text = str(value).lower() if isinstance(value, bool) else str(value)
    text = shorten(text, _SHOWN)
    return f"`{leaf.key}: {text}`" if leaf.key else f"`{text}`"
