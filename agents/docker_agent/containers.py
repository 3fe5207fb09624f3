"""Containers: which there are, how one is set up and doing, what it logs."""

import re
from collections import Counter
from typing import Any

from .command import document, field, json_lines, run, section
from .replies import ToolError

MAX_LISTED = 100
"""How many containers or images a reply lists."""

MAX_LOG_CHARACTERS = 20_000
"""How much of a log a reply holds, from its end: a line can have any length."""

SHORT_ID = 12
"""How many characters of an id docker shows, and takes, where it is unique."""

_HEALTH = re.compile(r"\((?:health: )?(healthy|unhealthy|starting)\)")


def listing() -> dict[str, Any]:
    """List all containers, those that do not run first."""
    rows = json_lines(run("ps", "--all", "--no-trunc", "--format", "{{json .}}"))
    containers = [_container(row) for row in rows]
    containers.sort(key=lambda one: (one["state"] == "running", one["container"]))
    return {
        "container_count": len(containers),
        "count_by_state": dict(sorted(Counter(one["state"] for one in containers).items())),
        "containers": containers[:MAX_LISTED],
    }


def inspect(container: str) -> dict[str, Any]:
    """Describe one container; of environment variables only the names, since values may be secrets."""
    found = document(run("inspect", "--type", "container", container))
    if not isinstance(found, list) or len(found) != 1 or not isinstance(found[0], dict):
        raise ToolError("Docker's answer is not a list of one container.")
    (thing,) = found
    config, host = section(thing, "Config"), section(thing, "HostConfig")
    return {
        "container": field(thing, "Name").removeprefix("/"),
        "id": field(thing, "Id")[:SHORT_ID],
        "image": field(config, "Image"),
        "command": [thing.get("Path"), *(thing.get("Args") or ())],
        "environment_variables": [variable.partition("=")[0] for variable in config.get("Env") or ()],
        "labels": config.get("Labels") or {},
        **_state(section(thing, "State")),
        "restart_count": thing.get("RestartCount", 0),
        "restart_policy": section(host, "RestartPolicy", optional=True).get("Name") or "no",
        "memory_limit_bytes": host.get("Memory") or None,
        "cpu_limit": host["NanoCpus"] / 1e9 if host.get("NanoCpus") else None,
        "mounts": [
            {"source": one.get("Source"), "destination": one.get("Destination"), "read_only": not one.get("RW", True)}
            for one in thing.get("Mounts") or ()
        ],
        **_network(section(thing, "NetworkSettings")),
    }


def logs(container: str, tail: int, since: str | None) -> dict[str, Any]:
    """Return the end of a container's log, its output and its errors in the order in which docker prints them."""
    period = ["--since", since] if since is not None else []
    log = run("logs", "--tail", str(tail), *period, container, joined=True)
    return {
        "container": container,
        "line_count": len(log.splitlines()),
        "cut_off": len(log) > MAX_LOG_CHARACTERS,
        "log": log[-MAX_LOG_CHARACTERS:],
    }


def _container(row: dict[str, Any]) -> dict[str, Any]:
    condition = field(row, "Status")
    health = _HEALTH.search(condition)
    return {
        "container": field(row, "Names"),
        "id": field(row, "ID")[:SHORT_ID],
        "image": field(row, "Image"),
        "state": field(row, "State"),
        "condition": condition,
        "health": health[1] if health else None,
        "ports": field(row, "Ports"),
        "created_at": field(row, "CreatedAt"),
    }


def _state(state: dict[str, Any]) -> dict[str, Any]:
    """Tell whether a container runs and how its last run ended; `health` is null where it has no health check."""
    health = section(state, "Health", optional=True)
    checks = health.get("Log") or []
    return {
        "state": field(state, "Status"),
        "exit_code": state.get("ExitCode"),
        "out_of_memory": state.get("OOMKilled", False),
        "error": state.get("Error") or None,
        "started_at": _moment(state, "StartedAt"),
        "finished_at": _moment(state, "FinishedAt"),
        "health": health.get("Status"),
        "last_health_check": checks[-1].get("Output") if checks else None,
    }


def _moment(state: dict[str, Any], name: str) -> str | None:
    """Return when something happened; docker writes the first second of year 1 for never."""
    moment = field(state, name)
    return None if moment.startswith("0001-") else moment


def _network(settings: dict[str, Any]) -> dict[str, Any]:
    """Tell the address in each network, and which ports of the host lead to which of the container."""
    return {
        "networks": {name: one.get("IPAddress") for name, one in section(settings, "Networks", optional=True).items()},
        "ports": {
            port: [f"{field(one, 'HostIp')}:{field(one, 'HostPort')}" for one in bindings or ()]
            for port, bindings in section(settings, "Ports", optional=True).items()
        },
    }
