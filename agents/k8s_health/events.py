"""Events: what Kubernetes' own components say has happened to an object, for about an hour."""

import datetime as dt
from typing import TYPE_CHECKING, Any

from . import cluster
from .client import ask
from .objects import metadata, timestamp

if TYPE_CHECKING:
    from kubernetes.client import ApiClient, CoreV1Event

MAX_EVENTS = 50
"""How many events a reply lists, the newest ones."""

NEVER = dt.datetime.min.replace(tzinfo=dt.UTC)


def listing(api: "ApiClient", namespace: str, object_kind: str | None, object_name: str | None) -> dict[str, Any]:
    """List a namespace's events, or those about the objects of one kind or name in it."""
    events = about(api, namespace, object_kind, object_name)
    if not events:
        cluster.exists(api, namespace)
    return {
        "namespace": namespace,
        "event_count": len(events),
        "warning_count": sum(event["type"] == "Warning" for event in events),
        "events": events[:MAX_EVENTS],
    }


def about(
    api: "ApiClient", namespace: str, object_kind: str | None, object_name: str | None = None
) -> list[dict[str, Any]]:
    """Return events, newest first."""
    from kubernetes.client import CoreV1Api

    fields = {"involvedObject.kind": object_kind, "involvedObject.name": object_name}
    selector = ",".join(f"{field}={value}" for field, value in fields.items() if value is not None)
    events = ask(CoreV1Api(api).list_namespaced_event, namespace, field_selector=selector or None).items
    return [_event(event) for event in sorted(events, key=lambda event: _last_seen(event) or NEVER, reverse=True)]


def _event(event: "CoreV1Event") -> dict[str, Any]:
    metadata(event, "Event")
    involved = event.involved_object
    return {
        "type": event.type,
        "reason": event.reason,
        "message": event.message,
        "object": f"{involved.kind}/{involved.name}",
        "count": (event.series and event.series.count) or event.count or 1,
        "last_seen": timestamp(_last_seen(event)),
    }


def _last_seen(event: "CoreV1Event") -> dt.datetime | None:
    """Return when it happened last: newer components say so in `series` or `event_time`, older ones in the others."""
    series = event.series and event.series.last_observed_time
    return series or event.last_timestamp or event.event_time or event.first_timestamp
