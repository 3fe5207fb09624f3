"""The tools that only look."""

import pytest
from confluent_kafka import KafkaError, KafkaException
from confluent_kafka.admin import AdminClient

OFFLINE = {"topic_name": "orders", "partition": 2, "replicas": [3, 4], "in_sync_replicas": []}
BEHIND = {"topic_name": "orders", "partition": 1, "replicas": [2, 3, 1], "in_sync_replicas": [2, 3]}


def test_cluster_health_counts_everything_and_lists_the_partitions_in_trouble(tools):
    assert tools.get_kafka_cluster_health() == {
        "status": "success",
        "cluster_id": "test-cluster",
        "healthy": False,
        "controller_id": 2,
        "broker_count": 3,
        "missing_broker_ids": [4],
        "topic_count": 3,
        "partition_count": 5,
        "offline_count": 1,
        "offline_partitions": [OFFLINE],
        "under_replicated_count": 2,
        "under_replicated_partitions": [BEHIND, OFFLINE],
    }


def test_cluster_is_healthy_when_every_replica_is_in_sync(tools, admin):
    del admin.topics["orders"]

    health = tools.get_kafka_cluster_health()

    assert health["healthy"] is True
    assert (health["offline_count"], health["under_replicated_count"]) == (0, 0)
    assert health["missing_broker_ids"] == []


def test_cluster_health_lists_twenty_faulty_partitions_and_counts_them_all(tools, admin):
    admin.topics["orders"] = [(1, [1, 2], [1])] * 33

    health = tools.get_kafka_cluster_health()

    assert health["under_replicated_count"] == 33
    assert [one["partition"] for one in health["under_replicated_partitions"]] == list(range(20))


def test_brokers_come_with_what_each_of_them_carries(tools):
    reply = tools.list_kafka_brokers()

    assert reply["brokers"][0] == {
        "broker_id": 1,
        "host": "kafka-1.test",
        "port": 9092,
        "is_controller": False,
        "leader_count": 2,
        "replica_count": 4,
        "out_of_sync_count": 1,
    }
    assert [(one["broker_id"], one["is_controller"]) for one in reply["brokers"]] == [(1, False), (2, True), (3, False)]
    assert (reply["controller_id"], reply["missing_broker_ids"]) == (2, [4])


def test_topics_are_listed_without_kafkas_own(tools):
    assert tools.list_kafka_topics() == {
        "status": "success",
        "topic_count": 2,
        "topics": [
            {"topic_name": "orders", "partition_count": 3, "replication_factor": 3},
            {"topic_name": "payments", "partition_count": 1, "replication_factor": 2},
        ],
    }


def test_kafkas_own_topics_are_listed_when_asked_for(tools):
    reply = tools.list_kafka_topics(include_internal=True)

    assert [one["topic_name"] for one in reply["topics"]] == ["__consumer_offsets", "orders", "payments"]


def test_topic_metadata_shows_leaders_replicas_and_what_is_wrong(tools):
    assert tools.get_topic_metadata("orders") == {
        "status": "success",
        "topic_name": "orders",
        "is_internal": False,
        "partition_count": 3,
        "replication_factor": 3,
        "min_in_sync_replicas": 2,
        "retention_ms": 604800000,
        "cleanup_policy": "delete",
        "partitions": [
            {"partition": 0, "leader": 1, "replicas": [1, 2, 3], "in_sync_replicas": [1, 2, 3]},
            {"partition": 1, "leader": 2, "replicas": [2, 3, 1], "in_sync_replicas": [2, 3]},
            {"partition": 2, "leader": None, "replicas": [3, 4], "in_sync_replicas": []},
        ],
        "under_replicated_partitions": [1, 2],
        "offline_partitions": [2],
    }


def test_metadata_of_a_missing_topic_is_an_error_that_names_kafkas_reason(tools):
    assert tools.get_topic_metadata("nowhere") == {
        "status": "error",
        "error": "Kafka reported UNKNOWN_TOPIC_OR_PART (3): no such topic",
    }


