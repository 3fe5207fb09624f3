"""Metrics, targets and alerts, from a Prometheus that answers over a real connection."""

import datetime as dt

import pytest

QUERY = "/api/v1/query"
RANGE = "/api/v1/query_range"
TARGETS = "/api/v1/targets"
ALERTS = "/api/v1/alerts"

NINE = 1748768400  # 2025-06-01T09:00:00Z


def _vector(*values):
    rows = [{"metric": {"job": f"job-{number}"}, "value": [NINE, value]} for number, value in enumerate(values)]
    return {"resultType": "vector", "result": rows}


def test_a_query_gives_each_series_with_its_value_as_prometheus_wrote_it(tools, prometheus):
    prometheus.reply_data(QUERY, _vector("1", "0.30000000000000004", "NaN"))

    assert tools.query_prometheus("up") == {
        "status": "success",
        "result_type": "vector",
        "series_count": 3,
        "series": [
            {"labels": {"job": "job-0"}, "time": "2025-06-01T09:00:00Z", "value": "1"},
            {"labels": {"job": "job-1"}, "time": "2025-06-01T09:00:00Z", "value": "0.30000000000000004"},
            {"labels": {"job": "job-2"}, "time": "2025-06-01T09:00:00Z", "value": "NaN"},
        ],
        "warnings": [],
    }
    assert prometheus.requests == [(QUERY, {"query": "up"})]


def test_a_query_can_be_about_a_moment_in_the_past(tools, prometheus):
    prometheus.reply_data(QUERY, _vector("1"))

    tools.query_prometheus('sum(up{job="a&b"}) + 1', "2025-06-01T11:00:00+02:00")

    assert prometheus.requests == [(QUERY, {"query": 'sum(up{job="a&b"}) + 1', "time": "2025-06-01T09:00:00Z"})]


def test_a_query_that_matches_nothing_has_no_series(tools, prometheus):
    prometheus.reply_data(QUERY, _vector(), warnings=["no store matched"])

    reply = tools.query_prometheus("nothing")

    assert (reply["status"], reply["series_count"], reply["series"]) == ("success", 0, [])
    assert reply["warnings"] == ["no store matched"]


def test_fifty_series_are_listed_and_all_are_counted(tools, prometheus):
    prometheus.reply_data(QUERY, _vector(*["1"] * 70))

    reply = tools.query_prometheus("up")

    assert (reply["series_count"], len(reply["series"])) == (70, 50)


@pytest.mark.parametrize("kind", ["scalar", "string"])
def test_a_value_without_labels_is_a_series_without_labels(tools, prometheus, kind):
    prometheus.reply_data(QUERY, {"resultType": kind, "result": [NINE + 0.5, "42"]})

    reply = tools.query_prometheus("scalar(up)")

    assert reply["result_type"] == kind
    assert reply["series"] == [{"labels": {}, "time": "2025-06-01T09:00:00.500000Z", "value": "42"}]


def test_a_query_for_a_range_of_values_gives_them_all(tools, prometheus):
    row = {"metric": {"job": "web"}, "values": [[NINE, "1"], [NINE + 15, "0"]]}
    prometheus.reply_data(QUERY, {"resultType": "matrix", "result": [row]})

    assert tools.query_prometheus("up[30s]")["series"] == [
        {"labels": {"job": "web"}, "points": [["2025-06-01T09:00:00Z", "1"], ["2025-06-01T09:00:15Z", "0"]]}
    ]


def test_a_range_query_gives_the_course_of_each_series(tools, prometheus):
    rows = [{"metric": {"job": "web"}, "values": [[NINE, "1"], [NINE + 60, "0"]]}]
    prometheus.reply_data(RANGE, {"resultType": "matrix", "result": rows})

    reply = tools.query_prometheus_range("up", "2025-06-01T09:00:00Z", "2025-06-01T10:00:00Z", "1m")

    assert reply == {
        "status": "success",
        "start": "2025-06-01T09:00:00Z",
        "end": "2025-06-01T10:00:00Z",
        "series_count": 1,
        "series": [
            {"labels": {"job": "web"}, "points": [["2025-06-01T09:00:00Z", "1"], ["2025-06-01T09:01:00Z", "0"]]}
        ],
        "warnings": [],
    }
    times = {"start": "2025-06-01T09:00:00Z", "end": "2025-06-01T10:00:00Z", "step": "60"}
    assert prometheus.requests == [(RANGE, {"query": "up", **times})]


