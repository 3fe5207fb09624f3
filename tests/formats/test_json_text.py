import pytest

from evalkit.formats.edits import apply_fixes
from evalkit.formats.json_text import parse_json


def problems(text):
    return [str(problem) for problem in parse_json(text, "f.json").problems]


@pytest.mark.parametrize(
    "text", ['{"a": [1, 2.5, -0, null, true, "\\ud83d\\ude00 \\u0000"]}', " [] \n", '"x"', "1e999"]
)
def test_what_adks_parser_takes_is_taken(text):
    parsed = parse_json(text, "f.json")
    assert parsed.problems == ()
    assert parsed.value is not None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[1,,]", "f.json:1:4: error[bad-json] $: there is a comma before the closing ] (remove the comma)"),
        ("[1, 02]", "f.json:1:5: error[bad-json] $: 02 is no number as JSON writes it (write 2, or text in quotes)"),
        ("[.5]", "f.json:1:2: error[bad-json] $: .5 is no number as JSON writes it (write 0.5, or text in quotes)"),
        ("[yes]", "f.json:1:2: error[bad-json] $: a value should stand here, not yes"),
        ("{]", "f.json:1:2: error[bad-json] $: a key in double quotes should stand here, not ]"),
        ('{"a": "\\u12"}', "f.json:1:9: error[bad-json] $: \\u must be followed by four hexadecimal digits"),
        ('{"a": {"b": 1', "f.json:1:14: error[bad-json] $: the file ends before the { of line 1 is closed"),
        ("-", "f.json:1:1: error[bad-json] $: a value should stand here, not -"),
        ("[-Infinity]", "f.json:1:2: error[bad-json] $: -Infinity is not JSON"),
        ('["NaN", NaN]', "f.json:1:9: error[bad-json] $: NaN is not JSON"),
        ('["\\\\ud800", "\\ud800x"]', "f.json:1:14: error[bad-json] $: \\ud800 is half of a character"),
        ('["\\ude00"]', "f.json:1:3: error[bad-json] $: \\ude00 is half of a character"),
        ("[" + "9" * 4301 + "]", "f.json:1:2: error[bad-json] $: the number has too many digits"),
        ("[" * 5000, "f.json:1:1: error[too-deep] $: the values are nested deeper than the 201 levels"),
    ],
)
def test_broken_json_is_explained_at_its_place(text, said):
    (found,) = problems(text)
    assert found.startswith(said)


def test_a_byte_order_mark_does_not_hide_what_else_is_wrong():
    assert [found.partition(": ")[2].partition("]")[0] for found in problems('\ufeff{"a": 1, "a": 2,}')] == [
        "error[bad-encoding",
        "error[bad-json",
    ]


def test_every_repeated_key_is_found_with_the_line_of_the_first():
    found = parse_json('{"a": 1,\n "b": [{"c": 1, "c": 2}],\n "a": 3}', "f.json").problems
    assert [(problem.rule, problem.path, problem.line, problem.column) for problem in found] == [
        ("duplicate-key", "$.a", 3, 2),
        ("duplicate-key", "$.b[0].c", 2, 17),
    ]
    assert found[0].message == "the key `a` stands already in line 1, and one of the two is lost"


def test_bytes_that_are_no_utf_8_are_a_problem_at_the_first_of_them():
    (problem,) = parse_json(b'{"a": 1,\n "b": "\xe9"}', "f.json").problems
    assert (problem.rule, problem.line, problem.column) == ("bad-encoding", 2, 8)
    assert problem.message == "byte 0xe9 is not UTF-8"


def test_everything_mechanical_is_mended_at_once():
    text = '{"a": [1,, True, "True, ]",], "b": None,}'
    (problem,) = parse_json(text, "f.json").problems
    assert apply_fixes(text, problem.fixes) == '{"a": [1, true, "True, ]"], "b": null}'


@pytest.mark.parametrize("text", ["[1,] // so", "{'a': 1,}", "[1,", '["a" "b",]', "\ufeff[1,] x", '[1, "\\ud800",]'])
def test_no_fix_is_promised_that_would_leave_the_file_unreadable(text):
    assert {problem.fixes for problem in parse_json(text, "f.json").problems} == {()}


def test_a_byte_order_mark_and_a_comma_are_mended_together():
    text = "\ufeff[1,]"
    fixes = [fix for problem in parse_json(text, "f.json").problems for fix in problem.fixes]
    assert apply_fixes(text, fixes) == "[1]"
