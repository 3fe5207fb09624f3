"""Patterns against what a tool declares: values that no call has which keeps to the declaration.

What stands under `$not` is not judged, and neither is what the declaration leaves open.
"""

import contextlib
import json
from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple

from evalkit.agent_lint.problems import below, nearest
from evalkit.agent_lint.slots import Slot
from evalkit.cases import Json
from evalkit.lint.pattern_rules import as_matcher
from evalkit.matching import MISSING, compile_pattern, describe, pattern_faults
from evalkit.matching.differences import show
from evalkit.matching.faults import is_matcher
from evalkit.matching.slips import is_bare

_TRUTH: Final[Mapping[str, bool]] = {"yes": True, "on": True, "no": False, "off": False}


class PatternMisfit(NamedTuple):
    """A part of a pattern that fits no call.

    Attributes:
        path: JSON path of the part.
        fatal: Whether the pattern as a whole then fits none; not so for one choice among several.
    """

    path: str
    message: str
    hint: str | None = None
    fatal: bool = True


Misfits = Iterator[PatternMisfit]


def pattern_misfits(pattern: Json, slot: Slot, path: str) -> Misfits:
    """Find what in a pattern fits no value that the declaration allows in its place.

    Args:
        pattern: The pattern.
        slot: What the declaration allows.
        path: JSON path of the pattern.
    """
    if not pattern_faults(pattern):
        yield from _pattern(pattern, slot, path)


def _pattern(pattern: Json, slot: Slot, path: str) -> Misfits:
    if not slot.branches:
        return
    if not isinstance(pattern, Mapping) or not is_matcher(pattern):
        yield from _plain(pattern, slot, path, _pattern)
        return
    found = [one for name, operand in pattern.items() for one in _operator(name, operand, slot, below(path, name))]
    yield from found
    if not found and _fits_no_choice(pattern, slot):
        yield PatternMisfit(path, f"`{slot.name}` is {slot.wants}, and none of it is {describe(pattern)}")


def _literal(value: Json, slot: Slot, path: str) -> Misfits:
    if slot.branches:
        yield from _plain(value, slot, path, _literal)


def _plain(value: Json, slot: Slot, path: str, inner: Callable[[Json, Slot, str], Misfits]) -> Misfits:
    if isinstance(value, Mapping):
        found = list(_members(value, slot, path, inner)) if slot.takes("object") else [_unfit(slot, path, "an object")]
        bare = found and is_bare(value)
        yield from [PatternMisfit(path, found[0].message, as_matcher(value))] if bare else found
    elif isinstance(value, list):
        if slot.takes("array"):
            for index, item in enumerate(value):
                yield from inner(item, slot.item(index), below(path, index))
        else:
            yield _unfit(slot, path, "a list", _one_of(value, slot))
    elif not slot.allows(value) and (value is not None or slot.needed):
        yield _wrong(value, slot, path)


def _members(value: Mapping[str, Json], slot: Slot, path: str, inner: Callable[[Json, Slot, str], Misfits]) -> Misfits:
    for key, member in value.items():
        place = slot.member(key)
        if place is not None:
            yield from inner(member, place, below(path, key))


def _wrong(value: Json, slot: Slot, path: str) -> PatternMisfit:
    said = show(value)
    if reason := slot.why_not(value) if slot.choices is None else "":
        return PatternMisfit(path, f"no call that keeps to the declaration has {said} as `{slot.name}`: {reason}")
    return _unfit(slot, path, said, _instead(value, slot))


def _unfit(slot: Slot, path: str, said: str, hint: str | None = None) -> PatternMisfit:
    return PatternMisfit(
        path, f"`{slot.name}` is {slot.wants}, so no call that keeps to the declaration has {said}", hint
    )


def _instead(value: Json, slot: Slot) -> str | None:
    """Say how to write a value so that it may stand here."""
    for other in _written_otherwise(value):
        if slot.allows(other):
            quoted = isinstance(other, str)
            return f"put it in quotes: {show(other)}" if quoted else f"write {show(other)}"
    texts = [choice for choice in slot.choices or () if isinstance(choice, str)]
    near = nearest(str(value), texts) if isinstance(value, str) else None
    if near:
        return f"did you mean {show(near)}?"
    return "write one of these" if texts else None


