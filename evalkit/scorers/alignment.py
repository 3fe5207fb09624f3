"""Expected and actual calls side by side, aligned as well as they can be."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evalkit.cases import ToolCall
from evalkit.matching import show
from evalkit.scorers.calls import show_call

Same = Callable[[ToolCall, ToolCall], bool]


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the alignment.

    Attributes:
        mark: `=` as expected, `~` the same tool with other arguments, `-` missing, `+` extra.
    """

    mark: str
    expected: ToolCall | None
    actual: ToolCall | None


def align(expected: Sequence[ToolCall], actual: Sequence[ToolCall], same: Same, *, ordered: bool) -> tuple[Row, ...]:
    """Pair calls so that as many as possible are equal, and the rest as similar as possible.

    Args:
        expected: The expected calls.
        actual: The calls that were made.
        same: Tells whether an actual call is the expected one.
        ordered: Whether pairs must keep the order of both lists.
    """
    likeness = [[_likeness(wanted, call, same) for call in actual] for wanted in expected]
    partner = _in_order(likeness) if ordered else _in_any_order(likeness)
    return tuple(_rows(expected, actual, partner, same))


def render(rows: Sequence[Row], inside: Callable[[ToolCall], Iterable[str]] = lambda _: ()) -> Iterator[str]:
    """Write one indented line a call, one for each argument that differs, and what there is to tell of its inside."""
    for row in rows:
        call = row.expected or row.actual
        assert call is not None  # a row has one of the two, or both
        yield f"  {row.mark} {show_call(call.name, call.args)}"
        if row.mark == "~" and row.expected and row.actual:
            yield from _differing(row.expected.args, row.actual.args)
        if row.actual:
            yield from inside(row.actual)


def _differing(expected: Mapping[str, Any], actual: Mapping[str, Any]) -> Iterator[str]:
    for name in dict.fromkeys((*expected, *actual)):
        wanted = show(expected[name]) if name in expected else "nothing"
        found = show(actual[name]) if name in actual else "nothing"
        if name not in expected or name not in actual or expected[name] != actual[name]:
            yield f"      {name}: expected {wanted}, actual {found}"


def _likeness(wanted: ToolCall, call: ToolCall, same: Same) -> float:
    """Return 1 for the expected call, 0 for another tool, and less than half for the same tool with other arguments.

    Less than half, so that two near misses never displace one call that is right.
    """
    if same(wanted, call):
        return 1.0
    if wanted.name != call.name:
        return 0.0
    names = wanted.args.keys() | call.args.keys()
    shared = sum(1 for name in wanted.args.keys() & call.args.keys() if wanted.args[name] == call.args[name])
    return 0.2 + 0.25 * shared / len(names)


def _in_order(likeness: Sequence[Sequence[float]]) -> dict[int, int]:
    """Find the pairs of the heaviest common subsequence."""
    rows, columns = len(likeness), len(likeness[0]) if likeness else 0
    best = [[0.0] * (columns + 1) for _ in range(rows + 1)]
    for i in reversed(range(rows)):
        for j in reversed(range(columns)):
            paired = likeness[i][j] + best[i + 1][j + 1] if likeness[i][j] else 0.0
            best[i][j] = max(paired, best[i + 1][j], best[i][j + 1])
    partner: dict[int, int] = {}
    i = j = 0
    while i < rows and j < columns:
        if likeness[i][j] and best[i][j] == likeness[i][j] + best[i + 1][j + 1]:
            partner[i] = j
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return partner


def _in_any_order(likeness: Sequence[Sequence[float]]) -> dict[int, int]:
    """Pair the most alike first; among equals, the earliest."""
    pairs = [(-like, i, j) for i, row in enumerate(likeness) for j, like in enumerate(row) if like]
    partner: dict[int, int] = {}
    taken: set[int] = set()
    for _, i, j in sorted(pairs):
        if i not in partner and j not in taken:
            partner[i] = j
            taken.add(j)
    return partner


def _rows(
    expected: Sequence[ToolCall], actual: Sequence[ToolCall], partner: Mapping[int, int], same: Same
) -> Iterator[Row]:
    """Merge both lists: each extra call stands behind the pairs that were made before it."""
    extra = [j for j in range(len(actual)) if j not in set(partner.values())]
    for i, wanted in enumerate(expected):
        if i not in partner:
            yield Row("-", wanted, None)
            continue
        while extra and extra[0] < partner[i]:
            yield Row("+", None, actual[extra.pop(0)])
        call = actual[partner[i]]
        yield Row("=" if same(wanted, call) else "~", wanted, call)
    for j in extra:
        yield Row("+", None, actual[j])
