"""Matchers without their `$`: objects that a pattern compares as they stand, and that were surely meant otherwise.

An argument may well be an object with such keys, as conditions are in the query languages of databases. What stands
below a name that speaks of conditions is therefore let alone, and so is deeper down what such languages have for keys.
"""

import re
from collections.abc import Iterator, Mapping, Set as AbstractSet
from typing import Final, NamedTuple

from evalkit.cases import Json
from evalkit.matching.differences import child
from evalkit.matching.faults import OPERATORS, is_matcher, pattern_faults

_NEVER: Final = frozenset({"type"})
"""Keys that are words of everyday JSON."""

_OF_QUERIES: Final = frozenset({"all", "contains", "eq", "exists", "gt", "gte", "lt", "lte", "not"})
"""Keys that only the value of an argument itself has by mistake: deeper down they may be the words of a query."""

ANYWHERE: Final = frozenset(name.removeprefix("$") for name in OPERATORS) - _NEVER
"""The words that are surely a slip where a case's own calls do not have them."""

IN_ROUTES: Final = frozenset({"absent", "any", "approx", "glob", "icontains", "oneof", "regex", "unordered"})
"""Those that are hardly ever keys of an argument, whatever calls there may be."""

IN_STATES: Final = frozenset({"approx", "glob", "icontains", "oneof", "regex"})
"""Those that are hardly ever keys in a state either."""

_SAY_CONDITIONS = """
condition conditions constraint constraints criteria criterion expression filter filters match matcher matchers params
pattern patterns predicate query queries rule rules schema search selector selectors spec where
"""
_CONDITIONS: Final = frozenset(_SAY_CONDITIONS.split())
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
_NESTED: Final = frozenset({"$all", "$contains", "$not", "$oneof", "$subset", "$unordered"})
"""The operators whose operand is a pattern, or has patterns in it."""


class Slip(NamedTuple):
    """An object that was meant as a matcher.

    Attributes:
        path: Its path inside the pattern, such as `.team`; empty for the pattern itself.
        found: The object.
    """

    path: str
    found: Mapping[str, Json]


def bare_operators(name: str, pattern: Json, words: AbstractSet[str] = ANYWHERE) -> Iterator[Slip]:
    """Find the objects in a pattern whose keys are all names of operators without the `$`, with operands they take.

    Args:
        name: The key that the pattern is for, such as an argument.
        pattern: The pattern.
        words: The names of operators that count: those which are no likely keys of what is compared.
    """
    if isinstance(pattern, Mapping | list) and not _speaks_of_conditions(name):
        yield from _slips(pattern, "", words)


def is_bare(value: Json) -> bool:
    """Whether all keys of an object are names of operators without the `$`, and each has an operand that fits."""
    if not isinstance(value, Mapping) or not value:
        return False
    return value.keys() <= ANYWHERE and not pattern_faults({f"${key}": operand for key, operand in value.items()})


def _slips(pattern: Json, path: str, words: AbstractSet[str]) -> Iterator[Slip]:
    if isinstance(pattern, list):
        for index, item in enumerate(pattern):
            yield from _slips(item, f"{path}[{index}]", words)
    elif isinstance(pattern, Mapping) and is_matcher(pattern):
        for name in _NESTED & pattern.keys():
            operand, inside = pattern[name], child(path, name)
            if name == "$subset" and isinstance(operand, Mapping):
                yield from _members(operand, inside, words)
            else:
                yield from _slips(operand, inside, words)
    elif is_bare(pattern) and pattern.keys() <= words:
        yield Slip(path, pattern)
    elif isinstance(pattern, Mapping):
        yield from _members(pattern, path, words)


def _members(pattern: Mapping[str, Json], path: str, words: AbstractSet[str]) -> Iterator[Slip]:
    for key, member in pattern.items():
        if not _speaks_of_conditions(key):
            yield from _slips(member, child(path, key), words - _OF_QUERIES)


def _speaks_of_conditions(name: str) -> bool:
    return any(word.lower() in _CONDITIONS for word in _WORD.findall(str(name)))
