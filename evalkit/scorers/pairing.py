"""Which call was which: required calls paired with those that were made, as well as they can be.

The best pairing is the one that, first, has the most right calls; among those, leaves the fewest calls over that must
not be made beside the required ones; among those, has near misses that are most alike; and at last keeps things in
place. So two near misses never displace a call that is right, and equal calls are paired in the order in which they
were made.

Where the order counts, it counts between sets: the calls of one model turn are a set, and have none among themselves.
A pairing keeps the order if no two pairs cross, that is, if no call of an earlier set on one side is paired with one of
a later set on the other side than the partner of a call that comes after it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from evalkit.matching.assignment import best_assignment

RIGHT = 1000
"""The likeness of a call that is as required. Of a near miss it is anything below, of another tool 0."""

Likeness = Sequence[Sequence[int]]
"""For each required call, how like it each call is that was made: from 0 to RIGHT."""

Pairs = dict[int, int]
"""The made call of each required call that has one, by index."""

_MOST_WORK = 200_000
"""Steps that finding an order may take; beyond, large sets are taken apart."""


@dataclass(frozen=True, slots=True)
class Sets:
    """How many calls each set has, in order: of the required calls and of those that were made."""

    required: tuple[int, ...]
    made: tuple[int, ...]


def pair_freely(likeness: Likeness, needless: Sequence[bool]) -> Pairs:
    """Find the best pairing in whatever order.

    Args:
        likeness: See `Likeness`.
        needless: For each call that was made, whether it does no harm if it is left over.
    """
    return best_assignment(_weights(likeness, needless))


def pair_in_order(likeness: Likeness, needless: Sequence[bool], sets: Sets) -> Pairs:
    """Find the best pairing that keeps the order.

    Args:
        likeness: See `Likeness`.
        needless: See `pair_freely`.
        sets: How the calls fall into sets.
    """
    if len(sets.required) <= 1 or len(sets.made) <= 1:
        return pair_freely(likeness, needless)
    if (len(sets.required), len(sets.made)) == (len(likeness), len(needless)):
        return _one_by_one(likeness, needless)
    return _by_sets(likeness, needless, sets)


def _one_by_one(likeness: Likeness, needless: Sequence[bool]) -> Pairs:
    """Pair the ends at once, as far as they are right, since to pair one of them otherwise could only be worse."""
    rows, columns = len(likeness), len(needless)
    head = _agreeing(likeness, needless)
    tail = _agreeing([row[head:][::-1] for row in likeness[head:][::-1]], needless[head:][::-1])
    middle = [row[head : columns - tail] for row in likeness[head : rows - tail]]
    between = _heaviest_chain(_weights(middle, needless[head : columns - tail]))
    return {
        **{place: place for place in range(head)},
        **{head + row: head + column for row, column in between},
        **{rows - place: columns - place for place in range(tail, 0, -1)},
    }


def _agreeing(likeness: Likeness, needless: Sequence[bool]) -> int:
    """Count the first calls on both sides that are right as they stand side by side."""
    count = 0
    while count < min(len(likeness), len(needless)) and likeness[count][count] == RIGHT and not needless[count]:
        count += 1
    return count


def _heaviest_chain(weights: Sequence[Sequence[int]]) -> Iterator[tuple[int, int]]:
    """Yield pairs, each behind the one before on both sides, whose weights have the largest sum."""
    rows, columns = len(weights), len(weights[0]) if weights else 0
    best = [[0] * (columns + 1) for _ in range(rows + 1)]
    for i in reversed(range(rows)):
        for j in reversed(range(columns)):
            paired = weights[i][j] and weights[i][j] + best[i + 1][j + 1]
            best[i][j] = max(paired, best[i + 1][j], best[i][j + 1])
    i = j = 0
    while i < rows and j < columns:
        if weights[i][j] and best[i][j] == weights[i][j] + best[i + 1][j + 1]:
            yield i, j
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1


def _by_sets(likeness: Likeness, needless: Sequence[bool], sets: Sets) -> Pairs:
    weights = _weights(likeness, needless)
    order = [*range(len(needless))]
    if _work(sets) > _MOST_WORK:
        order, sets = _taken_apart(weights, sets)
    found = _Grid([[row[index] for index in order] for row in weights], sets).pairs()
    return {row: order[column] for row, column in found}


def _weights(likeness: Likeness, needless: Sequence[bool]) -> list[list[int]]:
    """Make whole numbers of which the largest sum is the best pairing: each rank outweighs all of the lower ones."""
    most = max(len(likeness), len(needless)) + 1
    alike = most**3  # more than all displacements together
    needed = alike * RIGHT * most
    right = needed * most * 2

    def weight(row: int, column: int) -> int:
        like = likeness[row][column]
        if not like:
            return 0
        rank = right + (0 if needless[column] else needed) if like == RIGHT else like * alike
        return rank - (row - column) ** 2

    return [[weight(row, column) for column in range(len(needless))] for row in range(len(likeness))]


def _work(sets: Sets) -> int:
    """Count the steps that `_Grid` takes, or so."""
    return sum((1 << one + other) * (one * other + 2) for one in sets.required for other in sets.made)


def _taken_apart(weights: Sequence[Sequence[int]], sets: Sets) -> tuple[list[int], Sets]:
    """Give every call a place of its own: in a set of made calls, in the order of their best partners.

    That is as good as the sets themselves unless some call has a better partner elsewhere.
    """
    partner = {column: row for row, column in best_assignment(weights).items()}
    order: list[int] = []
    for end, size in zip(accumulate(sets.made), sets.made, strict=True):
        order += sorted(range(end - size, end), key=lambda column: partner.get(column, len(weights)))
    return order, Sets((1,) * len(weights), (1,) * len(order))


class _Grid:
    """The best pairing of two rows of sets, by dynamic programming.

    A state is a set of required calls, a set of made calls, and which calls of both are still free. From there either a
    free call of one is paired with one of the other, or one of the sets is done with and the next begins.
    """

    def __init__(self, weights: Sequence[Sequence[int]], sets: Sets) -> None:
        self._weights = weights
        self._sets = sets
        self._rows = [0, *accumulate(sets.required)]
        self._columns = [0, *accumulate(sets.made)]
        self._best: dict[tuple[int, int], list[list[int]]] = {}
        for i in reversed(range(len(sets.required))):
            for j in reversed(range(len(sets.made))):
                self._best[i, j] = self._filled(i, j)

    def _filled(self, i: int, j: int) -> list[list[int]]:
        """For each choice of free calls of two sets, the weight that is still to be had."""
        table: list[list[int]] = []
        self._best[i, j] = table
        for mine in range(1 << self._sets.required[i]):
            table.append([])
            for theirs in range(1 << self._sets.made[j]):
                table[mine].append(max(value for value, _ in self._choices(i, j, mine, theirs)))
        return table

    def _choices(self, i: int, j: int, mine: int, theirs: int) -> Iterator[tuple[int, tuple[int, int] | None]]:
        """Yield what can be done next: the weight to be had then, and the pair that is made, if one is."""
        yield self._begun(i + 1, j, None, theirs), None
        yield self._begun(i, j + 1, mine, None), None
        for row in _bits(mine):
            weights = self._weights[self._rows[i] + row]
            for column in _bits(theirs):
                weight = weights[self._columns[j] + column]
                if weight:
                    rest = self._best[i, j][mine & ~(1 << row)][theirs & ~(1 << column)]
                    yield weight + rest, (row, column)

    def _begun(self, i: int, j: int, mine: int | None, theirs: int | None) -> int:
        """The weight to be had where one set has just begun, all of it free; that of the other is given."""
        table = self._best.get((i, j))
        if table is None:
            return 0  # one side is at its end
        return table[-1 if mine is None else mine][-1 if theirs is None else theirs]

    def pairs(self) -> Iterator[tuple[int, int]]:
        """Walk through the best choices, and yield the pairs."""
        i = j = 0
        mine, theirs = (1 << self._sets.required[0]) - 1, (1 << self._sets.made[0]) - 1
        while (i, j) in self._best:
            best = self._best[i, j][mine][theirs]
            pair = next(pair for value, pair in self._choices(i, j, mine, theirs) if value == best)
            if pair is not None:
                yield self._rows[i] + pair[0], self._columns[j] + pair[1]
                mine, theirs = mine & ~(1 << pair[0]), theirs & ~(1 << pair[1])
            elif self._begun(i + 1, j, None, theirs) == best:
                i += 1
                mine = (1 << self._sets.required[i]) - 1 if i < len(self._sets.required) else 0
            else:
                j += 1
                theirs = (1 << self._sets.made[j]) - 1 if j < len(self._sets.made) else 0


def _bits(mask: int) -> Iterator[int]:
    """Yield the places of the bits that are set."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low
