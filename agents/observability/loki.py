"""Loki: logs, in *streams* of lines that have the same labels, and numbers computed from logs."""

import datetime as dt
from typing import Any

from .answers import MAX_SERIES, course, data, items, part
from .client import LOKI, get, quote
from .replies import ToolError
from .times import from_unix, written

MAX_LINES = 500
"""How many lines a query may ask for."""

MAX_LINE_CHARACTERS = 2000
"""How much of a line a reply holds."""

NANOSECONDS = 10**9


def query(expression: str, start: dt.datetime, end: dt.datetime, limit: int) -> dict[str, Any]:
    """Find the newest lines of a period, or compute series over it if that is what the query says."""
    parameters: dict[str, str | int] = {
        "query": expression,
        "start": written(start),
        "end": written(end),
        "limit": limit,
        "direction": "backward",
    }
    found = data(LOKI, get(LOKI, "/loki/api/v1/query_range", parameters))
    kind = part(LOKI, found, "resultType", str)
    rows = items(LOKI, part(LOKI, found, "result", list))
    if kind == "matrix":
        series = [course(LOKI, row) for row in rows]
        return {"result_type": kind, "series_count": len(series), "series": series[:MAX_SERIES]}
    streams = [_stream(row) for row in rows]
    line_count = sum(len(stream["lines"]) for stream in streams)
    return {
        "result_type": kind,
        "stream_count": len(streams),
        "line_count": line_count,
        "limit_reached": line_count >= limit,
        "streams": streams,
    }


def labels() -> dict[str, Any]:
    """List the names of the labels that logs have."""
    names = _names("/loki/api/v1/labels")
    return {"label_count": len(names), "labels": names}


def label_values(label: str) -> dict[str, Any]:
    """List the values that a label has."""
    values = _names(f"/loki/api/v1/label/{label}/values")
    return {"label": label, "value_count": len(values), "values": values}


def _names(path: str) -> list[str]:
    """Return a list of texts in order; Loki leaves out its data where there are none."""
    found = data(LOKI, get(LOKI, path, {}))
    names = [] if found is None else found
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise ToolError("Loki's answer is not a list of texts.")
    return sorted(names)


def _stream(row: dict[str, Any]) -> dict[str, Any]:
    lines = part(LOKI, row, "values", list)
    return {"labels": part(LOKI, row, "stream", dict), "lines": [_line(line) for line in lines]}


def _line(entry: Any) -> dict[str, str]:
    """Read a line and its time; what newer versions of Loki add after the two is left out."""
    match entry:
        case [str(nanoseconds), str(line), *_] if nanoseconds.isdecimal():
            return {"time": from_unix(int(nanoseconds) / NANOSECONDS), "line": line[:MAX_LINE_CHARACTERS]}
    raise ToolError(f"Loki's answer has {quote(repr(entry))} instead of a time and a line.")
