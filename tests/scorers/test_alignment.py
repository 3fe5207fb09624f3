"""Aligning expected with actual calls."""

import pytest

from evalkit.scorers.alignment import align, one_by_one, render
from evalkit.scorers.required import Required


def rows_of(expected, actual, *, ordered=True):
    sets = one_by_one(len(expected), len(actual)) if ordered else None
    return align([Required.recorded(call) for call in expected], actual, sets)


def marks(expected, actual, *, ordered=True):
    return [row.mark + (row.required or row.made).name for row in rows_of(expected, actual, ordered=ordered)]


@pytest.mark.parametrize(
    ("expected", "actual", "aligned"),
    [
        ("", "", []),
        ("abc", "abc", ["=a", "=b", "=c"]),
        ("abc", "ac", ["=a", "-b", "=c"]),
        ("ac", "abc", ["=a", "+b", "=c"]),
        ("ab", "ba", ["-a", "=b", "+a"]),
        ("ab", "xy", ["-a", "-b", "+x", "+y"]),
        ("", "xy", ["+x", "+y"]),
    ],
)
def test_calls_are_aligned_in_order(make, expected, actual, aligned):
    assert marks([make.call(name) for name in expected], [make.call(name) for name in actual]) == aligned


def test_without_order_every_equal_call_is_found(make):
    expected, actual = [make.call("a"), make.call("b")], [make.call("b"), make.call("x"), make.call("a")]
    assert marks(expected, actual, ordered=False) == ["+x", "=a", "=b"]


def test_a_right_call_is_never_given_up_for_two_near_misses(make):
    expected = [make.call("get", n=1, m=1), make.call("get", n=2, m=1)]
    actual = [make.call("get", n=2, m=1), make.call("get", n=3, m=1)]
    assert marks(expected, actual) == ["-get", "=get", "+get"]


@pytest.mark.parametrize("ordered", [True, False])
def test_the_most_similar_call_is_paired(make, ordered):
    expected = [make.call("get", group="orders", topic="a")]
    actual = [make.call("get", group="x", topic="b"), make.call("get", group="orders", topic="b")]
    rows = rows_of(expected, actual, ordered=ordered)
    assert [row.made for row in rows if row.mark == "~"] == [actual[1]]


def test_only_arguments_that_differ_are_listed(make):
    rows = rows_of([make.call("get", a=1, b=2)], [make.call("get", a=1, b=3, c=None)])
    assert list(render(rows)) == [
        "  ~ get(a=1, b=2)",
        "      b: expected 2, actual 3",
        "      c: expected nothing, actual null",
    ]
