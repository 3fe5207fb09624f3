"""`grounding`: everything that an answer states comes from somewhere."""

import pytest

METRIC = "grounding"


@pytest.fixture
def ground(make, score):
    """Score an answer, given the replies of tools and what else was shown."""

    def ground(answer, *replies, user="Hello", state=None, status="answered"):
        tools = [make.event(f"tool_{number}", status, reply=reply) for number, reply in enumerate(replies)]
        happened = make.happened(final=answer, tools=tools, user=user)
        return score(METRIC, make.case(make.turn(), state=state), make.trace(happened))

    return ground


@pytest.mark.parametrize(
    ("answer", "reply"),
    [
        ("The lag is 75.", {"lag": 75}),
        ("The lag is 75.", {"lag": 75.0}),
        ("The lag is 75.0.", {"lag": "75"}),
        ("The lag is 75.", {"text": "lag=75"}),
        ("The lag is 75.", {"text": "lag:75ms"}),
        ("The lag is 1,240.", {"lag": 1240}),
        ("The lag is 1240.", {"text": "about 1,240 records"}),
        ("Lags are 100 and 200.", {"csv": "100,200,300"}),
        ("99.9% up", {"availability": 0.999}),
        ("99.9% up", {"availability": 99.9}),
        ("It fell by 5.", {"change": -5}),
        ("Broker 2 is down.", {"broker": "broker-2"}),
        ("Port 9092 is closed.", {"address": "broker-1:9092"}),
        ("At 10.0.0.5:9092", {"host": "10.0.0.5", "port": 9092}),
        ("3 topics", {"topics": ["a", "b", "c"]}),
        ("0 topics", {"topics": []}),
        ("2 groups", {"groups": {"a": 1, "b": 1}}),
        ("Group order-processor", {"groups": ["Order-Processor"]}),
        ("Pod CrashLoopBackOff", [["x", {"reason": "CrashLoopBackOff"}]]),
        ("Key consumer_lag", {"consumer_lag": None}),
        ("At 10:15 on 2026-07-21", {"at": "2026-07-21T10:15:00Z"}),
        ("At 2026-07-21T10:15:00Z", {"at": "since 2026-07-21T10:15:00Z"}),
        ("Version 3.7.0, v2.8.1", {"a": "v3.7.0", "b": "2.8.1"}),
        ("The pod prod/payments", {"namespace": "prod", "name": "payments"}),
        ("See payments.dlq", {"topic": "payments.dlq.retry"}),
        ("order-processor的延迟", {"text": "消费组order-processor的"}),
        ("It called tool_0.", {}),
        ('{"root_cause": "broker-2", "since": null, "lags": [75], "sure": true}', {"broker-2": 75}),
    ],
)
def test_what_a_reply_shows_is_grounded(ground, answer, reply):
    assert (ground(answer, reply).value, ground(answer, reply).reason) == (1.0, "")


@pytest.mark.parametrize(
    ("answer", "reply", "unfounded"),
    [
        ("The lag is 75.", {"lag": 175, "text": "750 7.5 75.5 v75"}, "number `75`"),
        ("The lag is 75.", {"at": "2026-01-01T10:00:75Z", "ip": "10.0.0.75", "uuid": "75a-75b"}, "number `75`"),
        ("The lag is 75.", {"up": True}, "number `75`"),
        ("It has 1 broker.", {"up": True, "down": False, "none": None}, "number `1`"),
        ("Broker broker-2", {"broker": "broker-22, my-broker-2, broker-2-a"}, "identifier `broker-2`"),
        ("The API is v2.", {"version": 2}, "identifier `v2`"),
        ("At 10:15", {"lag": 10, "port": 15}, "identifier `10:15`"),
        ("Host 10.0.0.5", {"host": "10.0.0.55 and 10.0.0.5.1"}, "identifier `10.0.0.5`"),
        ("The pod prod/payments", {"namespace": "prod"}, "identifier `prod/payments`"),
        ('{"lag": 76}', {"lag": 75}, "number `76`"),
        ('{"lag": 76', {"lag": 75}, "number `76`"),
    ],
)
def test_what_no_reply_shows_is_named(ground, answer, reply, unfounded):
    found = ground(answer, reply)
    assert found.value == 0.0
    shown = "no tool reply and no word of the user has the"
    assert found.reason == f"conversation[0]: {shown} {unfounded} (the answer states 1)"


def test_the_value_is_the_share_of_what_has_a_source(ground):
    found = ground("Group order-processor lags 76 of 80 records.", {"group": "order-processor", "end": 80})
    assert found.value == pytest.approx(2 / 3)
    assert "number `76` (the answer states 3)" in found.reason


def test_the_users_words_are_a_source(ground):
    assert ground("Deleted orders-v2.", user="Delete orders-v2!").value == 1.0


def test_the_session_state_is_a_source(ground):
    assert ground("Your team is team-7.", state={"team": "team-7"}).value == 1.0


@pytest.mark.parametrize("status", ["agent", "control"])
def test_what_agents_say_to_each_other_is_no_source(ground, status):
    assert ground("The lag is 75.", {"result": "The lag is 75."}, status=status).value == 0.0


def test_a_call_inside_an_agent_tool_is_a_source(make, score):
    tools = [
        make.event("billing", "agent", reply={"result": "410 USD"}),
        make.event("run_sql", parent="billing", reply={"rows": [[410]]}),
    ]
    found = score(METRIC, make.case(make.turn()), make.trace(make.happened(final="410 USD", tools=tools)))
    assert found.value == 1.0


def test_the_arguments_of_a_call_are_no_source(make, score):
    tools = [make.event("get", args={"group": "broker-9"}, reply={})]
    found = score(METRIC, make.case(make.turn()), make.trace(make.happened(final="broker-9", tools=tools)))
    assert found.value == 0.0


def test_earlier_turns_are_sources_and_later_ones_are_not(make, score):
    asked = make.happened(final="See broker-7.", tools=[make.event("get", reply={"lag": 75})], user="broker-7?")
    later = make.happened(final="Still 75 at broker-7, not 80.", tools=[])
    last = make.happened(final="Now 80.", tools=[make.event("get", reply={"lag": 80})])
    turns = [make.turn(index=index) for index in range(3)]
    found = score(METRIC, make.case(*turns), make.trace(asked, later, last))
    assert [turn.value for turn in found.turns] == [1.0, pytest.approx(2 / 3), 1.0]
    assert found.value == pytest.approx((1 + 2 / 3 + 1) / 3)
    assert found.reason.startswith("turn 2: conversation[1]: no tool reply and no word of the user has the number `80`")


def test_an_answer_that_states_nothing_is_not_applicable(ground):
    found = ground("Hello, how can I help?")
    assert (found.state, found.reason) == ("not_applicable", "no answer has a number or an identifier to look for")


def test_a_silent_turn_is_not_applicable(ground):
    assert ground(None, {"lag": 75}).state == "not_applicable"
