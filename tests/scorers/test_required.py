"""A required call against calls that were made."""

import pytest

from evalkit.cases import CallPattern
from evalkit.scorers.pairing import RIGHT
from evalkit.scorers.required import Required


def test_a_difference_is_told_where_it_is(make):
    required = Required.recorded(make.call("find", filter={"since": "1h", "tags": ["a", "b"]}, limit=5))
    made = make.event("find", args={"filter": {"since": "2h", "tags": ["a", "c"], "wide": True}})
    assert [*required.differences(made)] == [
        'filter.since: expected "1h", actual "2h"',
        'filter.tags[1]: expected "b", actual "c"',
        "filter.wide: expected nothing, actual true",
        "limit: expected 5, actual nothing",
    ]


def test_a_recorded_argument_is_equal_where_python_says_so_as_in_adk(make):
    required = Required.recorded(make.call("find", n=1, all=True))
    assert required.accepts(make.event("find", args={"n": 1.0, "all": 1}))


def test_the_more_arguments_are_right_the_more_alike(make):
    required = Required.recorded(make.call("find", a=1, b=2))
    made = [{"a": 1, "b": 2}, {"a": 1, "b": 3}, {"a": 3, "b": 3}]
    right, near, far = (required.likeness(make.event("find", args=args)) for args in made)
    assert RIGHT == right > 2 * near > 2 * far > 0
    assert required.likeness(make.event("get", args=made[0])) == 0


@pytest.mark.parametrize(
    ("required", "shown"),
    [
        (CallPattern(name="get"), "get(…)"),
        (CallPattern(name="get", args={"n": {"$gt": 1}}), 'get(n={"$gt": 1})'),
        (CallPattern(name="get", status="success"), "get(…) with status success"),
    ],
)
def test_a_pattern_is_shown_as_it_is_written(required, shown):
    assert Required.named(required).shown == shown


def test_a_recorded_call_is_shown_with_the_patterns_that_replace_arguments(make):
    required = Required.recorded(make.call("get", n=1, m=2), {"n": {"$any": True}}, "ignore")
    assert required.shown == 'get(n={"$any": true}, m=2)'


def test_arguments_that_are_free_have_no_score(make):
    made = make.event("get", args={"n": 1, "m": 2, "free": 3})
    assert Required.named(CallPattern(name="get", args={"n": 2})).arguments(made) == {"n": False}
    assert Required.recorded(make.call("get", n=1, m=3)).arguments(made) == {"n": True, "m": False, "free": False}
