"""The tools that change topics."""

import pytest
from confluent_kafka import KafkaError, KafkaException


def test_a_topic_is_created_as_asked(tools, admin):
    assert tools.create_kafka_topic("clicks", 12, 3) == {
        "status": "success",
        "topic_name": "clicks",
        "partitions": 12,
        "replication_factor": 3,
        "broker_count": 3,
    }
    assert admin.changes == [("create", "clicks", 12, 3)]


def test_a_topic_gets_more_partitions(tools, admin):
    assert tools.add_topic_partitions("orders", 8) == {
        "status": "success",
        "topic_name": "orders",
        "previous_partitions": 3,
        "partitions": 8,
    }
    assert admin.changes == [("extend", "orders", 8)]


def test_a_topic_is_deleted(tools, admin):
    assert tools.delete_kafka_topic("orders") == {
        "status": "success",
        "topic_name": "orders",
        "deleted_partitions": 3,
    }
    assert admin.changes == [("delete", "orders")]


@pytest.mark.parametrize(
    ("tool", "args", "error"),
    [
        ("create_kafka_topic", ["", 1, 1], "topic_name must not be empty."),
        (
            "create_kafka_topic",
            ["a b", 1, 1],
            "topic_name 'a b' has characters other than letters, digits, '.', '_' and '-'.",
        ),
        ("create_kafka_topic", ["x" * 250, 1, 1], "topic_name has 250 characters; Kafka allows 249."),
        ("create_kafka_topic", ["clicks", 0, 1], "partitions must be at least 1, not 0."),
        ("create_kafka_topic", ["clicks", "6", 1], "partitions must be a whole number, not '6'."),
        ("create_kafka_topic", ["clicks", True, 1], "partitions must be a whole number, not True."),
        ("create_kafka_topic", ["clicks", 6, -1], "replication_factor must be at least 1, not -1."),
        ("add_topic_partitions", ["orders", 0], "total_partitions must be at least 1, not 0."),
        ("add_topic_partitions", ["orders", 4.0], "total_partitions must be a whole number, not 4.0."),
        (
            "add_topic_partitions",
            ["/", 4],
            "topic_name '/' has characters other than letters, digits, '.', '_' and '-'.",
        ),
        ("delete_kafka_topic", [" "], "topic_name must not be empty."),
        ("delete_kafka_topic", ["."], "topic_name must not be '.'."),
    ],
)
def test_bad_input_is_refused_before_kafka_is_asked(tools, admin, tool, args, error):
    assert getattr(tools, tool)(*args) == {"status": "error", "error": error}
    assert admin.calls == []


@pytest.mark.parametrize(
    ("tool", "args"),
    [("create_kafka_topic", [3, 1]), ("add_topic_partitions", [64]), ("delete_kafka_topic", [])],
)
def test_kafkas_own_topics_are_never_changed(tools, admin, tool, args):
    reply = getattr(tools, tool)("__consumer_offsets", *args)

    assert reply["error"] == "__consumer_offsets is an internal topic of Kafka; this agent does not change those."
    assert admin.calls == []


def test_more_replicas_than_brokers_are_refused_and_nothing_is_created(tools, admin):
    assert tools.create_kafka_topic("clicks", 6, 4) == {
        "status": "error",
        "error": "replication_factor is 4, but the cluster has 3 brokers.",
    }
    assert admin.changes == []


@pytest.mark.parametrize("total", [1, 3])
def test_partitions_cannot_be_taken_away(tools, admin, total):
    assert tools.add_topic_partitions("orders", total) == {
        "status": "error",
        "error": "orders has 3 partitions already and Kafka cannot remove any; ask for more than that.",
    }
    assert admin.changes == []


@pytest.mark.parametrize(("tool", "args"), [("add_topic_partitions", [64]), ("delete_kafka_topic", [])])
def test_a_missing_topic_is_not_changed(tools, admin, tool, args):
    reply = getattr(tools, tool)("nowhere", *args)

    assert reply == {"status": "error", "error": "Kafka reported UNKNOWN_TOPIC_OR_PART (3): no such topic"}
    assert admin.changes == []


@pytest.mark.parametrize(
    ("tool", "args", "methods"),
    [
        ("create_kafka_topic", ["clicks", 6, 3], ["list_topics", "create_topics"]),
        ("add_topic_partitions", ["orders", 6], ["describe_topics", "create_partitions"]),
        ("delete_kafka_topic", ["orders"], ["describe_topics", "delete_topics"]),
    ],
)
def test_whatever_kafka_refuses_is_an_error_reply(tools, admin, tool, args, methods):
    for method in methods:
        admin.failures = {method: KafkaException(KafkaError(KafkaError.TOPIC_AUTHORIZATION_FAILED, "not yours"))}

        reply = getattr(tools, tool)(*args)

        assert reply == {"status": "error", "error": "Kafka reported TOPIC_AUTHORIZATION_FAILED (29): not yours"}
        assert admin.changes == []
