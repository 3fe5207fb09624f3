"""JSON to frozen dataclasses, by their type hints: what `encoding` wrote.

A key that a dataclass does not know is passed over and a field that is missing gets its default, so that two versions
of evalkit read each other's files as long as the name of their schema is the same.
"""

import reprlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from datetime import date, datetime
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from evalkit.cases import Json
from evalkit.codec.encoding import NON_FINITE, defaults_of
from evalkit.errors import InputError

T = TypeVar("T")
Decoder = Callable[[Any], Any]


class DecodeError(InputError):
    """A JSON value does not have the shape of the dataclass it should become.

    Attributes:
        path: JSON path of the value that does not fit.
        expected: What should stand there.
    """

    def __init__(self, expected: str, found: object) -> None:
        super().__init__(expected, found)
        self.path = "$"
        self.expected = expected
        self._found = found

    def within(self, step: str) -> "DecodeError":
        """Note that the value stands under `step` of the one outside, and return the error itself."""
        self.path = f"${step}{self.path[1:]}"
        return self

    def __str__(self) -> str:
        return f"{self.path}: expected {self.expected}, found {reprlib.repr(self._found)}"


def decode(kind: type[T], data: Json) -> T:
    """Turn plain JSON values into an instance of a dataclass.

    Raises:
        DecodeError: A value is missing or has the wrong type; the message has its JSON path.
    """
    return cast("T", _decoder(cast("Any", kind))(data))


@cache
def _decoder(hint: Any) -> Decoder:
    """Build the function that decodes one type; each type's is built once."""
    origin, args = get_origin(hint), get_args(hint)
    if hint in _SCALARS:
        return _SCALARS[hint]
    if origin is Literal:
        return _literal(args)
    if origin in (Union, UnionType):
        kinds = [_decoder(kind) for kind in args if kind is not NoneType]
        one = kinds[0] if len(kinds) == 1 else _first_of(kinds)
        return _optional(one) if NoneType in args else one
    if origin is tuple and args[1:] == (...,):
        return _tuple(_decoder(args[0]))
    if origin is Mapping:
        return _mapping(_decoder(args[1]))
    if isinstance(hint, type) and is_dataclass(hint):
        return _dataclass(hint)
    raise TypeError(f"the codec has no rule for the type {hint!r}; add one, or use a type it knows")


def _dataclass(kind: Any) -> Decoder:
    hints = get_type_hints(kind)
    known = [field.name for field in fields(kind) if field.init]
    required = {name for name, default in defaults_of(kind) if default is MISSING}
    rules: dict[str, tuple[type | None, Decoder]] = {}  # filled at the first use: a field may hold values of this kind

    def decode_dataclass(data: Any) -> Any:
        if not rules:
            rules.update((name, (_taken_as_is(hints[name]), _decoder(hints[name]))) for name in known)
        if not isinstance(data, dict):
            raise DecodeError(f"an object ({kind.__name__})", data)
        values = {}
        for name, item in data.items():
            if name in rules:
                as_is, decode_item = rules[name]
                try:
                    values[name] = item if type(item) is as_is else decode_item(item)
                except DecodeError as error:
                    raise error.within(f".{name}") from None
        try:
            return kind(**values)
        except TypeError:
            missing = required - values.keys()
            if missing:
                raise DecodeError(f"the key {min(missing)!r} ({kind.__name__})", data) from None
            raise

    return decode_dataclass


def _taken_as_is(hint: Any) -> type | None:
    """The type of JSON value that needs no look: a shortcut past its decoder for most fields of most values."""
    args = get_args(hint)
    if NoneType in args:
        return _taken_as_is(args[0])
    if get_origin(hint) is Mapping:
        return dict if args[1] is Any else None
    return hint if hint in {str, bool, int, float} else None


def _tuple(decode_item: Decoder) -> Decoder:
    def decode_tuple(data: Any) -> tuple[Any, ...]:
        if not isinstance(data, list):
            raise DecodeError("a list", data)
        try:
            return tuple([decode_item(item) for item in data])
        except DecodeError:
            return tuple(_each_with_its_place(data))

    def _each_with_its_place(data: list[Any]) -> Iterator[Any]:
        for index, item in enumerate(data):
            try:
                yield decode_item(item)
            except DecodeError as error:
                raise error.within(f"[{index}]") from None

    return decode_tuple


def _mapping(decode_item: Decoder) -> Decoder:
    def decode_mapping(data: Any) -> dict[str, Any]:
        if not isinstance(data, dict):
            raise DecodeError("an object", data)
        if decode_item is _anything:
            return data
        items = {}
        for key, item in data.items():
            try:
                items[key] = decode_item(item)
            except DecodeError as error:
                raise error.within(f".{key}") from None
        return items

    return decode_mapping


def _optional(decode_item: Decoder) -> Decoder:
    return lambda data: None if data is None else decode_item(data)


def _first_of(kinds: Sequence[Decoder]) -> Decoder:
    def decode_first(data: Any) -> Any:
        expected = []
        for decode_kind in kinds:
            try:
                return decode_kind(data)
            except DecodeError as error:
                expected.append(error.expected)
        raise DecodeError(" or ".join(expected), data)

    return decode_first


def _literal(choices: tuple[Any, ...]) -> Decoder:
    def decode_literal(data: Any) -> Any:
        if data not in choices:
            raise DecodeError("one of " + ", ".join(map(repr, choices)), data)
        return data

    return decode_literal


def _scalar(kind: type, name: str) -> Decoder:
    def decode_scalar(data: Any) -> Any:
        if type(data) is not kind:
            raise DecodeError(name, data)
        return data

    return decode_scalar


def _anything(data: Any) -> Any:
    return data


def _float(data: Any) -> float:
    if isinstance(data, str) and data in NON_FINITE:
        return NON_FINITE[data]
    if isinstance(data, bool) or not isinstance(data, (int, float)):
        raise DecodeError("a number", data)
    return float(data)


def _date(data: Any) -> date:
    try:
        return date.fromisoformat(data)
    except (TypeError, ValueError):
        raise DecodeError("a date in ISO 8601", data) from None


def _datetime(data: Any) -> datetime:
    try:
        return datetime.fromisoformat(data)
    except (TypeError, ValueError):
        raise DecodeError("a time in ISO 8601", data) from None


_SCALARS: Mapping[Any, Decoder] = {
    Any: _anything,
    str: _scalar(str, "a string"),
    bool: _scalar(bool, "true or false"),
    int: _scalar(int, "a whole number"),
    float: _float,
    date: _date,
    datetime: _datetime,
}
