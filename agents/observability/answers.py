"""Reading what the services answer, and what Prometheus and Loki have in common.

Both wrap their data in an envelope with a `status`, and both know *series*: a set of labels with one value, or with a
value at each of several times. A value is text, for it may be NaN or +Inf.
"""

from typing import Any, TypeVar

from .client import Service, quote
from .replies import ToolError
from .times import from_unix

Kind = TypeVar("Kind", dict[str, Any], list[Any], str)

MAX_SERIES = 50
"""How many series a reply lists: a query may find thousands, and a model reads them all."""


def data(service: Service, envelope: Any) -> Any:
    """Return what is in the envelope; None if there is nothing in it.

    Raises:
        ToolError: The service reports an error, or this is no envelope.
    """
    if not isinstance(envelope, dict):
        raise ToolError(f"{service.name}'s answer is not an object.")
    if envelope.get("status") == "error":
        kind = envelope.get("errorType") or "an error"
        raise ToolError(f"{service.name} reported {kind}: {envelope.get('error') or 'it did not say which'}")
    if envelope.get("status") != "success":
        raise ToolError(f"{service.name}'s answer has the status {envelope.get('status')!r}, not 'success'.")
    return envelope.get("data")


def part(service: Service, thing: Any, name: str, kind: type[Kind]) -> Kind:
    """Return a part of an object that the service always sends.

    Raises:
        ToolError: There is no such part, or it is of another kind.
    """
    found = thing.get(name) if isinstance(thing, dict) else None
    if not isinstance(found, kind):
        words = {dict: "object", list: "list", str: "text"}
        raise ToolError(f"{service.name}'s answer has no {words[kind]} {name}; it is not what was asked for.")
    return found


def items(service: Service, found: Any) -> list[dict[str, Any]]:
    """Return a list of objects.

    Raises:
        ToolError: It is none.
    """
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise ToolError(f"{service.name}'s answer is not a list of objects.")
    return found


def instant(service: Service, row: dict[str, Any]) -> dict[str, Any]:
    """Read a series with one value."""
    labels = part(service, row, "metric", dict)
    time, value = sample(service, _without_histograms(service, row).get("value"))
    return {"labels": labels, "time": time, "value": value}


def course(service: Service, row: dict[str, Any]) -> dict[str, Any]:
    """Read a series with a value at each of several times."""
    labels = part(service, row, "metric", dict)
    points = part(service, _without_histograms(service, row), "values", list)
    return {"labels": labels, "points": [list(sample(service, point)) for point in points]}


def sample(service: Service, pair: Any) -> tuple[str, str]:
    """Read a time and the value at it.

    Raises:
        ToolError: It is no such pair.
    """
    match pair:
        case [int() | float() as seconds, str(value)]:
            return from_unix(seconds), value
    raise ToolError(f"{service.name}'s answer has {quote(repr(pair))} instead of a time and a value.")


def _without_histograms(service: Service, row: dict[str, Any]) -> dict[str, Any]:
    if "histogram" in row or "histograms" in row:
        raise ToolError(
            f"{service.name} answered with native histograms; use a function such as histogram_quantile in the query."
        )
    return row
