"""`grounding`: numbers that are computed, measured, labelled or counted, and what was done, in the words of answers."""

import pytest

STATS = {
    "containers": [
        {"container": "indexer", "memory": "5.20%", "memory_usage": "832MiB / 16GiB", "cpu": "0.41%"},
        {"container": "cache", "memory": "37.50%", "memory_usage": "6GiB / 16GiB", "cpu": "3.02%"},
    ]
}
POD = {
    "name": "ledger-1",
    "containers": [{"resources": {"limits": {"memory": "256Mi"}, "requests": {"memory": "96Mi"}}}],
}
PODS = {"pods": [{"name": "a", "ready": "1/1"}, {"name": "b", "ready": "0/1"}, {"name": "c", "ready": "0/1"}]}
LAG = {
    "partitions": [
        {"topic": "orders", "partition": 0, "lag": 7120},
        {"topic": "orders", "partition": 1, "lag": 1845},
        {"topic": "mails", "partition": 0, "lag": 387},
    ]
}
ROLLOUT = {"desired_replicas": 6, "current_replicas": 8, "updated_replicas": 2, "previous_replicas": 5}
TOPIC = {"topic": "audit", "partition_count": 6, "under_replicated_partitions": [4]}
RUN = {"started_at": "2025-06-01T10:05:44Z", "finished_at": "2025-06-01T11:47:09Z"}


@pytest.fixture
def ground(make, score):
    """Score an answer, given tools by name with their replies."""

    def ground(answer, **replies):
        tools = [make.event(tool, "answered", reply=reply) for tool, reply in replies.items()]
        happened = make.happened(final=answer, tools=tools, user="Please look, and act if it helps.")
        return score("grounding", make.case(make.turn()), make.trace(happened))

    return ground


@pytest.mark.parametrize(
    ("answer", "reply"),
    [
        ("Together the two use 6.8 GiB of memory.", STATS),
        ("indexer uses 0.4% CPU.", STATS),
        ("| Container | Memory |\n|---|---|\n| indexer | 832 MiB |\n| cache | 6 GiB |", STATS),
        ("The lag of orders is 8,965 over its two partitions.", LAG),
        ("There are 8 pods, 2 more than desired.", ROLLOUT),
        ("Only 2 are updated, four too few.", ROLLOUT),
        ("6 of the 8 current pods are not updated yet.", ROLLOUT),
        ("Two partitions are under-replicated, each with two replicas still in sync.", {"under_replicated_count": 2}),
        ("It ran for about 1 h 41 min.", RUN),
        ("It ran for 1 hour, 41 minutes and 25 seconds.", RUN),
        ("The latency rose to 480 ms.", {"points": [["06:00", "0.42"], ["07:00", "0.48"]]}),
        (
            "p99 is 50% above where it started.",
            {"p99": [{"at": "first", "value": 0.42}, {"at": "last", "value": 0.63}]},
        ),
        ("Five of its six partitions are fully replicated.", TOPIC),
        ("Partition 4 of audit is under-replicated.", {**TOPIC, "partitions": 6}),
        ("Broker 14 is missing.", {"missing_broker_ids": [14], "brokers": [{"broker_id": 11}, {"broker_id": 12}]}),
        ("The memory limit is 256Mi. A higher limit, such as 384Mi, would help.", POD),
        ("Its memory limit is 256Mi; there is no CPU limit.", POD),
        ("One of the three pods is ready.", PODS),
        ("search is restarting with exit code 78.", {"name": "search", "status": "Restarting (78) 20 seconds ago"}),
        ("The node is up. I have not checked node usage.", {"node_name": "n-1", "node": "up"}),
        ("`orders`/1 has a lag of 1845.", LAG),
    ],
)
def test_what_a_reader_finds_in_a_reply_is_grounded(ground, answer, reply):
    assert ground(answer, look=reply).reason == ""


