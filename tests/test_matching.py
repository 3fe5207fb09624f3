import itertools
import math
import pickle
import re

import pytest
from hypothesis import given, settings, strategies as st

from evalkit.matching import (
    MISSING,
    Difference,
    PatternError,
    args_faults,
    compile_pattern,
    describe,
    match,
    match_args,
    pattern_faults,
    show,
)
from evalkit.matching.compiler import _BUILDERS
from evalkit.matching.faults import OPERATORS
from evalkit.matching.ranges import empty_range

NAN = float("nan")
INFINITY = float("inf")
GIANT = 10**400  # an integer that no float can hold


def lines(pattern, value):
    return [str(difference) for difference in match(pattern, value)]


def travelled(value):
    """Give what another process receives."""
    return pickle.loads(pickle.dumps(value))  # noqa: S301 - our own bytes


MATCHES = {
    "plain": [
        ("a", "a"),
        (None, None),
        (1, 1.0),
        (GIANT, GIANT),
        (NAN, NAN),
        (INFINITY, INFINITY),
        ({}, {}),
        ([], []),
        ({"a": 1, "b": [True, None]}, {"b": [True, None], "a": 1}),
    ],
    "$eq": [
        ({"$eq": {"$regex": "("}}, {"$regex": "("}),
        ({"$eq": [{"$any": True}]}, [{"$any": True}]),
        ({"$eq": 2}, 2.0),
    ],
    "$any": [({"$any": True}, None), ({"$any": True}, {"a": []}), ({"a": {"$any": True}}, {"a": None})],
    "$regex": [({"$regex": "^pay"}, "payments"), ({"$regex": "(?i)LAG"}, "the lag"), ({"$regex": ""}, "")],
    "$glob": [({"$glob": "kafka-*"}, "kafka-0"), ({"$glob": "*.log"}, "var/a.log"), ({"$glob": "[!a]?"}, "bc")],
    "$contains": [
        ({"$contains": "75"}, "lag is 75."),
        ({"$contains": 3}, [1, 3.0]),
        ({"$contains": {"$gt": 5}}, [1, 9]),
        ({"$contains": "key"}, {"key": None}),
        ({"$contains": {"$glob": "k*"}}, {"key": None}),
    ],
    "$icontains": [
        ({"$icontains": "KAFKA"}, "a Kafka broker"),
        ({"$icontains": "STRASSE"}, "Hauptstraße"),
        ({"$icontains": "ok"}, ["no", "OK"]),
        ({"$icontains": "ID"}, {"id": 1}),
    ],
    "$oneof": [({"$oneof": [1, "a"]}, "a"), ({"$oneof": [{"$type": "null"}, {"$gt": 1}]}, 2)],
    "$all": [({"$all": [{"$gt": 1}, {"$lt": 3}]}, 2)],
    "$not": [({"$not": 1}, True), ({"$not": {"$regex": "x"}}, 5), ({"a": {"$not": "x"}}, {})],
    "$absent": [
        ({"a": {"$absent": True}}, {}),
        ({"a": {"$oneof": [{"$absent": True}, 1]}}, {}),
        ({"a": {"$oneof": [{"$absent": True}, 1]}}, {"a": 1}),
    ],
    "$exists": [
        ({"a": {"$exists": True}}, {"a": None}),
        ({"a": {"$exists": False}}, {}),
        ({"a": {"$not": {"$exists": True}}}, {}),
    ],
    "$type": [
        ({"$type": "integer"}, 2.0),
        ({"$type": "integer"}, GIANT),
        ({"$type": "number"}, NAN),
        ({"$type": ["null", "object"]}, {}),
        ({"$type": "array"}, []),
        ({"$type": "boolean"}, False),
        ({"$type": "string"}, ""),
    ],
    "$gt": [({"$gt": 1}, 1.5), ({"$gt": "2024-01-31"}, "2024-02-01"), ({"$gt": 1.5}, GIANT)],
    "$gte": [({"$gte": 1}, 1.0)],
    "$lt": [({"$lt": INFINITY}, GIANT)],
    "$lte": [({"$lte": "b"}, "b")],
    "$approx": [
        ({"$approx": 1000}, 1000.0005),
        ({"$approx": {"value": 10, "abs": 0.5}}, 10.5),
        ({"$approx": {"value": 100, "rel": 0.1}}, 91),
        ({"$approx": {"value": 0, "abs": 1, "rel": 0.1}}, -1),
        ({"$approx": GIANT}, GIANT),
    ],
    "$subset": [
        ({"$subset": {"a": {"$gt": 0}}}, {"a": 1, "b": 2}),
        ({"$subset": {}}, {"b": 2}),
        ({"$subset": [3, {"$type": "string"}]}, ["x", 2, 3]),
        ({"$subset": []}, [1]),
    ],
    "$unordered": [
        ({"$unordered": [1, 2, 2]}, [2, 1, 2]),
        # A greedy choice gives "ab" to the first item, which leaves the second one without.
        ({"$unordered": [{"$contains": "a"}, "ab"]}, ["ab", "ac"]),
        ({"$unordered": []}, []),
    ],
    "several operators": [({"$gt": 1, "$lt": 3, "$type": "integer"}, 2)],
}


