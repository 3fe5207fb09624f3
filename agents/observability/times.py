"""Times as a model writes them, and as the services write them.

A *moment* is absolute, `2025-06-01T09:30:00Z`, or relative to now: `now`, `now-30m`, `now-1h30m`. A *duration* is such
as `30s`, `5m`, `1h30m` or `2d`.
"""

import contextlib
import datetime as dt
import re

from .replies import ToolError

_DURATION = re.compile(r"(?:([0-9]+)d)?(?:([0-9]+)h)?(?:([0-9]+)m)?(?:([0-9]+)s)?")
_RELATIVE = re.compile(r"now(?:-(.+))?")


def moment(argument: str, text: object, now: dt.datetime) -> dt.datetime:
    """Read a moment.

    Raises:
        ToolError: The text is none, or an absolute one that does not say its time zone.
    """
    with contextlib.suppress(OverflowError, ValueError):
        if isinstance(text, str) and (relative := _RELATIVE.fullmatch(text)):
            return now - duration(argument, relative[1]) if relative[1] else now
        found = dt.datetime.fromisoformat(str(text))
        if found.tzinfo is not None:
            return found.astimezone(dt.UTC)
    example = "2025-06-01T09:30:00Z, or one such as now-30m"
    raise ToolError(f"{argument} must be a time with its zone such as {example}, not {text!r}.")


def duration(argument: str, text: object) -> dt.timedelta:
    """Read a duration.

    Raises:
        ToolError: The text is none, or nothing long.
    """
    parts = _DURATION.fullmatch(text) if isinstance(text, str) else None
    days, hours, minutes, seconds = (int(part or 0) for part in parts.groups()) if parts else (0, 0, 0, 0)
    try:
        found = dt.timedelta(days=days, hours=hours, minutes=minutes, seconds=seconds)
    except OverflowError:
        found = dt.timedelta(0)
    if not found:
        raise ToolError(f"{argument} must have a duration such as 30s, 5m or 1h30m, not {text!r}.")
    return found


def period(start: object, end: object) -> tuple[dt.datetime, dt.datetime]:
    """Read the two ends of a period of time.

    Raises:
        ToolError: One of them is no moment, or they are in the wrong order.
    """
    now = dt.datetime.now(dt.UTC).replace(microsecond=0)
    first, last = moment("start", start, now), moment("end", end, now)
    if first >= last:
        raise ToolError(f"start must be before end, but {start!r} is not before {end!r}.")
    return first, last


def written(found: dt.datetime) -> str:
    """Write a moment as RFC 3339, which all the services read: `2025-06-01T09:30:00Z`."""
    return found.isoformat().replace("+00:00", "Z")


def from_unix(seconds: float) -> str:
    """Write a Unix time as RFC 3339.

    Raises:
        ToolError: There is no such time.
    """
    try:
        return written(dt.datetime.fromtimestamp(seconds, dt.UTC))
    except (OverflowError, ValueError, OSError) as error:
        raise ToolError(f"An answer has the time {seconds!r}, which does not exist.") from error
