"""When one pattern takes all that another takes."""

import pytest
from hypothesis import given, settings, strategies as st

from evalkit.matching.compiler import compile_pattern
from evalkit.matching.covering import covers, covers_args

COVERED = [
    ("a", "a"),
    (1, 1.0),
    ({"$regex": "^pay"}, "payments"),
    ({"$regex": "^pay"}, {"$regex": "^pay"}),
    ({"$gt": 10}, 12),
    ({"$gt": 10}, {"$gt": 11}),
    ({"$gte": 10}, {"$gt": 10}),
    ({"$gte": 10}, {"$gte": 10, "$lt": 20}),
    ({"$lte": "b"}, {"$lt": "b"}),
    ({"$any": True}, {"$glob": "x*"}),
    ({"$any": True}, {"a": {"$absent": True}}),
    ({"$exists": True}, "x"),
    ({"$oneof": ["a", "b"]}, "b"),
    ({"$oneof": ["a", "b", "c"]}, {"$oneof": ["c", "a"]}),
    ({"$oneof": ["a", {"$gt": 3}]}, {"$gt": 4}),
    ({"$glob": "p*"}, {"$oneof": ["pay", {"$eq": "pal"}]}),
    ({"$type": "string"}, {"$all": [{"$type": "string"}, {"$glob": "x*"}]}),
    ({"$all": [{"$gt": 1}, {"$gt": 2}]}, {"$gt": 3}),
    ({"$subset": {"a": {"$any": True}}}, {"a": {"$gt": 1}, "b": 2}),
    ({"$subset": {"a": 1}}, {"$subset": {"a": 1, "b": {"$any": True}}}),
    ({"a": {"$any": True}}, {"a": {"$gt": 1}}),
    ([{"$any": True}, 2], [{"$gt": 1}, 2]),
    ({"$not": "debug"}, "info"),
]
NOT_COVERED = [
    ("a", "b"),
    (1, True),
    ("a", {"$regex": "^a$"}),
    ({"$regex": "^pay"}, {"$regex": "^payments"}),
    ({"$gt": 10}, {"$gte": 10}),
    ({"$gt": 10}, {"$lt": 20}),
    ({"$gt": 10}, {"$gt": "9"}),
    ({"$any": True}, {"$not": "x"}),
    ({"$any": True}, {"$absent": True}),
    ({"$oneof": ["a", "b"]}, {"$oneof": ["a", "c"]}),
    ({"$subset": {"a": 1}}, {"$subset": {"b": 1}}),
    ({"$subset": {"a": 1}}, {"$regex": "x"}),
    ({"a": 1}, {"$subset": {"a": 1}}),
    ({"a": 1}, {"a": 1, "b": {"$any": True}}),
    ([1], [1, {"$any": True}]),
]


@pytest.mark.parametrize(("pattern", "other"), COVERED)
def test_a_pattern_covers_a_narrower_one(pattern, other):
    assert covers(pattern, other)


@pytest.mark.parametrize(("pattern", "other"), NOT_COVERED)
def test_a_pattern_covers_nothing_that_it_may_refuse(pattern, other):
    assert not covers(pattern, other)


def test_arguments_that_the_first_does_not_list_are_free():
    assert covers_args(None, {"a": 1})
    assert covers_args({}, None)
    assert covers_args({"a": {"$gt": 10}}, {"b": "x", "a": 12})
    assert not covers_args({"a": {"$any": True}}, {"b": "x"})
    assert not covers_args({"a": {"$not": 1}}, None)


numbers = st.integers(0, 3)
limits = st.tuples(st.sampled_from(["$gt", "$gte", "$lt", "$lte", "$eq"]), numbers).map(lambda pair: dict([pair]))
flat = numbers | limits | st.just({"$any": True}) | st.just({"$absent": True}) | limits.map(lambda one: {"$not": one})
patterns = flat | st.lists(flat, min_size=1, max_size=3).flatmap(
    lambda choices: st.sampled_from([{"$oneof": choices}, {"$all": choices}])
)


@settings(deadline=None, max_examples=300)
@given(patterns, patterns)
def test_what_the_covered_pattern_takes_the_covering_one_takes_too(pattern, other):
    if covers({"a": pattern}, {"a": other}):
        both = compile_pattern({"a": pattern}), compile_pattern({"a": other})
        for value in ({}, *({"a": number} for number in (-1, 0, 0.5, 1, 2, 3, 4, "1", None))):
            assert both[0].accepts(value) or not both[1].accepts(value)


def test_an_expression_that_may_take_for_ever_is_not_asked():
    slow = {"$regex": r"^(\w+\s?)*$"}
    assert not covers(slow, "why does the checkout deployment keep restarting since yesterday evening?")
    assert covers({"$regex": "^check.*$"}, "checkout")
