"""The best pairing of required and made calls, against trying all of them."""

import pytest
from hypothesis import given, settings, strategies as st

from evalkit.scorers.pairing import RIGHT, Sets, pair_freely, pair_in_order

ALIKE = st.sampled_from([0, 0, RIGHT, RIGHT, 200, 300, 450])


@st.composite
def problems(draw, most=6):
    """Up to six calls on either side: how alike they are, and which of the made ones may be left over."""
    rows, columns = draw(st.integers(0, most)), draw(st.integers(0, most))
    likeness = [[draw(ALIKE) for _ in range(columns)] for _ in range(rows)]
    return likeness, [draw(st.booleans()) for _ in range(columns)]


def in_sets(draw, count):
    sizes = []
    while sum(sizes) < count:
        sizes.append(draw(st.integers(1, min(3, count - sum(sizes)))))
    return tuple(sizes)


def all_pairings(likeness, columns, row=0, taken=frozenset()):
    if row == len(likeness):
        yield {}
        return
    yield from all_pairings(likeness, columns, row + 1, taken)
    for column in range(columns):
        if column not in taken and likeness[row][column]:
            for rest in all_pairings(likeness, columns, row + 1, taken | {column}):
                yield {row: column, **rest}


def worth(pairs, likeness, needless):
    """What is compared, the most important first: right calls, calls that must be paired, likeness of near misses."""
    right = [(row, column) for row, column in pairs.items() if likeness[row][column] == RIGHT]
    near = sum(likeness[row][column] for row, column in pairs.items() if (row, column) not in right)
    return len(right), sum(not needless[column] for _, column in right), near


def keeps_order(pairs, sets):
    mine = [index for index, size in enumerate(sets.required) for _ in range(size)]
    theirs = [index for index, size in enumerate(sets.made) for _ in range(size)]
    places = [(mine[row], theirs[column]) for row, column in pairs.items()]
    return not any(a < c and b > d for a, b in places for c, d in places)


@settings(derandomize=True, deadline=None, max_examples=100)
@given(problems())
def test_no_pairing_of_up_to_six_calls_is_better(problem):
    likeness, needless = problem
    best = max(worth(pairs, *problem) for pairs in all_pairings(likeness, len(needless)))
    assert worth(pair_freely(likeness, needless), *problem) == best


@settings(derandomize=True, deadline=None, max_examples=100)
@given(problems())
def test_no_pairing_one_by_one_of_up_to_six_calls_is_better(problem):
    likeness, needless = problem
    sets = Sets((1,) * len(likeness), (1,) * len(needless))
    pairs = pair_in_order(likeness, needless, sets)
    ordered = (pairs for pairs in all_pairings(likeness, len(needless)) if keeps_order(pairs, sets))
    assert keeps_order(pairs, sets)
    assert worth(pairs, *problem) == max(worth(pairs, *problem) for pairs in ordered)


@settings(derandomize=True, deadline=None, max_examples=100)
@given(problems(most=5), st.data())
def test_no_pairing_of_sets_is_better(problem, data):
    likeness, needless = problem
    sets = Sets(in_sets(data.draw, len(likeness)), in_sets(data.draw, len(needless)))
    pairs = pair_in_order(likeness, needless, sets)
    ordered = (pairs for pairs in all_pairings(likeness, len(needless)) if keeps_order(pairs, sets))
    assert keeps_order(pairs, sets)
    assert worth(pairs, *problem) == max(worth(pairs, *problem) for pairs in ordered)


def test_a_set_may_be_spread_over_several_on_the_other_side_and_share_one_with_the_next():
    """Required {a, b} then c; made a, then {b, c} together: every call is in its place."""
    likeness = [[RIGHT if wanted == made else 0 for made in "abc"] for wanted in "abc"]
    assert pair_in_order(likeness, [False] * 3, Sets((2, 1), (1, 2))) == {0: 0, 1: 1, 2: 2}


def test_equal_calls_are_paired_in_the_order_in_which_they_were_made():
    likeness = [[RIGHT] * 4 for _ in range(2)]
    assert pair_freely(likeness, [False] * 4) == {0: 0, 1: 1}
    assert pair_in_order(likeness, [False] * 4, Sets((1, 1), (1,) * 4)) == {0: 0, 1: 1}


def test_a_call_that_may_be_left_over_makes_room_for_one_that_may_not():
    assert pair_freely([[RIGHT, RIGHT]], [True, False]) == {0: 1}


@pytest.mark.parametrize("size", [12, 40])
def test_sets_too_large_to_try_every_order_are_still_paired(size):
    """Two model turns of many calls each, made in the opposite order within each turn."""
    mirrored = [*reversed(range(size)), *reversed(range(size, 2 * size))]
    likeness = [[RIGHT if wanted == made else 0 for made in mirrored] for wanted in range(2 * size)]
    pairs = pair_in_order(likeness, [False] * 2 * size, Sets((size, size), (size, size)))
    assert pairs == {wanted: mirrored.index(wanted) for wanted in range(2 * size)}