def test_groups_are_listed_with_their_states(tools):
    assert tools.list_consumer_groups() == {
        "status": "success",
        "group_count": 2,
        "groups": [{"group_id": "idle", "state": "STABLE"}, {"group_id": "order-processor", "state": "STABLE"}],
        "broker_errors": [],
    }


def test_a_broker_that_cannot_list_its_groups_is_told(tools, admin):
    admin.group_errors = [KafkaError(KafkaError._TRANSPORT, "broker 3 is down")]

    reply = tools.list_consumer_groups()

    assert (reply["status"], reply["group_count"]) == ("success", 2)
    assert reply["broker_errors"] == ["Kafka reported _TRANSPORT (-195): broker 3 is down"]


def test_no_broker_that_can_list_groups_is_not_a_cluster_without_groups(tools, admin):
    admin.offsets = {}
    admin.group_errors = [KafkaError(KafkaError._TRANSPORT, "down")] * 3

    assert tools.list_consumer_groups() == {"status": "error", "error": "Kafka reported _TRANSPORT (-195): down"}


def test_a_group_is_described_with_its_members_in_order(tools):
    assert tools.describe_consumer_group("order-processor") == {
        "status": "success",
        "group_id": "order-processor",
        "state": "STABLE",
        "partition_assignor": "range",
        "coordinator_id": 3,
        "member_count": 2,
        "members": [
            {
                "member_id": "processor-a-9",
                "client_id": "processor-a",
                "host": "/10.0.0.7",
                "assignments": [{"topic_name": "orders", "partitions": [0, 1]}],
            },
            {
                "member_id": "processor-b-7",
                "client_id": "processor-b",
                "host": "/10.0.0.8",
                "assignments": [{"topic_name": "payments", "partitions": [0]}],
            },
        ],
    }


def test_lag_is_summed_over_all_topics_of_a_group_with_the_largest_first(tools):
    reply = tools.get_consumer_lag("order-processor")

    assert (reply["status"], reply["group_id"], reply["total_lag"]) == ("success", "order-processor", 75)
    assert [(one["topic_name"], one["partition"], one["lag"]) for one in reply["partitions"]] == [
        ("payments", 0, 45),
        ("orders", 0, 30),
        ("orders", 1, 0),
    ]


def test_lag_on_one_topic_leaves_the_others_out(tools):
    assert tools.get_consumer_lag("order-processor", "payments") == {
        "status": "success",
        "group_id": "order-processor",
        "total_lag": 45,
        "partitions": [
            {"topic_name": "payments", "partition": 0, "committed_offset": 10, "end_offset": 55, "lag": 45},
        ],
    }


def test_lag_is_never_negative(tools, admin):
    admin.offsets["order-processor"] = {("payments", 0): (90, 55)}

    assert tools.get_consumer_lag("order-processor")["total_lag"] == 0


@pytest.mark.parametrize(
    ("group", "topic", "error"),
    [
        ("ghost", None, "Consumer group ghost does not exist."),
        ("idle", None, "Consumer group idle has no committed offsets on any topic, so its lag is unknown."),
        (
            "order-processor",
            "clicks",
            "Consumer group order-processor has no committed offsets on topic clicks, so its lag is unknown.",
        ),
    ],
)
def test_lag_that_nobody_can_know_is_an_error_and_not_zero(tools, group, topic, error):
    assert tools.get_consumer_lag(group, topic) == {"status": "error", "error": error}


def test_lag_is_not_summed_over_the_partitions_that_happen_to_be_readable(tools, admin):
    admin.unreadable = ("payments", 0)

    assert tools.get_consumer_lag("order-processor") == {
        "status": "error",
        "error": "Kafka reported UNKNOWN_TOPIC_OR_PART (3): the topic is gone",
    }


def test_describing_a_missing_group_is_an_error(tools):
    assert tools.describe_consumer_group("ghost") == {
        "status": "error",
        "error": "Consumer group ghost does not exist.",
    }


