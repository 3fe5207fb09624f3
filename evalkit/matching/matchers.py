"""Compiled patterns: objects that answer whether a value is what was wanted, and where it is not.

Each says once what it wants, in `accepts` or in `differences`, and the other follows; only `Members` says it twice, for
speed. `MISSING` is handed in where an object has no such key.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, ItemsView, Iterator, Mapping
from dataclasses import dataclass, field

from evalkit.cases import Json
from evalkit.matching.assignment import assign
from evalkit.matching.differences import MISSING, Difference, child, shorten, show
from evalkit.matching.jsontypes import is_nan, is_number


class Matcher(ABC):
    """A compiled pattern."""

    __slots__ = ()

    @abstractmethod
    def describe(self) -> str:
        """Say in a few words what is wanted."""

    @abstractmethod
    def differences(self, value: Json, path: str) -> Iterator[Difference]:
        """Find each place, from `path` on, where the value is not what was wanted."""

    def accepts(self, value: Json) -> bool:
        """Whether there is no difference."""
        return next(self.differences(value, "$"), None) is None


class Leaf(Matcher):
    """A matcher that judges a value as a whole."""

    __slots__ = ()

    @abstractmethod
    def accepts(self, value: Json) -> bool:
        """Whether the value is what was wanted."""

    def differences(self, value: Json, path: str) -> Iterator[Difference]:
        """Find the one difference there can be."""
        if not self.accepts(value):
            yield Difference(path, self.describe(), value)


@dataclass(frozen=True, slots=True)
class Scalar(Leaf):
    """Wants an equal string, number, boolean or null."""

    wanted: str | float | bool | None

    def accepts(self, value: Json) -> bool:
        """Whether the value is equal and of the same kind: true is not 1, and NaN is NaN."""
        wanted = self.wanted
        if isinstance(wanted, str):
            return isinstance(value, str) and value == wanted
        if is_number(wanted):
            return is_number(value) and (value == wanted or (is_nan(value) and is_nan(wanted)))
        return value is wanted

    def describe(self) -> str:
        """Write the wanted value."""
        return show(self.wanted)


@dataclass(frozen=True, slots=True)
class Predicate(Leaf):
    """Wants a value for which a question is answered with yes."""

    holds: Callable[[Json], bool]
    wording: str

    def accepts(self, value: Json) -> bool:
        """Ask the question."""
        return self.holds(value)

    def describe(self) -> str:
        """Say what the question is after."""
        return self.wording


@dataclass(frozen=True, slots=True)
class Every(Matcher):
    """Wants what all of its matchers want."""

    matchers: tuple[Matcher, ...]

    def differences(self, value: Json, path: str) -> Iterator[Difference]:
        """Find the differences from each matcher; a missing key is one difference, not one for each."""
        if value is MISSING:
            if not all(matcher.accepts(value) for matcher in self.matchers):
                yield Difference(path, self.describe(), value)
            return
        for matcher in self.matchers:
            yield from matcher.differences(value, path)

    def describe(self) -> str:
        """Join what each wants."""
        return shorten(" and ".join(matcher.describe() for matcher in self.matchers))


@dataclass(frozen=True, slots=True)
class Members(Matcher):
    """Wants an object whose members match; `free` allows others beside them."""

    members: Mapping[str, Matcher]
    free: bool = False
    texts: ItemsView[str, str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        texts = {key: member.wanted for key, member in self.members.items() if isinstance(member, Scalar)}
        object.__setattr__(self, "texts", {key: text for key, text in texts.items() if isinstance(text, str)}.items())

    def accepts(self, value: Json) -> bool:
        """Whether there is no difference, found out fast, since choosing a route tries many of these.

        No path is written, and strings, which most patterns list and few values have, are compared first, all at once.
        """
        if not isinstance(value, dict) and not isinstance(value, Mapping):
            return False
        if not self.texts <= value.items():
            return False
        for key, member in self.members.items():
            if not member.accepts(value.get(key, MISSING)):
                return False
        return self.free or all(key in self.members for key in value)

    def differences(self, value: Json, path: str) -> Iterator[Difference]:
        """Find the differences of each wanted member, then the members that nobody wanted."""
        if not isinstance(value, Mapping):
            yield Difference(path, self.describe(), value)
            return
        for key, member in self.members.items():
            yield from member.differences(value.get(key, MISSING), child(path, key))
        if not self.free:
            for key in value:
                if key not in self.members:
                    yield Difference(child(path, key), None, value[key])

    def describe(self) -> str:
        """Write the wanted members."""
        return f"an object with {self.listing()}" if self.free else self.listing()

    def listing(self) -> str:
        """Write the wanted members as an object."""
        members = (f"{show(key)}: {member.describe()}" for key, member in self.members.items())
        return shorten(f"{{{', '.join(members)}}}")


@dataclass(frozen=True, slots=True)
class Items(Matcher):
    """Wants a list that matches item by item."""

    items: tuple[Matcher, ...]

    def differences(self, value: Json, path: str) -> Iterator[Difference]:
        """Find the differences at each index, then the items that the list lacks or has too many."""
        if not isinstance(value, list | tuple):
            yield Difference(path, self.describe(), value)
            return
        for index, (item, found) in enumerate(zip(self.items, value, strict=False)):
            yield from item.differences(found, f"{path}[{index}]")
        for index in range(len(value), len(self.items)):
            yield Difference(f"{path}[{index}]", self.items[index].describe(), MISSING)
        for index in range(len(self.items), len(value)):
            yield Difference(f"{path}[{index}]", None, value[index])

    def describe(self) -> str:
        """Write the wanted items."""
        return shorten(f"[{', '.join(item.describe() for item in self.items)}]")


@dataclass(frozen=True, slots=True)
class Bag(Matcher):
    """Wants a list that holds the items in any order, each at a place of its own; `free` allows others beside them."""

    items: tuple[Matcher, ...]
    free: bool = False

    def differences(self, value: Json, path: str) -> Iterator[Difference]:
        """Pair as many items as possible, then find what is wrong with the ones left over."""
        if not isinstance(value, list | tuple):
            yield Difference(path, self.describe(), value)
            return
        found_at = assign(len(self.items), len(value), lambda row, column: self.items[row].accepts(value[column]))
        left = {index: value[index] for index in range(len(value)) if index not in found_at.values()}
        for row, item in enumerate(self.items):
            if row not in found_at:
                yield from _closest(item, left, path)
        if not self.free:
            for index, unexpected in left.items():
                yield Difference(f"{path}[{index}]", None, unexpected)

    def describe(self) -> str:
        """Write the wanted items."""
        listing = ", ".join(item.describe() for item in self.items)
        return shorten(f"a list with the items [{listing}]" if self.free else f"[{listing}] in any order")


def _closest(item: Matcher, left: dict[int, Json], path: str) -> tuple[Difference, ...]:
    """Compare an item that was not found with the value left over that comes closest, and take that value away.

    A value comes close if it differs only inside; where none does, the item is missing as a whole.
    """
    closest: tuple[Difference, ...] = (Difference(f"{path}[*]", item.describe(), MISSING),)
    taken = None
    for index, value in left.items():
        place = f"{path}[{index}]"
        found = tuple(item.differences(value, place))
        inside = all(difference.path != place for difference in found)
        if inside and (taken is None or len(found) < len(closest)):
            closest, taken = found, index
    if taken is not None:
        del left[taken]
    return closest
