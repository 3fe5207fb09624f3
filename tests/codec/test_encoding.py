"""Values to JSON: what is written, and what becomes of values that JSON lacks."""

import json
from dataclasses import dataclass
from datetime import UTC, date, datetime
from types import MappingProxyType

import pytest

from evalkit.cases import Message
from evalkit.codec.encoding import MAX_DEPTH, dumps, encode, pretty
from evalkit.traces import Outcome, Trace, TurnTrace


class Unprintable:
    def __str__(self):
        raise RuntimeError("no text")


@dataclass
class Point:
    x: int
    y: int = 0


def test_only_what_differs_from_its_default_is_written():
    outcome = Outcome(file="a.json", eval_id="one", trace=Trace(mode="golden", turns=(TurnTrace(user=Message()),)))

    assert dumps(outcome) == '{"file":"a.json","eval_id":"one","trace":{"mode":"golden","turns":[{"user":{}}]}}'


def test_an_empty_value_is_written_where_the_default_is_another():
    assert encode(Point(x=0, y=False)) == {"x": 0, "y": False}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param((1, ("a", None)), [1, ["a", None]], id="tuples"),
        pytest.param({3}, [3], id="set"),
        pytest.param(MappingProxyType({1: True}), {"1": True}, id="mapping with a key that is no string"),
        pytest.param(float("nan"), "NaN", id="not a number"),
        pytest.param([float("inf"), float("-inf")], ["Infinity", "-Infinity"], id="infinities"),
        pytest.param(date(2025, 11, 29), "2025-11-29", id="date"),
        pytest.param(datetime(2025, 11, 29, 21, 12, tzinfo=UTC), "2025-11-29T21:12:00+00:00", id="time"),
        pytest.param(b"\x00", {"$python": "builtins.bytes", "text": "b'\\x00'"}, id="bytes"),
        pytest.param(Point, {"$python": "builtins.type", "text": str(Point)}, id="class"),
        pytest.param({"reply": Point(x=1)}, {"reply": {"x": 1}}, id="dataclass inside"),
    ],
)
def test_what_json_lacks_becomes_something_it_has(value, expected):
    assert encode(value) == expected


def test_an_object_without_a_text_says_why():
    assert encode(Unprintable())["text"] == "its text cannot be had: RuntimeError"


def test_an_integer_that_python_would_not_read_back_is_no_number():
    assert encode(10**5000) == {"$python": "builtins.int", "text": "its text cannot be had: ValueError"}


def test_a_cycle_ends_where_it_closes():
    cycle = {}
    cycle["left"] = cycle["right"] = cycle

    end = {"$python": "builtins.dict", "text": "a cycle, or nested too deeply"}
    assert encode(cycle) == {"left": end, "right": end}


def test_nesting_ends_at_its_limit_and_stays_readable():
    deep = []
    for _ in range(10_000):
        deep = [deep]

    text = dumps(deep)

    assert text.count("[") == MAX_DEPTH
    assert json.loads(text)


def test_one_line_stays_one_line_and_steers_no_terminal():
    hostile = "a\nb\u2028c\x1b[2J\x9b2J\u202e\ud800"

    text = dumps({"reply": hostile})

    assert text == r'{"reply":"a\nb\u2028c\u001b[2J\u009b2J\u202e\ud800"}'
    assert json.loads(text) == {"reply": hostile}


def test_other_scripts_stay_readable():
    assert dumps("Größe 消费者 🦊") == '"Größe 消费者 🦊"'


def test_pretty_spreads_the_outer_levels_only():
    assert pretty({"a": [{"b": [1, 2]}], "c": {}, "d": []}, levels=2) == (
        '{\n  "a": [\n    {"b": [1, 2]}\n  ],\n  "c": {},\n  "d": []\n}'
    )