@pytest.mark.parametrize(("pattern", "value"), [pair for pairs in MATCHES.values() for pair in pairs])
def test_a_value_that_a_pattern_means_has_no_difference(pattern, value):
    assert match(pattern, value) == ()


DIFFERENCES = [
    ("a", "b", '$: wanted "a", found "b"'),
    (1, True, "$: wanted 1, found true"),
    (False, 0, "$: wanted false, found 0"),
    ("1", 1, '$: wanted "1", found 1'),
    (NAN, 1.0, "$: wanted NaN, found 1.0"),
    (1.5, NAN, "$: wanted 1.5, found NaN"),
    (None, 0, "$: wanted null, found 0"),
    ({}, [], "$: wanted {}, found []"),
    ({"a": 1}, "x", '$: wanted {"a": 1}, found "x"'),
    ({"a": {"b": 1}}, {"a": {"b": 2}}, "$.a.b: wanted 1, found 2"),
    ({"a": 1}, {}, "$.a: missing, wanted 1"),
    ({}, {"a b": 1}, '$["a b"]: unexpected, found 1'),
    ([1, 2], [1, 3], "$[1]: wanted 2, found 3"),
    ([1, 2], [1], "$[1]: missing, wanted 2"),
    ([{"$not": "x"}], [], '$[0]: missing, wanted anything but "x"'),
    ([1], [1, "x"], '$[1]: unexpected, found "x"'),
    ([1], {"a": 1}, '$: wanted [1], found {"a": 1}'),
    ({"$eq": {"$any": True}}, 1, '$: wanted {"$any": true}, found 1'),
    ({"$eq": {"a": [1]}}, {"a": [2]}, "$.a[0]: wanted 1, found 2"),
    ({"a": {"$any": True}}, {}, "$.a: missing, wanted any value"),
    ({"since": {"$regex": "^pay"}}, {"since": "orders"}, '$.since: wanted a value matching /^pay/, found "orders"'),
    ({"$regex": "1"}, 1, "$: wanted a value matching /1/, found 1"),
    ({"$glob": "K*"}, "kafka", '$: wanted a value like "K*", found "kafka"'),
    ({"$contains": "x"}, ["xy"], '$: wanted something containing "x", found ["xy"]'),
    ({"$contains": 7}, "7", '$: wanted something containing 7, found "7"'),
    ({"$icontains": "x"}, None, '$: wanted something containing "x" in any case, found null'),
    ({"$icontains": "a"}, ["ab"], '$: wanted something containing "a" in any case, found ["ab"]'),
    ({"$oneof": ["a", {"$glob": "b*"}]}, "c", '$: wanted one of "a", a value like "b*", found "c"'),
    ({"$not": {"$type": "string"}}, "c", '$: wanted anything but a value of type string, found "c"'),
    ({"a": {"$absent": True}}, {"a": None}, "$.a: wanted no such key, found null"),
    ({"a": {"$exists": False}}, {"a": None}, "$.a: wanted no such key, found null"),
    ({"a": {"$exists": True}}, {}, "$.a: missing, wanted any value"),
    ({"$type": "number"}, True, "$: wanted a value of type number, found true"),
    ({"$type": ["integer", "null"]}, 1.5, "$: wanted a value of type integer or null, found 1.5"),
    ({"$type": "integer"}, INFINITY, "$: wanted a value of type integer, found Infinity"),
    ({"$gt": 1}, 1, "$: wanted a value greater than 1, found 1"),
    ({"$gte": 1}, NAN, "$: wanted a value of at least 1, found NaN"),
    ({"$lt": 5}, "4", '$: wanted a value less than 5, found "4"'),
    ({"$lte": 5}, True, "$: wanted a value of at most 5, found true"),
    ({"$approx": 3}, 3.1, "$: wanted about 3 (± 1e-06 relative), found 3.1"),
    ({"$approx": {"value": 3, "abs": 0.01}}, 3.1, "$: wanted about 3 (± 0.01), found 3.1"),
    ({"$approx": {"value": 3, "abs": 1, "rel": 0.5}}, "3", '$: wanted about 3 (± 1 or 0.5 relative), found "3"'),
    ({"$approx": 1.5}, NAN, "$: wanted about 1.5 (± 1e-06 relative), found NaN"),
    ({"$subset": {"a": 1}}, {"a": 2, "b": 3}, "$.a: wanted 1, found 2"),
    ({"$subset": {"a": {"b": 1}}}, {"a": {"b": 1, "c": 2}}, "$.a.c: unexpected, found 2"),
    ({"$subset": {"a": 1}}, [], '$: wanted an object with {"a": 1}, found []'),
    ({"$subset": ["a", "a"]}, ["a", "b"], '$[*]: missing, wanted "a"'),
    ({"$subset": [1]}, 1, "$: wanted a list with the items [1], found 1"),
    ({"$unordered": [{"id": 1, "n": "x"}]}, [{"id": 1, "n": "y"}], '$[0].n: wanted "x", found "y"'),
    ({"$unordered": [1, 2]}, None, "$: wanted [1, 2] in any order, found null"),
]


