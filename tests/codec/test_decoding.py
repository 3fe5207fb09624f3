"""JSON to values: the way back for everything that a run stores."""

import json
import math
from contextlib import suppress
from dataclasses import dataclass, is_dataclass
from datetime import UTC, date, datetime
from typing import get_args, get_type_hints

import pytest
from hypothesis import given, settings, strategies as st

from evalkit.cases import (
    Budget,
    CallPattern,
    Case,
    Config,
    Criterion,
    Expectation,
    Message,
    NumberRule,
    ResponseRule,
    SessionInput,
    Step,
    ToolCall,
    ToolReply,
    TrajectoryRule,
    Turn,
)
from evalkit.codec.decoding import DecodeError, decode
from evalkit.codec.encoding import dumps
from evalkit.runs import RunInfo
from evalkit.traces import (
    Failure,
    GoldenReport,
    Miss,
    Outcome,
    ToolEvent,
    Trace,
    TurnTrace,
    Usage,
    Utterance,
)

OUTCOME = Outcome(
    file="evalsets/kafka.evalset.json",
    eval_id="消费者 lag 🦊",
    run=2,
    seconds=0.25,
    failure=Failure(kind="tool_error", message="line one\nline two", where="tools.py:3 in lag"),
    trace=Trace(
        mode="golden",
        turns=(
            TurnTrace(
                user=Message(role="user", parts=({"text": "how far?"}, {"text": "hm", "thought": True})),
                tools=(
                    ToolEvent(
                        id="1",
                        name="lag",
                        args={"group": "pay", "since": None},
                        agent="kafka",
                        status="answered",
                        parent="0",
                        reply={"lag": 75, "parts": [1.5, True, None, {"deep": []}]},
                        added=True,
                        group=3,
                        started=0.5,
                    ),
                    ToolEvent(id="2", name="drop", args={}, agent="kafka", status="raised", error="ValueError: no"),
                ),
                said=(Utterance(agent="kafka", text="75", final=True),),
                final=Message(role="model", parts=({"text": "75"},)),
                final_agent="kafka",
                adk_calls=(ToolCall(name="lag", args={"group": "pay"}, where="$.turns[0]", extra={"k": [1]}),),
                usage=Usage(model_calls=2, total_tokens=10),
                golden=GoldenReport(leftover=("drop",), changed=True),
            ),
        ),
        state={"last": "pay"},
        states=({"last": "pay"}, {}),
        misses=(
            Miss(turn=0, tool="lag", agent="kafka", args={"g": 1}, closest=None, differences=("a", "b"), message="m"),
        ),
        models={"kafka": "gemini-2.5-flash"},
    ),
)

CASE = Case(
    eval_id="one",
    turns=(
        Turn(
            index=0,
            user=Message(role="user"),
            final=Message(),
            steps=(
                Step(agent="kafka", calls=(ToolCall(name="lag"),), replies=(ToolReply(name="lag", response={"a": 1}),)),
            ),
            layout="events",
            rubrics=({"rubric_id": "r"},),
            expect=Expectation(
                trajectory=TrajectoryRule(
                    args={"lag": {"since": {"$any": True}}},
                    forbid=(CallPattern(name="drop"),),
                    any_of=((CallPattern(name="meta", args={}),), ()),
                ),
                route=(),
                response=ResponseRule(contains=("75",), json_schema={}),
                state={"a": 1},
                budget=Budget(tool_calls=4, seconds=30.0),
            ),
        ),
        Turn(index=1, user=Message(), steps=()),
        Turn(index=2, user=Message(), steps=None),
    ),
    session=SessionInput(app_name="kafka", user_id="u", extra={"x": 1}),
    tags=("a", "b"),
    skip="",
    line=3,
)

JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)


@dataclass(frozen=True)
class Reading:
    value: float
    unit: str = "s"


@dataclass(frozen=True)
class Moment:
    when: datetime


@dataclass(frozen=True)
class Day:
    when: date


@dataclass(frozen=True)
class Node:
    name: str
    inner: tuple["Node", ...] = ()


@dataclass(frozen=True)
class Odd:
    value: bytes


@pytest.mark.parametrize("value", [OUTCOME, CASE], ids=["outcome", "case"])
def test_what_was_encoded_comes_back_equal_down_to_what_is_not_compared(value):
    back = decode(type(value), json.loads(dumps(value)))

    assert back == value
    assert repr(back) == repr(value)


def test_no_steps_and_no_intermediate_data_stay_two_things():
    back = decode(Case, json.loads(dumps(CASE)))

    assert [turn.steps for turn in back.turns[1:]] == [(), None]


def test_a_config_comes_back_with_its_options():
    config = Config(criteria=(Criterion(name="rouge", threshold=0.8, gate=False, options={"a": [1]}),), origin="x.json")

    assert decode(Config, json.loads(dumps(config))) == config


@settings(deadline=None)
@given(reply=JSON_VALUES, args=st.dictionaries(st.text(), JSON_VALUES), text=st.text(), seconds=st.floats(min_value=0))
def test_whatever_a_tool_says_comes_back(reply, args, text, seconds):
    event = ToolEvent(id=text, name="t", args=args, agent="a", status="real", reply=reply, seconds=seconds)

    line = dumps(event)

    assert "\n" not in line
    assert decode(ToolEvent, json.loads(line.encode())) == event


