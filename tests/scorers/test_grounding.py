"""`grounding`: everything that an answer states comes from somewhere."""

from dataclasses import replace

import pytest

from evalkit.setups import PriorEvent

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


PRIOR = (
    PriorEvent(author="user", content={"parts": [{"text": "Is web-7 well?"}]}),
    PriorEvent(author="agent", content={"parts": [{"function_call": {"name": "get_pod", "args": {"pod": "web-9"}}}]}),
    PriorEvent(
        author="agent", content={"parts": [{"function_response": {"name": "get_pod", "response": {"restarts": 41}}}]}
    ),
    PriorEvent(author="agent", content={"parts": [{"text": "It runs on node-3."}]}),
)


@pytest.mark.parametrize(
    ("answer", "value"),
    [
        ("See web-7.", 1.0),
        ("It has 41 restarts.", 1.0),
        ("It is node-3.", 1.0),
        ("See get_pod.", 1.0),
        ("It has 42 restarts.", 0.0),
        ("See web-9.", 0.0),  # the argument of a call is no source, earlier or now
    ],
)
def test_what_the_session_held_before_is_a_source(make, score, answer, value):
    case = replace(make.case(make.turn()), prior_events=PRIOR)
    assert score(METRIC, case, make.trace(make.happened(final=answer))).value == value


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
    nothing = "no answer has a number, an identifier or anything else to look for"
    assert (found.state, found.reason) == ("not_applicable", nothing)


def test_a_silent_turn_is_not_applicable(ground):
    assert ground(None, {"lag": 75}).state == "not_applicable"


PODS = {
    "status": "success",
    "pod_count": 3,
    "pods": [
        {"pod_name": "cart-7d", "node_name": "node-a", "state": "Running", "healthy": True, "restarts": 0},
        {"pod_name": "cart-9x", "node_name": "node-b", "state": "CrashLoopBackOff", "healthy": False, "restarts": 23},
        {"pod_name": "mail-1k", "node_name": "node-c", "state": "Pending", "healthy": False, "restarts": 4},
    ],
}
SHORT = {"name": "cart", "state": "degraded", "ready": 2, "replicas": 3}
SIZES = {"limit_bytes": 1610612736, "timeout_ms": 2500, "ratio": 0.75, "memory": "3.71GiB", "text": "after 5000 ms"}
BROKERS = {
    "controller_id": 2,
    "brokers": [{"broker_id": 2, "host": "b2.example"}, {"broker_id": 3, "host": "b3.example"}],
}


@pytest.mark.parametrize(
    ("answer", "reply"),
    [
        ("The limit is 1.5 GiB.", SIZES),
        ("The limit is 1536 MiB.", SIZES),
        ("The limit is 1.61 GB.", SIZES),
        ("It takes 2.5 s.", SIZES),
        ("It takes 5 seconds.", SIZES),
        ("75 % are done.", SIZES),
        ("It uses 3.7 GiB.", SIZES),
        ("It uses about 4 GiB.", SIZES),
        ("It keeps them for 3 days, 72 hours.", {"retention_ms": 259200000}),
        ("Over 4,800 records", {"lag": 4820}),
        ("1.234.567 Nachrichten", {"lag": 1234567}),
        ("4.820 Nachrichten, 4 820 messages, 4'820 and 4\u202f820", {"lag": 4820}),
        ("Es sind 12,5 %.", {"share": 12.5}),
        ("4.8k messages", {"lag": 4820}),
        ("seventy-five messages and a dozen topics", {"lag": 75, "topics": 12}),
        ("On June 1st, 2025 and 1 June, at 9:41 am", {"at": "2025-06-01T09:41:13Z"}),
        ("It ran for 6 hours.", {"started_at": "2025-06-01T03:00:00Z", "finished_at": "2025-06-01T09:00:00Z"}),
        ("Two of the three pods are unhealthy.", PODS),
        ("One of the 3 pods is running, and 27 restarts happened in total.", PODS),
        ("cart-9x restarted 19 times more than mail-1k.", PODS),
        ("cart-7d is Running, cart-9x is not running.", PODS),
        ("cart-9x is unhealthy and mail-1k is not healthy.", PODS),
        ("cart-9x is no longer healthy; it runs on node-b.", PODS),
        ("cart-9x and mail-1k are unhealthy.", PODS),
        ("cart is degraded.", SHORT),
        ("cart is not healthy: 2 of 3 replicas are ready.", SHORT),
        ("cart is healthy.", {"name": "cart", "ready": 3, "replicas": 3}),
        ("cart is degraded.", {"name": "cart", "healthy": False}),
        ('It says "connection   refused".', {"log": "dial tcp: Connection refused by peer"}),
    ],
)
def test_what_follows_from_a_reply_is_grounded(ground, answer, reply):
    found = ground(answer, reply)
    assert (found.value, found.reason) == (1.0, "")