@pytest.mark.parametrize(("pattern", "value", "expected"), DIFFERENCES)
def test_a_difference_says_where_what_was_wanted_and_what_was_found(pattern, value, expected):
    assert lines(pattern, value) == [expected]


def test_every_difference_of_an_object_has_its_own_path():
    pattern = {"group": "a", "limit": {"$gt": 1}, "tags": ["x"], "since": {"$any": True}}
    value = {"group": "b", "limit": 1, "tags": ["y"], "until": None}
    assert lines(pattern, value) == [
        '$.group: wanted "a", found "b"',
        "$.limit: wanted a value greater than 1, found 1",
        '$.tags[0]: wanted "x", found "y"',
        "$.since: missing, wanted any value",
        "$.until: unexpected, found null",
    ]


def test_several_operators_are_judged_one_by_one_but_a_missing_key_is_one_difference():
    pattern = {"a": {"$type": "string", "$regex": "x"}}
    assert lines(pattern, {"a": 1}) == [
        "$.a: wanted a value of type string, found 1",
        "$.a: wanted a value matching /x/, found 1",
    ]
    assert lines(pattern, {}) == ["$.a: missing, wanted a value of type string and a value matching /x/"]
    assert match({"a": {"$exists": False, "$not": 1}}, {}) == ()


def test_items_in_any_order_are_explained_by_the_closest_items_left_over():
    pattern = {"$unordered": [{"id": 1, "up": True}, {"id": 2, "up": True}, "z"]}
    value = [{"id": 2, "up": True}, {"id": 9, "up": False}, {"id": 1, "up": False}, "q"]
    assert lines(pattern, value) == [
        "$[2].up: wanted true, found false",
        '$[*]: missing, wanted "z"',
        '$[1]: unexpected, found {"id": 9, "up": false}',
        '$[3]: unexpected, found "q"',
    ]


def test_paths_start_where_the_caller_says():
    assert match({"a": 1}, {"a": 2}, "$.state") == (Difference("$.state.a", "1", 2),)


def test_a_missing_key_stays_itself_on_the_way_to_another_process():
    assert travelled(match({"a": 1}, {})) == (Difference("$.a", "1", MISSING),)


def test_arguments_that_are_not_listed_are_free():
    patterns = {"group_id": {"$regex": "^pay"}, "limit": 5}
    assert match_args(patterns, {"group_id": "payments", "limit": 5.0, "since": "1h"}) == ()
    assert [str(difference) for difference in match_args(patterns, {"group_id": "orders"})] == [
        '$.group_id: wanted a value matching /^pay/, found "orders"',
        "$.limit: missing, wanted 5",
    ]


def test_no_patterns_take_every_call():
    assert match_args(None, {"a": 1}) == ()
    assert match_args({}, {"a": 1}) == ()


def test_long_values_and_wordings_are_cut():
    (line,) = lines("a" * 500, list(range(500)))
    assert len(line) < 200
    assert len(describe({"$oneof": ["x" * 50] * 50})) == 80


