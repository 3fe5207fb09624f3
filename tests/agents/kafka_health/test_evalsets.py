"""What the agent's evalsets answer in Kafka's place: replies as the tools give them, and a cluster in Kafka's types.

What holds for the evalsets of all agents is tested in `tests/acceptance/test_sample_evalsets.py`.
"""

import importlib.util
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml
from confluent_kafka.admin import AdminClient

EVALSETS = Path(__file__).parents[3] / "evalsets" / "kafka_health"

REAL_CALLS = {
    "list_kafka_topics": [],
    "get_consumer_lag": ["order-processor"],
    "create_kafka_topic": ["clicks", 6, 3],
    "delete_kafka_topic": ["orders"],
}

CLUSTER = {
    "cluster_id": "north",
    "controller_id": 2,
    "brokers": [{"broker_id": 2, "host": "kafka-2.internal", "port": 9092}],
    "topics": [
        {
            "topic_name": "orders",
            "partitions": [{"count": 2, "replicas": [2, 3]}, {"replicas": [3, 2], "in_sync": [3], "leader": -1}],
            "settings": {"retention.ms": 60000, "min.insync.replicas": 1, "cleanup.policy": "delete"},
        }
    ],
    "groups": [
        {
            "group_id": "billing",
            "state": "EMPTY",
            "coordinator_id": 2,
            "offsets": [
                {"topic_name": "orders", "partition": 0, "end": 100, "lag": 30},
                {"topic_name": "orders", "partition": 1, "end": 50, "lag": 0},
            ],
        }
    ],
}


def _routes():
    for file in sorted(EVALSETS.rglob("*.yaml")):
        for tool, routes in yaml.safe_load(file.read_text()).get("tools", {}).items():
            for route in routes:
                yield pytest.param(SimpleNamespace(tool=tool, **route), id=f"{file.name} {tool} {route.get('args')}")


@pytest.mark.parametrize("route", [*_routes()])
def test_a_mocked_reply_has_the_shape_of_the_real_one(tools, route):
    real = getattr(tools, route.tool)(*REAL_CALLS[route.tool])
    assert real["status"] == "success"

    if route.returns["status"] == "error":
        assert sorted(route.returns) == ["error", "status"]
    else:
        assert _same_shape(route.returns, real)


def _same_shape(value, model):
    """The same keys and types throughout; each item of a list has the shape of the model's first, if it has one."""
    if isinstance(value, dict):
        return value.keys() == model.keys() and all(_same_shape(value[key], model[key]) for key in value)
    if isinstance(value, list):
        return isinstance(model, list) and (not model or all(_same_shape(item, model[0]) for item in value))
    return type(value) is type(model)


@pytest.fixture(scope="module")
def fakes():
    """The evalsets' own module, imported as evalkit imports it: from a folder, not a package."""
    spec = importlib.util.spec_from_file_location("kafka_fakes", EVALSETS / "fakes.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def over_cluster(kafka_health, fakes, monkeypatch):
    """The agent's tools over the fake cluster."""
    monkeypatch.setattr(kafka_health.tools, "_admin_client", fakes.admin_client(CLUSTER))
    return kafka_health.tools


def test_the_fake_client_has_no_method_that_the_real_one_lacks(fakes):
    methods = {name for name in vars(fakes.FakeAdmin) if not name.startswith("_")}

    assert methods <= set(dir(AdminClient))


def test_partitions_are_numbered_in_order_and_the_first_replica_leads_where_nothing_else_is_said(over_cluster):
    topic = over_cluster.get_topic_metadata("orders")

    assert topic["partitions"] == [
        {"partition": 0, "leader": 2, "replicas": [2, 3], "in_sync_replicas": [2, 3]},
        {"partition": 1, "leader": 2, "replicas": [2, 3], "in_sync_replicas": [2, 3]},
        {"partition": 2, "leader": None, "replicas": [3, 2], "in_sync_replicas": [3]},
    ]
    assert (topic["retention_ms"], topic["under_replicated_partitions"], topic["offline_partitions"]) == (
        60000,
        [2],
        [2],
    )


def test_the_cluster_as_a_whole_agrees_with_its_topics(over_cluster):
    health = over_cluster.get_kafka_cluster_health()

    assert (health["cluster_id"], health["partition_count"], health["offline_count"]) == ("north", 3, 1)
    assert health["missing_broker_ids"] == [3]
    assert over_cluster.list_kafka_brokers()["brokers"][0]["leader_count"] == 2


def test_a_group_has_committed_as_far_behind_the_end_as_its_lag_says(over_cluster):
    lag = over_cluster.get_consumer_lag("billing")

    assert lag["total_lag"] == 30
    assert lag["partitions"][0] == {
        "topic_name": "orders",
        "partition": 0,
        "committed_offset": 70,
        "end_offset": 100,
        "lag": 30,
    }
    assert over_cluster.list_consumer_groups()["groups"] == [{"group_id": "billing", "state": "EMPTY"}]
    assert over_cluster.describe_consumer_group("billing")["coordinator_id"] == 2


def test_partitions_can_be_added(over_cluster):
    assert over_cluster.add_topic_partitions("orders", 9)["previous_partitions"] == 3


@pytest.mark.parametrize(
    ("tool", "args", "message"),
    [
        ("get_topic_metadata", ["order"], "the fake cluster's topics are orders, not order"),
        ("get_consumer_lag", ["bill"], "the fake cluster's groups are billing, not bill"),
    ],
)
def test_what_the_data_does_not_have_ends_the_case_instead_of_being_made_up(over_cluster, tool, args, message):
    with pytest.raises(LookupError, match=f"^{message}$"):
        getattr(over_cluster, tool)(*args)