@pytest.mark.parametrize(
    ("answer", "reply", "detail"),
    [
        ("The limit is 1.5 MiB.", SIZES, "1.5 MiB"),
        ("It takes 2500 s.", SIZES, "2500 s"),
        ("It uses 3.71 GB.", SIZES, "3.71 GB"),
        ("It uses 4 GiB.", SIZES, "4 GiB"),
        ("57 % are done.", SIZES, "57 %"),
        ("seventy-six messages", {"lag": 75}, "seventy-six"),
        ("On June 2, 2025", {"at": "2025-06-01T09:41:13Z"}, "June 2, 2025"),
        ("All three pods are unhealthy.", PODS, "three"),
        ("All pods are healthy.", PODS, "healthy"),
        ("cart-9x is healthy.", PODS, "`cart-9x` has `healthy: false`"),
        ("cart-7d is not running.", PODS, "not running"),
        ("cart-7d is in CrashLoopBackOff.", PODS, "CrashLoopBackOff"),
        ("cart-7d restarted 23 times.", PODS, "the number `23` is not said of `cart-7d`: `cart-9x` has `restarts: 23`"),
        ("cart-9x runs on node-a.", PODS, "node-a"),
        ("There are 4 pods.", PODS, "number `4`"),
        ("cart-7d and cart-9x are healthy.", PODS, "healthy"),
        ("cart is healthy.", SHORT, "`state: degraded`"),
        ("cart is healthy.", {"name": "cart", "ready": 2, "replicas": 3}, "`ready: 2`"),
        ("All replicas of cart are ready.", {"name": "cart", "ready": 2, "replicas": 3}, "`ready: 2`"),
        ("cart is degraded.", {"name": "cart", "healthy": True}, "`healthy: true`"),
        ('It says "connection reset".', {"log": "connection refused"}, "quotation `connection reset`"),
        ("It is suppressed.", PODS, "status `suppressed`"),
    ],
)
def test_what_is_false_in_one_detail_is_named(ground, answer, reply, detail):
    found = ground(answer, reply)
    assert found.value < 1.0
    assert detail in found.reason


@pytest.mark.parametrize(
    "answer",
    [
        "cart-9x is down again. Consider a limit of 512Mi, or run `kubectl logs cart-9x --tail=100`.",
        "cart-9x keeps crashing.\n\n## Next steps\n- scale it to 5 replicas\n- wait 10 minutes",
        "That usually means exit code 128 + 9. cart-9x is unhealthy.",
        "cart-9x has the most restarts (23), almost six times as many as mail-1k (4).",
        "| Pod | Restarts | Ready |\n|---|---|---|\n| cart-9x | 23 | no |\n| mail-1k | 4 | no |",
        "One of three pods (33 %) is healthy, and none of the others is.",
        "cart-9x crash-loops on node-b, and mail-1k (node-c) is still Pending.",
        "cart-9x might recover; it may take 10 minutes.",
        "That could explain the 23 restarts of cart-9x. You could raise its limit to 512Mi.",
    ],
)
def test_advice_comparisons_and_tables_of_models_are_grounded(ground, answer):
    assert ground(answer, PODS).reason == ""