def test_a_value_that_is_not_json_is_named_by_its_type():
    assert lines({"a": 1}, {"a": {1, 2}}) == ["$.a: wanted 1, found an object of type set"]
    assert show({"a": float}) == "an object of type dict"


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        ({"$regex": "^pay"}, "a value matching /^pay/"),
        ({"group": {"$any": True}, "n": 1}, '{"group": any value, "n": 1}'),
        ({"$gt": 1, "$not": 5}, "a value greater than 1 and anything but 5"),
    ],
)
def test_a_pattern_is_described_in_a_few_words(pattern, words):
    assert describe(pattern) == words


EVERY_OPERATOR = "The operators are " + " ".join(OPERATORS)
UNDER_EQ = 'a key that starts with "$" is compared under {"$eq": {…}}'
TYPES = "the types are string, number, integer, boolean, array, object, null"
MEMBER_ONLY = "asks about a missing key, so it makes sense only as the value of a key"
NUMBER_OR_OPTIONS = 'takes a number or {"value": number, "abs": …, "rel": …}'
FAULTS = [
    ({"a": {"$regx": "x"}}, ".a.$regx", f"unknown operator $regx; did you mean $regex? {EVERY_OPERATOR}"),
    ({"$schema": "x"}, ".$schema", f"unknown operator $schema; {UNDER_EQ}. {EVERY_OPERATOR}"),
    ({"$gt": 1, "n": 2}, "", f'mixes $gt with plain keys ("n"); a matcher has operators only, and {UNDER_EQ}'),
    ({"a": {"$gte": 1, "lte": 9}}, ".a", 'mixes $gte with plain keys ("lte"); write $lte'),
    ({"a b": {1: "x"}}, '["a b"][1]', "the key 1 is not a string; put it in quotes"),
    ([{"$any": False}], "[0].$any", "takes true, not false"),
    ({"$regex": 5}, ".$regex", "takes a string, not 5"),
    ({"$glob": None}, ".$glob", "takes a string, not null"),
    ({"$icontains": ["x"]}, ".$icontains", 'takes a string, not ["x"]'),
    ({"$contains": {"$nope": 1}}, ".$contains.$nope", f"unknown operator $nope; did you mean $not? {EVERY_OPERATOR}"),
    ({"$oneof": []}, ".$oneof", "takes a list with at least one pattern, not []"),
    ({"$oneof": "a"}, ".$oneof", 'takes a list with at least one pattern, not "a"'),
    ({"$all": [1, {"$glob": 2}]}, ".$all[1].$glob", "takes a string, not 2"),
    ({"$not": {"$type": "int"}}, ".$not.$type", f'"int" is not a JSON type; {TYPES}'),
    ({"$type": ["string", 5]}, ".$type[1]", f"5 is not a JSON type; {TYPES}"),
    ({"$type": []}, ".$type", f"[] is not a JSON type; {TYPES}"),
    ({"a": {"$absent": False}}, ".a.$absent", 'takes true, not false; a key that must be there is {"$exists": true}'),
    ({"a": {"$exists": "yes"}}, ".a.$exists", 'takes true or false, not "yes"'),
    ([{"$absent": True}], "[0].$absent", MEMBER_ONLY),
    ({"$unordered": [{"$not": {"$exists": True}}]}, ".$unordered[0].$not.$exists", MEMBER_ONLY),
    ({"$contains": {"$absent": True}}, ".$contains.$absent", MEMBER_ONLY),
    ({"$gt": True}, ".$gt", "takes a number or a string, not true"),
    ({"$lte": NAN}, ".$lte", "takes a number or a string, not NaN"),
    (
        {"a": {"$gte": 10, "$lte": 1}},
        ".a",
        "no value is at least 10 and at most 1; did you mean {$gte: 1, $lte: 10}?",
    ),
    (
        {"$gt": 5, "$lte": 5},
        "",
        "no value is greater than 5 and at most 5; for that value write {$gte: 5, $lte: 5}",
    ),
    (
        {"$gte": 1, "$lt": "5"},
        "",
        'nothing is both a number and a string, so $gte 1 and $lt "5" hold for no value; write both in one way',
    ),
    ({"$approx": "3"}, ".$approx", f'{NUMBER_OR_OPTIONS}, not "3"'),
    ({"$approx": {"abs": 1}}, ".$approx", f'{NUMBER_OR_OPTIONS}, not {{"abs": 1}}'),
    ({"$approx": {"value": 1, "abs": -1}}, ".$approx.abs", "takes a number of 0 or more, not -1"),
    ({"$approx": {"value": 1, "rel": NAN}}, ".$approx.rel", "takes a number of 0 or more, not NaN"),
    ({"$approx": {"value": 1, "tol": 1}}, ".$approx.tol", 'unknown key "tol"; $approx takes value, abs and rel'),
    ({"$subset": "a"}, ".$subset", 'takes an object of plain keys or a list, not "a"'),
    ({"$subset": {"$gt": 1}}, ".$subset", 'takes an object of plain keys or a list, not {"$gt": 1}'),
    ({"$subset": [{"$gt": []}]}, ".$subset[0].$gt", "takes a number or a string, not []"),
    ({"$unordered": {"a": 1}}, ".$unordered", 'takes a list, not {"a": 1}'),
    ({"a": {1, 2}}, ".a", "a value of type set is not JSON; to compare it with text put it in quotes"),
    (
        {"$eq": [{"a": b"x"}]},
        ".$eq[0].a",
        "a value of type bytes is not JSON; to compare it with text put it in quotes",
    ),
]


