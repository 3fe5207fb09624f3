"""Pairing wanted items with found ones: as many as possible, or as well as possible."""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

Fits = Callable[[int, int], bool]


def assign(rows: int, columns: int, fits: Fits) -> dict[int, int]:
    """Give as many rows as possible a column of their own that fits.

    A row that comes first and takes the only column of a later one gives it up again, so that the order of rows and
    columns never decides how many are paired (a maximum bipartite matching, by augmenting paths).

    Returns:
        The column of each row that got one.
    """
    fits = cache(fits)
    column_of: dict[int, int] = {}
    row_of: dict[int, int] = {}
    for row in range(rows):
        reached_from, free = _search(row, columns, fits, row_of)
        column = free
        while column is not None:  # hand columns on along the path, back to the row that had none
            taker = reached_from[column]
            given_up = column_of.get(taker)
            column_of[taker], row_of[column] = column, taker
            column = given_up
    return column_of


def _search(start: int, columns: int, fits: Fits, row_of: dict[int, int]) -> tuple[dict[int, int], int | None]:
    """Find a free column that `start` can have if others move over, and by which row each column was reached."""
    reached_from: dict[int, int] = {}
    queue = deque([start])
    while queue:
        row = queue.popleft()
        for column in range(columns):
            if column not in reached_from and fits(row, column):
                reached_from[column] = row
                if column not in row_of:
                    return reached_from, column
                queue.append(row_of[column])
    return reached_from, None


def best_assignment(weights: Sequence[Sequence[int]]) -> dict[int, int]:
    """Give rows columns of their own so that the sum of the weights of all pairs is as large as it can be.

    The weights are whole numbers, so that sums are exact; a pair that weighs nothing is not made. This is the Hungarian
    method with shortest augmenting paths, for n rows and m columns in O(n² m).

    Returns:
        The column of each row that got one.
    """
    if not weights or not weights[0]:
        return {}
    if len(weights) > len(weights[0]):
        turned = best_assignment(list(zip(*weights, strict=True)))
        return dict(sorted((row, column) for column, row in turned.items()))
    row_of = _assigned_rows([[-weight for weight in row] for row in weights])
    return dict(sorted((row, column) for column, row in row_of.items() if weights[row][column] > 0))


def _assigned_rows(costs: Sequence[Sequence[int]]) -> dict[int, int]:
    """Give every row a column, at the lowest cost in all; there are at least as many columns as rows."""
    prices = _Prices([0] * len(costs), [0] * len(costs[0]))
    row_of: dict[int, int] = {}
    for start in range(len(costs)):
        reached_from, column = _cheapest_path(start, costs, prices, row_of)
        while column is not None:  # hand columns on along the path, back to the row that had none
            before = reached_from[column]
            row_of[column] = start if before is None else row_of[before]
            column = before
    return row_of


@dataclass(frozen=True, slots=True)
class _Prices:
    """What each row and column adds to the cost of its pairs.

    They keep every reduced cost (cost less both prices) at zero or above, and at zero for the pairs that are made.
    """

    of_row: list[int]
    of_column: list[int]


def _cheapest_path(
    start: int, costs: Sequence[Sequence[int]], prices: _Prices, row_of: Mapping[int, int]
) -> tuple[dict[int, int | None], int | None]:
    """Find the free column that `start` gets at the lowest cost if others move over, and how each was reached."""
    reached_from: dict[int, int | None] = {}
    slack: dict[int, int] = {}  # what the cheapest way so far to each column costs that was not visited
    visited: set[int] = set()
    row: int | None = start
    column: int | None = None
    while row is not None:
        for other in range(len(costs[0])):
            reduced = costs[row][other] - prices.of_row[row] - prices.of_column[other]
            if other not in visited and (other not in slack or reduced < slack[other]):
                slack[other], reached_from[other] = reduced, column
        column = min(slack, key=lambda other: (slack[other], other))
        step = slack.pop(column)
        prices.of_row[start] += step
        for other in visited:
            prices.of_row[row_of[other]] += step
            prices.of_column[other] -= step
        for other in slack:
            slack[other] -= step
        visited.add(column)
        row = row_of.get(column)
    return reached_from, column
