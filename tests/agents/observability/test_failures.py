"""What any of the services can do wrong, and how each tool takes it."""

from typing import NamedTuple

import pytest


class Call(NamedTuple):
    """A call of a tool, the service that it asks, and the path."""

    tool: str
    args: list[str]
    service: str
    path: str

    def of(self, tools):
        return getattr(tools, self.tool)(*self.args)


CALLS = [
    Call("query_prometheus", ["up"], "Prometheus", "/api/v1/query"),
    Call("query_prometheus_range", ["up", "now-1h"], "Prometheus", "/api/v1/query_range"),
    Call("get_prometheus_targets", [], "Prometheus", "/api/v1/targets"),
    Call("get_prometheus_alerts", [], "Prometheus", "/api/v1/alerts"),
    Call("query_loki", ["{}"], "Loki", "/loki/api/v1/query_range"),
    Call("list_loki_labels", [], "Loki", "/loki/api/v1/labels"),
    Call("list_loki_label_values", ["app"], "Loki", "/loki/api/v1/label/app/values"),
    Call("get_alertmanager_alerts", [], "Alertmanager", "/api/v2/alerts"),
    Call("get_alertmanager_silences", [], "Alertmanager", "/api/v2/silences"),
]
ENVELOPED = [call for call in CALLS if call.service != "Alertmanager"]


def _named(call):
    return call.tool


@pytest.fixture
def services(prometheus, loki, alertmanager):
    """All services by their names."""
    return {"Prometheus": prometheus, "Loki": loki, "Alertmanager": alertmanager}


@pytest.mark.parametrize("call", CALLS, ids=_named)
class TestEveryTool:
    def test_asks_its_own_service_and_no_other(self, tools, services, call):
        call.of(tools)

        asked = {name: [path for path, _ in service.requests] for name, service in services.items()}
        assert asked == {name: [call.path] if name == call.service else [] for name in services}

    def test_says_what_to_set_where_its_service_has_no_url(self, tools, call):
        variable = f"{call.service.upper()}_URL"

        assert call.of(tools) == {
            "status": "error",
            "error": f"{variable} must be the URL of {call.service}, with http:// or https://, not ''.",
        }

    def test_tells_of_an_error_with_its_status(self, tools, services, call):
        services[call.service].reply(call.path, b"", status=503)

        assert call.of(tools) == {
            "status": "error",
            "error": f"{call.service} answered 503 Service Unavailable.",
        }

    def test_takes_a_body_that_breaks_off_for_an_error(self, tools, services, call):
        services[call.service].reply(call.path, b'{"status": "success"', length=5000)

        reply = call.of(tools)

        assert reply["status"] == "error"
        assert reply["error"].startswith(f"{call.service} could not be asked: peer closed connection")

    @pytest.mark.parametrize("body", [b"", b'{"status": "success", "data": [', b"<html></html>", b"\xff"])
    def test_takes_a_body_that_is_no_json_for_an_error(self, tools, services, call, body):
        services[call.service].reply(call.path, body)

        reply = call.of(tools)

        assert reply["status"] == "error"
        assert reply["error"].startswith(f"{call.service}'s answer is not JSON (")

    def test_takes_a_service_that_is_too_slow_for_an_error(self, tools, observability, environment, services, call):
        environment.setattr(observability.client, "TIMEOUT_SECONDS", 0.05)
        services[call.service].delay_seconds = 0.5

        assert call.of(tools) == {
            "status": "error",
            "error": f"{call.service} did not answer within 0.05 seconds.",
        }


