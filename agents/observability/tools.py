"""The agent's tools.

A docstring here is what the model reads, so it says when to use the tool, what each argument means and what the reply
holds. Prometheus and Alertmanager both speak of alerts and mean different things, so their tools say which is which.
Each tool checks its arguments, then hands them to `prometheus`, `loki` or `alertmanager`. Replies are those of
`replies`: they always have a `status`. None of the tools changes anything.
"""

import datetime as dt
from typing import Any

from . import alertmanager, checks, loki, prometheus
from .replies import replying
from .times import duration, moment, period


@replying
def query_prometheus(query: str, time: str | None = None) -> dict[str, Any]:
    """Evaluate a PromQL query in Prometheus at one moment: what a metric is, or was then.

    Args:
        query: The query in PromQL, such as `sum by (job) (up)`.
        time: The moment, absolute such as `2025-06-01T09:30:00Z` or relative such as `now-30m`; leave it out for now.

    Returns:
        `result_type`, `series_count` and `series` (the first 50), each with its labels, time and value as text. No
        series means that nothing matched, which is not the value zero. `warnings` say what Prometheus could not see.
    """
    checks.text("query", query)
    at = None if time is None else moment("time", time, dt.datetime.now(dt.UTC).replace(microsecond=0))
    return prometheus.query(query, at)


@replying
def query_prometheus_range(query: str, start: str, end: str = "now", step: str = "1m") -> dict[str, Any]:
    """Evaluate a PromQL query in Prometheus over a period of time: how a metric went.

    Args:
        query: The query in PromQL, such as `rate(http_requests_total[5m])`.
        start: When the period starts, absolute such as `2025-06-01T09:30:00Z` or relative such as `now-1h`.
        end: When it ends, written in the same way.
        step: The time between two values, such as `30s`, `5m` or `1h`; there may be 120 values.

    Returns:
        `start`, `end`, `series_count` and `series` (the first 50), each with its labels and `points`, pairs of a time
        and a value as text. `warnings` say what Prometheus could not see.
    """
    checks.text("query", query)
    first, last = period(start, end)
    return prometheus.query_range(query, first, last, duration("step", step))


@replying
def get_prometheus_targets() -> dict[str, Any]:
    """List the targets that Prometheus takes metrics from, and whether they are up.

    Returns:
        `target_count`, `up_count` and `targets` (the first 100, those that are not up first), each with job, instance,
        `health` (up, down or unknown), its last error, when it was last scraped and its URL.
    """
    return prometheus.targets()


@replying
def get_prometheus_alerts(state: str | None = None) -> dict[str, Any]:
    """List the alerts of Prometheus: which of its alerting rules are firing or pending at the moment.

    Use it when the question names Prometheus, rules, firing or pending alerts. It knows nothing of notifications,
    receivers and silences: for those use get_alertmanager_alerts.

    Args:
        state: List only alerts in this state, `firing` or `pending`; leave it out for both.

    Returns:
        `alert_count`, `firing_count` and `alerts` (the first 100, firing ones first), each with `alert_name`, `state`,
        labels, annotations, `active_since` and the value that its rule computed, as text.
    """
    if state is not None:
        checks.choice("state", state, prometheus.ALERT_STATES)
    return prometheus.alerts(state)


@replying
def query_loki(query: str, start: str = "now-1h", end: str = "now", limit: int = 100) -> dict[str, Any]:
    """Search logs in Loki over a period of time, newest lines first, or compute numbers from logs.

    Args:
        query: The query in LogQL, such as `{app="web"} |= "error"` or `count_over_time({app="web"}[5m])`.
        start: When the period starts, absolute such as `2025-06-01T09:30:00Z` or relative such as `now-30m`.
        end: When it ends, written in the same way.
        limit: How many lines to return at most, from 1 to 500.

    Returns:
        For lines `stream_count`, `line_count`, `limit_reached` (there may be more lines) and `streams`, each with its
        labels and `lines` with time and line. For numbers `series_count` and `series` with labels and `points`.
    """
    checks.text("query", query)
    checks.number("limit", limit, most=loki.MAX_LINES)
    first, last = period(start, end)
    return loki.query(query, first, last, limit)


@replying
def list_loki_labels() -> dict[str, Any]:
    """List the names of the labels by which logs in Loki can be selected.

    Returns:
        `label_count` and `labels`, those that logs of the last hours have.
    """
    return loki.labels()


@replying
def list_loki_label_values(label: str) -> dict[str, Any]:
    """List the values that a label of logs in Loki has, such as the names of all apps that log.

    Args:
        label: The exact name of the label.

    Returns:
        `value_count` and `values`, those that logs of the last hours have.
    """
    checks.label("label", label)
    return loki.label_values(label)


@replying
def get_alertmanager_alerts(alert_name: str | None = None, include_suppressed: bool = False) -> dict[str, Any]:
    """List the alerts of Alertmanager: what people are notified of, through which receivers, and what is suppressed.

    Use it when the question names Alertmanager, notifications, receivers, or silenced or inhibited alerts. It knows
    nothing of pending alerts and rules: for those use get_prometheus_alerts.

    Args:
        alert_name: List only alerts of this exact name.
        include_suppressed: Whether to list also alerts that a silence or another alert suppresses.

    Returns:
        `alert_count`, `active_count` and `alerts` (the first 100, active ones first), each with `alert_name`, `state`
        (active, suppressed or unprocessed), labels, annotations, when it started, `receivers`, and the ids of the
        silences and alerts that suppress it.
    """
    if alert_name is not None:
        checks.text("alert_name", alert_name)
    return alertmanager.alerts(alert_name, include_suppressed=bool(include_suppressed))


@replying
def get_alertmanager_silences(include_expired: bool = False) -> dict[str, Any]:
    """List the silences of Alertmanager: which alerts nobody is notified of, why, by whom and until when.

    Args:
        include_expired: Whether to list also silences that are over.

    Returns:
        `silence_count`, `active_count` and `silences` (the first 100, those that end first first), each with id,
        `state` (active, pending or expired), matchers such as `job=~"web.*"`, comment, author, start and end.
    """
    return alertmanager.silences(include_expired=bool(include_expired))


READING = (
    query_prometheus,
    query_prometheus_range,
    get_prometheus_targets,
    get_prometheus_alerts,
    query_loki,
    list_loki_labels,
    list_loki_label_values,
    get_alertmanager_alerts,
    get_alertmanager_silences,
)
"""All tools: they only look."""
