"""What people and models write in place of JSON: the place is that of the cause, and the remedy mends it."""

import json
import re

import pytest
from hypothesis import given, settings, strategies as st

from evalkit.formats.edits import apply_fixes
from evalkit.formats.json_text import parse_json


def told(text):
    (problem,) = parse_json(text, "f.json").problems
    return f"{problem.line}:{problem.column} {problem.message} ({problem.hint})"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            '{"a": {\n "p": [\n  {"t": 1}\n },\n "b": 1}',
            "4:2 the [ of line 2 is not closed before this } (write ] before it)",
        ),
        ('{"cases": [\n {"a": 1}\n}', "3:1 the [ of line 1 is not closed before this } (write ] before it)"),
        (
            '[{"n": 1, "args": {"x": 1}\n, "b": 2 ]',
            "2:10 the { of line 1 is not closed before this ] (write } before it)",
        ),
        ('{"a": [{"b": {"c": 1 ]}', "1:22 the { of line 1 is not closed before this ] (write }} before it)"),
        ('{"c": [{"p": [{"t": 1}}, "r": 1}]}', "1:23 the [ of line 1 is closed by this } (write ])"),
        (
            '{"c": [{"u": {"p": [{"t": 1}}, "r": 1},\n "f": {"p": [{"t": 1}]}}]}',
            "1:29 the [ of line 1 is closed by this } (write ])",
        ),
        ('{"a": [ {"b": 1}}, {"c": 2} ]}', "1:17 this } closes nothing (remove it)"),
        ("[1]]", "1:4 this ] closes nothing (remove it)"),
        ('{"a": [}', "1:8 the [ of line 1 is not closed before this } (write ] before it)"),
        ('{"a": {"b": 1}}, "c": 2}', "1:15 this } ends the whole value, and more follows (remove it)"),
    ],
)
def test_a_wrong_bracket_is_told_from_one_too_few_and_one_too_many(text, expected):
    assert told(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            '{"c": [\n{"a": 1, "d": {"r": [1]\n}},\n"ts": 17,\n"x": 1}, {"b": 1}\n]}',
            "3:2 this } is one too many: the key behind it stands in a list (remove it)",
        ),
        ('{"c": [\n"u": {"a": 1}, "f": 2}, {"u": 1}\n]}', "2:1 a key stands in a list (write { before it)"),
        ('{"c": [{"u": 1, "f": 2},\n"u": {"a": 1}, "f": 2}\n]}', "2:1 a key stands in a list (write { before it)"),
        (
            '{"d": {"uses": [{"a": 1}, "resp": []}, "z": 1}',
            "1:25 the [ of line 1 is not closed before the next key (write ] here)",
        ),
        ('["a": 1, "b": 2]', "1:1 an object stands here and begins with [ (write { in place of this [)"),
    ],
)
def test_a_key_in_a_list_is_traced_to_the_bracket_that_put_it_there(text, expected):
    assert told(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            '{"eval_cases":\n {"a": 1},\n {"b": 2}\n]}',
            "2:2 several objects stand here and no list around them (write [ before this {)",
        ),
        (
            '{"a": 1},\n{"b": 2}',
            "1:9 several objects stand here and no list around them (write [ before the first and ] after the last)",
        ),
        ('{"a": 1} {"b": 2}', "1:10 there is more after the end of the JSON value (a file holds one JSON value)"),
        (
            '{"a": 1}\n{"b": 2}\n',
            "2:1 there is a JSON value on each line, as in JSON Lines (write one value: a list of them)",
        ),
        ('{"a": 1},', "1:9 there is a comma after the end of the JSON value (remove the comma)"),
    ],
)
def test_objects_without_their_list_are_told_from_more_than_one_value(text, expected):
    assert told(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"eval_id: "small", "b": 1}', '1:2 the quote that closes this key is missing (write "eval_id":)'),
        ('{"a" = 1}', '1:6 a colon should stand here, not = (write "key": value)'),
        ('{"a" => 1}', '1:6 a colon should stand here, not = (write "key": value)'),
        ('{"a", "b"}', '1:5 a colon is missing after the key (write "key": value)'),
        ('{"a": "b": 1}', '1:10 a comma should stand here, not : (write "key": value)'),
        ("{1: 2}", '1:2 a key in double quotes should stand here, not 1 (write "1")'),
        ('{"a": , "b": 1}', "1:7 a value should stand here, not , (write the value, or null)"),
        ('{"a": 1; "b": 2}', "1:8 JSON has no semicolons (write a comma)"),
        ('{"a": "x" + "y"}', "1:11 JSON puts no texts together (write one text)"),
        ('{"a": """x"""}', '1:7 JSON has no triple quotes (write one ", and line breaks as \\n)'),
        ("{`a`: 1}", '1:2 JSON has no backquotes (write ")'),
        (
            '{"a": "he said "hi" to me"}',
            '1:16 a string ends here, and more text follows (write a quote inside a string as \\")',
        ),
        (
            '{"a": "he said " hi"}',
            '1:16 a string ends here, and more text follows (write a quote inside a string as \\")',
        ),
        ('{"a": "x" "b": 1}', '1:10 a comma is missing before " (write the comma)'),
        ('{"a": 1};', "1:9 there is a semicolon after the end of the JSON value (remove the semicolon)"),
        ('{"a": {"b": 1}\n "c": 2}', '1:15 a comma is missing before " (write the comma)'),
        ("[1 true]", "1:3 a comma is missing before t (write the comma)"),
    ],
)
def test_signs_between_keys_and_values_are_told_apart(text, expected):
    assert told(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"a": 49,5}', "1:7 the number has a comma in it, which ends it in JSON (write 49.5)"),
        ("[4.]", "1:2 4. is no number as JSON writes it (write 4.0, or text in quotes)"),
        ("[+4.9]", "1:2 +4.9 is no number as JSON writes it (write 4.9, or text in quotes)"),
        ('{"a": 04.9}', "1:7 04.9 is no number as JSON writes it (write 4.9, or text in quotes)"),
        ("[1_000]", "1:2 1_000 is no number as JSON writes it (write 1000, or text in quotes)"),
        ("[0x1F]", "1:2 0x1F is no number as JSON writes it (write 31, or text in quotes)"),
        ("[2025-06-15]", '1:2 2025-06-15 is no number as JSON writes it (text is written in "quotes")'),
        ('{"a": 5%}', '1:7 5% is no number as JSON writes it (text is written in "quotes")'),
        ('{"a": 10.0.0.1}', '1:7 10.0.0.1 is no number as JSON writes it (text is written in "quotes")'),
        ('{"a": 3 apples}', '1:7 more follows the number 3 (text is written in "quotes")'),
    ],
)
def test_odd_numbers_are_told_with_the_number_that_is_meant(text, expected):
    assert told(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"a": "x\ty"}', "1:9 a tab stands in a string (write it as \\t)"),
        ('{"a": "x\x07"}', "1:9 a control character, U+0007, stands in a string (remove it, or write it as \\u0007)"),
        ('{"a": "it\\\'s"}', "1:10 JSON does not escape single quotes (write ' alone)"),
        (
            '{"a": [{"x": 1, "ar',
            '1:17 the string that starts here is never closed (close it with "; the file may have been cut off)',
        ),
        (
            '{\n\u00a0"a": 1}',
            "2:1 a key in double quotes should stand here, not U+00A0 (no-break space) (remove it, or write a space)",
        ),
        (
            "[\u200b1]",
            "1:2 a value should stand here, not U+200B (zero width space) (remove it, or write a space)",
        ),
        ('Here is the evalset:\n{"a": 1}', "1:1 text stands before the JSON value (remove it)"),
        ('evalset = {"a": 1}', "1:1 text stands before the JSON value (remove it)"),
    ],
)
def test_signs_that_do_not_belong_are_named_even_where_nobody_sees_them(text, expected):
    assert told(text) == expected


