"""Pods: how they are, what runs in them, and what they log."""

from typing import TYPE_CHECKING, Any

from . import cluster, events
from .client import ask
from .objects import MAX_LISTED, metadata, required, timestamp

if TYPE_CHECKING:
    from kubernetes.client import (
        ApiClient,
        V1Container,
        V1ContainerState,
        V1ContainerStatus,
        V1Pod,
        V1PodSpec,
        V1PodStatus,
    )

MAX_LOG_CHARACTERS = 20_000
"""How much of a log a reply holds, from its end: a line can have any length."""


def listing(api: "ApiClient", namespace: str | None, label_selector: str | None) -> dict[str, Any]:
    """List the pods of one namespace or of all, those in trouble first."""
    from kubernetes.client import CoreV1Api

    core = CoreV1Api(api)
    if namespace is None:
        items = ask(core.list_pod_for_all_namespaces, label_selector=label_selector).items
    else:
        items = ask(core.list_namespaced_pod, namespace, label_selector=label_selector).items
        if not items:
            cluster.exists(api, namespace)
    pods = [_pod(pod) for pod in items]
    pods.sort(key=lambda pod: (pod["healthy"], pod["namespace"], pod["pod_name"]))
    return {
        "pod_count": len(pods),
        "unhealthy_count": sum(not pod["healthy"] for pod in pods),
        "pods": pods[:MAX_LISTED],
    }


def describe(api: "ApiClient", namespace: str, name: str) -> dict[str, Any]:
    """Describe one pod: where it runs, its conditions, its containers and its events."""
    from kubernetes.client import CoreV1Api

    pod = ask(CoreV1Api(api).read_namespaced_pod, name, namespace)
    about, spec, status = metadata(pod, "Pod"), _spec(pod), _status(pod)
    return {
        **_pod(pod),
        "phase": status.phase,
        "message": status.message,
        "pod_ip": status.pod_ip,
        "qos_class": status.qos_class,
        "service_account": spec.service_account_name,
        "labels": about.labels or {},
        "owners": [f"{owner.kind}/{owner.name}" for owner in about.owner_references or ()],
        "conditions": [
            {"type": one.type, "status": one.status, "reason": one.reason, "message": one.message}
            for one in status.conditions or ()
        ],
        "init_containers": _containers(spec.init_containers, status.init_container_statuses),
        "containers": _containers(spec.containers, status.container_statuses),
        "events": events.about(api, namespace, "Pod", name)[: events.MAX_EVENTS],
    }


def logs(
    api: "ApiClient", namespace: str, name: str, container: str | None, tail_lines: int, *, previous: bool
) -> dict[str, Any]:
    """Return the end of a container's log."""
    from kubernetes.client import CoreV1Api

    # Preloaded, a log that happens to be JSON would come back as something else: the client decodes what it can.
    response = ask(
        CoreV1Api(api).read_namespaced_pod_log,
        name,
        namespace,
        container=container,
        tail_lines=tail_lines,
        previous=previous,
        _preload_content=False,
    )
    log = response.data.decode("utf-8", errors="replace")  # type: ignore[attr-defined]  # the raw response, not text
    return {
        "namespace": namespace,
        "pod_name": name,
        "container": container,
        "previous": previous,
        "line_count": len(log.splitlines()),
        "cut_off": len(log) > MAX_LOG_CHARACTERS,
        "log": log[-MAX_LOG_CHARACTERS:],
    }


def _spec(pod: "V1Pod") -> "V1PodSpec":
    return required(pod.spec, f"a Pod {metadata(pod, 'Pod').name} without spec")


def _status(pod: "V1Pod") -> "V1PodStatus":
    return required(pod.status, f"a Pod {metadata(pod, 'Pod').name} without status")


def _pod(pod: "V1Pod") -> dict[str, Any]:
    """Summarize a pod; it is healthy if all of its containers are ready or it has done its work."""
    about, spec, status = metadata(pod, "Pod"), _spec(pod), _status(pod)
    statuses = status.container_statuses or []
    ready = sum(one.ready for one in statuses)
    return {
        "namespace": about.namespace,
        "pod_name": about.name,
        "state": _state(pod),
        "healthy": status.phase == "Succeeded" or ready == len(spec.containers),
        "ready_containers": ready,
        "container_count": len(spec.containers),
        "restart_count": sum(one.restart_count for one in statuses),
        "node_name": spec.node_name,
        "created_at": timestamp(about.creation_timestamp),
    }


def _state(pod: "V1Pod") -> str | None:
    """Say in a word how a pod is: what holds up a container, as in `kubectl get pods`, tells more than the phase."""
    status = _status(pod)
    if metadata(pod, "Pod").deletion_timestamp:
        return "Terminating"
    for container in status.init_container_statuses or ():
        if reason := _held_up_by(container):
            return f"Init:{reason}"
    for container in status.container_statuses or ():
        if reason := _held_up_by(container):
            return reason
    return status.reason or status.phase


def _held_up_by(container: "V1ContainerStatus") -> str | None:
    state = container.state
    if state and state.waiting and state.waiting.reason != "PodInitializing":
        return state.waiting.reason
    if state and state.terminated and state.terminated.exit_code:
        return state.terminated.reason or f"ExitCode:{state.terminated.exit_code}"
    return None


def _containers(
    containers: "list[V1Container] | None", statuses: "list[V1ContainerStatus] | None"
) -> list[dict[str, Any]]:
    """Describe containers; of environment variables only the names, since values may be secrets."""
    by_name = {status.name: status for status in statuses or ()}
    described = []
    for container in containers or ():
        status, resources = by_name.get(container.name), container.resources
        described.append(
            {
                "container": container.name,
                "image": container.image,
                "ready": bool(status and status.ready),
                "restart_count": status.restart_count if status else 0,
                "state": _container_state(status.state if status else None),
                "last_state": _container_state(status.last_state if status else None),
                "requests": (resources and resources.requests) or {},
                "limits": (resources and resources.limits) or {},
                "environment_variables": [variable.name for variable in container.env or ()],
            }
        )
    return described


def _container_state(state: "V1ContainerState | None") -> dict[str, Any]:
    """Describe the state that a container is in, or was in before it was started again; empty if there is none."""
    if state and state.running:
        return {"running": {"started_at": timestamp(state.running.started_at)}}
    if state and state.waiting:
        return {"waiting": {"reason": state.waiting.reason, "message": state.waiting.message}}
    if state and state.terminated:
        ended = {
            "reason": state.terminated.reason,
            "message": state.terminated.message,
            "exit_code": state.terminated.exit_code,
            "finished_at": timestamp(state.terminated.finished_at),
        }
        return {"terminated": ended}
    return {}
