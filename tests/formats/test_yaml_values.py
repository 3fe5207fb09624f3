"""Values as YAML mean the same when they are read again."""

import pytest
import yaml
from hypothesis import given, strategies as st

from evalkit.formats.yaml_text import parse_yaml
from evalkit.formats.yaml_values import member, on_one_line

TEXTS = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S", "Zs"), include_characters="\n\t"))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner) | st.dictionaries(TEXTS, inner),
    max_leaves=12,
)


@given(JSON)
def test_what_is_written_is_read_as_the_same_by_evalkit(value):
    assert parse_yaml(f"a:\n  {member('key', value, 2)}", "m.yaml").value.value == {"a": {"key": value}}


@pytest.mark.parametrize(
    "text", ["1e5", "0x1f", "12:30", "2026-01-31", "010", ".5", "yes", "null", "~", "", "- a", "{a}", "a: b"]
)
def test_texts_that_look_like_something_else_are_quoted(text):
    written = member("key", text)
    assert parse_yaml(written, "m.yaml").value.value == yaml.safe_load(written) == {"key": text}


def test_what_is_short_stands_on_one_line():
    assert (
        member("returns", {"status": "success", "topics": ["a", "b"]}) == "returns: {status: success, topics: [a, b]}\n"
    )


def test_what_is_long_stands_on_lines_of_its_own_below_its_key():
    assert member("returns", {"topics": ["a" * 60, "b" * 60], "on": True}, 4) == (
        f"returns:\n      topics: [{'a' * 60}, {'b' * 60}]\n      'on': true\n"
    )


def test_a_text_of_several_lines_is_written_as_such():
    assert member("log", "one\ntwo\n", 2) == "log: |\n    one\n    two\n"
    assert on_one_line(["one\ntwo"]) == '["one\\ntwo"]'


def test_equal_values_are_written_out_each_time():
    twice = ["x" * 80]
    assert "&" not in member("key", [twice, twice])


@pytest.mark.parametrize("text", ["a\n\n", "a\nb\n\n\n", "\n\n", " a\n\n"])
def test_blank_lines_at_the_end_of_a_text_are_no_end_of_the_document(text):
    written = f"a:\n  {member('key', text, 2)}  {member('next', 1, 2)}"
    assert parse_yaml(written, "m.yaml").value.value == {"a": {"key": text, "next": 1}}
