"""Prometheus: metrics, the targets it takes them from, and the alerts of its own rules.

An alert here is what a rule of Prometheus makes of the metrics: *pending* while its condition has not held for long
enough, then *firing*. Whether anybody is notified of it is up to Alertmanager, to which Prometheus sends what fires.
"""

import datetime as dt
from typing import Any

from .answers import MAX_SERIES, course, data, instant, items, part, sample
from .client import PROMETHEUS, get
from .replies import ToolError
from .times import written

MAX_POINTS = 120
"""How many values of each series a range query may ask for."""

MAX_LISTED = 100
"""How many targets or alerts a reply lists."""

ALERT_STATES = ("firing", "pending")


def query(expression: str, at: dt.datetime | None) -> dict[str, Any]:
    """Evaluate a query at one moment, now if none is given."""
    parameters = {"query": expression, **({"time": written(at)} if at else {})}
    envelope = get(PROMETHEUS, "/api/v1/query", parameters)
    found = data(PROMETHEUS, envelope)
    kind = part(PROMETHEUS, found, "resultType", str)
    result = part(PROMETHEUS, found, "result", list)
    if kind == "vector":
        series = [instant(PROMETHEUS, row) for row in items(PROMETHEUS, result)]
    elif kind == "matrix":
        series = [course(PROMETHEUS, row) for row in items(PROMETHEUS, result)]
    else:  # a scalar or a string, which has no labels
        time, value = sample(PROMETHEUS, result)
        series = [{"labels": {}, "time": time, "value": value}]
    return {
        "result_type": kind,
        "series_count": len(series),
        "series": series[:MAX_SERIES],
        "warnings": envelope.get("warnings", []),
    }


def query_range(expression: str, start: dt.datetime, end: dt.datetime, step: dt.timedelta) -> dict[str, Any]:
    """Evaluate a query at each step of a period.

    Raises:
        ToolError: It would give more values than anybody can read.
    """
    points = (end - start) // step + 1
    if points > MAX_POINTS:
        raise ToolError(f"step is so short that each series has {points} values; {MAX_POINTS} are allowed.")
    parameters: dict[str, str | int] = {
        "query": expression,
        "start": written(start),
        "end": written(end),
        "step": int(step.total_seconds()),
    }
    envelope = get(PROMETHEUS, "/api/v1/query_range", parameters)
    result = part(PROMETHEUS, data(PROMETHEUS, envelope), "result", list)
    series = [course(PROMETHEUS, row) for row in items(PROMETHEUS, result)]
    return {
        "start": written(start),
        "end": written(end),
        "series_count": len(series),
        "series": series[:MAX_SERIES],
        "warnings": envelope.get("warnings", []),
    }


def targets() -> dict[str, Any]:
    """List what Prometheus takes metrics from, what is not up first."""
    found = data(PROMETHEUS, get(PROMETHEUS, "/api/v1/targets", {"state": "active"}))
    rows = [_target(row) for row in items(PROMETHEUS, part(PROMETHEUS, found, "activeTargets", list))]
    rows.sort(key=lambda one: (one["health"] == "up", str(one["job"]), str(one["instance"])))
    return {
        "target_count": len(rows),
        "up_count": sum(one["health"] == "up" for one in rows),
        "targets": rows[:MAX_LISTED],
    }


def alerts(state: str | None) -> dict[str, Any]:
    """List the alerts of Prometheus' rules, firing ones first; Prometheus itself cannot select them by state."""
    found = data(PROMETHEUS, get(PROMETHEUS, "/api/v1/alerts", {}))
    rows = [_alert(row) for row in items(PROMETHEUS, part(PROMETHEUS, found, "alerts", list))]
    rows = [one for one in rows if state in {None, one["state"]}]
    rows.sort(key=lambda one: (one["state"] != "firing", str(one["alert_name"]), one["active_since"]))
    return {
        "alert_count": len(rows),
        "firing_count": sum(one["state"] == "firing" for one in rows),
        "alerts": rows[:MAX_LISTED],
    }


def _target(row: dict[str, Any]) -> dict[str, Any]:
    labels = part(PROMETHEUS, row, "labels", dict)
    return {
        "job": labels.get("job"),
        "instance": labels.get("instance"),
        "health": part(PROMETHEUS, row, "health", str),
        "last_error": row.get("lastError") or None,
        "last_scrape": part(PROMETHEUS, row, "lastScrape", str),
        "scrape_url": part(PROMETHEUS, row, "scrapeUrl", str),
    }


def _alert(row: dict[str, Any]) -> dict[str, Any]:
    labels = part(PROMETHEUS, row, "labels", dict)
    return {
        "alert_name": labels.get("alertname"),
        "state": part(PROMETHEUS, row, "state", str),
        "labels": labels,
        "annotations": part(PROMETHEUS, row, "annotations", dict),
        "active_since": part(PROMETHEUS, row, "activeAt", str),
        "value": part(PROMETHEUS, row, "value", str),
    }
