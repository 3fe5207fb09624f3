"""What is wrong with a pattern: unknown operators, and operands that an operator cannot take.

A fault is the path inside the pattern, such as `.since.$regex` (empty for the pattern itself), and a message.
"""

import math
import re
import warnings
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple

from evalkit.cases import Json
from evalkit.matching.differences import child, show
from evalkit.matching.jsontypes import TYPE_TESTS, is_nan, is_number
from evalkit.matching.ranges import empty_range, is_limit

Fault = tuple[str, str]


def pattern_faults(pattern: Json) -> list[Fault]:
    """Find everything that is wrong with a pattern; never raises."""
    if pattern is None or isinstance(pattern, str | int | float):
        return []  # most patterns are these, and many are compiled for each case
    try:
        return list(_pattern(pattern, _Place()))
    except RecursionError:
        return [("", "is nested too deeply")]


def args_faults(patterns: Json) -> list[Fault]:
    """Find everything that is wrong with the patterns for a call's arguments, by argument name; never raises."""
    if not isinstance(patterns, Mapping):
        return [("", f"wants an object with a pattern for each argument, not {show(patterns)}")]
    faults: list[Fault] = []
    for name, pattern in patterns.items():
        if name in OPERATORS:
            remedy = "put it at the argument that it is about; to take every call leave args out"
            faults.append((child("", name), f"{name} stands where the name of an argument belongs; {remedy}"))
        else:
            faults += [(child("", name) + path, message) for path, message in pattern_faults(pattern)]
    return faults


def is_matcher(pattern: Mapping[str, Json]) -> bool:
    """Whether an object is a matcher: it has keys, and all start with `$`."""
    return bool(pattern) and all(_is_operator(key) for key in pattern)