def test_a_tuple_in_a_free_value_comes_back_as_a_list():
    event = ToolEvent(id="1", name="t", args={}, agent="a", status="real", reply=(1, {2}))

    assert decode(ToolEvent, json.loads(dumps(event))).reply == [1, [2]]


def test_numbers_that_json_lacks_come_back_as_numbers():
    assert math.isnan(decode(Reading, {"value": "NaN"}).value)
    assert decode(Reading, {"value": "-Infinity"}).value == -math.inf


def test_a_whole_number_becomes_a_float_where_one_is_expected():
    assert repr(decode(Reading, {"value": 1})) == "Reading(value=1.0, unit='s')"


def test_keys_of_a_later_version_are_passed_over():
    assert decode(Reading, {"value": 1.5, "colour": "red"}) == Reading(1.5)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        pytest.param([], "$: expected an object (Outcome), found []", id="not an object"),
        pytest.param({"file": "a"}, "$: expected the key 'eval_id' (Outcome), found {'file': 'a'}", id="missing key"),
        pytest.param({"file": 1, "eval_id": "x"}, "$.file: expected a string, found 1", id="not a string"),
        pytest.param(
            {"file": "a", "eval_id": "x", "run": True}, "$.run: expected a whole number, found True", id="not an int"
        ),
        pytest.param(
            {"file": "a", "eval_id": "x", "seconds": "1"}, "$.seconds: expected a number, found '1'", id="not a float"
        ),
        pytest.param(
            {"file": "a", "eval_id": "x", "trace": {"mode": "golden", "turns": [{"user": {}}, {"user": {"parts": 3}}]}},
            "$.trace.turns[1].user.parts: expected a list, found 3",
            id="deep inside",
        ),
        pytest.param(
            {"file": "a", "eval_id": "x", "trace": {"mode": "golden", "models": {"k": 3}}},
            "$.trace.models.k: expected a string, found 3",
            id="in a mapping",
        ),
        pytest.param(
            {"file": "a", "eval_id": "x", "trace": {"mode": "golden", "state": 3}},
            "$.trace.state: expected an object, found 3",
            id="not a mapping",
        ),
    ],
)
def test_what_does_not_fit_is_named_with_its_path(data, message):
    with pytest.raises(DecodeError) as raised:
        decode(Outcome, data)

    assert str(raised.value) == message


def test_a_word_that_is_none_of_those_expected_gets_the_list():
    with pytest.raises(DecodeError, match=r"^\$\.layout: expected one of 'flat', 'events', found 'tree'$"):
        decode(Turn, {"index": 0, "user": {}, "layout": "tree"})


@pytest.mark.parametrize("text", ["yesterday", 5])
def test_a_time_that_is_none_is_named(text):
    with pytest.raises(DecodeError, match=r"^\$\.when: expected a time in ISO 8601, found"):
        decode(Moment, {"when": text})


def test_a_time_comes_back_with_its_zone():
    moment = Moment(datetime(2025, 11, 29, 21, 12, tzinfo=UTC))

    assert decode(Moment, json.loads(dumps(moment))) == moment


def test_a_date_comes_back_and_one_that_is_none_is_named():
    day = Day(date(2027, 1, 31))

    assert decode(Day, json.loads(dumps(day))) == day
    with pytest.raises(DecodeError, match=r"^\$\.when: expected a date in ISO 8601, found 'soon'$"):
        decode(Day, {"when": "soon"})


def test_values_may_hold_others_of_their_kind():
    tree = Node("a", (Node("b", (Node("c"),)), Node("d")))

    assert decode(Node, json.loads(dumps(tree))) == tree
    with pytest.raises(DecodeError, match=r"^\$\.inner\[0\]\.name: expected a string, found 5$"):
        decode(Node, {"name": "a", "inner": [{"name": 5}]})


@pytest.mark.parametrize("tolerance", [0.5, 2, "5%"])
def test_a_field_may_hold_one_of_two_types(tolerance):
    rule = NumberRule(value=75, tolerance=tolerance)
    assert decode(NumberRule, json.loads(dumps(rule))) == rule


def test_a_value_of_neither_type_is_named_with_both():
    with pytest.raises(DecodeError, match=r"^\$\.tolerance: expected a number or a string, found \[\]$"):
        decode(NumberRule, {"value": 75, "tolerance": []})


def kinds_within(*hints):
    """Find each dataclass that values of some types may hold."""
    found, waiting = set(), [*hints]
    while waiting:
        hint = waiting.pop()
        if is_dataclass(hint) and hint not in found:
            found.add(hint)
            waiting += get_type_hints(hint).values()
        waiting += get_args(hint)
    return sorted(found, key=lambda kind: kind.__name__)


@pytest.mark.parametrize("kind", kinds_within(RunInfo, Case, Config, Outcome), ids=lambda kind: kind.__name__)
def test_the_codec_has_a_rule_for_each_field_that_a_run_stores(kind):
    with suppress(DecodeError):  # what lacks its keys does not fit; a field without a rule would be a TypeError
        decode(kind, {})


def test_a_type_without_a_rule_is_a_programming_error():
    with pytest.raises(TypeError, match="no rule for the type <class 'bytes'>"):
        decode(Odd, {"value": ""})