@pytest.mark.parametrize(
    ("answer", "reply", "detail"),
    [
        ("cart-9x may use 512Mi at most.", PODS, "512Mi"),
        ("cart-9x might fail again because its limit is 512Mi.", PODS, "512Mi"),
        ("It would help to look into the 77 restarts of cart-9x.", PODS, "77"),
        ("I recommend to check the 77 restarts.", PODS, "77"),
        ("Updated: 31", {"updated_replicas": 21, "available_replicas": 31}, "`updated_replicas: 21`"),
        ("Controller: 3", BROKERS, "`controller_id: 2`"),
        ("The controller is broker 3.", BROKERS, "`controller_id: 2`"),
        ("Broker 3 (b3.example) is the controller.", BROKERS, "`controller_id: 2`"),
        ("Consider to delete cart-9y.", PODS, "the tools have `cart-9x`"),
        ("mail-1k has the most restarts.", PODS, "another has 23"),
        ("mail-1k (4) restarted more often than cart-9x (23).", PODS, "comparison `more often than`"),
        ("2 of 3 pods (57 %) are unhealthy.", PODS, "57 %"),
        ("| Pod | Restarts |\n|---|---|\n| cart-9x | 4 |\n| mail-1k | 23 |", PODS, "not said of `cart-9x`"),
        ("None of the pods is healthy.", PODS, "`healthy: true`"),
        ("The exit code was 1.", {"exit_code": 137, "restart_count": 1}, "`exit_code: 137`"),
        ("Broker 14 is missing.", {"missing_broker_ids": [13], "replicas": [13, 14]}, "`missing_broker_ids` has [13]"),
        ("No node has problems.", {"nodes_with_problems": ["n-1"], "node_count": 3}, "No node has problems"),
        (
            "It is under memory pressure.",
            {"memory": "1Gi", "reason": "DiskPressure"},
            "the tools speak of `disk pressure`",
        ),
        ("Pod cart-9x runs in namespace staging.", {"namespace": "shop", "pod_name": "cart-9x"}, "namespace staging"),
        ("There are no tools.", {"status": "error", "error": "timed out"}, "no tool could see that"),
        ("It rose from 9 to 4.", {"before": 9, "after": 4}, "the other way"),
    ],
)
def test_what_is_told_of_another_thing_is_named(ground, answer, reply, detail):
    found = ground(answer, reply)
    assert found.value < 1.0
    assert detail in found.reason


@pytest.mark.parametrize(
    "answer", ["Controller: broker 2", "The controller is broker 2.", "Broker 2 (b2.example) is the controller."]
)
def test_who_has_a_role_is_grounded(ground, answer):
    assert ground(answer, BROKERS).reason == ""


def test_the_last_reply_to_a_call_counts(make, score):
    tools = [make.event("get_status", reply={"name": "web-1", "healthy": now}) for now in (False, True)]
    for text, value in (("web-1 is healthy.", 1.0), ("web-1 is unhealthy.", 0.5)):
        assert score(METRIC, make.case(make.turn()), make.trace(make.happened(final=text, tools=tools))).value == value


def test_what_no_tool_was_called_for_was_not_done(ground):
    assert "no tool did it" in ground("I restarted it.", {"x": 1}, user="Restart web-1.").reason


def test_the_error_of_a_tool_explains_what_has_no_source(ground):
    found = ground("It lags 75.", {"status": "error", "error": "broker timed out"})
    assert found.reason.endswith(
        'has the number `75`; `tool_0` replied with an error: "broker timed out" (the answer states 1)'
    )


@pytest.mark.parametrize(("status", "said"), [("blocked", "was deleted"), ("rejected", "has been deleted")])
def test_what_a_tool_failed_to_do_was_not_done(make, score, status, said):
    tools = [make.event("delete_topic", status, reply={"error": "This tool call is rejected."})]
    for text, value in ((f"The topic {said}.", 0.0), ("The topic was not deleted.", None)):
        found = score(METRIC, make.case(make.turn()), make.trace(make.happened(final=text, tools=tools)))
        assert found.value == value
        assert value is None or 'delete_topic replied with an error: "This tool call is rejected."' in found.reason


def test_what_a_tool_did_cannot_be_denied(make, score):
    tools = [make.event("delete_topic", reply={"status": "success"})]
    found = score(METRIC, make.case(make.turn()), make.trace(make.happened(final="It was not deleted.", tools=tools)))
    assert "the statement `not deleted`: delete_topic worked" in found.reason


@pytest.mark.parametrize(
    ("options", "value"),
    [
        ({}, 0.5),
        ({"strictness": "lenient"}, 1.0),
        ({"kinds": ["identifier"]}, 1.0),
        ({"ignore": ["23"]}, 1.0),
        ({"ignore": ["2*"]}, 1.0),
        ({"identifiers": ["cart|staging"]}, 1 / 3),
    ],
)
def test_options_say_what_is_judged_and_how(make, score, options, value):
    tools = [make.event("list_pods", reply=PODS)]
    happened = make.happened(final="cart-7d restarted 23 times in staging.", tools=tools)
    assert score(METRIC, make.case(make.turn()), make.trace(happened), **options).value == pytest.approx(value)


@pytest.mark.parametrize("answer", ["2 pods are unhealthy.", "It uses 3.7 GiB."])
def test_a_strict_criterion_takes_nothing_that_has_to_be_computed(make, score, answer):
    tools = [make.event("get", reply={**PODS, "memory": "3.71GiB"})]
    happened = make.happened(final=answer, tools=tools)
    assert score(METRIC, make.case(make.turn()), make.trace(happened), strictness="strict").value < 1.0
    assert score(METRIC, make.case(make.turn()), make.trace(happened)).value == 1.0
