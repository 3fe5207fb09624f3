"""Required calls and calls that were made, side by side, aligned as well as they can be (see `pairing`)."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

from evalkit.scorers.calls import show_call
from evalkit.scorers.pairing import RIGHT, Sets, pair_freely, pair_in_order
from evalkit.scorers.required import Made, Required

M = TypeVar("M", bound=Made)

Mark = Literal[
    "=",  # as required
    "~",  # the same tool, with other arguments or another outcome
    "-",  # missing
    "+",  # not required
    "o",  # not required, and optional
]


@dataclass(frozen=True, slots=True)
class Row(Generic[M]):
    """One line of the alignment: a required call, a call that was made, or both."""

    mark: Mark
    required: Required | None
    made: M | None


def align(
    required: Sequence[Required],
    made: Sequence[M],
    sets: Sets | None = None,
    optional: Callable[[M], bool] = lambda _: False,
) -> tuple[Row[M], ...]:
    """Pair calls.

    Args:
        required: The required calls.
        made: The calls that were made.
        sets: How they fall into sets, if pairs must keep the order; None if it is free.
        optional: Tells whether a call may be made without being required.
    """
    if len(required) == len(made) and all(map(Required.accepts, required, made)):
        return tuple(map(_as_required, required, made))
    likeness = [[wanted.likeness(call) for call in made] for wanted in required]
    needless = [optional(call) for call in made]
    pairs = pair_freely(likeness, needless) if sets is None else pair_in_order(likeness, needless, sets)
    rows: list[Row[M]] = []
    left = [column for column in range(len(made)) if column not in set(pairs.values())]
    for row, wanted in enumerate(required):
        if row not in pairs:
            rows.append(Row("-", wanted, None))
            continue
        while left and left[0] < pairs[row]:  # a call that is too much stands behind what was made before it
            rows.append(_left_over(left.pop(0), made, needless))
        rows.append(Row("=" if likeness[row][pairs[row]] == RIGHT else "~", wanted, made[pairs[row]]))
    return (*rows, *(_left_over(column, made, needless) for column in left))


def one_by_one(required: int, made: int) -> Sets:
    """Return sets of one call each: the order of all calls counts."""
    return Sets((1,) * required, (1,) * made)


def render(rows: Iterable[Row[M]], inside: Callable[[M], Iterable[str]] = lambda _: ()) -> Iterator[str]:
    """Write one indented line a call, one for each argument that differs, and what there is to tell of its inside."""
    for row in rows:
        if row.required is not None:
            yield f"  {row.mark} {row.required.shown}"
        elif row.made is not None:
            yield f"  {row.mark} {show_call(row.made.name, row.made.args)}"
        if row.mark == "~" and row.required and row.made:
            yield from (f"      {difference}" for difference in row.required.differences(row.made))
        if row.made is not None:
            yield from inside(row.made)


def count(rows: Iterable[Row[M]]) -> Mapping[Mark, int]:
    """Count the rows by their marks."""
    counts: dict[Mark, int] = dict.fromkeys(("=", "~", "-", "+", "o"), 0)
    for row in rows:
        counts[row.mark] += 1
    return counts


def _as_required(required: Required, made: M) -> Row[M]:
    return Row("=", required, made)


def _left_over(column: int, made: Sequence[M], needless: Sequence[bool]) -> Row[M]:
    return Row("o" if needless[column] else "+", None, made[column])