def test_a_range_can_be_told_from_now(tools, prometheus):
    prometheus.reply_data(RANGE, {"resultType": "matrix", "result": []})

    reply = tools.query_prometheus_range("up", "now-1h30m", "now-30m")

    start, end = (dt.datetime.fromisoformat(reply[name]) for name in ("start", "end"))
    assert end - start == dt.timedelta(hours=1)
    assert dt.timedelta(minutes=30) <= dt.datetime.now(dt.UTC) - end < dt.timedelta(minutes=35)


@pytest.mark.parametrize(("step", "points"), [("30s", 121), ("1s", 3601)])
def test_a_range_of_more_values_than_anybody_reads_is_refused(tools, prometheus, step, points):
    reply = tools.query_prometheus_range("up", "2025-06-01T09:00:00Z", "2025-06-01T10:00:00Z", step)

    assert reply == {
        "status": "error",
        "error": f"step is so short that each series has {points} values; 120 are allowed.",
    }
    assert prometheus.requests == []


def _target(job, instance, health="up", error=""):
    return {
        "discoveredLabels": {"__address__": instance},
        "labels": {"job": job, "instance": instance},
        "scrapePool": job,
        "scrapeUrl": f"http://{instance}/metrics",
        "lastError": error,
        "lastScrape": "2025-06-01T09:00:00Z",
        "lastScrapeDuration": 0.1,
        "health": health,
    }


def test_targets_are_listed_with_those_that_are_not_up_first(tools, prometheus):
    down = _target("web", "web-2:9100", "down", "connection refused")
    active = [_target("web", "web-1:9100"), down, _target("db", "db-1:9187")]
    prometheus.reply_data(TARGETS, {"activeTargets": active, "droppedTargets": []})

    reply = tools.get_prometheus_targets()

    assert (reply["status"], reply["target_count"], reply["up_count"]) == ("success", 3, 2)
    assert [one["instance"] for one in reply["targets"]] == ["web-2:9100", "db-1:9187", "web-1:9100"]
    assert reply["targets"][0] == {
        "job": "web",
        "instance": "web-2:9100",
        "health": "down",
        "last_error": "connection refused",
        "last_scrape": "2025-06-01T09:00:00Z",
        "scrape_url": "http://web-2:9100/metrics",
    }
    assert reply["targets"][1]["last_error"] is None
    assert prometheus.requests == [(TARGETS, {"state": "active"})]


def _alert(name, state, since="2025-06-01T08:00:00Z"):
    return {
        "labels": {"alertname": name, "severity": "page"},
        "annotations": {"summary": f"{name} is bad"},
        "state": state,
        "activeAt": since,
        "value": "9.5e-01",
    }


@pytest.fixture
def alerting(prometheus):
    """A Prometheus with alerts in both states."""
    alerts = [_alert("Slow", "pending"), _alert("Full", "firing"), _alert("Down", "firing")]
    prometheus.reply_data(ALERTS, {"alerts": alerts})
    return prometheus


def test_alerts_of_rules_are_listed_with_firing_ones_first(tools, alerting):
    reply = tools.get_prometheus_alerts()

    assert (reply["status"], reply["alert_count"], reply["firing_count"]) == ("success", 3, 2)
    assert [(one["alert_name"], one["state"]) for one in reply["alerts"]] == [
        ("Down", "firing"),
        ("Full", "firing"),
        ("Slow", "pending"),
    ]
    assert reply["alerts"][0] == {
        "alert_name": "Down",
        "state": "firing",
        "labels": {"alertname": "Down", "severity": "page"},
        "annotations": {"summary": "Down is bad"},
        "active_since": "2025-06-01T08:00:00Z",
        "value": "9.5e-01",
    }


@pytest.mark.parametrize(("state", "names"), [("firing", ["Down", "Full"]), ("pending", ["Slow"])])
def test_alerts_of_rules_can_be_selected_by_state(tools, alerting, state, names):
    reply = tools.get_prometheus_alerts(state)

    assert [one["alert_name"] for one in reply["alerts"]] == names
    assert reply["alert_count"] == len(names)