@pytest.mark.parametrize("text", ['```json\n{"a": 1}\n```\n', '\n~~~\n{"a": 1}\n~~~', '{"a": 1}\n```'])
def test_a_fence_of_markdown_is_named_and_removed(text):
    (problem,) = parse_json(text, "f.json").problems
    assert problem.message == "a fence of Markdown stands around the JSON"
    assert json.loads(apply_fixes(text, problem.fixes)) == {"a": 1}


def test_in_a_text_of_many_megabytes_the_bracket_is_still_named():
    text = '{"a": [\n' + '{"b": "' + "x" * 5_000_000 + '"}\n}'
    assert told(text) == "3:1 the [ of line 1 is not closed before this } (write ] before it)"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            '{\n "a": "x,\n "b": "y"\n}',
            '2:9 a string goes on over the end of its line (close it with " before this comma)',
        ),
        (
            '{\n "a": "x, y\n}',
            '2:12 a string goes on over the end of its line (close it with ", or write the line break as \\n)',
        ),
        ('{\n "limit: 50,\n "b": 1\n}', '2:2 the quote that closes this key is missing (write "limit":)'),
        ('{\n "parts: [\n 1\n ]\n}', '2:2 the quote that closes this key is missing (write "parts":)'),
    ],
)
def test_a_quote_that_is_missing_before_the_end_of_a_line_is_told_where_it_belongs(text, expected):
    assert told(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("eval_set_id: lag\neval_cases:\n  - a: 1\n", "1:1 this is YAML, not JSON (write it as JSON)"),
        ("---\n# lag\na:\n  b: 1\n", "1:1 this is YAML, not JSON (write it as JSON)"),
        (
            "{'a': 1, 'b': [True, None]}",
            '1:2 JSON has no single quotes; this is a Python literal (write ", or let json.dumps write it)',
        ),
        ("{'a': 1, 'b': true}", '1:2 JSON has no single quotes (write ")'),
    ],
)
def test_texts_of_other_kinds_are_told_as_that(text, expected):
    assert told(text) == expected


