"""The agent's tools.

A docstring here is what the model reads, so it says when to use the tool, what each argument means and what the reply
holds. Each tool checks its arguments, then hands them to `cluster`, `topics` or `groups`. Replies are those of
`replies`: they always have a `status`.
"""

import os
from typing import TYPE_CHECKING, Any

from . import checks, client, cluster, groups, topics
from .replies import replying

if TYPE_CHECKING:
    from confluent_kafka.admin import AdminClient


def _admin_client() -> "AdminClient":
    """Return the client of every tool: the one place to put another one."""
    return client.connect(os.environ)


@replying
def get_kafka_cluster_health() -> dict[str, Any]:
    """Check the health of the whole Kafka cluster.

    Use it to find out whether the cluster is healthy and which partitions are in trouble.

    Returns:
        `healthy`, `controller_id`, the counts of brokers, topics and partitions, `missing_broker_ids` (brokers that
        hold replicas but are gone), and the partitions that are offline (no leader) or under replicated (replicas out
        of sync), each with a count and the first 20.
    """
    return cluster.health(_admin_client())


@replying
def list_kafka_brokers() -> dict[str, Any]:
    """List the brokers of the Kafka cluster with the load and health of each.

    Use it for questions about brokers, about the controller, and about how evenly leaders and replicas are spread.

    Returns:
        `controller_id`, `brokers` with id, host, port and the counts of partitions that each leads, holds a replica of,
        and holds a replica of that is out of sync, and `missing_broker_ids`.
    """
    return cluster.brokers(_admin_client())


@replying
def list_kafka_topics(include_internal: bool = False) -> dict[str, Any]:
    """List the topics of the Kafka cluster.

    Args:
        include_internal: Whether to list Kafka's own topics too, whose names start with two underscores.

    Returns:
        `topic_count` and `topics`, each with its name, partition count and replication factor.
    """
    return topics.listing(_admin_client(), include_internal=bool(include_internal))


@replying
def get_topic_metadata(topic_name: str) -> dict[str, Any]:
    """Look at one topic: its partitions with leaders, replicas and in sync replicas, and how long it keeps records.

    Args:
        topic_name: The exact name of the topic.

    Returns:
        The partition count, the replication factor, the settings `min_in_sync_replicas`, `retention_ms` (-1 for ever)
        and `cleanup_policy`, `partitions` with leader (null if offline), replicas and in sync replicas as broker ids,
        and the ids of partitions that are under replicated or offline.
    """
    checks.topic_name(topic_name)
    return topics.metadata(_admin_client(), topic_name)


@replying
def list_consumer_groups() -> dict[str, Any]:
    """List all consumer groups of the Kafka cluster with their states.

    Use it only to find out which groups exist; describe_consumer_group and get_consumer_lag tell about one of them.

    Returns:
        `group_count`, `groups` with id and state, and `broker_errors`: if that is not empty, groups may be missing.
    """
    return groups.listing(_admin_client())


@replying
def describe_consumer_group(group_id: str) -> dict[str, Any]:
    """Look at one consumer group: its state, its coordinator and its members with their assigned partitions.

    Args:
        group_id: The exact id of the consumer group.

    Returns:
        `state`, `partition_assignor`, `coordinator_id` (a broker), `member_count` and `members` with client id, host
        and assigned partitions by topic.
    """
    checks.group_id(group_id)
    return groups.describe(_admin_client(), group_id)


@replying
def get_consumer_lag(group_id: str, topic_name: str | None = None) -> dict[str, Any]:
    """Measure how many records a consumer group is behind.

    Args:
        group_id: The exact id of the consumer group.
        topic_name: Count this topic only; leave it out for all topics of the group.

    Returns:
        `total_lag` in records and `partitions` with committed offset, end offset and lag, largest lag first.
    """
    checks.group_id(group_id)
    if topic_name is not None:
        checks.topic_name(topic_name)
    return groups.lag(_admin_client(), group_id, topic_name)


@replying
def create_kafka_topic(topic_name: str, partitions: int, replication_factor: int) -> dict[str, Any]:
    """Create a topic. The user is asked to confirm first.

    Args:
        topic_name: The new topic's name: letters, digits, '.', '_' and '-'.
        partitions: How many partitions it gets, at least 1.
        replication_factor: On how many brokers each partition is kept, from 1 to the number of brokers.

    Returns:
        What was created, and `broker_count`, the number of brokers in the cluster.
    """
    checks.own_topic_name(topic_name)
    checks.count("partitions", partitions)
    checks.count("replication_factor", replication_factor)
    return topics.create(_admin_client(), topic_name, partitions, replication_factor)


@replying
def add_topic_partitions(topic_name: str, total_partitions: int) -> dict[str, Any]:
    """Repartition a topic: raise its number of partitions. The user is asked to confirm first.

    Partitions cannot be taken away again, and records with the same key may go to another partition from then on.

    Args:
        topic_name: The exact name of the topic.
        total_partitions: How many partitions the topic has afterwards; must be more than it has now.

    Returns:
        `previous_partitions` and `partitions`, the numbers before and after.
    """
    checks.own_topic_name(topic_name)
    checks.count("total_partitions", total_partitions)
    return topics.add_partitions(_admin_client(), topic_name, total_partitions)


@replying
def delete_kafka_topic(topic_name: str) -> dict[str, Any]:
    """Delete a topic with all of its records, for good. The user is asked to confirm first.

    Args:
        topic_name: The exact name of the topic.

    Returns:
        `deleted_partitions`, the number of partitions that the topic had.
    """
    checks.own_topic_name(topic_name)
    return topics.delete(_admin_client(), topic_name)


READING = (
    get_kafka_cluster_health,
    list_kafka_brokers,
    list_kafka_topics,
    get_topic_metadata,
    list_consumer_groups,
    describe_consumer_group,
    get_consumer_lag,
)
"""Tools that only look."""

CHANGING = (create_kafka_topic, add_topic_partitions, delete_kafka_topic)
"""Tools that change the cluster; the agent puts each behind a confirmation."""