@pytest.mark.parametrize(
    ("tool", "args", "argument"),
    [
        ("get_topic_metadata", [""], "topic_name"),
        ("get_topic_metadata", ["two words"], "topic_name"),
        ("get_topic_metadata", ["ünicode"], "topic_name"),
        ("get_topic_metadata", [".."], "topic_name"),
        ("get_topic_metadata", ["x" * 250], "topic_name"),
        ("get_topic_metadata", [7], "topic_name"),
        ("describe_consumer_group", ["  "], "group_id"),
        ("describe_consumer_group", [None], "group_id"),
        ("get_consumer_lag", [""], "group_id"),
        ("get_consumer_lag", ["order-processor", ""], "topic_name"),
        ("get_consumer_lag", ["order-processor", "a/b"], "topic_name"),
    ],
)
def test_bad_input_is_refused_before_kafka_is_asked(tools, admin, tool, args, argument):
    reply = getattr(tools, tool)(*args)

    assert reply["status"] == "error"
    assert reply["error"].startswith(f"{argument} ")
    assert admin.calls == []


@pytest.mark.parametrize(
    ("tool", "args", "methods"),
    [
        ("get_kafka_cluster_health", [], ["list_topics"]),
        ("list_kafka_brokers", [], ["list_topics"]),
        ("list_kafka_topics", [], ["list_topics"]),
        ("get_topic_metadata", ["orders"], ["describe_topics", "describe_configs"]),
        ("list_consumer_groups", [], ["list_consumer_groups"]),
        ("describe_consumer_group", ["order-processor"], ["describe_consumer_groups"]),
        (
            "get_consumer_lag",
            ["order-processor"],
            ["describe_consumer_groups", "list_consumer_group_offsets", "list_offsets"],
        ),
    ],
)
def test_whatever_kafka_refuses_is_an_error_reply(tools, admin, tool, args, methods):
    for method in methods:
        admin.failures = {method: KafkaException(KafkaError(KafkaError._TIMED_OUT, "nobody answered"))}

        reply = getattr(tools, tool)(*args)

        assert reply == {"status": "error", "error": "Kafka reported _TIMED_OUT (-185): nobody answered"}


def test_an_exception_without_kafkas_own_error_is_an_error_reply(tools, admin):
    admin.failures = {"list_topics": KafkaException("handle is closed")}

    assert tools.list_kafka_topics() == {"status": "error", "error": "Kafka's client failed: handle is closed"}


def test_a_timeout_while_waiting_is_an_error_reply(tools, admin):
    admin.failures = {"describe_topics": TimeoutError()}

    assert tools.get_topic_metadata("orders") == {"status": "error", "error": "Kafka did not answer in time."}


def test_a_bug_is_not_dressed_up_as_a_reply(tools, admin):
    admin.topics = None

    with pytest.raises(AttributeError):
        tools.get_kafka_cluster_health()


def test_the_real_client_gives_what_the_fake_one_gives(kafka_health, tools, monkeypatch):
    """The cluster that librdkafka itself plays for tests, on this machine; it knows only what `list_topics` asks."""
    mocked = AdminClient({"test.mock.num.brokers": 3, "bootstrap.servers": "replaced:1", "log_level": 0})
    fakes = [tools.get_kafka_cluster_health(), tools.list_kafka_brokers(), tools.list_kafka_topics()]
    monkeypatch.setattr(kafka_health.tools, "_admin_client", lambda: mocked)

    real = [tools.get_kafka_cluster_health(), tools.list_kafka_brokers(), tools.list_kafka_topics()]

    assert [reply.keys() for reply in real] == [reply.keys() for reply in fakes]
    assert (real[0]["status"], real[0]["broker_count"], real[0]["healthy"]) == ("success", 3, True)
    assert [broker["broker_id"] for broker in real[1]["brokers"]] == [1, 2, 3]
