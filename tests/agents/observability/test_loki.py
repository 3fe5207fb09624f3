"""Logs, from a Loki that answers over a real connection."""

import datetime as dt

import pytest

QUERY = "/loki/api/v1/query_range"
LABELS = "/loki/api/v1/labels"

NINE = 1748768400  # 2025-06-01T09:00:00Z


def _stream(app, *lines):
    values = [[f"{NINE + second}{fraction:09}", line] for second, fraction, line in lines]
    return {"stream": {"app": app}, "values": values}


def test_lines_are_found_with_their_labels_and_times(tools, loki):
    streams = [_stream("web", (5, 250_000_000, "error: b"), (0, 0, "error: a")), _stream("db", (1, 0, "error: c"))]
    loki.reply_data(QUERY, {"resultType": "streams", "result": streams, "stats": {}})

    reply = tools.query_loki('{app=~".+"} |= "error"', "2025-06-01T09:00:00Z", "2025-06-01T10:00:00Z", 100)

    assert reply == {
        "status": "success",
        "result_type": "streams",
        "stream_count": 2,
        "line_count": 3,
        "limit_reached": False,
        "streams": [
            {
                "labels": {"app": "web"},
                "lines": [
                    {"time": "2025-06-01T09:00:05.250000Z", "line": "error: b"},
                    {"time": "2025-06-01T09:00:00Z", "line": "error: a"},
                ],
            },
            {"labels": {"app": "db"}, "lines": [{"time": "2025-06-01T09:00:01Z", "line": "error: c"}]},
        ],
    }
    times = {"start": "2025-06-01T09:00:00Z", "end": "2025-06-01T10:00:00Z"}
    query = {"query": '{app=~".+"} |= "error"', **times, "limit": "100", "direction": "backward"}
    assert loki.requests == [(QUERY, query)]


def test_the_last_hour_is_searched_when_no_time_is_stated(tools, loki):
    loki.reply_data(QUERY, {"resultType": "streams", "result": []})

    reply = tools.query_loki('{app="web"}')

    assert (reply["status"], reply["line_count"], reply["streams"]) == ("success", 0, [])
    ((_, query),) = loki.requests
    start, end = (dt.datetime.fromisoformat(query[name]) for name in ("start", "end"))
    assert end - start == dt.timedelta(hours=1)
    assert query["limit"] == "100"


def test_it_is_told_when_there_may_be_more_lines(tools, loki):
    loki.reply_data(QUERY, {"resultType": "streams", "result": [_stream("web", (0, 0, "a"), (1, 0, "b"))]})

    assert tools.query_loki('{app="web"}', limit=2)["limit_reached"] is True


def test_what_newer_versions_add_to_a_line_is_left_out(tools, loki):
    stream = {"stream": {}, "values": [[f"{NINE}000000000", "a", {"structuredMetadata": {}}]]}
    loki.reply_data(QUERY, {"resultType": "streams", "result": [stream]})

    assert tools.query_loki("{}")["streams"][0]["lines"] == [{"time": "2025-06-01T09:00:00Z", "line": "a"}]


def test_of_an_endless_line_the_beginning_is_shown(tools, loki):
    loki.reply_data(QUERY, {"resultType": "streams", "result": [_stream("web", (0, 0, "start" + "x" * 9000))]})

    (line,) = tools.query_loki('{app="web"}')["streams"][0]["lines"]

    assert (line["line"][:5], len(line["line"])) == ("start", 2000)


def test_a_query_for_numbers_gives_series(tools, loki):
    rows = [{"metric": {"app": "web"}, "values": [[NINE, "3"], [NINE + 60, "0"]]}]
    loki.reply_data(QUERY, {"resultType": "matrix", "result": rows})

    assert tools.query_loki('count_over_time({app="web"}[1m])') == {
        "status": "success",
        "result_type": "matrix",
        "series_count": 1,
        "series": [
            {"labels": {"app": "web"}, "points": [["2025-06-01T09:00:00Z", "3"], ["2025-06-01T09:01:00Z", "0"]]}
        ],
    }


def test_labels_are_listed_in_order(tools, loki):
    loki.reply_data(LABELS, ["job", "app"])

    assert tools.list_loki_labels() == {"status": "success", "label_count": 2, "labels": ["app", "job"]}
    assert loki.requests == [(LABELS, {})]


def test_values_of_a_label_are_listed_in_order(tools, loki):
    loki.reply_data("/loki/api/v1/label/app/values", ["web", "db"])

    assert tools.list_loki_label_values("app") == {
        "status": "success",
        "label": "app",
        "value_count": 2,
        "values": ["db", "web"],
    }


def test_a_loki_without_logs_leaves_out_its_data_and_has_no_labels(tools, loki):
    loki.reply(LABELS, {"status": "success"})

    assert tools.list_loki_labels() == {"status": "success", "label_count": 0, "labels": []}


def test_what_loki_says_in_plain_text_is_in_the_error_reply(tools, loki):
    loki.reply(QUERY, b"parse error at line 1, col 6: syntax error\n", status=400, content_type="text/plain")

    assert tools.query_loki("{app=") == {
        "status": "error",
        "error": "Loki answered 400 Bad Request: parse error at line 1, col 6: syntax error",
    }


@pytest.mark.parametrize(
    ("tool", "args", "argument"),
    [
        ("query_loki", [""], "query"),
        ("query_loki", [None], "query"),
        ("query_loki", ["{}", "1 hour ago"], "start"),
        ("query_loki", ["{}", "now-1h", "soon"], "end"),
        ("query_loki", ["{}", "now", "now-1h"], "start"),
        ("query_loki", ["{}", "now-1h", "now", 0], "limit"),
        ("query_loki", ["{}", "now-1h", "now", 501], "limit"),
        ("query_loki", ["{}", "now-1h", "now", "100"], "limit"),
        ("query_loki", ["{}", "now-1h", "now", True], "limit"),
        ("list_loki_label_values", [""], "label"),
        ("list_loki_label_values", ["../labels"], "label"),
        ("list_loki_label_values", [7], "label"),
    ],
)
def test_bad_input_is_refused_before_loki_is_asked(tools, loki, tool, args, argument):
    reply = getattr(tools, tool)(*args)

    assert reply["status"] == "error"
    assert reply["error"].startswith(f"{argument} must ")
    assert loki.requests == []


def _streams(**stream):
    return {"resultType": "streams", "result": [stream]}


@pytest.mark.parametrize(
    ("data", "error"),
    [
        ([], "has no text resultType"),
        ({"resultType": "streams"}, "has no list result"),
        (_streams(), "has no list values"),
        (_streams(values=[]), "has no object stream"),
        (_streams(stream={}, values=[["soon", "a"]]), "has ['soon', 'a'] instead of a time and a line."),
        (_streams(stream={}, values=["a"]), "has 'a' instead of a time and a line."),
        ({"resultType": "matrix", "result": [{}]}, "has no object metric"),
    ],
)
def test_data_of_another_shape_is_an_error_reply(tools, loki, data, error):
    loki.reply_data(QUERY, data)

    reply = tools.query_loki("{}")

    assert reply["status"] == "error"
    assert reply["error"].startswith(f"Loki's answer {error}")


@pytest.mark.parametrize("data", [{}, [5], "app"])
def test_labels_of_another_shape_are_an_error_reply(tools, loki, data):
    loki.reply_data(LABELS, data)

    assert tools.list_loki_labels() == {"status": "error", "error": "Loki's answer is not a list of texts."}
