"""What containers use: processor, memory, network and disk, measured once."""

from typing import Any

from .command import field, json_lines, run
from .replies import ToolError

UNKNOWN = "--"
"""What docker prints for a number that it could not measure."""


def stats(container: str | None) -> dict[str, Any]:
    """Measure what one container, or each that runs, uses."""
    which = [container] if container is not None else []
    rows = json_lines(run("stats", "--no-stream", "--format", "json", *which))
    containers = [_usage(row) for row in rows]
    return {"container_count": len(containers), "containers": sorted(containers, key=lambda one: str(one["container"]))}


def _usage(row: dict[str, Any]) -> dict[str, Any]:
    memory, memory_limit = _pair(row, "MemUsage")
    received, sent = _pair(row, "NetIO")
    read, written = _pair(row, "BlockIO")
    return {
        "container": _known(field(row, "Name")) or field(row, "Container"),
        "cpu_percent": _number(row, "CPUPerc"),
        "memory": memory,
        "memory_limit": memory_limit,
        "memory_percent": _number(row, "MemPerc"),
        "network_received": received,
        "network_sent": sent,
        "disk_read": read,
        "disk_written": written,
        "processes": _number(row, "PIDs"),
    }


def _known(text: str) -> str | None:
    """Return what docker printed; None where it could not measure, which is not the same as zero."""
    return None if text == UNKNOWN else text


def _number(row: dict[str, Any], name: str) -> float | None:
    """Read a number, or what docker prints as `12.34%`."""
    text = _known(field(row, name).removesuffix("%"))
    if text is None:
        return None
    try:
        return float(text) if "." in text else int(text)
    except ValueError as error:
        raise ToolError(f"Docker's answer has {text!r} as {name}, which is no number.") from error


def _pair(row: dict[str, Any], name: str) -> tuple[str | None, str | None]:
    """Split what docker prints as `21.5MiB / 1.944GiB`."""
    first, _, second = field(row, name).partition(" / ")
    return _known(first), _known(second or UNKNOWN)
