"""What a reply says of how a call went."""

import pytest

from evalkit.replies import error_in


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
