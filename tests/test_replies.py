"""What a reply says of how a call went."""

import pytest

from evalkit.replies import error_in, finds_something


@pytest.mark.parametrize(
    ("reply", "error"),
    [
        ({"error": "503 busy"}, "503 busy"),
        ({"status": "error", "error": {"code": 7}}, {"code": 7}),
        ({"errors": ["a"]}, ["a"]),
        ({"error_message": "gone"}, "gone"),
        ({"exception": "Boom"}, "Boom"),
        ({"status": "Failed", "n": 1}, {"status": "Failed", "n": 1}),
        ({"status_code": 503}, {"status_code": 503}),
        ({"status": 404}, {"status": 404}),
        ({"isError": True, "content": []}, {"isError": True, "content": []}),
        ({"success": False}, {"success": False}),
        ({"ok": False}, {"ok": False}),
        ({"result": {"error": "inside"}}, "inside"),
    ],
)
def test_an_error_is_understood_in_the_words_of_many_tools(reply, error):
    assert error_in(reply) == error


@pytest.mark.parametrize(
    "reply",
    [
        None,
        "error",
        ["error"],
        {},
        {"status": "success", "error": None},
        {"errors": []},
        {"status": 200},
        {"status": True},
        {"isError": False},
        {"success": True, "ok": True},
        {"lag": 503, "state": "error"},
        {"result": "failed"},
        {"result": {"error": "beside"}, "n": 1},
    ],
)
def test_anything_else_tells_of_none(reply):
    assert error_in(reply) is None


@pytest.mark.parametrize(
    ("reply", "found"),
    [
        ({"status": "success", "data": "OOM"}, True),
        ({"status": "success", "data": ""}, True),
        ({"status": "success", "lag": 0}, True),
        ({"data": None, "lag": 0}, True),
        ("done", True),
        ({"status": "success", "data": None, "return_code": 0}, False),
        ({"result": {"status": "success", "data": None}}, False),
        ({"status": "no_data", "data": "nothing there"}, False),
        ({"status": "error", "data": "OOM"}, False),
    ],
)
def test_a_reply_that_finds_something_has_data_and_no_error(reply, found):
    assert finds_something(reply) is found
