"""Alerts and silences, from an Alertmanager that answers over a real connection."""

import pytest

ALERTS = "/api/v2/alerts"
SILENCES = "/api/v2/silences"


def _alert(name, state="active", silenced_by=(), inhibited_by=()):
    return {
        "labels": {"alertname": name, "severity": "page"},
        "annotations": {"summary": f"{name} is bad"},
        "startsAt": "2025-06-01T08:00:00.000Z",
        "endsAt": "2025-06-01T09:04:00.000Z",
        "updatedAt": "2025-06-01T09:00:00.000Z",
        "fingerprint": "f" * 16,
        "generatorURL": "http://prometheus.test/graph",
        "receivers": [{"name": "team-a"}, {"name": "archive"}],
        "status": {"state": state, "silencedBy": list(silenced_by), "inhibitedBy": list(inhibited_by)},
    }


def _silence(number, state, ends_at, *matchers):
    return {
        "id": f"s-{number}",
        "status": {"state": state},
        "matchers": list(matchers),
        "comment": "maintenance",
        "createdBy": "ann",
        "startsAt": "2025-06-01T08:00:00.000Z",
        "endsAt": ends_at,
        "updatedAt": "2025-06-01T08:00:00.000Z",
    }


def test_alerts_that_people_are_notified_of_are_listed(tools, alertmanager):
    alertmanager.reply(ALERTS, [_alert("Full"), _alert("Down")])

    reply = tools.get_alertmanager_alerts()

    assert (reply["status"], reply["alert_count"], reply["active_count"]) == ("success", 2, 2)
    assert [one["alert_name"] for one in reply["alerts"]] == ["Down", "Full"]
    assert reply["alerts"][0] == {
        "alert_name": "Down",
        "state": "active",
        "labels": {"alertname": "Down", "severity": "page"},
        "annotations": {"summary": "Down is bad"},
        "starts_at": "2025-06-01T08:00:00.000Z",
        "receivers": ["team-a", "archive"],
        "silenced_by": [],
        "inhibited_by": [],
    }
    assert alertmanager.requests == [(ALERTS, {"active": "true", "silenced": "false", "inhibited": "false"})]


def test_suppressed_alerts_are_listed_when_asked_for_and_come_last(tools, alertmanager):
    alerts = [_alert("A", "suppressed", silenced_by=["s-1"]), _alert("B", "suppressed", inhibited_by=["f-2"])]
    alertmanager.reply(ALERTS, [*alerts, _alert("C")])

    reply = tools.get_alertmanager_alerts(include_suppressed=True)

    assert (reply["alert_count"], reply["active_count"]) == (3, 1)
    assert [(one["alert_name"], one["silenced_by"], one["inhibited_by"]) for one in reply["alerts"]] == [
        ("C", [], []),
        ("A", ["s-1"], []),
        ("B", [], ["f-2"]),
    ]
    assert alertmanager.requests == [(ALERTS, {"active": "true", "silenced": "true", "inhibited": "true"})]


@pytest.mark.parametrize(("name", "matcher"), [("Down", 'alertname="Down"'), ('a"b\\', r'alertname="a\"b\\"')])
def test_alertmanager_itself_selects_by_name(tools, alertmanager, name, matcher):
    alertmanager.reply(ALERTS, [])

    assert tools.get_alertmanager_alerts(name)["alert_count"] == 0
    assert alertmanager.requests[0][1]["filter"] == matcher


def test_silences_are_listed_with_those_that_end_first_first(tools, alertmanager):
    matchers = [
        {"name": "alertname", "value": "Down", "isRegex": False, "isEqual": True},
        {"name": "job", "value": "web.*", "isRegex": True},
        {"name": "env", "value": "test", "isRegex": False, "isEqual": False},
        {"name": "team", "value": "a|b", "isRegex": True, "isEqual": False},
    ]
    late = _silence(1, "active", "2025-06-03T00:00:00.000Z", *matchers)
    soon = _silence(2, "pending", "2025-06-02T00:00:00.000Z")
    alertmanager.reply(SILENCES, [late, soon, _silence(3, "expired", "2025-05-01T00:00:00.000Z")])

    reply = tools.get_alertmanager_silences()

    assert (reply["status"], reply["silence_count"], reply["active_count"]) == ("success", 2, 1)
    assert [one["id"] for one in reply["silences"]] == ["s-2", "s-1"]
    assert reply["silences"][1] == {
        "id": "s-1",
        "state": "active",
        "matchers": ['alertname="Down"', 'job=~"web.*"', 'env!="test"', 'team!~"a|b"'],
        "comment": "maintenance",
        "created_by": "ann",
        "starts_at": "2025-06-01T08:00:00.000Z",
        "ends_at": "2025-06-03T00:00:00.000Z",
    }


def test_silences_that_are_over_are_listed_when_asked_for_and_come_last(tools, alertmanager):
    over, now = (_silence(1, "expired", "2025-05-01T00:00:00.000Z"), _silence(2, "active", "2025-06-02T00:00:00.000Z"))
    alertmanager.reply(SILENCES, [over, now])

    reply = tools.get_alertmanager_silences(include_expired=True)

    assert [one["id"] for one in reply["silences"]] == ["s-2", "s-1"]


@pytest.mark.parametrize("body", ["bad matcher format", {"code": 400, "message": "bad matcher format"}])
def test_what_alertmanager_refuses_is_an_error_reply(tools, alertmanager, body):
    alertmanager.reply(ALERTS, body, status=400)

    assert tools.get_alertmanager_alerts() == {
        "status": "error",
        "error": "Alertmanager answered 400 Bad Request: bad matcher format",
    }


@pytest.mark.parametrize("name", ["", " ", 7])
def test_bad_input_is_refused_before_alertmanager_is_asked(tools, alertmanager, name):
    reply = tools.get_alertmanager_alerts(name)

    assert reply["error"].startswith("alert_name must ")
    assert alertmanager.requests == []


@pytest.mark.parametrize(
    ("path", "tool", "body", "error"),
    [
        (ALERTS, "get_alertmanager_alerts", {"status": "success", "data": []}, "is not a list of objects."),
        (ALERTS, "get_alertmanager_alerts", [5], "is not a list of objects."),
        (ALERTS, "get_alertmanager_alerts", [{}], "has no object labels"),
        (ALERTS, "get_alertmanager_alerts", [{**_alert("A"), "status": "active"}], "has no object status"),
        (ALERTS, "get_alertmanager_alerts", [{**_alert("A"), "receivers": ["a"]}], "is not a list of objects."),
        (SILENCES, "get_alertmanager_silences", None, "is not a list of objects."),
        (SILENCES, "get_alertmanager_silences", [{}], "has no list matchers"),
        (SILENCES, "get_alertmanager_silences", [{"matchers": []}], "has no text id"),
        (SILENCES, "get_alertmanager_silences", [_silence(1, "active", "", {"name": "a"})], "has no text value"),
    ],
)
def test_data_of_another_shape_is_an_error_reply(tools, alertmanager, path, tool, body, error):
    alertmanager.reply(path, body)

    reply = getattr(tools, tool)()

    assert reply["status"] == "error"
    assert reply["error"].startswith(f"Alertmanager's answer {error}")
