"""Patterns for arguments against what the tool declares."""

import pytest

from evalkit.agent_lint.misfit_patterns import pattern_misfits
from evalkit.agent_lint.slots import slot_of
from evalkit.models.declarations import Declaration

SCHEMA = {
    "type": "object",
    "$defs": {"Env": {"enum": ["dev", "staging", "prod"], "type": "string"}},
    "properties": {
        "env": {"$ref": "#/$defs/Env"},
        "count": {"type": "integer"},
        "ratio": {"type": "number"},
        "version": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None},
        "level": {"enum": ["debug", "info"]},
        "dry": {"type": "boolean"},
        "size": {"type": "integer", "minimum": 1},
        "labels": {"type": "object", "additionalProperties": {"type": "string"}},
        "flags": {"type": "object", "properties": {"cart": {"type": "boolean"}}, "additionalProperties": False},
        "users": {"type": "array", "items": {"type": "string"}},
        "either": {"type": ["integer", "string"]},
        "kind": {"const": "pod"},
        "anything": {},
        "odd": {"allOf": [{"type": "string"}, {"minLength": 2}]},
        "loop": {"$ref": "#/properties/loop"},
    },
    "required": ["env", "count"],
}
TOOL = Declaration("tool", SCHEMA)


def found(name, pattern):
    return [
        (one.path.removeprefix("$"), one.message, one.hint)
        for one in pattern_misfits(pattern, slot_of(TOOL, name), "$")
    ]


ENV = '`env` is one of "dev", "staging", "prod"'


@pytest.mark.parametrize(
    ("name", "pattern", "message", "hint"),
    [
        (
            "env",
            "production",
            f'{ENV}, so no call that keeps to the declaration has "production"',
            'did you mean "prod"?',
        ),
        ("env", "live", f'{ENV}, so no call that keeps to the declaration has "live"', "write one of these"),
        ("env", True, f"{ENV}, so no call that keeps to the declaration has true", "write one of these"),
        ("env", None, f"{ENV}, so no call that keeps to the declaration has null", "write one of these"),
        ("count", "8", '`count` is an integer, so no call that keeps to the declaration has "8"', "write 8"),
        ("count", 0.8, "`count` is an integer, so no call that keeps to the declaration has 0.8", None),
        (
            "version",
            0.8,
            "`version` is a string, so no call that keeps to the declaration has 0.8",
            'put it in quotes: "0.8"',
        ),
        ("dry", "yes", '`dry` is true or false, so no call that keeps to the declaration has "yes"', "write true"),
        ("dry", 0, "`dry` is true or false, so no call that keeps to the declaration has 0", None),
        ("users", "ben", '`users` is a list, so no call that keeps to the declaration has "ben"', 'write ["ben"]'),
        (
            "env",
            ["dev", "prod"],
            f"{ENV}, so no call that keeps to the declaration has a list",
            'write {"$oneof": ["dev", "prod"]}',
        ),
        (
            "env",
            {"regex": "^d"},
            f"{ENV}, so no call that keeps to the declaration has an object",
            'write {"$regex": "^d"}',
        ),
        ("env", {"name": "dev"}, f"{ENV}, so no call that keeps to the declaration has an object", None),
        (
            "either",
            True,
            "`either` is an integer or a string, so no call that keeps to the declaration has true",
            'put it in quotes: "true"',
        ),
        (
            "kind",
            "node",
            '`kind` is always "pod", so no call that keeps to the declaration has "node"',
            "write one of these",
        ),
        ("size", 0, "no call that keeps to the declaration has 0 as `size`: 0 is less than the minimum of 1", None),
    ],
)
def test_a_value_that_is_not_declared_is_told_with_one_that_is(name, pattern, message, hint):
    assert found(name, pattern) == [("", message, hint)]


