"""Which types a docstring gives the keys of a reply, and where it leaves that open."""

import pytest

from evalkit.models.reply_types import reply_types

TEXT, COUNT, FLAG = {"type": "string"}, {"type": "integer"}, {"type": "boolean"}
LIST = {"type": "array"}


def types_in(text, parameters=()):
    return reply_types(f"Do it.\n\nReturns:\n{text}\n", parameters)


@pytest.mark.parametrize(
    ("text", "types"),
    [
        (
            "    A dict with `count` (int) and `lines`, a list of strings.",
            {"count": COUNT, "lines": LIST | {"items": TEXT}},
        ),
        (
            "    `pods`, a list of dicts with `name`, and `ready` (bool).",
            {"pods": LIST | {"items": {"type": "object"}}},
        ),
        (
            "    `changed` (list of flag names) and `tags` (list[str]).",
            {"changed": LIST, "tags": LIST | {"items": TEXT}},
        ),
        ("    `lag`, an integer, and `state`, a text.", {"lag": COUNT, "state": TEXT}),
        ("    - count (int): of lines\n    - full (bool): whether all", {"count": COUNT, "full": FLAG}),
        ("    count (int): of lines\n    share (float): of all", {"count": COUNT, "share": {"type": "number"}}),
    ],
)
def test_types_are_read_where_they_are_plain(text, types):
    assert types_in(text) == types


@pytest.mark.parametrize(
    "text",
    [
        "    `lag` (int or null) and `state`, a text or null.",
        "    `lag` (int, optional) and `state` (in records).",
        "    `pods`, a number of pods, and `log`, a text that says what went wrong.",
        "    `status` ('success' or 'error') and `lag`.",
        "    The lag (int).",
        "    `count` (int) and `rows`, each with `count` (str).",
        "    `lag` (int) if the group is there.",
    ],
)
def test_what_may_be_something_else_has_no_type(text):
    assert types_in(text) == {}


def test_what_the_section_says_of_parameters_is_no_type_of_the_reply():
    assert types_in("    `group` (str) and `lag` (int).", ["group"]) == {"lag": COUNT}


@pytest.mark.parametrize("docstring", ["", "Do it.", "Do it: `lag` (int)."])
def test_without_a_section_there_are_no_types(docstring):
    assert reply_types(docstring) == {}
