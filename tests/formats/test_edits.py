import json

import pytest

from evalkit.errors import Add, Remove, Rename, Replace, Splice
from evalkit.formats.edits import apply_fixes

TEXT = """{
  "name" : "ü",   "list": [1, {"key": "a \\" b"},
    true],
  "calls": [
    {"name": "f"},
    {
      "name": "g"
    },
    {}
  ]
}
"""


@pytest.mark.parametrize(
    ("fix", "before", "after"),
    [
        (Rename(("name",), "title"), '"name" :', '"title" :'),
        (Rename(("list", 1, "key"), "é"), '{"key": ', '{"é": '),
        (Replace(("list", 2), False), "    true]", "    false]"),
        (Replace(("list", 1), "x"), '{"key": "a \\" b"}', '"x"'),
        (Replace(("calls", 2), {"a": [1]}), "    {}\n", '    {\n      "a": [\n        1\n      ]\n    }\n'),
        (Add(("calls", 0), "args", {}), '{"name": "f"}', '{"name": "f", "args": {}}'),
        (Add(("calls", 1), "args", {}), '"name": "g"\n', '"name": "g",\n      "args": {}\n'),
        (Add(("calls", 2), "args", {}), "    {}\n", '    {"args": {}}\n'),
        (Remove(("name",)), '"name" : "ü",   "list"', '"list"'),
        (Remove(("calls",)), TEXT[TEXT.index(',\n  "calls"') : -2], "\n"),
        (Remove(("list", 0)), "[1, {", "[{"),
        (Splice(0, 1, "{ "), '{\n  "name"', '{ \n  "name"'),
    ],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)
def test_a_fix_changes_what_it_names_and_nothing_else(fix, before, after):
    assert TEXT.count(before) == 1
    assert apply_fixes(TEXT, [fix]) == TEXT.replace(before, after)


def test_the_only_member_is_taken_out_whole():
    assert apply_fixes('{"a": {"b": 1}}', [Remove(("a", "b"))]) == '{"a": {}}'


@pytest.mark.parametrize("fix", [Rename(("nope",), "x"), Replace(("list", 9), 1), Add(("calls", 0), "name", "again")])
def test_a_fix_that_has_nothing_to_do_is_left_out(fix):
    assert apply_fixes(TEXT, [fix]) == TEXT


def test_many_fixes_are_applied_at_once_in_any_order():
    fixes = [Add(("calls", 1), "args", {}), Rename(("calls", 0, "name"), "tool"), Replace(("calls", 0, "name"), "h")]
    for order in (fixes, fixes[::-1]):
        value = json.loads(apply_fixes(TEXT, order))
        assert value["calls"] == [{"tool": "h"}, {"name": "g", "args": {}}, {}]


def test_of_two_fixes_in_one_place_the_wider_is_applied():
    fixes = [Rename(("list", 1, "key"), "k"), Replace(("list",), [])]
    assert json.loads(apply_fixes(TEXT, fixes))["list"] == []


def test_two_members_are_added_to_one_object():
    assert apply_fixes('{"a": {"b": 1}}', [Add(("a",), "c", 2), Add(("a",), "d", 3)]) == (
        '{"a": {"b": 1, "c": 2, "d": 3}}'
    )


def test_values_are_written_in_the_indentation_and_with_the_line_ends_of_the_file():
    text = '{\r\n\t"a": 1\r\n}\r\n'
    assert apply_fixes(text, [Replace(("a",), {"b": 2})]) == '{\r\n\t"a": {\r\n\t\t"b": 2\r\n\t}\r\n}\r\n'
    assert apply_fixes(text, [Add((), "b", 2)]) == '{\r\n\t"a": 1,\r\n\t"b": 2\r\n}\r\n'


def test_a_file_of_one_line_stays_one():
    assert apply_fixes('{"a": 1}', [Replace(("a",), {"b": [2]})]) == '{"a": {"b": [2]}}'


YAML = """# note
base: &base {retur: 1}
tools:
  ü:
    - 'retur': 1   # why
    - <<: *base
    - "retur": {x: y}
"""


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        (("tools", "ü", 0, "retur"), "'retur': 1", "'returns': 1"),
        (("tools", "ü", 1, "retur"), "{retur: 1}", "{returns: 1}"),
        (("tools", "ü", 2, "retur"), '"retur": {', '"returns": {'),
    ],
)
def test_a_key_is_renamed_in_yaml(path, before, after):
    assert apply_fixes(YAML, [Rename(path, "returns")], yaml=True) == YAML.replace(before, after)


@pytest.mark.parametrize("fix", [Rename(("nope",), "x"), Replace(("tools",), {}), Rename((), "x")])
def test_nothing_else_is_done_to_yaml(fix):
    assert apply_fixes(YAML, [fix], yaml=True) == YAML