@pytest.mark.parametrize(("pattern", "path", "message"), FAULTS)
def test_a_fault_of_a_pattern_has_a_place_and_says_what_to_write(pattern, path, message):
    assert pattern_faults(pattern) == [(path, message)]


@pytest.mark.parametrize(
    "pattern",
    [{"$gte": 5, "$lte": 5}, {"$gt": 1, "$lt": 2}, {"$gte": "2026-01", "$lt": "2026-02"}, {"$gt": 1, "$gte": 9}],
)
def test_limits_that_leave_a_value_are_no_fault(pattern):
    assert pattern_faults(pattern) == []


def test_limits_without_a_value_between_them_may_be_denied():
    assert pattern_faults({"$not": {"$all": [{"$gte": 10, "$lte": 1}]}}) == []


@pytest.mark.parametrize("source", ["(", "*", "(?P<n>x)(?P<n>y)", "a{99999999999999999999}", "(" * 5000 + ")" * 5000])
def test_an_expression_that_python_refuses_is_a_fault(source):
    ((path, message),) = pattern_faults({"$regex": source})
    assert path == ".$regex"
    assert "is not a valid regular expression: " in message


def test_an_odd_but_valid_expression_is_no_fault():
    assert pattern_faults({"$regex": "[[a]"}) == []
    assert match({"$regex": "[[a]"}, "[") == ()


def test_a_pattern_nested_too_deeply_is_a_fault_and_a_value_nested_too_deeply_is_not():
    deep = None
    for _ in range(5000):
        deep = [deep]
    assert pattern_faults(deep) == [("", "is nested too deeply")]
    assert lines(1, deep) == ["$: wanted 1, found an object of type list"]


def test_all_faults_are_found_at_once():
    pattern = {"a": {"$gt": None, "$lt": []}, "b": [{"$nope": 1}]}
    assert [path for path, _ in pattern_faults(pattern)] == [".a.$gt", ".a.$lt", ".b[0].$nope"]


def test_a_faulty_pattern_is_refused_even_where_the_value_would_not_reach_it():
    with pytest.raises(PatternError, match=re.escape("$.b.$regex: takes a string, not 1")) as caught:
        match({"a": 1, "b": {"$regex": 1}}, {"a": 2})
    assert caught.value.faults == ((".b.$regex", "takes a string, not 1"),)
    assert travelled(caught.value).faults == caught.value.faults


def test_an_operator_in_place_of_an_argument_is_a_fault():
    ((path, message),) = args_faults({"$any": True})
    assert path == ".$any"
    assert message.startswith("$any stands where the name of an argument belongs")
    with pytest.raises(PatternError, match="leave args out"):
        match_args({"$any": True}, {})


def test_arguments_may_have_names_that_start_with_a_dollar():
    assert args_faults({"$filter": {"$regex": "x"}}) == []
    assert match_args({"$filter": "a"}, {"$filter": "a"}) == ()


def test_faults_of_arguments_are_found_by_name():
    assert args_faults({"a": 1, "b": {"$gt": None}}) == [(".b.$gt", "takes a number or a string, not null")]
    assert args_faults(["a"]) == [("", 'wants an object with a pattern for each argument, not ["a"]')]


def test_every_operator_has_a_check_and_a_meaning():
    assert OPERATORS.keys() == _BUILDERS.keys()


scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
json_values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
    max_leaves=10,
)
plain = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=8,
)
numbers = st.integers() | st.floats(allow_nan=False)
margins = st.floats(min_value=0, allow_nan=False, allow_infinity=False)


