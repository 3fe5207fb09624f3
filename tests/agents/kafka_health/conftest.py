"""A Kafka cluster in memory, behind the interface of AdminClient and in confluent-kafka's own types."""

import importlib
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from confluent_kafka import (
    ConsumerGroupState,
    ConsumerGroupTopicPartitions,
    KafkaError,
    KafkaException,
    Node,
    TopicPartition,
    TopicPartitionInfo,
    Uuid,
)
from confluent_kafka.admin import (
    BrokerMetadata,
    ClusterMetadata,
    ConfigEntry,
    ConfigResource,
    ConsumerGroupDescription,
    ConsumerGroupListing,
    ListConsumerGroupsResult,
    ListOffsetsResultInfo,
    MemberAssignment,
    MemberDescription,
    PartitionMetadata,
    TopicDescription,
    TopicMetadata,
)

AGENTS = Path(__file__).parents[3] / "agents"


class UnreadablePartition(TopicPartition):
    """A partition whose offset Kafka would not tell; only the client's C code can set `error` on its own type."""

    error = KafkaError(KafkaError.UNKNOWN_TOPIC_OR_PART, "the topic is gone")


class FakeAdmin:
    """A cluster whose broker 4 is gone.

    Attributes:
        brokers: The ids of those that are there; 2 is the controller.
        topics: By name, each partition's leader (-1 if it has none), replicas and in sync replicas.
        settings: Of every topic.
        offsets: By group, topic and partition, the committed offset (-1001 if there is none) and the partition's end.
        unreadable: The topic and partition whose committed offset Kafka does not tell, if any.
        members: Of every group: member id, client id, host, assigned partitions.
        group_errors: What brokers said that could not list their groups.
        failures: What the method of that name raises, at once or from its futures.
        calls: The methods that were called.
        changes: What was done to topics.
    """

    def __init__(self) -> None:
        self.brokers = [1, 2, 3]
        self.topics = {
            "__consumer_offsets": [(1, [1, 2], [1, 2])],
            "orders": [(1, [1, 2, 3], [1, 2, 3]), (2, [2, 3, 1], [2, 3]), (-1, [3, 4], [])],
            "payments": [(3, [3, 1], [3, 1])],
        }
        self.settings = {"cleanup.policy": "delete", "min.insync.replicas": "2", "retention.ms": "604800000"}
        self.offsets = {
            "order-processor": {("orders", 0): (100, 130), ("orders", 1): (5, 5), ("payments", 0): (10, 55)},
            "idle": {("payments", 0): (-1001, 55)},
        }
        self.members = [
            ("processor-b-7", "processor-b", "/10.0.0.8", [("payments", 0)]),
            ("processor-a-9", "processor-a", "/10.0.0.7", [("orders", 1), ("orders", 0)]),
        ]
        self.unreadable: tuple[str, int] | None = None
        self.group_errors: list[KafkaError] = []
        self.failures: dict[str, Exception] = {}
        self.calls: list[str] = []
        self.changes: list[tuple[Any, ...]] = []

    def list_topics(self, *, timeout: float) -> ClusterMetadata:
        return self._answer("list_topics", self._cluster_metadata).result()

    def describe_topics(self, topics: Any, *, request_timeout: float) -> dict[str, Future[TopicDescription]]:
        return {name: self._answer("describe_topics", self._topic_description, name) for name in topics.topic_names}

    def describe_configs(
        self, resources: list[ConfigResource], *, request_timeout: float
    ) -> dict[ConfigResource, Future[dict[str, ConfigEntry]]]:
        entries = {name: ConfigEntry(name, value) for name, value in self.settings.items()}
        return {resource: self._answer("describe_configs", entries.copy) for resource in resources}

    def create_topics(self, new_topics: list[Any], *, request_timeout: float) -> dict[str, Future[None]]:
        changes = {new.topic: ("create", new.topic, new.num_partitions, new.replication_factor) for new in new_topics}
        return self._change("create_topics", changes)

    def create_partitions(self, new_partitions: list[Any], *, request_timeout: float) -> dict[str, Future[None]]:
        changes = {new.topic: ("extend", new.topic, new.new_total_count) for new in new_partitions}
        return self._change("create_partitions", changes)

    def delete_topics(self, topics: list[str], *, request_timeout: float) -> dict[str, Future[None]]:
        return self._change("delete_topics", {name: ("delete", name) for name in topics})

    def list_consumer_groups(self, *, request_timeout: float) -> Future[ListConsumerGroupsResult]:
        listings = [ConsumerGroupListing(group, False, state=ConsumerGroupState.STABLE) for group in self.offsets]
        return self._answer("list_consumer_groups", ListConsumerGroupsResult, listings, self.group_errors)

    def describe_consumer_groups(
        self, group_ids: list[str], *, request_timeout: float
    ) -> dict[str, Future[ConsumerGroupDescription]]:
        return {group: self._answer("describe_consumer_groups", self._group_description, group) for group in group_ids}

    def list_consumer_group_offsets(
        self, request: list[ConsumerGroupTopicPartitions], *, request_timeout: float
    ) -> dict[str, Future[ConsumerGroupTopicPartitions]]:
        return {
            one.group_id: self._answer("list_consumer_group_offsets", self._committed, one.group_id) for one in request
        }

    def list_offsets(
        self, partitions: dict[TopicPartition, Any], *, request_timeout: float
    ) -> dict[TopicPartition, Future[ListOffsetsResultInfo]]:
        return {one: self._answer("list_offsets", self._end, one) for one in partitions}

    def _change(self, method: str, changes: dict[str, tuple[Any, ...]]) -> dict[str, Future[None]]:
        return {name: self._answer(method, self.changes.append, change) for name, change in changes.items()}

    def _answer(self, method: str, value: Callable[..., Any], *args: Any) -> Future[Any]:
        self.calls.append(method)
        future: Future[Any] = Future()
        try:
            if method in self.failures:
                raise self.failures[method]
            future.set_result(value(*args))
        except (KafkaException, TimeoutError) as error:
            future.set_exception(error)
        return future

    def _cluster_metadata(self) -> ClusterMetadata:
        cluster = ClusterMetadata()
        cluster.cluster_id, cluster.controller_id = "test-cluster", 2
        cluster.brokers = {number: _broker(number) for number in self.brokers}
        for name, partitions in self.topics.items():
            topic = cluster.topics[name] = TopicMetadata()
            topic.topic = name
            topic.partitions = {number: _partition(number, *one) for number, one in enumerate(partitions)}
        return cluster

    def _topic_description(self, name: str) -> TopicDescription:
        if name not in self.topics:
            raise KafkaException(KafkaError(KafkaError.UNKNOWN_TOPIC_OR_PART, "no such topic"))
        partitions = [
            TopicPartitionInfo(number, None if leader < 0 else _node(leader), [*map(_node, all_)], [*map(_node, isrs)])
            for number, (leader, all_, isrs) in enumerate(self.topics[name])
        ]
        return TopicDescription(name, Uuid(1, 2), name.startswith("__"), partitions)

    def _group_description(self, group: str) -> ConsumerGroupDescription:
        if group not in self.offsets:
            return ConsumerGroupDescription(group, False, [], "", ConsumerGroupState.DEAD, _node(1))
        members = [
            MemberDescription(member, client, host, MemberAssignment([TopicPartition(*one) for one in assigned]))
            for member, client, host, assigned in self.members
        ]
        return ConsumerGroupDescription(group, False, members, "range", ConsumerGroupState.STABLE, _node(3))

    def _committed(self, group: str) -> ConsumerGroupTopicPartitions:
        partitions = [
            (UnreadablePartition if place == self.unreadable else TopicPartition)(*place, offset)
            for place, (offset, _) in self.offsets[group].items()
        ]
        return ConsumerGroupTopicPartitions(group, partitions)

    def _end(self, partition: TopicPartition) -> ListOffsetsResultInfo:
        ends = {place: end for offsets in self.offsets.values() for place, (_, end) in offsets.items()}
        return ListOffsetsResultInfo(ends[partition.topic, partition.partition], -1, 0)


