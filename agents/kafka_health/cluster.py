"""The cluster as a whole: brokers, and partitions that lack replicas or a leader.

A partition is *offline* if it has no leader, so that nobody can read or write it, and *under replicated* if some of
its replicas are not in sync. A broker is *missing* if partitions name it as a replica while the cluster does not.
"""

from collections import Counter
from typing import TYPE_CHECKING, Any

from .client import REQUEST_TIMEOUT_SECONDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from confluent_kafka.admin import AdminClient, ClusterMetadata, PartitionMetadata

MAX_LISTED = 20
"""How many faulty partitions a reply lists: when a broker dies there are thousands, and a model reads them all."""


def snapshot(admin: "AdminClient") -> "ClusterMetadata":
    """Ask for the whole cluster's metadata: for a single topic, this request would create a missing one."""
    return admin.list_topics(timeout=REQUEST_TIMEOUT_SECONDS)


def health(admin: "AdminClient") -> dict[str, Any]:
    """Count brokers, topics and partitions, and list the partitions that are in trouble."""
    cluster = snapshot(admin)
    partitions = list(_partitions(cluster))
    offline = [_faulty(topic, partition) for topic, partition in partitions if partition.leader < 0]
    lagging = [_faulty(topic, partition) for topic, partition in partitions if _out_of_sync(partition)]
    missing = _missing_brokers(cluster)
    return {
        "cluster_id": cluster.cluster_id,
        "healthy": not (offline or lagging or missing),
        "controller_id": cluster.controller_id,
        "broker_count": len(cluster.brokers),
        "missing_broker_ids": missing,
        "topic_count": len(cluster.topics),
        "partition_count": len(partitions),
        "offline_count": len(offline),
        "offline_partitions": offline[:MAX_LISTED],
        "under_replicated_count": len(lagging),
        "under_replicated_partitions": lagging[:MAX_LISTED],
    }


def brokers(admin: "AdminClient") -> dict[str, Any]:
    """List the brokers with what each of them carries."""
    cluster = snapshot(admin)
    leaders: Counter[int] = Counter()
    replicas: Counter[int] = Counter()
    out_of_sync: Counter[int] = Counter()
    for _, partition in _partitions(cluster):
        leaders[partition.leader] += 1
        replicas.update(partition.replicas)
        out_of_sync.update(_out_of_sync(partition))
    return {
        "controller_id": cluster.controller_id,
        "brokers": [
            {
                "broker_id": broker.id,
                "host": broker.host,
                "port": broker.port,
                "is_controller": broker.id == cluster.controller_id,
                "leader_count": leaders[broker.id],
                "replica_count": replicas[broker.id],
                "out_of_sync_count": out_of_sync[broker.id],
            }
            for _, broker in sorted(cluster.brokers.items())
        ],
        "missing_broker_ids": _missing_brokers(cluster),
    }


def _partitions(cluster: "ClusterMetadata") -> "Iterator[tuple[str, PartitionMetadata]]":
    for name, topic in sorted(cluster.topics.items()):
        for _, partition in sorted(topic.partitions.items()):
            yield name, partition


def _out_of_sync(partition: "PartitionMetadata") -> set[int]:
    return set(partition.replicas) - set(partition.isrs)


def _missing_brokers(cluster: "ClusterMetadata") -> list[int]:
    named = {replica for _, partition in _partitions(cluster) for replica in partition.replicas}
    return sorted(named - set(cluster.brokers))


def _faulty(topic: str, partition: "PartitionMetadata") -> dict[str, Any]:
    return {
        "topic_name": topic,
        "partition": partition.id,
        "replicas": list(partition.replicas),
        "in_sync_replicas": list(partition.isrs),
    }
