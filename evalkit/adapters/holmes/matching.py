"""Which calls a recording answers: HolmesGPT's rule as patterns of a mocks file.

A call is answered if each recorded argument is there and equal by Python's `==`, whatever other arguments it has. So
the recorded 1 also takes true, and an object must be equal as a whole. `"*"` takes any value, also none at all, unless
read literally; null takes null only, unless a missing argument counts as one.
"""

import math
from collections.abc import Iterator, Mapping
from itertools import product
from typing import Final

from evalkit.adapters.holmes.nouns import Options
from evalkit.cases import Json
from evalkit.formats.holmes_pairs import Match
from evalkit.matching.faults import OPERATORS

_TRUTHS: Final[Mapping[float, bool]] = {0: False, 1: True}
"""Numbers that Python takes for equal to a boolean, which the patterns tell apart."""

_MOST_TRUTHS: Final = 8
"""So many of them in an object that can be but written out: each doubles how often it is."""


def args_pattern(match: Match, options: Options) -> dict[str, Json]:
    """Write what is wanted as the `args` of a route."""
    return {name: _argument(value, options) for name, value in match.items()}


def unwritable(match: Match) -> str | None:
    """Say why no pattern can be written for what is wanted; None if one can."""
    for name, value in match.items():
        if name in OPERATORS:
            return f"the argument {name} has the name of a matcher"
        if any(isinstance(inner, float) and not math.isfinite(inner) for inner in _scalars(value)):
            return f"{name} is no finite number, which no call can give as JSON"
        if _is_literal(value) and len(_truths(value)) > _MOST_TRUTHS:
            return f"{name} has too many values that Python takes for equal to others"
    return None


def covers(general: Match, special: Match) -> bool:
    """Whether every call that one takes is also taken by a more general one."""
    return all(name in special and special[name] == value for name, value in general.items())


def _argument(value: Json, options: Options) -> Json:
    if value is None and options.null_matches_absent:
        return {"$oneof": [None, {"$absent": True}]}
    return _equal(value)


def _equal(value: Json) -> Json:
    """A pattern for what Python takes as equal."""
    if isinstance(value, list):
        return [_equal(item) for item in value]
    if isinstance(value, dict):
        if _is_literal(value):
            return {"$oneof": [{"$eq": equal} for equal in _equals(value)]}
        return {key: _equal(member) for key, member in value.items()}
    if isinstance(value, bool | int | float) and value in _TRUTHS:
        return {"$oneof": [int(value), _TRUTHS[value]]}
    return value


def _is_literal(value: Json) -> bool:
    """Whether a value has keys that would be read as matchers."""
    if isinstance(value, list):
        return any(map(_is_literal, value))
    return isinstance(value, dict) and any(key.startswith("$") or _is_literal(member) for key, member in value.items())


def _truths(value: Json) -> list[Json]:
    return [inner for inner in _scalars(value) if isinstance(inner, bool | int | float) and inner in _TRUTHS]


def _equals(value: Json) -> list[Json]:
    """Every value that Python takes as equal and the patterns tell apart."""
    if isinstance(value, list):
        return [[*items] for items in product(*map(_equals, value))]
    if isinstance(value, dict):
        return [dict(zip(value, members, strict=True)) for members in product(*map(_equals, value.values()))]
    if isinstance(value, bool | int | float) and value in _TRUTHS:
        return [int(value), _TRUTHS[value]]
    return [value]


def _scalars(value: Json) -> Iterator[Json]:
    if isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _scalars(inner)
    else:
        yield value
