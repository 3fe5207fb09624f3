"""Pairing wanted items with found ones so that as many as possible are paired."""

from collections import deque
from collections.abc import Callable
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