def _node(number: int) -> Node:
    return Node(number, f"kafka-{number}.test", 9092)


def _broker(number: int) -> BrokerMetadata:
    broker = BrokerMetadata()
    broker.id, broker.host, broker.port = number, f"kafka-{number}.test", 9092
    return broker


def _partition(number: int, leader: int, replicas: list[int], isrs: list[int]) -> PartitionMetadata:
    partition = PartitionMetadata()
    partition.id, partition.leader, partition.replicas, partition.isrs = number, leader, replicas, isrs
    return partition


@pytest.fixture(scope="session")
def kafka_health() -> Iterator[ModuleType]:
    """The agent's package, imported as `adk web` imports it, in an environment that says nothing about it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(AGENTS))
        patch.delenv("KAFKA_HEALTH_MODEL", raising=False)
        yield importlib.import_module("kafka_health")


@pytest.fixture
def admin(kafka_health: ModuleType, monkeypatch: pytest.MonkeyPatch) -> FakeAdmin:
    """The cluster in memory, in place of every tool's client."""
    fake = FakeAdmin()
    monkeypatch.setattr(kafka_health.tools, "_admin_client", lambda: fake)
    return fake


@pytest.fixture
def tools(kafka_health: ModuleType, admin: FakeAdmin) -> ModuleType:
    """The agent's tools over the cluster in memory."""
    return kafka_health.tools
