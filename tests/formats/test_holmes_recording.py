"""A recording is read as HolmesGPT reads it: what it takes is taken, and what it drops says why."""

import pytest

from evalkit.formats.holmes_recording import parse_recording

HEAD = b'{"toolset_name": "kafka", "tool_name": "get_lag", "match_params": {"group": "orders"}}\n'
RESULT = b'{"status": "success", "return_code": 0}\n'


def parse(data):
    return parse_recording(data, "get_lag.txt")


def rules(data):
    return [(problem.rule, problem.line, problem.column) for problem in parse(data).problems]


def test_a_recording_has_its_call_its_result_and_its_data():
    result = b'{"status": "error", "error": "forbidden", "return_code": 1, "params": {"group": "o"}, "icon_url": "x"}\n'
    recording = parse(HEAD + result + b"no\nright\n").value
    assert (recording.tool, recording.toolset, recording.match) == ("get_lag", "kafka", {"group": "orders"})
    assert (recording.status, recording.error, recording.return_code) == ("error", "forbidden", 1)
    assert (recording.data, recording.params) == ("no\nright\n", {"group": "o"})
    assert recording.more == {"icon_url": "x"}


@pytest.mark.parametrize(
    ("body", "data"),
    [
        (b"", None),
        (b"orders 75\n", "orders 75\n"),
        (b"\n", "\n"),
        (b"orders\r\npayments\rrefunds\n", "orders\npayments\nrefunds\n"),
        ("a\u2028b\x85c\x0cd\n".encode(), "a\u2028b\x85c\x0cd\n"),
        (b'{"status": "success"}', '{"status": "success"}'),
    ],
)
def test_the_data_is_the_text_after_the_second_line(body, data):
    assert parse(HEAD + RESULT + body).value.data == data


def test_data_of_the_second_line_counts_only_without_a_third():
    result = b'{"status": "success", "data": {"lag": 75}}\n'
    assert parse(HEAD + result).value.data == {"lag": 75}
    assert parse(HEAD + result + b"x").value.data == "x"


@pytest.mark.parametrize(
    "head",
    [
        b'{"tool_name": "get_lag"}\r\n',
        b'{"tool_name": "get_lag", "match_params": null}\r',
        b' {"tool_name": "get_lag"} \n',
    ],
)
def test_a_head_needs_only_the_tool(head):
    loaded = parse(head + RESULT)
    assert (loaded.value.tool, loaded.value.toolset, loaded.value.match) == ("get_lag", "", None)
    assert loaded.problems == ()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"httpx==0.28\nrich\n",
        b"{}\n{}\n",
        b'{"name": "x"}\n',
        b"[1, 2]\n",
        b"12\n",
        b"\xff\xfe\x00",
        b"\n\nplain text\n",
    ],
)
def test_a_text_file_that_is_no_recording_is_left_alone(data):
    loaded = parse(data)
    assert (loaded.value, loaded.problems) == (None, ())


@pytest.mark.parametrize(
    ("data", "rule", "line", "column"),
    [
        (b"\xef\xbb\xbf" + HEAD + RESULT, "ignored-recording", 1, 1),
        (b"\n" + HEAD + RESULT, "ignored-recording", 1, 1),
        (b"  \r\n\n" + HEAD + RESULT, "ignored-recording", 1, 1),
        (HEAD.replace(b"}}", b"}") + RESULT, "ignored-recording", 1, 86),
        (b'{\n  "tool_name": "get_lag"\n}\n' + RESULT, "ignored-recording", 1, 1),
        (b'{"toolset_name": "kafka", "tool": "get_lag"}\n' + RESULT, "ignored-recording", 1, 27),
        (HEAD, "ignored-recording", 1, 1),
        (HEAD.strip(), "ignored-recording", 1, 1),
        (HEAD + b"\n", "old-recording", 2, 1),
        (HEAD + b"orders 75\n", "old-recording", 2, 1),
        (HEAD + b'{"status": "success",}\n', "old-recording", 2, 21),
        (HEAD + b"[" * 100_000, "old-recording", 2, 1),
        (HEAD + b"[]\n", "ignored-recording", 2, 1),
        (HEAD + b"{}\nx\n", "ignored-recording", 2, 1),
        (HEAD + b'{"status": "ok"}\n', "ignored-recording", 2, 12),
        (HEAD + b'{"status": "error", "error": 1}\n', "ignored-recording", 2, 30),
        (HEAD + b'{"status": "error", "return_code": "one"}\n', "ignored-recording", 2, 36),
        (HEAD + b'{"status": "success", "params": []}\n', "ignored-recording", 2, 33),
        (b'{"tool_name": 1}\n' + RESULT, "ignored-recording", 1, 15),
        (b'{"tool_name": "x", "toolset_name": null}\n' + RESULT, "ignored-recording", 1, 36),
        (b'{"tool_name": "x", "match_params": "any"}\n' + RESULT, "ignored-recording", 1, 36),
        (HEAD + RESULT + b"caf\xe9\n", None, None, None),
        (HEAD.replace(b"orders", b"caf\xe9") + RESULT, "ignored-recording", 1, 81),
    ],
)
def test_a_recording_that_is_dropped_says_where_and_why(data, rule, line, column):
    loaded = parse(data)
    assert loaded.value is None
    assert rules(data) == ([(rule, line, column)] if rule else rules(data))
    assert [problem.severity for problem in loaded.problems] == ["error"]


@pytest.mark.parametrize("code", [b"null", b"true", b"2", b"2.0", b'"2"'])
def test_a_return_code_is_what_pydantic_makes_a_whole_number_of(code):
    assert parse(HEAD + b'{"status": "success", "return_code": ' + code + b"}\n").problems == ()


@pytest.mark.parametrize("key", ["params", "match_parms", "matchParams", "match"])
def test_a_misspelt_match_answers_every_call(key):
    data = HEAD.replace(b"match_params", key.encode()) + RESULT
    assert (parse(data).value.match, parse(data).value.misspelt) == (None, key)
    assert rules(data) == [("misspelt-match", 1, 51)]


def test_other_keys_of_the_head_mean_nothing():
    assert rules(b'{"tool_name": "x", "comment": "from March"}\n' + RESULT) == []


def test_a_star_is_reported_for_each_argument():
    data = b'{"tool_name": "x", "match_params": {"a": "*", "b": "**", "c": "*"}}\n' + RESULT
    assert [problem.path for problem in parse(data).problems] == ["$.match_params.a", "$.match_params.c"]
    assert parse(data).value.match == {"a": "*", "b": "**", "c": "*"}


def test_the_last_of_a_key_counts_and_nan_is_a_number():
    data = b'{"tool_name": "x", "tool_name": "y", "match_params": {"n": NaN}}\n' + RESULT
    recording = parse(data).value
    assert recording.tool == "y"
    assert recording.match["n"] != recording.match["n"]