def operators_over(inner):
    choices = st.lists(inner, min_size=1, max_size=3)
    return st.one_of(
        json_values.map(lambda value: {"$eq": value}),
        st.just({"$any": True}),
        st.sampled_from(["", "a", "^[ab]*$", "(?i)x|y"]).map(lambda source: {"$regex": source}),
        st.text("ab*?[]!", max_size=5).map(lambda shape: {"$glob": shape}),
        inner.map(lambda pattern: {"$contains": pattern}),
        st.text(max_size=3).map(lambda text: {"$icontains": text}),
        choices.map(lambda patterns: {"$oneof": patterns}),
        choices.map(lambda patterns: {"$all": patterns}),
        inner.map(lambda pattern: {"$not": pattern}),
        st.lists(st.sampled_from(["string", "number", "integer", "null"]), min_size=1).map(lambda t: {"$type": t}),
        st.tuples(st.sampled_from(["$gt", "$gte", "$lt", "$lte"]), numbers | st.text(max_size=3)).map(
            lambda p: dict([p])
        ),
        st.builds(lambda value, absolute: {"$approx": {"value": value, "abs": absolute}}, numbers, margins),
        numbers.map(lambda value: {"$approx": value}),
        st.dictionaries(st.sampled_from("abc"), inner, max_size=3).map(lambda members: {"$subset": members}),
        st.lists(inner, max_size=3).map(lambda items: {"$subset": items}),
        st.lists(inner, max_size=3).map(lambda items: {"$unordered": items}),
    )


patterns = st.recursive(
    plain | st.just({"a": {"$absent": True}}) | st.just({"b": {"$exists": True}}),
    lambda inner: (
        operators_over(inner)
        | st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from("abc"), inner, max_size=3)
        | st.tuples(operators_over(inner), operators_over(inner))
        .map(lambda pair: {**pair[0], **pair[1]})
        .filter(lambda pair: empty_range(pair) is None)
    ),
    max_leaves=8,
)
unhurried = settings(deadline=None)


def is_nan(value):
    return isinstance(value, float) and math.isnan(value)


def equal(left, right):
    """Equality of JSON, told in another way than the matchers do."""
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(equal(left[key], right[key]) for key in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(equal, left, right))
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    return left == right or (is_nan(left) and is_nan(right))


@unhurried
@given(json_values)
def test_every_value_matches_itself_literally(value):
    assert match({"$eq": value}, value) == ()


@unhurried
@given(plain, plain)
def test_plain_patterns_differ_exactly_where_values_are_not_equal(pattern, value):
    assert (match(pattern, value) == ()) == equal(pattern, value)
    assert (match({"$eq": pattern}, value) == ()) == equal(pattern, value)


@unhurried
@given(patterns, json_values)
def test_a_valid_pattern_can_be_compared_with_any_value(pattern, value):
    assert pattern_faults(pattern) == []
    for difference in match(pattern, value):
        assert str(difference).startswith("$")
    assert describe(pattern)


@unhurried
@given(json_values, json_values)
def test_no_pattern_is_too_odd_to_be_checked(pattern, operand):
    assert isinstance(pattern_faults(pattern), list)
    for name in OPERATORS:
        assert isinstance(pattern_faults({name: operand}), list)


@unhurried
@given(patterns, plain)
def test_not_negates(pattern, value):
    assert (match({"$not": pattern}, value) == ()) != (match(pattern, value) == ())


@unhurried
@given(patterns, plain)
def test_accepting_is_having_no_difference(pattern, value):
    matcher = compile_pattern(pattern)
    assert matcher.accepts(value) == (not list(matcher.differences(value, "$")))


@unhurried
@given(st.lists(patterns, max_size=4), st.lists(plain, max_size=4), st.data())
def test_order_does_not_matter_to_unordered(items, values, data):
    reordered = {"$unordered": data.draw(st.permutations(items))}
    shuffled = data.draw(st.permutations(values))
    found = match({"$unordered": items}, values)
    assert (match(reordered, shuffled) == ()) == (found == ())
    assert match({"$unordered": [{"$eq": value} for value in values]}, shuffled) == ()


@unhurried
@given(st.lists(patterns, max_size=4), st.lists(plain, max_size=4))
def test_unordered_matches_exactly_if_some_reordering_does(items, values):
    some = any(match(list(order), values) == () for order in itertools.permutations(items))
    assert (match({"$unordered": items}, values) == ()) == some
