"""The cluster as a whole: its version, nodes and namespaces.

A node is *ready* if its kubelet reports so. It has a *problem* if that is not so, or if any other of its conditions
holds, for those are all bad: pressure on memory, disk or process ids, and no network.
"""

from typing import TYPE_CHECKING, Any

from .client import ask
from .objects import metadata, required, timestamp

if TYPE_CHECKING:
    from kubernetes.client import ApiClient, V1Node, V1NodeCondition, V1NodeStatus

ROLE_LABEL = "node-role.kubernetes.io/"


def info(api: "ApiClient") -> dict[str, Any]:
    """Tell the version, and count nodes and namespaces."""
    from kubernetes.client import CoreV1Api, VersionApi

    version = ask(VersionApi(api).get_code)
    nodes = _nodes(api)
    namespaces = ask(CoreV1Api(api).list_namespace).items
    return {
        "version": version.git_version,
        "platform": version.platform,
        "node_count": len(nodes),
        "ready_node_count": sum(node["ready"] for node in nodes),
        "nodes_with_problems": [node["node_name"] for node in nodes if node["problems"]],
        "namespace_count": len(namespaces),
    }


def nodes(api: "ApiClient") -> dict[str, Any]:
    """List the nodes by name."""
    found = _nodes(api)
    return {"node_count": len(found), "nodes": found}


def namespaces(api: "ApiClient") -> dict[str, Any]:
    """List the namespaces by name."""
    from kubernetes.client import CoreV1Api

    found = [
        {
            "namespace": about.name,
            "phase": required(namespace.status, f"a Namespace {about.name} without status").phase,
            "created_at": timestamp(about.creation_timestamp),
        }
        for namespace in ask(CoreV1Api(api).list_namespace).items
        for about in [metadata(namespace, "Namespace")]
    ]
    found.sort(key=lambda one: str(one["namespace"]))
    return {"namespace_count": len(found), "namespaces": found}


def exists(api: "ApiClient", namespace: str) -> None:
    """Make sure of a namespace in which nothing was found: to Kubernetes a misspelled one is empty.

    Raises:
        ApiException: There is no such namespace. That the user may not look at namespaces is no reason to fail.
    """
    from kubernetes.client import ApiException, CoreV1Api

    try:
        ask(CoreV1Api(api).read_namespace, namespace)
    except ApiException as error:
        if error.status != 403:  # noqa: PLR2004 - HTTP's own number
            raise


def _nodes(api: "ApiClient") -> list[dict[str, Any]]:
    from kubernetes.client import CoreV1Api

    found = [_node(node) for node in ask(CoreV1Api(api).list_node).items]
    return sorted(found, key=lambda node: str(node["node_name"]))


def _node(node: "V1Node") -> dict[str, Any]:
    about = metadata(node, "Node")
    spec = required(node.spec, f"a Node {about.name} without spec")
    status = required(node.status, f"a Node {about.name} without status")
    conditions = {condition.type: condition for condition in status.conditions or ()}
    problems = [_problem(one) for name, one in conditions.items() if (one.status == "True") != (name == "Ready")]
    if "Ready" not in conditions:
        problems.append("Ready is not reported")
    return {
        "node_name": about.name,
        "ready": "Ready" in conditions and conditions["Ready"].status == "True",
        "problems": problems,
        "schedulable": not spec.unschedulable,
        "taints": [f"{taint.key}={taint.value or ''}:{taint.effect}" for taint in spec.taints or ()],
        "roles": sorted(key.removeprefix(ROLE_LABEL) for key in about.labels or () if key.startswith(ROLE_LABEL)),
        "kubelet_version": status.node_info and status.node_info.kubelet_version,
        "internal_ip": _internal_ip(status),
        "allocatable_cpu": (status.allocatable or {}).get("cpu"),
        "allocatable_memory": (status.allocatable or {}).get("memory"),
    }


def _problem(condition: "V1NodeCondition") -> str:
    """Say what is wrong in a line such as `Ready is Unknown (NodeStatusUnknown): Kubelet stopped posting`."""
    return f"{condition.type} is {condition.status} ({condition.reason}): {condition.message}"


def _internal_ip(status: "V1NodeStatus") -> str | None:
    return next((one.address for one in status.addresses or () if one.type == "InternalIP"), None)