CASES = """{
  "eval_set_id": "lag",
  "eval_cases": [
    {
      "eval_id": "orders",
      "conversation": [
        {
          "user_content": {
            "role": "user",
            "parts": [
              {
                "text": "How far behind is orders?"
              }
            ]
          },
          "intermediate_data": {
            "tool_uses": [
              {
                "name": "get_lag",
                "args": {
                  "limit": 50,
                  "tags": []
                }
              }
            ]
          }
        }
      ],
      "session_input": {
        "app_name": "kafka",
        "user_id": "u1",
        "state": {}
      }
    },
    {
      "eval_id": "payments",
      "conversation": []
    }
  ]
}
"""


def mutants():
    """The text with each sign of its syntax left out, doubled or, for brackets, taken for the other kind."""
    other = {"{": "[", "[": "{", "}": "]", "]": "}"}
    for token in re.finditer(r'"[^"]*"|[{}\[\],:]', CASES):
        start, end, sign = token.start(), token.end(), token[0]
        if sign.startswith('"'):
            yield "no first quote", start, CASES[:start] + CASES[start + 1 :]
            yield "no last quote", start, CASES[: end - 1] + CASES[end:]
            continue
        yield f"no {sign}", start, CASES[:start] + CASES[end:]
        yield f"{sign} twice", start, CASES[:start] + sign + CASES[start:]
        if sign in other:
            yield f"{other[sign]} for {sign}", start, CASES[:start] + other[sign] + CASES[end:]


def test_in_a_file_that_is_indented_each_missing_sign_is_told_within_a_line_of_its_place():
    far = []
    for what, offset, text in mutants():
        line = CASES.count("\n", 0, offset) + 1
        problem = parse_json(text, "f.json").problems[0]
        if abs(problem.line - line) > 1:
            far.append(f"{what} in line {line}: {problem}")
    assert far == []


@pytest.mark.parametrize(
    "text",
    [
        "\n" * 50_000 + "x",
        "---\n" * 20_000 + "x",
        "[" + "1_" * 500_000 + "x]",
        '{"a' + ' "' * 200_000,
        '{"a": ' + "'" * 100_000,
    ],
)
def test_texts_that_nobody_writes_are_explained_all_the_same(text):
    assert parse_json(text, "f.json").problems[0].rule == "bad-json"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[1: 2]", '1:3 a comma should stand here, not : (write "key": value)'),
        ('[["a"], 1: 2]', '1:10 a comma should stand here, not : (write "key": value)'),
        ('{"a": {"b": [true:, null]}}', '1:18 a comma should stand here, not : (write "key": value)'),
        ("[trueish]", '1:2 a value should stand here, not trueish (text is written in "quotes")'),
        ('{"a": true b}', '1:12 a value should stand here, not b (text is written in "quotes")'),
        ("[+1e999]", '1:2 +1e999 is no number as JSON writes it (text is written in "quotes")'),
        ('{"a": 1,000}', "1:7 the number has a comma in it, which ends it in JSON (write 1.000 or 1000)"),
        ('{{"a": 1}}', "1:1 this { is one too many (remove it)"),
        ('{"a": 1}\u00a0', "1:9 U+00A0 (no-break space) stands after the end of the JSON value (remove it)"),
        ('{"a": 1\u00a0}', "1:8 U+00A0 (no-break space) stands between two values (remove it, or write a space)"),
        ("404: Not Found\n", "1:4 there is more after the end of the JSON value (a file holds one JSON value)"),
    ],
)
def test_what_only_looks_like_a_usual_mistake_is_not_taken_for_one(text, expected):
    assert told(text) == expected


@given(st.text("{}[]:,\"\\\n '`+;.-_1ae\u00a0", max_size=40))
@settings(max_examples=300, deadline=None)
def test_any_text_is_json_or_explained(text):
    parsed = parse_json(text, "f.json")
    assert parsed.problems or parsed.value is not None
