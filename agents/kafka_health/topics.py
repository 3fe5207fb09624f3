"""Topics: listing, describing, creating, extending and deleting them."""

from typing import TYPE_CHECKING, Any

from .checks import INTERNAL_PREFIX
from .client import REQUEST_TIMEOUT_SECONDS
from .cluster import snapshot
from .replies import ToolError

if TYPE_CHECKING:
    from confluent_kafka import Node, TopicPartitionInfo
    from confluent_kafka.admin import AdminClient, TopicDescription


def listing(admin: "AdminClient", *, include_internal: bool) -> dict[str, Any]:
    """List the topics by name."""
    topics = [
        {
            "topic_name": name,
            "partition_count": len(topic.partitions),
            "replication_factor": max((len(partition.replicas) for partition in topic.partitions.values()), default=0),
        }
        for name, topic in sorted(snapshot(admin).topics.items())
        if include_internal or not name.startswith(INTERNAL_PREFIX)
    ]
    return {"topic_count": len(topics), "topics": topics}


def metadata(admin: "AdminClient", name: str) -> dict[str, Any]:
    """Describe one topic: what it is set to, and how it is, partition by partition."""
    topic = _describe(admin, name)
    settings = _settings(admin, name)
    partitions = [_partition(partition) for partition in sorted(topic.partitions, key=lambda one: one.id)]
    return {
        "topic_name": topic.name,
        "is_internal": topic.is_internal,
        "partition_count": len(partitions),
        "replication_factor": max((len(partition["replicas"]) for partition in partitions), default=0),
        "min_in_sync_replicas": int(settings["min.insync.replicas"]),
        "retention_ms": int(settings["retention.ms"]),
        "cleanup_policy": settings["cleanup.policy"],
        "partitions": partitions,
        "under_replicated_partitions": [
            partition["partition"]
            for partition in partitions
            if set(partition["replicas"]) - set(partition["in_sync_replicas"])
        ],
        "offline_partitions": [partition["partition"] for partition in partitions if partition["leader"] is None],
    }


def create(admin: "AdminClient", name: str, partitions: int, replication_factor: int) -> dict[str, Any]:
    """Create a topic.

    Raises:
        ToolError: There are fewer brokers than replicas.
    """
    from confluent_kafka.admin import NewTopic

    broker_count = len(snapshot(admin).brokers)
    if replication_factor > broker_count:
        raise ToolError(f"replication_factor is {replication_factor}, but the cluster has {broker_count} brokers.")
    new = NewTopic(name, num_partitions=partitions, replication_factor=replication_factor)
    admin.create_topics([new], request_timeout=REQUEST_TIMEOUT_SECONDS)[name].result()
    return {
        "topic_name": name,
        "partitions": partitions,
        "replication_factor": replication_factor,
        "broker_count": broker_count,
    }


def add_partitions(admin: "AdminClient", name: str, total_partitions: int) -> dict[str, Any]:
    """Give a topic more partitions.

    Raises:
        ToolError: The topic already has that many; Kafka cannot take partitions away.
    """
    from confluent_kafka.admin import NewPartitions

    before = len(_describe(admin, name).partitions)
    if total_partitions <= before:
        raise ToolError(f"{name} has {before} partitions already and Kafka cannot remove any; ask for more than that.")
    new = NewPartitions(name, total_partitions)
    admin.create_partitions([new], request_timeout=REQUEST_TIMEOUT_SECONDS)[name].result()
    return {"topic_name": name, "previous_partitions": before, "partitions": total_partitions}


def delete(admin: "AdminClient", name: str) -> dict[str, Any]:
    """Delete a topic and its records."""
    partitions = len(_describe(admin, name).partitions)
    admin.delete_topics([name], request_timeout=REQUEST_TIMEOUT_SECONDS)[name].result()
    return {"topic_name": name, "deleted_partitions": partitions}


def _describe(admin: "AdminClient", name: str) -> "TopicDescription":
    from confluent_kafka import TopicCollection

    futures = admin.describe_topics(TopicCollection([name]), request_timeout=REQUEST_TIMEOUT_SECONDS)
    topic: TopicDescription = futures[name].result()
    return topic


def _settings(admin: "AdminClient", name: str) -> dict[str, str]:
    """Ask for the topic's settings, those at their defaults included; Kafka gives each of them as text."""
    from confluent_kafka.admin import ConfigResource

    resource = ConfigResource("topic", name)
    futures = admin.describe_configs([resource], request_timeout=REQUEST_TIMEOUT_SECONDS)
    return {entry.name: entry.value for entry in futures[resource].result().values()}


def _partition(partition: "TopicPartitionInfo") -> dict[str, Any]:
    return {
        "partition": partition.id,
        "leader": _id(partition.leader),
        "replicas": [node.id for node in partition.replicas],
        "in_sync_replicas": [node.id for node in partition.isr],
    }


def _id(node: "Node | None") -> int | None:
    """The broker's id; None where the partition has no leader, which the client says in either of two ways."""
    return None if node is None or node.id < 0 else node.id
