import pytest
from hypothesis import given, settings, strategies as st

from evalkit.formats.yaml_text import parse_yaml


def value(text):
    parsed = parse_yaml(text, "f.yaml")
    assert parsed.problems == ()
    return parsed.value.value


def problems(text):
    return [str(problem) for problem in parse_yaml(text, "f.yaml").problems]


@pytest.mark.parametrize(
    ("scalar", "expected"),
    [
        ("75", 75),
        ("-1.5", -1.5),
        ("1e3", 1000.0),
        ("true", True),
        ("~", None),
        ("", None),
        ("yes", "yes"),
        ("off", "off"),
        ("010", "010"),
        ("12:30", "12:30"),
        ("2024-01-31", "2024-01-31"),
        ("0x1f", "0x1f"),
        (".5", ".5"),
        ("1_000", "1_000"),
        ("'75'", "75"),
        ("!!str 75", "75"),
    ],
)
def test_scalars_are_those_of_json_and_everything_else_is_text(scalar, expected):
    found = value(f"a: {scalar}\n")["a"]
    assert found == expected
    assert type(found) is type(expected)


def test_anchors_and_merges_are_written_out():
    text = """
        base: &base {a: 1, b: 2}
        more: &more {b: 3}
        one: {<<: *base, a: 9}
        two: {<<: [*more, *base]}
        three: *base
    """
    assert value(text) == {
        "base": {"a": 1, "b": 2},
        "more": {"b": 3},
        "one": {"a": 9, "b": 2},
        "two": {"a": 1, "b": 3},
        "three": {"a": 1, "b": 2},
    }


def test_an_empty_file_is_null():
    assert value("# nothing yet\n") is None


def test_a_byte_order_mark_is_harmless():
    assert value(b"\xef\xbb\xbfa: 1") == {"a": 1}


def test_everything_that_json_cannot_say_is_reported_in_one_go():
    assert problems("1: a\nb: !!set {x}\nc: 1\nc: 2\n? [d]\n: e\n<<: 3\n") == [
        'f.yaml:1:1: error[bad-yaml] $: the key 1 is no text (write "1" in quotes)',
        "f.yaml:2:4: error[bad-yaml] $.b: the tag tag:yaml.org,2002:set has no meaning here (remove it)",
        (
            "f.yaml:4:1: error[duplicate-key] $.c: the key `c` stands already in line 3, and one of the two is lost "
            "(keep one of them)"
        ),
        (
            "f.yaml:5:3: error[bad-yaml] $: a mapping or a list stands where a key should "
            "(put text with braces or brackets in quotes)"
        ),
        "f.yaml:7:5: error[bad-yaml] $: `<<` takes a mapping or a list of mappings",
    ]


@pytest.mark.parametrize(
    ("text", "place"),
    [("a: [1, 2\nb: 3\n", "f.yaml:2:2"), ("a: 'x\n", "f.yaml:1:4"), ("a: x\nb: \x07\n", "f.yaml:2:4")],
)
def test_broken_yaml_is_a_problem_at_its_place(text, place):
    (found,) = problems(text)
    assert found.startswith(f"{place}: error[bad-yaml] $: ")


def test_values_that_are_nested_too_deep_are_an_error():
    assert [found.partition(" $")[0] for found in problems("[" * 150 + "]" * 150)] == ["f.yaml:1:101: error[too-deep]"]
    assert [found.partition(" $")[0] for found in problems("[" * 9999)] == ["f.yaml:1:1001: error[bad-yaml]"]


def test_aliases_that_stand_for_billions_of_values_are_refused_at_once():
    lines = ["a: &a [x, x, x, x, x, x, x, x, x, x]"]
    lines += [
        f"{name}: &{name} [{', '.join([f'*{inner}'] * 10)}]" for inner, name in zip("abcdefgh", "bcdefghi", strict=True)
    ]
    parsed = parse_yaml("\n".join(lines), "f.yaml")
    assert parsed.value is None
    assert [problem.message for problem in parsed.problems] == [
        "aliases repeat values more than 1,000,000 times in all"
    ]


@pytest.mark.parametrize("text", ["a: &a [*a]\n", "a: &a {<<: *a, b: 1}\n", "&a {b: {c: *a}}\n"])
def test_a_value_that_holds_itself_is_an_error(text):
    parsed = parse_yaml(text, "f.yaml")
    assert parsed.value is None
    assert "an alias stands inside what it repeats" in [problem.message for problem in parsed.problems]


def test_a_number_with_too_many_digits_is_an_error():
    assert problems(f"a: {'9' * 5000}") == [
        f"f.yaml:1:4: error[bad-yaml] $.a: {'9' * 40} is no number (put it in quotes)"
    ]


