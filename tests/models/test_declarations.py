"""Arguments against a tool's declaration."""

import pytest

from evalkit.models.declarations import Declaration

SCHEMA = {
    "type": "object",
    "properties": {
        "group": {"type": "string"},
        "limit": {"type": "integer"},
        "filter": {"type": "object", "properties": {"age": {"type": "number"}}, "additionalProperties": False},
    },
    "required": ["group"],
}


@pytest.mark.parametrize(
    ("args", "misfits"),
    [
        ({"group": "a"}, ()),
        ({"group": "a", "limit": 3, "filter": {"age": 1.5}}, ()),
        ({}, ("`get_lag` needs the argument `group`",)),
        ({"group": 7}, ('`get_lag` argument `group`: 7 is not of type "string"',)),
        ({"group": "a", "limit": "3"}, ('`get_lag` argument `limit`: "3" is not of type "integer"',)),
        (
            {"group": "a", "since": 1},
            ("`get_lag` takes no argument `since` (its arguments: group, limit, filter)",),
        ),
        (
            {"group": "a", "filter": {"size": 1}},
            ("`get_lag` takes no argument `size` in `filter` (its arguments: group, limit, filter)",),
        ),
    ],
)
def test_what_does_not_fit_is_said_in_one_sentence_each(args, misfits):
    assert Declaration("get_lag", SCHEMA).misfits(args) == misfits


def test_a_tool_without_declared_arguments_takes_none():
    misfits = Declaration("whoami", None).misfits({"x": 1})
    assert misfits == ("`whoami` takes no argument `x` (its arguments: none)",)


def test_a_function_that_takes_any_argument_takes_undeclared_ones():
    assert Declaration("query", {"type": "object", "properties": {}}, open_ended=True).misfits({"x": 1}) == ()
