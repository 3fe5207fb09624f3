"""The limits in a matcher: whether any value lies between them, and whether those of one include those of another."""

from collections.abc import Mapping
from typing import Final

from evalkit.cases import Json
from evalkit.matching.differences import show
from evalkit.matching.jsontypes import is_nan, is_number

LOWER: Final = ("$gt", "$gte")
UPPER: Final = ("$lt", "$lte")
STRICT: Final = frozenset({"$gt", "$lt"})


def empty_range(matcher: Mapping[str, Json]) -> str | None:
    """Say why no value lies between the limits of a matcher; None if some does, or a limit is none."""
    limits = {name: matcher[name] for name in (*LOWER, *UPPER) if name in matcher}
    if len(limits) <= 1 or not all(map(is_limit, limits.values())):
        return None
    if len({isinstance(limit, str) for limit in limits.values()}) > 1:
        listed = " and ".join(f"{name} {show(limit)}" for name, limit in limits.items())
        return f"nothing is both a number and a string, so {listed} hold for no value; write both in one way"
    for low in (name for name in LOWER if name in limits):
        for high in (name for name in UPPER if name in limits):
            if limits[low] > limits[high]:
                swapped = f"{{{low}: {show(limits[high])}, {high}: {show(limits[low])}}}"
                return f"no value is {_said(low, limits)} and {_said(high, limits)}; did you mean {swapped}?"
            if limits[low] == limits[high] and STRICT & {low, high}:
                remedy = f"for that value write {{$gte: {show(limits[low])}, $lte: {show(limits[low])}}}"
                return f"no value is {_said(low, limits)} and {_said(high, limits)}; {remedy}"
    return None


def is_limit(limit: Json) -> bool:
    """Whether a value can be a limit."""
    return isinstance(limit, str) or (is_number(limit) and not is_nan(limit))


def includes(name: str, limit: Json, other: str, stricter: Json) -> bool:
    """Whether what one limit lets through, another surely does, such as `$gte` 3 what `$gt` 5 does."""
    sides = (LOWER, UPPER)
    if not any(name in side and other in side for side in sides):
        return False
    if not (is_limit(limit) and is_limit(stricter)) or isinstance(limit, str) != isinstance(stricter, str):
        return False
    if limit == stricter:
        return name not in STRICT or other in STRICT
    return bool(stricter > limit if name in LOWER else stricter < limit)


def _said(name: str, limits: Mapping[str, Json]) -> str:
    words = {"$gt": "greater than", "$gte": "at least", "$lt": "less than", "$lte": "at most"}
    return f"{words[name]} {show(limits[name])}"