def test_of_thousands_of_repeated_keys_the_first_are_reported():
    found = parse_yaml("{" + "a: 1, " * 5_000 + "}", "f.yaml").problems
    assert (len(found), found[0].rule, found[0].column, found[-1].rule) == (2001, "duplicate-key", 8, "too-many-faults")


@pytest.mark.parametrize(
    ("text", "place", "said"),
    [
        ("a:\n  b: 1\n  depot:Leipzig\n  c: 2", "3:8", "a space is missing behind the colon (write depot: Leipzig)"),
        ("a:\n  depot:Leipzig\n  c: 2", "2:8", "a space is missing behind the colon (write depot: Leipzig)"),
        ("a:\n    b: 1\n\tc: 1", "3:1", "found a tab character that violates indentation (indent with spaces)"),
        ('a:\n  b: "c\n  d: 1\n', "2:6", "the quote that starts here is never closed (close the quote)"),
        ("a: {b: 1\nc: 2\n", "2:2", "the { of line 1 is not closed before this (write }, or a comma)"),
        (
            "a: 1\n<<<<<<< HEAD\nb: 2\n",
            "2:1",
            "a merge conflict was never resolved (keep one side, and remove the markers)",
        ),
        ("```yaml\na: 1\n```\n", "1:1", "a fence of Markdown stands around the YAML (remove it at both ends)"),
        ("agent desk\na: 1\n", "1:6", "a colon is missing after agent (write agent: desk)"),
        ("a:\n  status shipped\n  days: 2\n", "2:9", "a colon is missing after status (write status: shipped)"),
        (
            'a: "^A-\\d+"',
            "1:8",
            "found unknown escape character (write the text in single quotes, or the backslash as \\\\)",
        ),
    ],
)
def test_what_yaml_stumbles_over_is_told_with_what_to_write(text, place, said):
    assert problems(text) == [f"f.yaml:{place}: error[bad-yaml] $: {said}"]


def test_an_item_without_its_dash_is_one_problem():
    text = "a:\n  - args: {}\n    returns: 1\n    args: {}\n    returns: 2"
    said = "an item of the list has the keys `args` and `returns` twice"
    hint = "write - before the first of them, if a new item begins here"
    assert problems(text) == [f"f.yaml:4:5: error[duplicate-key] $.a[0].args: {said} ({hint})"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a: {b:1}", "f.yaml:1:5: error[bad-yaml] $.a['b:1']: a space is missing behind the colon (write b: 1)"),
        ("a: {b c}", "f.yaml:1:5: error[bad-yaml] $.a['b c']: a colon is missing (write b: c)"),
    ],
)
def test_a_member_in_braces_that_is_all_key_is_no_member(text, told):
    assert problems(text) == [told.replace("'", '"')]


@pytest.mark.parametrize("text", ["a: {b: }", "a: {'b:1': }", "a: {b: 1, c: null}", "a:\n  b:c:\n  d e:", "a: {b}"])
def test_an_empty_value_is_no_fault_by_itself(text):
    assert problems(text) == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a: b\nfoo bar", "2:4: error[bad-yaml] $: a colon is missing after foo (write foo: bar)"),
        ("a: b\u2028c d", "2:2: error[bad-yaml] $: a colon is missing after c (write c: d)"),
        ("tools:/\r\n  a: b\r\n", "1:6: error[bad-yaml] $: a space is missing behind the colon (write tools: /)"),
    ],
)
def test_line_breaks_of_every_kind_part_lines(text, told):
    assert problems(text) == [f"f.yaml:{told}"]


@pytest.mark.parametrize("before", ["nginx:latest", "call the tool", "two words"])
def test_an_item_is_not_blamed_for_the_next(before):
    (found,) = problems(f"- {before}\n- note: see: below")
    assert found.startswith("f.yaml:2:12: error[bad-yaml] $: mapping values are not allowed")


@pytest.mark.parametrize("text", ["? !!str [a]\n: b", "{!!str [a]: b}"])
def test_a_list_that_says_it_is_text_is_no_key(text):
    assert ["a mapping or a list stands where a key should" in found for found in problems(text)] == [True]


@pytest.mark.parametrize("text", ["x: {last name: , b: 1}", "x: [last name: ]", "{http://a.b}"])
def test_a_key_with_its_colon_may_have_no_value(text):
    assert problems(text) == []


def test_a_line_of_dashes_is_looked_through_at_once():
    assert problems("a: b\n" + "-" * 200_000 + "\nfoo: bar: c\n")


@given(st.text("{}[]:,\"'\n -#&*!|>%@`ab1\r\u2028", max_size=40))
@settings(max_examples=300, deadline=None)
def test_any_text_is_yaml_or_explained(text):
    parsed = parse_yaml(text, "f.yaml")
    assert parsed.problems or parsed.value is not None