@lru_cache(maxsize=1024)
def compile_regex(source: str) -> re.Pattern[str]:
    """Compile a regular expression without the warnings that Python gives about odd but valid ones."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return re.compile(source)


class _Place(NamedTuple):
    """Where in the pattern we are, whether the value met there can be a missing key, and whether `$not` is around."""

    path: str = ""
    member: bool = True
    negated: bool = False

    def key(self, key: Json) -> "_Place":
        return self._replace(path=child(self.path, key), member=True)

    def item(self, index: int) -> "_Place":
        return self._replace(path=f"{self.path}[{index}]", member=False)

    def operand(self, name: str) -> "_Place":
        return self._replace(path=child(self.path, name))

    def choice(self, index: int) -> "_Place":
        return self._replace(path=f"{self.path}[{index}]")


def _is_operator(key: Json) -> bool:
    return isinstance(key, str) and key.startswith("$")


def _pattern(pattern: Json, place: _Place) -> Iterator[Fault]:
    if isinstance(pattern, list | tuple):
        yield from _items(pattern, place)
    elif not isinstance(pattern, Mapping):
        yield from _scalar(pattern, place)
    elif not is_matcher(pattern):
        yield from _members(pattern, place)
    else:
        for name, operand in pattern.items():
            if name in OPERATORS:
                yield from OPERATORS[name](operand, place.operand(name))
            else:
                yield place.operand(name).path, _unknown(name)
        if not place.negated and (nothing := empty_range(pattern)):
            yield place.path, nothing


def _unknown(name: str) -> str:
    import difflib  # only a pattern with a fault pays for it

    close = difflib.get_close_matches(name, OPERATORS, n=1)
    remedy = f"did you mean {close[0]}?" if close else 'a key that starts with "$" is compared under {"$eq": {…}}.'
    return f"unknown operator {name}; {remedy} The operators are {' '.join(OPERATORS)}"


def _members(pattern: Mapping[Any, Json], place: _Place) -> Iterator[Fault]:
    operators = [key for key in pattern if _is_operator(key)]
    if operators:
        others = [key for key in pattern if key not in operators]
        plain = ", ".join(map(show, others))
        remedy = 'a matcher has operators only, and a key that starts with "$" is compared under {"$eq": {…}}'
        if all(f"${key}" in OPERATORS for key in others):
            remedy = f"write {', '.join(f'${key}' for key in others)}"
        yield place.path, f"mixes {' '.join(operators)} with plain keys ({plain}); {remedy}"
    for key, value in pattern.items():
        if not isinstance(key, str):
            yield place.key(key).path, f"the key {show(key)} is not a string; put it in quotes"
        elif key not in operators:
            yield from _pattern(value, place.key(key))


def _items(items: list[Json] | tuple[Json, ...], place: _Place) -> Iterator[Fault]:
    for index, item in enumerate(items):
        yield from _pattern(item, place.item(index))


def _scalar(value: Json, place: _Place) -> Iterator[Fault]:
    if value is not None and not isinstance(value, str | bool | int | float):
        yield (
            place.path,
            f"a value of type {type(value).__name__} is not JSON; to compare it with text put it in quotes",
        )


def _literal(operand: Json, place: _Place) -> Iterator[Fault]:
    if isinstance(operand, Mapping):
        for key, value in operand.items():
            yield from _literal(value, place.key(key))
    elif isinstance(operand, list | tuple):
        for index, item in enumerate(operand):
            yield from _literal(item, place.item(index))
    else:
        yield from _scalar(operand, place)


def _true(operand: Json, place: _Place) -> Iterator[Fault]:
    if operand is not True:
        yield place.path, f"takes true, not {show(operand)}"


def _absent(operand: Json, place: _Place) -> Iterator[Fault]:
    yield from _needs_member(place)
    if operand is not True:
        yield place.path, f'takes true, not {show(operand)}; a key that must be there is {{"$exists": true}}'


def _exists(operand: Json, place: _Place) -> Iterator[Fault]:
    yield from _needs_member(place)
    if not isinstance(operand, bool):
        yield place.path, f"takes true or false, not {show(operand)}"


def _needs_member(place: _Place) -> Iterator[Fault]:
    if not place.member:
        yield place.path, "asks about a missing key, so it makes sense only as the value of a key"


def _text(operand: Json, place: _Place) -> Iterator[Fault]:
    if not isinstance(operand, str):
        yield place.path, f"takes a string, not {show(operand)}"


def _regex(operand: Json, place: _Place) -> Iterator[Fault]:
    if not isinstance(operand, str):
        yield from _text(operand, place)
        return
    try:
        compile_regex(operand)
    except (re.error, OverflowError, RecursionError) as error:
        yield place.path, f"{show(operand)} is not a valid regular expression: {error}"


def _element(operand: Json, place: _Place) -> Iterator[Fault]:
    yield from _pattern(operand, place._replace(member=False))


def _choices(operand: Json, place: _Place) -> Iterator[Fault]:
    if not isinstance(operand, list | tuple) or not operand:
        yield place.path, f"takes a list with at least one pattern, not {show(operand)}"
        return
    for index, pattern in enumerate(operand):
        yield from _pattern(pattern, place.choice(index))


def _negated(operand: Json, place: _Place) -> Iterator[Fault]:
    yield from _pattern(operand, place._replace(negated=True))


def _list(operand: Json, place: _Place) -> Iterator[Fault]:
    if isinstance(operand, list | tuple):
        yield from _items(operand, place)
    else:
        yield place.path, f"takes a list, not {show(operand)}"


def _subset(operand: Json, place: _Place) -> Iterator[Fault]:
    if isinstance(operand, list | tuple):
        yield from _items(operand, place)
    elif not isinstance(operand, Mapping) or is_matcher(operand):
        yield place.path, f"takes an object of plain keys or a list, not {show(operand)}"
    else:
        yield from _members(operand, place)


def _type(operand: Json, place: _Place) -> Iterator[Fault]:
    if isinstance(operand, list | tuple) and operand:
        for index, name in enumerate(operand):
            yield from _type_name(name, place.item(index))
    else:
        yield from _type_name(operand, place)


def _type_name(name: Json, place: _Place) -> Iterator[Fault]:
    if not isinstance(name, str) or name not in TYPE_TESTS:
        yield place.path, f"{show(name)} is not a JSON type; the types are {', '.join(TYPE_TESTS)}"


def _limit(operand: Json, place: _Place) -> Iterator[Fault]:
    if not is_limit(operand):
        yield place.path, f"takes a number or a string, not {show(operand)}"


def _approx(operand: Json, place: _Place) -> Iterator[Fault]:
    options = operand if isinstance(operand, Mapping) else {"value": operand}
    for key in options:
        if key not in ("value", "abs", "rel"):
            yield place.key(key).path, f"unknown key {show(key)}; $approx takes value, abs and rel"
    value = options.get("value")
    if not is_number(value) or is_nan(value):
        yield place.path, f'takes a number or {{"value": number, "abs": …, "rel": …}}, not {show(operand)}'
    for key in ("abs", "rel"):
        margin = options.get(key, 0)
        if not is_number(margin) or not 0 <= margin < math.inf:
            yield place.key(key).path, f"takes a number of 0 or more, not {show(margin)}"


OPERATORS: Final[Mapping[str, Callable[[Json, _Place], Iterator[Fault]]]] = {
    "$eq": _literal,
    "$any": _true,
    "$regex": _regex,
    "$glob": _text,
    "$contains": _element,
    "$icontains": _text,
    "$oneof": _choices,
    "$not": _negated,
    "$absent": _absent,
    "$exists": _exists,
    "$type": _type,
    "$gt": _limit,
    "$gte": _limit,
    "$lt": _limit,
    "$lte": _limit,
    "$approx": _approx,
    "$subset": _subset,
    "$unordered": _list,
    "$all": _choices,
}
"""Every operator, and what checks its operand."""