@pytest.mark.parametrize(
    ("name", "pattern", "path", "said"),
    [
        ("count", {"$gte": "1"}, ".$gte", 'a value of at least "1"'),
        ("version", {"$lt": 2}, ".$lt", "a value less than 2"),
        ("count", {"$regex": "8"}, ".$regex", "a value matching /8/"),
        ("version", {"$approx": 2}, ".$approx", "about 2 (± 1e-06 relative)"),
        ("count", {"$contains": 8}, ".$contains", "something containing 8"),
        ("version", {"$contains": 8}, ".$contains", "something containing 8"),
        ("count", {"$type": "string"}, ".$type", "a value of type string"),
        ("count", {"$subset": {"a": 1}}, ".$subset", "an object"),
        ("count", {"$unordered": [1]}, ".$unordered", "a list"),
        ("count", {"$eq": "8"}, ".$eq", '"8"'),
        ("count", {"$all": [{"$any": True}, "8"]}, ".$all[1]", '"8"'),
    ],
)
def test_an_operator_for_another_type_is_told(name, pattern, path, said):
    ((where, message, _),) = found(name, pattern)
    assert (where, message.partition("so no call that keeps to the declaration has ")[2]) == (path, said)


@pytest.mark.parametrize(
    ("name", "pattern", "path"),
    [
        ("flags", {"$subset": {"cart": "yes"}}, ".$subset.cart"),
        ("flags", {"cart": "yes"}, ".cart"),
        ("labels", {"team": 5}, ".team"),
        ("labels", {"team": {"$gt": 5}}, ".team.$gt"),
        ("users", ["ben", 5], "[1]"),
        ("users", {"$unordered": ["ben", 5]}, ".$unordered[1]"),
        ("users", {"$subset": [5]}, ".$subset[0]"),
        ("users", {"$contains": 5}, ".$contains"),
        ("labels", {"oneof": ["a"]}, ""),
    ],
)
def test_what_stands_deeper_is_told_at_its_place(name, pattern, path):
    assert [where for where, *_ in found(name, pattern)] == [path]


def test_a_pattern_that_fits_none_of_the_choices_is_told():
    message = f"{ENV}, and none of it is a value matching /^pre/"
    assert found("env", {"$regex": "^pre"}) == [("", message, None)]
    assert [path for path, *_ in found("dry", {"$type": "string"})] == [".$type"]


def test_one_choice_of_several_is_told_and_is_not_fatal():
    slot = slot_of(TOOL, "env")
    one, other = {"$oneof": ["dev", "live"]}, {"$oneof": ["test", "live"]}
    assert [(one.path, one.fatal) for one in pattern_misfits(one, slot, "$")] == [("$.$oneof[1]", False)]
    assert [one.fatal for one in pattern_misfits(other, slot, "$")] == [True, True]


@pytest.mark.parametrize(
    ("name", "pattern"),
    [
        ("env", "prod"),
        ("env", {"$regex": "^(dev|staging)$"}),
        ("env", {"$oneof": ["dev", {"$glob": "s*"}]}),
        ("env", {"$not": "production"}),
        ("env", {"$not": {"$oneof": ["dev", "staging", "prod"]}}),
        ("env", {"$not": {"$gte": 3}}),
        ("env", {"$any": True}),
        ("level", {"$absent": True}),
        ("level", {"$exists": True}),
        ("level", None),
        ("version", None),
        ("version", {"$oneof": ["1", None]}),
        ("version", {"$type": ["string", "null"]}),
        ("count", 8.0),
        ("count", {"$gte": 0.5}),
        ("count", {"$type": "number"}),
        ("ratio", 15),
        ("ratio", {"$type": "integer"}),
        ("ratio", {"$approx": 3}),
        ("dry", False),
        ("size", {"$gte": 0}),
        ("labels", {"team": {"$oneof": ["a", "b"]}}),
        ("labels", {}),
        ("flags", {"cart": True, "unknown": 5}),
        ("users", {"$contains": "ben"}),
        ("users", {"$icontains": "BEN"}),
        ("users", []),
        ("either", 1),
        ("either", {"$gt": "a"}),
        ("anything", {"regex": "x"}),
        ("anything", {"$gte": "1"}),
        ("odd", 5),
        ("loop", 5),
        ("count", {"$nope": 1}),
    ],
)
def test_what_a_call_may_have_is_let_alone(name, pattern):
    assert found(name, pattern) == []


def test_an_argument_that_is_not_declared_has_no_place():
    assert slot_of(TOOL, "other") is None
    assert slot_of(Declaration("free", {"type": "object"}, open_ended=True), "other") is None
