"""Does one pattern take everything that another takes? Answered with yes only where that is certain."""

from collections.abc import Iterator, Mapping

from evalkit.cases import Json
from evalkit.matching.differences import MISSING
from evalkit.matching.faults import is_matcher
from evalkit.matching.jsontypes import is_number
from evalkit.matching.patience import is_quick
from evalkit.matching.ranges import includes

Patterns = Mapping[str, Json] | None

_MOST_COMPARED = 20
"""So many choices are compared one by one."""


def covers_args(patterns: Patterns, others: Patterns) -> bool:
    """Whether every call whose arguments fit the second patterns fits the first; other arguments are free."""
    wanted, given = patterns or {}, others or {}
    return all(name in given and covers(pattern, given[name]) for name, pattern in wanted.items())


def covers(pattern: Json, other: Json) -> bool:
    """Whether every value that the second pattern takes surely is one that the first takes."""
    if _same(pattern, other):
        return True
    if not isinstance(pattern, Mapping | list) and not isinstance(other, Mapping | list):
        return is_number(pattern) and is_number(other) and pattern == other
    if is_literal(other):
        return _accepts(pattern, _literal(other))
    if isinstance(other, Mapping) and is_matcher(other) and _by_a_part(pattern, other):
        return True
    if isinstance(pattern, Mapping) and is_matcher(pattern):
        return all(_holds(name, operand, other) for name, operand in pattern.items())
    return _covers_each(pattern, other)


def is_literal(pattern: Json) -> bool:
    """Whether a pattern takes exactly one value."""
    if isinstance(pattern, Mapping):
        if is_matcher(pattern):
            return pattern.keys() == {"$eq"}
        return all(map(is_literal, pattern.values()))
    return all(map(is_literal, pattern)) if isinstance(pattern, list) else True


def _literal(pattern: Json) -> Json:
    """Return the one value that a literal pattern takes."""
    if isinstance(pattern, Mapping):
        if is_matcher(pattern):
            return pattern["$eq"]
        return {key: _literal(member) for key, member in pattern.items()}
    return [_literal(item) for item in pattern] if isinstance(pattern, list) else pattern


def _accepts(pattern: Json, value: object) -> bool:
    from evalkit.matching.compiler import compile_pattern  # most patterns are plain values, and do not pay for it

    length = len(str(value))
    return all(is_quick(source, length) for source in _regexes(pattern)) and compile_pattern(pattern).accepts(value)


def _regexes(pattern: Json) -> Iterator[str]:
    """Yield every regular expression in a pattern."""
    if isinstance(pattern, Mapping):
        yield from (source for name, source in pattern.items() if name == "$regex" and isinstance(source, str))
    inner = pattern.values() if isinstance(pattern, Mapping) else pattern if isinstance(pattern, list) else ()
    for part in inner:
        yield from _regexes(part)


def _by_a_part(pattern: Json, other: Mapping[str, Json]) -> bool:
    """Whether a part of another matcher is narrow enough: each of its choices, or one of what must all hold."""
    choices, parts = other.get("$oneof", ()), other.get("$all", ())
    by_choices = 0 < len(choices) <= _MOST_COMPARED and all(covers(pattern, choice) for choice in choices)
    return by_choices or (len(parts) <= _MOST_COMPARED and any(covers(pattern, part) for part in parts))


def _covers_each(pattern: Json, other: Json) -> bool:
    """Compare plain objects key by key, and lists item by item."""
    if isinstance(pattern, Mapping) and isinstance(other, Mapping) and not is_matcher(other):
        return pattern.keys() == other.keys() and _each(pattern, other)
    if isinstance(pattern, list) and isinstance(other, list):
        return len(pattern) == len(other) and all(map(covers, pattern, other))
    return False


def _holds(name: str, operand: Json, other: Json) -> bool:
    """Whether one operator holds for everything that another pattern takes."""
    theirs = other if isinstance(other, Mapping) and is_matcher(other) else {}
    if any((name == key and _same(operand, it)) or includes(name, operand, key, it) for key, it in theirs.items()):
        return True
    if name == "$any" or (name == "$exists" and operand is True):
        return not _accepts(other, MISSING)
    if name == "$oneof":
        return len(operand) <= _MOST_COMPARED and any(covers(choice, other) for choice in operand)
    if name == "$all":
        return all(covers(each, other) for each in operand)
    return name == "$subset" and isinstance(operand, Mapping) and _lists(other, operand)


def _lists(other: Json, listed: Mapping[str, Json]) -> bool:
    """Whether an object pattern, plain or `$subset`, wants all that is listed."""
    members = other.get("$subset", other) if isinstance(other, Mapping) else None
    if not isinstance(members, Mapping) or is_matcher(members):
        return False
    return listed.keys() <= members.keys() and _each(listed, members)


def _each(patterns: Mapping[str, Json], others: Mapping[str, Json]) -> bool:
    return all(covers(pattern, others[key]) for key, pattern in patterns.items())


def _same(one: Json, other: Json) -> bool:
    """Whether two patterns are the same text, apart from the order of keys: true is not 1."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(_same(member, other[key]) for key, member in one.items())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    return type(one) is type(other) and bool(one == other)
