"""`tool_responses`: recorded replies against those that came."""

from dataclasses import replace

import pytest

from evalkit.cases import Step, ToolReply

METRIC = "tool_responses"


def recorded(name, response, where="", **fields):
    return Step(replies=(ToolReply(name=name, response=response, where=where, **fields),))


@pytest.fixture
def replied(make, score):
    """Score events against calls and recorded replies."""

    def replied(calls, replies, events, **trace):
        turn = make.turn(calls)
        turn = replace(turn, steps=(*turn.steps, *replies))
        return score(METRIC, make.case(turn), make.trace(make.happened(tools=events), **trace))

    return replied


def test_equal_replies_score_one(replied, make):
    events = [make.event("get_lag", reply={"lag": 75.0})]
    found = replied([make.call("get_lag")], [recorded("get_lag", {"lag": 75})], events)
    assert (found.value, found.reason, found.by_construction) == (1.0, "", False)


def test_a_reply_that_differs_is_told_with_its_place_its_mock_and_each_difference(replied, make):
    call = make.call("get_lag", group="orders")
    events = [make.event("get_lag", args=call.args, reply={"lag": 76, "unit": "s"}, route="mocks.yaml:3 get_lag")]
    found = replied([call], [recorded("get_lag", {"lag": 75}, "$.tool_responses[0]")], events)
    assert found.value == 0.0
    assert found.reason.splitlines() == [
        '$.tool_responses[0]: get_lag(group="orders") did not reply as recorded (answered by mocks.yaml:3 get_lag)',
        "  $.lag: wanted 75, found 76",
        '  $.unit: unexpected, found "s"',
    ]


def test_recorded_replies_are_plain_json_and_no_patterns(replied, make):
    assert replied([make.call("a")], [recorded("a", {"$any": True})], [make.event("a", reply={"x": 1})]).value == 0.0
    assert (
        replied([make.call("a")], [recorded("a", {"$any": True})], [make.event("a", reply={"$any": True})]).value == 1.0
    )


def test_a_reply_belongs_to_the_call_with_its_arguments(replied, make):
    calls = [make.call("get_lag", group="a"), make.call("get_lag", group="b")]
    replies = [recorded("get_lag", {"lag": 1}), recorded("get_lag", {"lag": 2})]
    events = [
        make.event("get_lag", args={"group": name}, reply={"lag": lag}) for name, lag in (("c", 3), ("b", 2), ("a", 1))
    ]
    assert replied(calls, replies, events).value == 1.0


def test_without_equal_arguments_it_belongs_to_the_next_call_of_that_name(replied, make):
    events = [make.event("get_lag", args={"group": "x"}, reply={"lag": 1})]
    assert replied([make.call("get_lag", group="a")], [recorded("get_lag", {"lag": 1})], events).value == 1.0


def test_in_golden_mode_it_belongs_to_the_golden_call(replied, make):
    calls = [make.call("get_lag", where="$[0]"), make.call("get_lag", where="$[1]")]
    replies = [recorded("get_lag", {"lag": 1}), recorded("get_lag", {"lag": 2})]
    events = [make.event("get_lag", golden=f"$[{at}]", reply={"lag": lag}) for at, lag in ((1, 2), (0, 1))]
    assert replied(calls, replies, events, mode="golden").value == 1.0


def test_a_call_that_was_not_made_or_not_answered_replied_nothing(replied, make):
    calls = [make.call("a", where="$[0]"), make.call("b")]
    replies = [recorded("a", {}, "$.r[0]"), recorded("b", {}, "$.r[1]")]
    found = replied(calls, replies, [make.event("b", "unanswered")])
    assert found.reason.splitlines() == [
        "$.r[0]: a() was not called, so it replied nothing",
        "$.r[1]: b() got no reply: it was unanswered",
    ]


def test_each_reply_needs_a_call_of_its_own(replied, make):
    calls, replies = [make.call("a"), make.call("a")], [recorded("a", {}), recorded("a", {})]
    assert replied(calls, replies, [make.event("a", reply={})]).value == 0.5


def test_the_value_is_the_share_of_equal_replies(replied, make):
    calls = [make.call(name) for name in "abcd"]
    events = [make.event(name, reply={"ok": name != "c"}) for name in "abcd"]
    assert replied(calls, [recorded(name, {"ok": True}) for name in "abcd"], events).value == 0.75


def test_words_of_models_are_no_tool_responses(replied, make):
    agents = (make.agent("root", tools=("kafka",)), make.agent("kafka"))
    calls = [make.call("kafka"), make.call("transfer_to_agent", agent_name="k8s"), make.call("finish_task")]
    replies = [recorded(call.name, {"result": "x"}) for call in calls]
    found = replied(calls, replies, [make.event("kafka", "agent", reply={"result": "y"})], agents=agents)
    assert (found.state, found.reason) == ("not_applicable", "no turn has tool_responses of its tools to compare with")


@pytest.mark.parametrize(
    ("route", "reply", "itself"),
    [
        ("recorded get_lag ($.r)", {"lag": 75}, True),
        ("mocks.yaml:3 get_lag", {"lag": 75}, False),
        (None, {"lag": 75}, False),
        ("recorded get_lag ($.r)", {"lag": 76}, False),
    ],
    ids=["played back", "another mock agrees", "the tool's own code", "a callback changed it"],
)
def test_a_reply_that_was_itself_the_mock_holds_by_construction(replied, make, route, reply, itself):
    events = [make.event("get_lag", route=route, reply=reply)]
    found = replied([make.call("get_lag")], [recorded("get_lag", {"lag": 75}, "$.r")], events)
    assert (found.value == 1.0, found.by_construction) == (reply == {"lag": 75}, itself)


def test_a_case_without_replies_is_not_applicable(replied, make):
    assert replied([make.call("a")], [], [make.event("a", reply={})]).state == "not_applicable"
