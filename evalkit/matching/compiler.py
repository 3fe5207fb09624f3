"""From a pattern to its matcher: what each operator means."""

import fnmatch
import math
import operator
import re
from collections.abc import Callable, Mapping
from typing import Final

from evalkit.cases import Json
from evalkit.errors import EvalkitError
from evalkit.matching.differences import MISSING, shorten, show
from evalkit.matching.faults import Fault, args_faults, compile_regex, is_matcher, pattern_faults
from evalkit.matching.jsontypes import TYPE_TESTS, is_number
from evalkit.matching.matchers import Bag, Every, Items, Matcher, Members, Predicate, Scalar

DEFAULT_TOLERANCE = 1e-6
"""The relative tolerance of `$approx` if none is given."""


class PatternError(EvalkitError):
    """A pattern that cannot be used; `faults` has each fault's path inside the pattern and its message."""

    def __init__(self, faults: list[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("; ".join(f"${path}: {message}" for path, message in faults))

    def __reduce__(self) -> tuple[type["PatternError"], tuple[list[Fault]]]:
        return PatternError, (list(self.faults),)


def compile_pattern(pattern: Json) -> Matcher:
    """Build the matcher for a pattern.

    Raises:
        PatternError: The pattern has faults.
    """
    if faults := pattern_faults(pattern):
        raise PatternError(faults)
    return _build(pattern)


def compile_args(patterns: Mapping[str, Json]) -> Members:
    """Build the matcher for a call's arguments: listed ones must match, others are free.

    Raises:
        PatternError: A pattern has faults.
    """
    if faults := args_faults(patterns):
        raise PatternError(faults)
    return Members({name: _build(pattern) for name, pattern in patterns.items()}, free=True)


def literal_args(args: Mapping[str, Json]) -> Members:
    """Build the matcher for a call with equal arguments, none more and none less; nothing in them is a pattern."""
    return Members({name: _eq(value) for name, value in args.items()})


def _build(pattern: Json) -> Matcher:
    if isinstance(pattern, Mapping):
        if is_matcher(pattern):
            return _every([_BUILDERS[name](operand) for name, operand in pattern.items()])
        return Members({key: _build(member) for key, member in pattern.items()})
    if isinstance(pattern, list | tuple):
        return Items(tuple(_build(item) for item in pattern))
    return Scalar(pattern)


def _every(matchers: list[Matcher]) -> Matcher:
    return matchers[0] if len(matchers) == 1 else Every(tuple(matchers))


def _eq(literal: Json) -> Matcher:
    if isinstance(literal, Mapping):
        return Members({key: _eq(member) for key, member in literal.items()})
    if isinstance(literal, list | tuple):
        return Items(tuple(_eq(item) for item in literal))
    return Scalar(literal)


def _present(_true: Json) -> Matcher:
    return Predicate(lambda value: value is not MISSING, "any value")


def _absent(_true: Json) -> Matcher:
    return Predicate(lambda value: value is MISSING, "no such key")


def _exists(expected: bool) -> Matcher:
    return _present(expected) if expected else _absent(expected)


def _regex(source: str) -> Matcher:
    search = compile_regex(source).search
    return Predicate(
        lambda value: isinstance(value, str) and search(value) is not None,
        f"a value matching /{shorten(source)}/",
    )


def _glob(shape: str) -> Matcher:
    fits = re.compile(fnmatch.translate(shape)).match
    return Predicate(lambda value: isinstance(value, str) and fits(value) is not None, f"a value like {show(shape)}")


def _contains(pattern: Json) -> Matcher:
    part = _build(pattern)

    def holds(value: Json) -> bool:
        if isinstance(value, str):
            return isinstance(pattern, str) and pattern in value
        return isinstance(value, list | tuple | Mapping) and any(part.accepts(item) for item in value)

    return Predicate(holds, shorten(f"something containing {part.describe()}"))


def _icontains(text: str) -> Matcher:
    folded = text.casefold()

    def holds(value: Json) -> bool:
        if isinstance(value, str):
            return folded in value.casefold()
        return isinstance(value, list | tuple | Mapping) and any(
            isinstance(item, str) and item.casefold() == folded for item in value
        )

    return Predicate(holds, f"something containing {show(text)} in any case")


def _oneof(patterns: list[Json]) -> Matcher:
    choices = [_build(pattern) for pattern in patterns]
    return Predicate(
        lambda value: any(choice.accepts(value) for choice in choices),
        shorten(f"one of {', '.join(choice.describe() for choice in choices)}"),
    )


def _all(patterns: list[Json]) -> Matcher:
    return _every([_build(pattern) for pattern in patterns])


def _not(pattern: Json) -> Matcher:
    unwanted = _build(pattern)
    return Predicate(lambda value: not unwanted.accepts(value), shorten(f"anything but {unwanted.describe()}"))


def _type(names: str | list[str]) -> Matcher:
    names = [names] if isinstance(names, str) else names
    tests = [TYPE_TESTS[name] for name in names]
    return Predicate(lambda value: any(test(value) for test in tests), f"a value of type {' or '.join(names)}")


def _ordered(compare: Callable[[Json, Json], bool], wording: str) -> Callable[[Json], Matcher]:
    def build(limit: Json) -> Matcher:
        is_comparable = TYPE_TESTS["string" if isinstance(limit, str) else "number"]
        return Predicate(
            lambda value: is_comparable(value) and compare(value, limit), f"a value {wording} {show(limit)}"
        )

    return build


def _approx(operand: Json) -> Matcher:
    tolerances = operand if isinstance(operand, Mapping) else {"value": operand}
    wanted = tolerances["value"]
    absolute = tolerances.get("abs", 0.0)
    relative = tolerances.get("rel", 0.0 if "abs" in tolerances else DEFAULT_TOLERANCE)

    def holds(value: Json) -> bool:
        try:
            return is_number(value) and math.isclose(value, wanted, rel_tol=relative, abs_tol=absolute)
        except OverflowError:  # an integer beyond the range of floats is close to nothing but itself
            return bool(value == wanted)

    margins = [show(absolute)] * bool(absolute) + [f"{show(relative)} relative"] * bool(relative)
    return Predicate(holds, f"about {show(wanted)} (± {' or '.join(margins) or 0})")


def _subset(listed: Json) -> Matcher:
    if isinstance(listed, Mapping):
        return Members({key: _build(member) for key, member in listed.items()}, free=True)
    return Bag(tuple(_build(item) for item in listed), free=True)


def _unordered(items: list[Json]) -> Matcher:
    return Bag(tuple(_build(item) for item in items))


_BUILDERS: Final[Mapping[str, Callable[[Json], Matcher]]] = {
    "$eq": _eq,
    "$any": _present,
    "$regex": _regex,
    "$glob": _glob,
    "$contains": _contains,
    "$icontains": _icontains,
    "$oneof": _oneof,
    "$all": _all,
    "$not": _not,
    "$absent": _absent,
    "$exists": _exists,
    "$type": _type,
    "$gt": _ordered(operator.gt, "greater than"),
    "$gte": _ordered(operator.ge, "of at least"),
    "$lt": _ordered(operator.lt, "less than"),
    "$lte": _ordered(operator.le, "of at most"),
    "$approx": _approx,
    "$subset": _subset,
    "$unordered": _unordered,
}
