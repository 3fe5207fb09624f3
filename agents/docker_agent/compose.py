"""Compose projects, and the containers of their services."""

from typing import Any

from .command import DockerError, document, field, json_lines, run
from .replies import ToolError

REFUSED = 125
"""Docker's exit code for what neither it nor any of its plugins understands."""


def projects() -> dict[str, Any]:
    """List the projects that have containers, stopped ones included."""
    rows = _rows(document(_compose("ls", "--all", "--format", "json")))
    return {
        "project_count": len(rows),
        "projects": [
            {"project": field(row, "Name"), "state": field(row, "Status"), "config_files": field(row, "ConfigFiles")}
            for row in rows
        ],
    }


def containers(project: str) -> dict[str, Any]:
    """List the containers of one project, those that do not run first.

    Raises:
        ToolError: There is none: to compose, a project that does not exist is an empty one.
    """
    printed = _compose("--project-name", project, "ps", "--all", "--format", "json")
    # Before 2.21 compose printed one document, since then it prints a line for each container.
    rows = _rows(document(printed)) if printed.lstrip().startswith("[") else json_lines(printed)
    if not rows:
        raise ToolError(f"There is no compose project {project}, or it has no containers.")
    found = [_container(row) for row in rows]
    found.sort(key=lambda one: (one["state"] == "running", one["service"], one["container"]))
    return {
        "project": project,
        "container_count": len(found),
        "running_count": sum(one["state"] == "running" for one in found),
        "containers": found,
    }


def _compose(*arguments: str) -> str:
    try:
        return run("compose", *arguments)
    except DockerError as error:
        if error.exit_code != REFUSED:
            raise
        raise ToolError(f"{error}. Docker's plugin compose may be missing.") from error


def _rows(found: Any) -> list[dict[str, Any]]:
    if not isinstance(found, list) or not all(isinstance(row, dict) for row in found):
        raise ToolError("Docker's answer is not a list of objects.")
    return found


def _container(row: dict[str, Any]) -> dict[str, Any]:
    return {
        "service": field(row, "Service"),
        "container": field(row, "Name"),
        "image": field(row, "Image"),
        "state": field(row, "State"),
        "condition": row.get("Status"),
        "health": row.get("Health") or None,
        "exit_code": row.get("ExitCode"),
    }
