"""Alertmanager: the alerts that it was sent and notifies of, and the silences that keep it from doing so.

An alert here is *active* if Alertmanager notifies of it, and *suppressed* if a silence or an inhibition by another
alert keeps it from that. It never is pending: Prometheus and others send only what fires.
"""

import json
from typing import Any

from .answers import items, part
from .client import ALERTMANAGER, get

MAX_LISTED = 100
"""How many alerts or silences a reply lists."""


def alerts(alert_name: str | None, *, include_suppressed: bool) -> dict[str, Any]:
    """List the alerts that Alertmanager knows, active ones first."""
    suppressed = str(include_suppressed).lower()
    parameters = {"active": "true", "silenced": suppressed, "inhibited": suppressed}
    if alert_name is not None:
        parameters["filter"] = f"alertname={json.dumps(alert_name, ensure_ascii=False)}"
    rows = [_alert(row) for row in items(ALERTMANAGER, get(ALERTMANAGER, "/api/v2/alerts", parameters))]
    rows.sort(key=lambda one: (one["state"] != "active", str(one["alert_name"]), one["starts_at"]))
    return {
        "alert_count": len(rows),
        "active_count": sum(one["state"] == "active" for one in rows),
        "alerts": rows[:MAX_LISTED],
    }


def silences(*, include_expired: bool) -> dict[str, Any]:
    """List the silences, those that end first first; Alertmanager itself cannot select them by state."""
    rows = [_silence(row) for row in items(ALERTMANAGER, get(ALERTMANAGER, "/api/v2/silences", {}))]
    rows = [one for one in rows if include_expired or one["state"] != "expired"]
    rows.sort(key=lambda one: (one["state"] == "expired", one["ends_at"], one["id"]))
    return {
        "silence_count": len(rows),
        "active_count": sum(one["state"] == "active" for one in rows),
        "silences": rows[:MAX_LISTED],
    }


def _alert(row: dict[str, Any]) -> dict[str, Any]:
    labels = part(ALERTMANAGER, row, "labels", dict)
    condition = part(ALERTMANAGER, row, "status", dict)
    receivers = items(ALERTMANAGER, part(ALERTMANAGER, row, "receivers", list))
    return {
        "alert_name": labels.get("alertname"),
        "state": part(ALERTMANAGER, condition, "state", str),
        "labels": labels,
        "annotations": part(ALERTMANAGER, row, "annotations", dict),
        "starts_at": part(ALERTMANAGER, row, "startsAt", str),
        "receivers": [part(ALERTMANAGER, receiver, "name", str) for receiver in receivers],
        "silenced_by": part(ALERTMANAGER, condition, "silencedBy", list),
        "inhibited_by": part(ALERTMANAGER, condition, "inhibitedBy", list),
    }


def _silence(row: dict[str, Any]) -> dict[str, Any]:
    matchers = items(ALERTMANAGER, part(ALERTMANAGER, row, "matchers", list))
    return {
        "id": part(ALERTMANAGER, row, "id", str),
        "state": part(ALERTMANAGER, part(ALERTMANAGER, row, "status", dict), "state", str),
        "matchers": [_matcher(matcher) for matcher in matchers],
        "comment": part(ALERTMANAGER, row, "comment", str),
        "created_by": part(ALERTMANAGER, row, "createdBy", str),
        "starts_at": part(ALERTMANAGER, row, "startsAt", str),
        "ends_at": part(ALERTMANAGER, row, "endsAt", str),
    }


def _matcher(matcher: dict[str, Any]) -> str:
    """Write a matcher as Alertmanager does, such as `job=~"web.*"`."""
    equal, regular = bool(matcher.get("isEqual", True)), bool(matcher.get("isRegex"))
    operator = {(True, False): "=", (False, False): "!=", (True, True): "=~", (False, True): "!~"}[equal, regular]
    name, value = part(ALERTMANAGER, matcher, "name", str), part(ALERTMANAGER, matcher, "value", str)
    return f"{name}{operator}{json.dumps(value, ensure_ascii=False)}"
