"""The best assignment against trying all of them."""

import itertools

import pytest
from hypothesis import given, settings, strategies as st

from evalkit.matching.assignment import best_assignment

MATRICES = st.integers(1, 5).flatmap(
    lambda columns: st.lists(
        st.lists(st.sampled_from([0, 0, 1, 2, 5, 9]), min_size=columns, max_size=columns), min_size=1, max_size=5
    )
)


def total(weights, pairs):
    return sum(weights[row][column] for row, column in pairs.items())


def best_of_all(weights):
    rows, columns = range(len(weights)), range(len(weights[0]))
    if len(rows) <= len(columns):
        choices = (dict(zip(rows, chosen, strict=True)) for chosen in itertools.permutations(columns, len(rows)))
    else:
        choices = (dict(zip(chosen, columns, strict=True)) for chosen in itertools.permutations(rows, len(columns)))
    return max(total(weights, pairs) for pairs in choices)


@settings(derandomize=True, deadline=None, max_examples=150)
@given(MATRICES)
def test_no_assignment_weighs_more(weights):
    pairs = best_assignment(weights)
    assert len(set(pairs.values())) == len(pairs)
    assert total(weights, pairs) == best_of_all(weights)


def test_a_row_that_could_have_either_column_leaves_the_other_rows_only_one():
    assert best_assignment([[5, 4], [5, 0]]) == {0: 1, 1: 0}


def test_what_weighs_nothing_is_not_paired():
    assert best_assignment([[0, 0], [0, 3]]) == {1: 1}


@pytest.mark.parametrize("weights", [[], [[], []]])
def test_nothing_is_paired_with_nothing(weights):
    assert best_assignment(weights) == {}


def test_large_weights_are_exact():
    huge = 10**30
    assert best_assignment([[huge, huge + 1], [huge, huge]]) == {0: 1, 1: 0}