@pytest.mark.parametrize(
    ("answer", "reply", "detail"),
    [
        ("Together the two use 7.4 GiB of memory.", STATS, "7.4 GiB"),
        ("orders has about 60% of the lag of 9,352.", LAG, "60%"),
        ("The lag of mails is 8,965.", LAG, "8,965"),
        ("The container has a limit of 96Mi.", POD, "`memory: 256Mi`"),
        ("It was killed at its 96Mi limit.", POD, "`memory: 256Mi`"),
        ("Two pods are ready.", PODS, "count 1"),
        ("Topics: 3", {"topics": [{"name": "a", "partitions": 3}, {"name": "b", "partitions": 6}]}, "count 1 or 2"),
        ("2 of 8 desired replicas are updated.", ROLLOUT, "`desired_replicas: 6`"),
        ("It wants 6 replicas (before: 8).", ROLLOUT, "`previous_replicas: 5`"),
        ("Two of its six partitions are under-replicated.", TOPIC, "`Two`"),
        ("It ran for 1 h 14 min.", RUN, "1 h 14 min"),
        (
            "backup exited with code 1.",
            {"name": "backup", "tries": 1, "status": "Exited (2) 7 hours ago"},
            "exit code 2",
        ),
        (
            "No node fits: insufficient cpu.",
            {"cpu": "4", "event": "0/9 nodes: Insufficient memory"},
            "insufficient memory",
        ),
    ],
)
def test_a_number_that_is_told_as_something_else_is_named(ground, answer, reply, detail):
    found = ground(answer, look=reply)
    assert found.value < 1.0
    assert detail in found.reason


def test_what_one_did_beside_what_was_done_needs_a_tool(ground):
    scaled = {"deployment": "quotes", "replicas": 6}
    assert ground("I scaled quotes to 6 replicas.", scale_deployment=scaled).reason == ""
    both = ground("I scaled quotes to 6 replicas and restarted rates.", scale_deployment=scaled)
    assert "the statement `restarted`: no tool did it" in both.reason
    back = ground("- Scaled quotes to 6 replicas\n- Rolled it back afterwards", scale_deployment=scaled)
    assert "the statement `Rolled it back`: no tool did it" in back.reason


def test_what_was_sent_needs_a_tool(ground):
    note = {"path": "notes/a.md"}
    told = ground("I have written a note (notes/a.md) and informed the team.", write_note=note)
    assert "the statement `informed`: no tool did it" in told.reason


def test_a_span_that_a_query_asks_for_is_grounded_and_another_is_not(make, score):
    call = make.event("query", "answered", args={"query": "rate(errors[5m])"}, reply={"value": 12.5})
    right, wrong = (
        score(
            "grounding",
            make.case(make.turn()),
            make.trace(
                make.happened(final=f"Over the last {span} it was 12.5/s, which is 750 a minute.", tools=[call])
            ),
        )
        for span in ("5 minutes", "10 minutes")
    )
    assert right.reason == ""
    assert "10 minutes" in wrong.reason


def test_a_rate_is_per_second(make, score):
    call = make.event("query", "answered", args={"query": "sum(rate(errors[5m]))"}, reply={"value": 12.5})
    happened = make.happened(final="There were 12.5 errors per minute.", tools=[call])
    assert "`rate` counts per second" in score("grounding", make.case(make.turn()), make.trace(happened)).reason


def test_what_was_before_a_change_is_no_other_number(ground):
    reply = {"deployment": "quotes", "previous_replicas": 3, "replicas": 6, "ready_replicas": 1}
    assert ground("I scaled quotes from 3 to 6 replicas.", scale_deployment=reply).reason == ""
    assert "previous_replicas: 3" in ground("I scaled quotes from 1 to 6 replicas.", scale_deployment=reply).reason


def test_who_is_told_to_have_a_role_beside_the_role(ground):
    reply = {"controller_id": 12, "missing_broker_ids": [13]}
    assert ground("The controller, broker 12, is there.", look=reply).reason == ""
    assert "controller_id: 12" in ground("The controller, broker 13, is missing.", look=reply).reason


def test_a_call_that_failed_for_one_thing_saw_nothing_of_it(make, score):
    lag = make.event("get_lag", "answered", args={"group": "stock-sync"}, reply={"group": "stock-sync", "lag": 3105})
    error = {"status": "error", "error": "audit-export: broker timed out"}
    failed = make.event("get_lag", "answered", args={"group": "audit-export"}, reply=error)
    turn = make.happened(final="audit-export has no lag, stock-sync has 3105.", tools=[lag, failed])
    found = score("grounding", make.case(make.turn()), make.trace(turn))
    assert "the statement `no lag`: no tool could see that" in found.reason


def test_there_is_nothing_only_where_the_tool_that_would_see_it_worked(ground):
    answer = "The group has no lag."
    pods = {"pods": [{"name": "a", "healthy": True}]}
    failed = {"status": "error", "error": "broker did not answer"}
    absent = {"status": "error", "error": "no such group"}
    assert "no tool could see that" in ground(answer, list_pods=pods, get_consumer_lag=failed).reason
    assert "no tool could see that" not in ground(answer, list_pods=pods, get_consumer_lag=absent).reason
    assert "no tool could see that" not in ground(answer, list_pods=pods, get_consumer_lag={"lag": 0}).reason
