"""A Kafka cluster made of a mocks file's data, behind the interface of confluent-kafka's `AdminClient`.

The agent's own code runs over it: what it gets are the client's own value types. The data, with everything optional:

    cluster_id: plant-north
    controller_id: 12
    brokers:
      - {broker_id: 12, host: kafka-12.internal, port: 9092}
    topics:
      - topic_name: orders
        partitions:                                  # numbered from 0 in this order
          - {count: 5, replicas: [12, 13]}           # five alike: all replicas in sync, the first one leads
          - {replicas: [12, 13], in_sync: [12], leader: 12}
        settings: {retention.ms: 604800000}
    groups:
      - group_id: billing
        state: STABLE
        assignor: range
        coordinator_id: 12
        members:
          - {member_id: m-1, client_id: east, host: /10.0.0.7, partitions: [{topic_name: orders, partition: 0}]}
        offsets:
          - {topic_name: orders, partition: 0, end: 6600, lag: 204}

To ask for a topic or group that the data does not have is a `LookupError`, which ends the case: nothing is made up.
"""

from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future
from typing import Any, TypeVar

from confluent_kafka import (
    ConsumerGroupState,
    ConsumerGroupTopicPartitions,
    Node,
    TopicCollection,
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
    NewPartitions,
    OffsetSpec,
    PartitionMetadata,
    TopicDescription,
    TopicMetadata,
)

Data = Mapping[str, Any]
Value = TypeVar("Value")


def admin_client(data: Data) -> "Callable[[], FakeAdmin]":
    """Make what stands in for the agent's `_admin_client`: a function that returns the one client of a case."""
    admin = FakeAdmin(data)
    return lambda: admin


class FakeAdmin:
    """The part of `AdminClient` that the agent's tools use. Answers come at once, in futures that are done."""

    def __init__(self, data: Data) -> None:
        self._data = data

    def list_topics(self, *, timeout: float) -> ClusterMetadata:  # noqa: ARG002 - the client's own interface
        """Return the whole cluster."""
        cluster = ClusterMetadata()
        cluster.cluster_id, cluster.controller_id = self._data.get("cluster_id"), self._data.get("controller_id", -1)
        cluster.brokers = {one["broker_id"]: _broker(one) for one in self._data.get("brokers", ())}
        cluster.topics = {one["topic_name"]: _topic(one) for one in self._data.get("topics", ())}
        return cluster

    def describe_topics(self, topics: TopicCollection, **_: Any) -> dict[str, Future[TopicDescription]]:
        """Describe topics."""
        return {
            name: _done(_topic_description(self._find("topics", "topic_name", name))) for name in topics.topic_names
        }

    def describe_configs(
        self, resources: list[ConfigResource], **_: Any
    ) -> dict[ConfigResource, Future[dict[str, ConfigEntry]]]:
        """Return the settings of topics, each as text."""
        found = {one: self._find("topics", "topic_name", one.name).get("settings", {}) for one in resources}
        return {
            resource: _done({name: ConfigEntry(name, str(value)) for name, value in settings.items()})
            for resource, settings in found.items()
        }

    def create_partitions(self, new: list[NewPartitions], **_: Any) -> dict[str, Future[None]]:
        """Accept that topics get more partitions."""
        return {self._find("topics", "topic_name", one.topic)["topic_name"]: _done(None) for one in new}

    def list_consumer_groups(self, **_: Any) -> Future[ListConsumerGroupsResult]:
        """List the groups."""
        groups = self._data.get("groups", ())
        listings = [ConsumerGroupListing(one["group_id"], False, state=_state(one)) for one in groups]
        return _done(ListConsumerGroupsResult(listings, []))

    def describe_consumer_groups(self, group_ids: list[str], **_: Any) -> dict[str, Future[ConsumerGroupDescription]]:
        """Describe groups."""
        return {name: _done(_group_description(self._find("groups", "group_id", name))) for name in group_ids}

    def list_consumer_group_offsets(
        self, request: list[ConsumerGroupTopicPartitions], **_: Any
    ) -> dict[str, Future[ConsumerGroupTopicPartitions]]:
        """Return what groups have committed: as far behind the partition's end as the data says."""
        groups = [self._find("groups", "group_id", one.group_id) for one in request]
        return {
            one["group_id"]: _done(ConsumerGroupTopicPartitions(one["group_id"], [*map(_committed, one["offsets"])]))
            for one in groups
        }

    def list_offsets(
        self, partitions: dict[TopicPartition, OffsetSpec], **_: Any
    ) -> dict[TopicPartition, Future[ListOffsetsResultInfo]]:
        """Return the ends of partitions."""
        offsets = [one for group in self._data.get("groups", ()) for one in group.get("offsets", ())]
        ends = {(one["topic_name"], one["partition"]): one["end"] for one in offsets}
        return {one: _done(ListOffsetsResultInfo(ends[one.topic, one.partition], -1, 0)) for one in partitions}

    def _find(self, kind: str, key: str, name: str) -> Data:
        """Find a topic or group.

        Raises:
            LookupError: The data has none of that name.
        """
        known: dict[str, Data] = {one[key]: one for one in self._data.get(kind, ())}
        if name not in known:
            raise LookupError(f"the fake cluster's {kind} are {', '.join(known) or 'none'}, not {name}")
        return known[name]


def _done(value: Value) -> Future[Value]:
    future: Future[Value] = Future()
    future.set_result(value)
    return future


def _partitions(topic: Data) -> Iterable[tuple[int, Data]]:
    alike = [one for one in topic["partitions"] for _ in range(one.get("count", 1))]
    return enumerate(alike)


def _topic(topic: Data) -> TopicMetadata:
    made = TopicMetadata()
    made.topic = topic["topic_name"]
    made.partitions = {number: _partition(number, one) for number, one in _partitions(topic)}
    return made


def _partition(number: int, partition: Data) -> PartitionMetadata:
    made = PartitionMetadata()
    made.id, made.replicas = number, list(partition["replicas"])
    made.leader, made.isrs = partition.get("leader", made.replicas[0]), list(partition.get("in_sync", made.replicas))
    return made


def _topic_description(topic: Data) -> TopicDescription:
    name = topic["topic_name"]
    partitions = [
        TopicPartitionInfo(number, _node(made.leader), [*map(_node, made.replicas)], [*map(_node, made.isrs)])
        for number, made in _topic(topic).partitions.items()
    ]
    return TopicDescription(name, Uuid(1, 2), name.startswith("__"), partitions)


def _group_description(group: Data) -> ConsumerGroupDescription:
    return ConsumerGroupDescription(
        group["group_id"],
        False,
        [*map(_member, group.get("members", ()))],
        group.get("assignor", ""),
        _state(group),
        _node(group.get("coordinator_id", -1)),
    )


def _member(member: Data) -> MemberDescription:
    assigned = [TopicPartition(one["topic_name"], one["partition"]) for one in member["partitions"]]
    return MemberDescription(member["member_id"], member["client_id"], member["host"], MemberAssignment(assigned))


def _state(group: Data) -> ConsumerGroupState:
    return ConsumerGroupState[group.get("state", "STABLE")]


def _committed(offset: Data) -> TopicPartition:
    return TopicPartition(offset["topic_name"], offset["partition"], offset["end"] - offset["lag"])


def _broker(broker: Data) -> BrokerMetadata:
    made = BrokerMetadata()
    made.id, made.host, made.port = broker["broker_id"], broker["host"], broker["port"]
    return made


def _node(number: int) -> Node:
    return Node(number, f"kafka-{number}.internal", 9092)
