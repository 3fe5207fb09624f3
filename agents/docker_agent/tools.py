"""The agent's tools.

A docstring here is what the model reads, so it says when to use the tool, what each argument means and what the reply
holds. Each tool checks its arguments, then hands them to `containers`, `usage`, `compose` or `images`. Replies are
those of `replies`: they always have a `status`. None of the tools changes anything.
"""

from typing import Any

from . import checks, compose, containers, images, usage
from .replies import replying


@replying
def list_docker_containers() -> dict[str, Any]:
    """List all containers of the docker host, running or not.

    Use it to find out which containers exist and which of them are stopped, restarting or unhealthy.

    Returns:
        `container_count`, `count_by_state` and `containers` (the first 100, those that do not run first), each with its
        name, id, image, `state` (such as running or exited), `condition` (docker's own words, such as `Exited (137) 5
        minutes ago`), `health` (null without a health check), ports and when it was made.
    """
    return containers.listing()


@replying
def inspect_docker_container(container: str) -> dict[str, Any]:
    """Look at one container of the docker host: how it is set up, how it is doing, how its last run ended.

    Args:
        container: The container's exact name, or its id.

    Returns:
        Image, command, labels, names of environment variables, `state`, `exit_code`, `out_of_memory`, error, when it
        started and finished, `health` and the output of the last health check, `restart_count`, restart policy, limits
        (null without one), mounts, addresses by network and bindings by port.
    """
    checks.container(container)
    return containers.inspect(container)


@replying
def get_docker_container_logs(container: str, tail: int = 100, since: str | None = None) -> dict[str, Any]:
    """Read the end of what a container of the docker host has logged, its output and its errors.

    Args:
        container: The container's exact name, or its id.
        tail: How many lines to read, counted from the end, from 1 to 1000.
        since: Read only what was logged in this period, such as `30m` or `2h30m` (docker knows no days), or since this
            time, such as `2025-06-01T09:30:00Z`.

    Returns:
        `log`, `line_count`, and `cut_off`: whether the beginning was left out because it was too long.
    """
    checks.container(container)
    checks.tail(tail)
    if since is not None:
        checks.since(since)
    return containers.logs(container, tail, since)


@replying
def get_docker_container_stats(container: str | None = None) -> dict[str, Any]:
    """Measure what containers of the docker host use right now: processor, memory, network and disk.

    Args:
        container: The exact name or the id of the one to measure; leave it out for all that run.

    Returns:
        `container_count` and `containers`, each with `cpu_percent` (100 is one whole processor), memory, its limit and
        `memory_percent` of that limit, what it received, sent, read and wrote since its start, and its processes. What
        docker could not measure is null.
    """
    if container is not None:
        checks.container(container)
    return usage.stats(container)


@replying
def get_docker_compose_status(project: str | None = None) -> dict[str, Any]:
    """Tell how compose projects are: which there are, or how the services of one are.

    Args:
        project: The exact name of the project to look at; leave it out to list the projects.

    Returns:
        Without a project `project_count` and `projects`, each with its name, `state` (such as `running(2)`) and files.
        With one `container_count`, `running_count` and `containers`, those that do not run first, each with service,
        name, image, `state`, `condition` (docker's own words), `health` and `exit_code`.
    """
    if project is None:
        return compose.projects()
    checks.project(project)
    return compose.containers(project)


@replying
def list_docker_images() -> dict[str, Any]:
    """List the images on the docker host.

    Returns:
        `image_count`, `dangling_count` (images that have lost their name) and `images` (the first 100), each with
        repository, tag, id, size, when it was made and whether it is dangling.
    """
    return images.listing()


READING = (
    list_docker_containers,
    inspect_docker_container,
    get_docker_container_logs,
    get_docker_container_stats,
    get_docker_compose_status,
    list_docker_images,
)
"""All tools: they only look."""