def _written_otherwise(value: Json) -> Iterator[Json]:
    if isinstance(value, str):
        if value.lower() in _TRUTH:
            yield _TRUTH[value.lower()]
        with contextlib.suppress(ValueError):
            yield json.loads(value.lower())
    else:
        yield json.dumps(value)
    yield [value]


def _one_of(value: list[Json], slot: Slot) -> str | None:
    """Say how to write a list of values of which each may stand here."""
    return f'write {{"$oneof": {show(value)}}}' if value and all(map(slot.allows, value)) else None


def _fits_no_choice(pattern: Mapping[str, Json], slot: Slot) -> bool:
    if slot.choices is None or "$not" in pattern:
        return False
    matcher = compile_pattern(pattern)
    return not any(map(matcher.accepts, (*slot.choices, MISSING)))


def _operator(name: str, operand: Json, slot: Slot, path: str) -> Misfits:
    if name in _OPERATORS:
        yield from _OPERATORS[name](operand, slot, path)
    elif name in _WANTED and not slot.takes(*_WANTED[name]):
        yield _unfit(slot, path, describe({name: operand}), _compared(slot))


def _compared(slot: Slot) -> str | None:
    return "a number is compared by $gt, $gte, $lt, $lte or $oneof" if slot.takes("number") else None


def _oneof(choices: list[Json], slot: Slot, path: str) -> Misfits:
    each = [list(_pattern(choice, slot, below(path, index))) for index, choice in enumerate(choices)]
    fatal = all(any(one.fatal for one in found) for found in each)
    yield from (one._replace(fatal=fatal and one.fatal) for found in each for one in found)


def _all(patterns: list[Json], slot: Slot, path: str) -> Misfits:
    for index, pattern in enumerate(patterns):
        yield from _pattern(pattern, slot, below(path, index))


def _contains(part: Json, slot: Slot, path: str) -> Misfits:
    if not slot.takes("string", "array", "object"):
        yield _unfit(slot, path, describe({"$contains": part}))
    elif not slot.takes("string", "object"):
        yield from _pattern(part, slot.item(), path)
    elif not slot.takes("array", "object") and not isinstance(part, str):
        yield _unfit(slot, path, describe({"$contains": part}))


def _type(names: Json, slot: Slot, path: str) -> Misfits:
    if not slot.takes(*([names] if isinstance(names, str) else names)):
        yield _unfit(slot, path, describe({"$type": names}))


def _limit(name: str) -> Callable[[Json, Slot, str], Misfits]:
    def judged(limit: Json, slot: Slot, path: str) -> Misfits:
        if not slot.takes("string" if isinstance(limit, str) else "number"):
            others = (other for other in _written_otherwise(limit) if not isinstance(other, bool | list))
            fitting = [other for other in others if slot.takes("string" if isinstance(other, str) else "number")]
            hint = f"write {name}: {show(fitting[0])}" if fitting else None
            yield _unfit(slot, path, describe({name: limit}), hint)

    return judged


def _subset(listed: Json, slot: Slot, path: str) -> Misfits:
    if isinstance(listed, Mapping) and slot.takes("object"):
        yield from _members(listed, slot, path, _pattern)
    elif isinstance(listed, Mapping):
        yield _unfit(slot, path, "an object")
    else:
        yield from _items(listed, slot, path)


def _items(listed: list[Json], slot: Slot, path: str) -> Misfits:
    if not slot.takes("array"):
        yield _unfit(slot, path, "a list")
        return
    for index, item in enumerate(listed):
        yield from _pattern(item, slot.item(), below(path, index))


_WANTED: Final[Mapping[str, tuple[str, ...]]] = {
    "$regex": ("string",),
    "$glob": ("string",),
    "$icontains": ("string", "array", "object"),
    "$approx": ("number",),
}
"""By operator, the types of values that it can hold for."""

_OPERATORS: Final[Mapping[str, Callable[..., Misfits]]] = {
    "$eq": _literal,
    "$oneof": _oneof,
    "$all": _all,
    "$contains": _contains,
    "$type": _type,
    **{name: _limit(name) for name in ("$gt", "$gte", "$lt", "$lte")},
    "$subset": _subset,
    "$unordered": _items,
}
"""What looks into operands; the operators that are not named here and above hold for values of any kind."""