@pytest.mark.parametrize(
    ("tool", "args", "argument"),
    [
        ("query_prometheus", [""], "query"),
        ("query_prometheus", ["  "], "query"),
        ("query_prometheus", [5], "query"),
        ("query_prometheus", ["up", "yesterday"], "time"),
        ("query_prometheus", ["up", "2025-06-01T09:00:00"], "time"),
        ("query_prometheus", ["up", 1748768400], "time"),
        ("query_prometheus", ["up", "now-"], "time"),
        ("query_prometheus", ["up", "now-5"], "time"),
        ("query_prometheus", ["up", "now-0m"], "time"),
        ("query_prometheus", ["up", "now-99999999d"], "time"),
        ("query_prometheus", ["up", "now-9999999999999999d"], "time"),
        ("query_prometheus", ["up", "0001-01-01T00:00:00+14:00"], "time"),
        ("query_prometheus_range", ["", "now-1h"], "query"),
        ("query_prometheus_range", ["up", None], "start"),
        ("query_prometheus_range", ["up", "now-1h", ""], "end"),
        ("query_prometheus_range", ["up", "now", "now-1h"], "start"),
        ("query_prometheus_range", ["up", "now", "now"], "start"),
        ("query_prometheus_range", ["up", "now-1h", "now", "1"], "step"),
        ("query_prometheus_range", ["up", "now-1h", "now", 60], "step"),
        ("get_prometheus_alerts", ["active"], "state"),
        ("get_prometheus_alerts", [""], "state"),
        ("get_prometheus_alerts", [["firing"]], "state"),
    ],
)
def test_bad_input_is_refused_before_prometheus_is_asked(tools, prometheus, tool, args, argument):
    reply = getattr(tools, tool)(*args)

    assert reply["status"] == "error"
    assert reply["error"].startswith(f"{argument} must ")
    assert prometheus.requests == []


CALLS = {
    QUERY: ("query_prometheus", ["up"]),
    RANGE: ("query_prometheus_range", ["up", "now-1h"]),
    TARGETS: ("get_prometheus_targets", []),
    ALERTS: ("get_prometheus_alerts", []),
}
NO_SAMPLE = "instead of a time and a value."


@pytest.mark.parametrize(
    ("path", "data", "error"),
    [
        (QUERY, None, "has no text resultType"),
        (QUERY, {"resultType": "vector"}, "has no list result"),
        (QUERY, {"resultType": "vector", "result": [5]}, "is not a list of objects."),
        (QUERY, {"resultType": "vector", "result": [{}]}, "has no object metric"),
        (QUERY, {"resultType": "vector", "result": [{"metric": {}}]}, f"has None {NO_SAMPLE}"),
        (QUERY, {"resultType": "scalar", "result": [NINE, 42]}, f"has [{NINE}, 42] {NO_SAMPLE}"),
        (RANGE, {"result": {}}, "has no list result"),
        (RANGE, {"result": [{"metric": {}}]}, "has no list values"),
        (RANGE, {"result": [{"metric": {}, "values": ["1"]}]}, f"has '1' {NO_SAMPLE}"),
        (TARGETS, {}, "has no list activeTargets"),
        (TARGETS, {"activeTargets": [{}]}, "has no object labels"),
        (TARGETS, {"activeTargets": [{"labels": {}}]}, "has no text health"),
        (ALERTS, [], "has no list alerts"),
        (ALERTS, {"alerts": [{"labels": {}}]}, "has no text state"),
    ],
)
def test_data_of_another_shape_is_an_error_reply(tools, prometheus, path, data, error):
    prometheus.reply_data(path, data)
    tool, args = CALLS[path]

    reply = getattr(tools, tool)(*args)

    assert reply["status"] == "error"
    assert reply["error"].startswith(f"Prometheus's answer {error}")


@pytest.mark.parametrize("kind", ["histogram", "histograms"])
def test_native_histograms_are_an_error_reply_that_says_what_to_ask_instead(tools, prometheus, kind):
    prometheus.reply_data(QUERY, {"resultType": "vector", "result": [{"metric": {}, kind: [NINE, {}]}]})

    assert tools.query_prometheus("latency") == {
        "status": "error",
        "error": (
            "Prometheus answered with native histograms; use a function such as histogram_quantile in the query."
        ),
    }


def test_a_time_that_does_not_exist_is_an_error_reply(tools, prometheus):
    prometheus.reply_data(QUERY, {"resultType": "scalar", "result": [1e300, "1"]})

    assert tools.query_prometheus("1")["error"] == "An answer has the time 1e+300, which does not exist."