@pytest.mark.parametrize("call", ENVELOPED, ids=_named)
class TestEveryToolOfPrometheusOrLoki:
    def test_tells_of_an_error_that_is_reported_in_the_body(self, tools, services, call):
        body = {"status": "error", "errorType": "timeout", "error": "query timed out"}
        services[call.service].reply(call.path, body)

        assert call.of(tools) == {
            "status": "error",
            "error": f"{call.service} reported timeout: query timed out",
        }

    def test_tells_the_reason_that_comes_with_a_status(self, tools, services, call):
        body = {"status": "error", "errorType": "bad_data", "error": "1:5: parse error: unexpected end"}
        services[call.service].reply(call.path, body, status=400)

        assert call.of(tools) == {
            "status": "error",
            "error": f"{call.service} answered 400 Bad Request: 1:5: parse error: unexpected end",
        }

    @pytest.mark.parametrize("body", [[], None, 5, "success"])
    def test_takes_an_answer_without_an_envelope_for_an_error(self, tools, services, call, body):
        services[call.service].reply(call.path, body)

        assert call.of(tools) == {"status": "error", "error": f"{call.service}'s answer is not an object."}

    @pytest.mark.parametrize("status", [None, "ok"])
    def test_takes_an_envelope_of_another_kind_for_an_error(self, tools, services, call, status):
        services[call.service].reply(call.path, {"status": status, "data": {}})

        assert call.of(tools) == {
            "status": "error",
            "error": f"{call.service}'s answer has the status {status!r}, not 'success'.",
        }


def test_an_error_that_says_nothing_is_still_an_error(tools, prometheus):
    prometheus.reply("/api/v1/alerts", {"status": "error"})

    assert tools.get_prometheus_alerts()["error"] == "Prometheus reported an error: it did not say which"


@pytest.mark.parametrize("body", [b"<html>\n<body>Bad gateway</body></html>", b"[]", b'{"detail": "x"}'])
def test_an_answer_of_a_proxy_is_told_by_its_status(tools, prometheus, body):
    prometheus.reply("/api/v1/alerts", body, status=502, content_type="text/html")

    assert tools.get_prometheus_alerts()["error"] == "Prometheus answered 502 Bad Gateway."


def test_a_login_page_is_not_followed(tools, prometheus):
    prometheus.reply("/api/v1/alerts", b"", status=302)

    assert tools.get_prometheus_alerts()["error"] == "Prometheus answered 302 Found."
    assert len(prometheus.requests) == 1


def test_a_service_that_is_not_there_is_an_error_reply(tools, environment):
    environment.setenv("LOKI_URL", "http://127.0.0.1:1")

    reply = tools.list_loki_labels()

    assert reply["status"] == "error"
    assert reply["error"].startswith("Loki could not be asked: ")
    assert "refused" in reply["error"]


def test_an_error_of_the_connection_without_words_is_told_by_its_kind(tools, observability, environment, prometheus):
    def broken(*args, **kwargs):
        raise observability.client.httpx.ReadError("")

    environment.setattr(observability.client.httpx.Client, "get", broken)

    assert tools.get_prometheus_alerts()["error"] == "Prometheus could not be asked: ReadError"


@pytest.mark.parametrize("url", ["localhost:9090", "ftp://localhost", "prometheus"])
def test_an_address_without_http_is_an_error_reply(tools, environment, url):
    environment.setenv("PROMETHEUS_URL", url)

    assert tools.get_prometheus_targets() == {
        "status": "error",
        "error": f"PROMETHEUS_URL must be the URL of Prometheus, with http:// or https://, not {url!r}.",
    }


def test_an_address_that_is_no_url_is_an_error_reply(tools, environment):
    environment.setenv("PROMETHEUS_URL", "http://localhost:port")

    assert tools.get_prometheus_targets() == {
        "status": "error",
        "error": "PROMETHEUS_URL is not a URL: Invalid port: 'port'",
    }


def test_a_service_may_be_under_a_path_and_ask_for_a_password(tools, environment, prometheus):
    environment.setenv("PROMETHEUS_URL", prometheus.url.replace("http://", "http://ann:not-a-real-one@") + "/metrics/")
    prometheus.reply_data("/metrics/api/v1/alerts", {"alerts": []})

    assert tools.get_prometheus_alerts()["alert_count"] == 0
    assert prometheus.headers["authorization"].startswith("Basic ")


def test_the_address_is_read_at_each_call(tools, environment, prometheus):
    prometheus.reply_data("/api/v1/alerts", {"alerts": []})
    assert tools.get_prometheus_alerts()["status"] == "success"
    environment.setenv("PROMETHEUS_URL", "http://127.0.0.1:1")

    assert tools.get_prometheus_alerts()["status"] == "error"


def test_a_bug_is_not_dressed_up_as_a_reply(tools, observability, monkeypatch):
    monkeypatch.setattr(observability.prometheus, "get", None)

    with pytest.raises(TypeError):
        tools.get_prometheus_alerts()
