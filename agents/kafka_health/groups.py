"""Consumer groups: who is in them, and how far they are behind.

A partition's *lag* is the number of records between the group's committed offset and the partition's end.
"""

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from .client import REQUEST_TIMEOUT_SECONDS
from .replies import ToolError, explain

if TYPE_CHECKING:
    from confluent_kafka import ConsumerGroupState, TopicPartition
    from confluent_kafka.admin import AdminClient, ConsumerGroupDescription, MemberDescription


def listing(admin: "AdminClient") -> dict[str, Any]:
    """List the consumer groups by id, and the brokers' errors where some could not be asked.

    Raises:
        ToolError: No broker could be asked; that must not look like a cluster without groups.
    """
    found = admin.list_consumer_groups(request_timeout=REQUEST_TIMEOUT_SECONDS).result()
    groups = [
        {"group_id": group.group_id, "state": _state(getattr(group, "state", None))}
        for group in sorted(found.valid or (), key=lambda group: str(group.group_id))
    ]
    broker_errors = [explain(error) for error in found.errors or ()]
    if broker_errors and not groups:
        raise ToolError(broker_errors[0])
    return {"group_count": len(groups), "groups": groups, "broker_errors": broker_errors}


def describe(admin: "AdminClient", group_id: str) -> dict[str, Any]:
    """Describe one group and its members."""
    group = _describe(admin, group_id)
    members = [_member(member) for member in group.members]
    return {
        "group_id": group.group_id,
        "state": _state(getattr(group, "state", None)),
        "partition_assignor": group.partition_assignor,
        "coordinator_id": group.coordinator.id,
        "member_count": len(members),
        "members": sorted(members, key=lambda member: str(member["member_id"])),
    }


def lag(admin: "AdminClient", group_id: str, topic_name: str | None) -> dict[str, Any]:
    """Compute a group's lag, on one topic or on all; partitions with the largest lag come first.

    Raises:
        ToolError: The group does not exist, or has committed nothing there, so that there is no lag to speak of.
    """
    _describe(admin, group_id)
    committed = [one for one in _committed(admin, group_id) if topic_name in (None, one.topic)]
    if not committed:
        place = f"topic {topic_name}" if topic_name else "any topic"
        raise ToolError(f"Consumer group {group_id} has no committed offsets on {place}, so its lag is unknown.")
    ends = _ends(admin, committed)
    partitions: list[dict[str, Any]] = [
        {
            "topic_name": one.topic,
            "partition": one.partition,
            "committed_offset": one.offset,
            "end_offset": end,
            # Records that were deleted past the committed offset can leave the end before it.
            "lag": max(0, end - one.offset),
        }
        for one, end in zip(committed, ends, strict=True)
    ]
    partitions.sort(key=lambda one: (-one["lag"], one["topic_name"], one["partition"]))
    return {"group_id": group_id, "total_lag": sum(one["lag"] for one in partitions), "partitions": partitions}


def _describe(admin: "AdminClient", group_id: str) -> "ConsumerGroupDescription":
    """Describe a group that exists: brokers before 4.0 describe one that does not as dead and empty."""
    from confluent_kafka import ConsumerGroupState

    futures = admin.describe_consumer_groups([group_id], request_timeout=REQUEST_TIMEOUT_SECONDS)
    group: ConsumerGroupDescription = futures[group_id].result()
    if getattr(group, "state", None) is ConsumerGroupState.DEAD and not group.members:
        raise ToolError(f"Consumer group {group_id} does not exist.")
    return group


def _committed(admin: "AdminClient", group_id: str) -> "list[TopicPartition]":
    """Ask for the partitions on which the group has committed an offset."""
    from confluent_kafka import ConsumerGroupTopicPartitions, KafkaException

    request = [ConsumerGroupTopicPartitions(group_id)]
    futures = admin.list_consumer_group_offsets(request, request_timeout=REQUEST_TIMEOUT_SECONDS)
    partitions: list[TopicPartition] = futures[group_id].result().topic_partitions or []
    for partition in partitions:
        if partition.error:
            raise KafkaException(partition.error)
    return [partition for partition in partitions if partition.offset >= 0]


def _ends(admin: "AdminClient", partitions: "list[TopicPartition]") -> list[int]:
    """Ask for the end offset of each partition, in the same order."""
    from confluent_kafka import TopicPartition
    from confluent_kafka.admin import OffsetSpec

    wanted = [TopicPartition(one.topic, one.partition) for one in partitions]
    latest = OffsetSpec.latest()  # type: ignore[no-untyped-call]  # the client's own gap
    futures = admin.list_offsets(dict.fromkeys(wanted, latest), request_timeout=REQUEST_TIMEOUT_SECONDS)
    return [futures[partition].result().offset for partition in wanted]


def _state(state: "ConsumerGroupState | None") -> str:
    return "UNKNOWN" if state is None else str(state.name)


def _member(member: "MemberDescription") -> dict[str, Any]:
    assigned: dict[str, list[int]] = defaultdict(list)
    for partition in member.assignment.topic_partitions:
        assigned[partition.topic].append(partition.partition)
    return {
        "member_id": member.member_id,
        "client_id": member.client_id,
        "host": member.host,
        "assignments": [
            {"topic_name": topic, "partitions": sorted(partitions)} for topic, partitions in sorted(assigned.items())
        ],
    }
