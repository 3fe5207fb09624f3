"""Names, alternatives and kinds of values, as words in a sentence."""

from collections.abc import Collection, Iterable
from itertools import islice

from evalkit.cases import Json

_LISTED = 40
"""So many names are listed in a sentence; more tell nobody anything."""


def listed(names: Collection[str]) -> str:
    """Write names as a list in a sentence."""
    if len(names) > _LISTED:
        return f"{', '.join(f'`{name}`' for name in islice(names, _LISTED))} and {len(names) - _LISTED:,} more"
    *others, last = [f"`{name}`" for name in names]
    return f"{', '.join(others)} and {last}" if others else last


def type_name(value: Json) -> str:
    """What kind of JSON value something is, in words."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int() | float():
            return "a number"
        case str():
            return "a string"
        case list():
            return "a list"
    return "an object"


def either(words: Iterable[str]) -> str:
    """Write words as alternatives in a sentence."""
    *others, last = words
    return f"{', '.join(others)} or {last}" if others else last
