"""JSON's types, where they are not Python's."""

from collections.abc import Callable, Mapping
from typing import Final

from evalkit.cases import Json


def is_number(value: Json) -> bool:
    """Whether a value is a number; Python's booleans are integers, JSON's are not."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def is_nan(value: Json) -> bool:
    """Whether a number is NaN: the one that is not equal to itself."""
    return bool(value != value)  # noqa: PLR0124 - unlike math.isnan this takes integers beyond the range of floats


TYPE_TESTS: Final[Mapping[str, Callable[[Json], bool]]] = {
    "string": lambda value: isinstance(value, str),
    "number": is_number,
    "integer": lambda value: is_number(value) and (isinstance(value, int) or value.is_integer()),
    "boolean": lambda value: isinstance(value, bool),
    "array": lambda value: isinstance(value, list | tuple),
    "object": lambda value: isinstance(value, Mapping),
    "null": lambda value: value is None,
}
"""What each type name of `$type` means; 2.0 is an integer, as in JSON Schema."""
