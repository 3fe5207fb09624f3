"""Example replies, and answers that say nothing but what the reply says."""

import pytest

from evalkit.models.facts import ToolFacts
from evalkit.scaffold.replies import answer_to, reply_of

ANY_OBJECT = {"type": "object", "additionalProperties": True}


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, {"status": "success", "result": "example-result"}),
        (
            {"returns": ANY_OBJECT, "reply_keys": ("total_lag", "topics", "healthy", "state", "seen_at")},
            {
                "status": "success",
                "total_lag": 3,
                "topics": ["example-topic"],
                "healthy": True,
                "state": "example-state",
                "seen_at": "2026-01-31T12:00:00Z",
            },
        ),
        (
            {"reply_keys": ("is_open", "status", "policies")},
            {"status": "success", "is_open": True, "policies": ["example-policy"]},
        ),
        (
            {"returns": {"type": "object", "additionalProperties": {"type": "integer"}}, "reply_keys": ("lag",)},
            {"lag": 3},
        ),
        ({"returns": {"type": "object", "additionalProperties": {"type": "integer"}}}, {"key-1": 3}),
        ({"returns": {"type": "integer"}}, 3),
        ({"returns": {"type": "array", "items": {"type": "string"}}}, ["example-result"]),
        (
            {"returns": {"properties": {"lag": {"type": "integer"}, "note": {"type": "string"}}}},
            {"lag": 3, "note": "Example note"},
        ),
        ({"answers": {"properties": {"result": {"type": "integer"}}}, "returns": ANY_OBJECT}, {"result": 3}),
    ],
)
def test_the_example_of_a_reply(fields, expected):
    reply = reply_of(ToolFacts(name="look", **fields))
    assert reply == expected
    assert list(reply) == list(expected) if isinstance(reply, dict) else True


@pytest.mark.parametrize(
    ("reply", "answer", "must_say"),
    [
        ({"status": "success", "group": "orders", "lag": {"total": 3}}, "The total is 3.", "3"),
        ({"status": "success", "pod_names": ["a-1"]}, "The pod name is a-1.", "a-1"),
        ({"status": "success", "healthy": True}, "It is done.", None),
        ({}, "It is done.", None),
        (None, "It is done.", None),
        (0.5, "The answer is 0.5.", "0.5"),
        ("three  behind", "three behind", "three behind"),
        ("", "It is done.", None),
        ("x" * 500, "It is done.", None),
    ],
)
def test_an_answer_says_the_first_number_or_text_of_the_reply(reply, answer, must_say):
    assert answer_to(reply) == (answer, must_say)
