"""The agent's tools.

A docstring here is what the model reads, so it says when to use the tool, what each argument means and what the reply
holds. Each tool checks its arguments, then hands them to `cluster`, `pods`, `deployments`, `events` or `changes`.
Replies are those of `replies`: they always have a `status`.
"""

import os
from typing import TYPE_CHECKING, Any

from . import changes, checks, client, cluster, deployments, events, pods
from .replies import ToolError, replying

if TYPE_CHECKING:
    from kubernetes.client import ApiClient


def _api_client() -> "ApiClient":
    """Return a new client for one call of a tool: the one place to put another one."""
    return client.connect(os.environ)


@replying
def get_kubernetes_cluster_info() -> dict[str, Any]:
    """Tell what the Kubernetes cluster is and whether its nodes are well.

    Use it for the cluster's version and for an overview of its size and health.

    Returns:
        `version`, `platform`, `node_count`, `ready_node_count`, `nodes_with_problems` (names) and `namespace_count`.
    """
    with _api_client() as api:
        return cluster.info(api)


@replying
def list_kubernetes_nodes() -> dict[str, Any]:
    """List the nodes of the Kubernetes cluster with the health, version and capacity of each.

    Use it for questions about nodes: which are ready, which are under pressure, cordoned or tainted.

    Returns:
        `node_count` and `nodes`, each with its name, `ready`, `problems` (what its conditions say is wrong),
        `schedulable`, taints, roles, kubelet version, internal IP and what of cpu and memory pods can use.
    """
    with _api_client() as api:
        return cluster.nodes(api)


@replying
def list_kubernetes_namespaces() -> dict[str, Any]:
    """List the namespaces of the Kubernetes cluster.

    Returns:
        `namespace_count` and `namespaces`, each with its name, its phase (Active or Terminating) and when it was made.
    """
    with _api_client() as api:
        return cluster.namespaces(api)


@replying
def list_pods(namespace: str | None = None, label_selector: str | None = None) -> dict[str, Any]:
    """List pods with the state of each, pods in trouble first.

    Args:
        namespace: List this namespace's pods only; leave it out for all namespaces.
        label_selector: List only pods with these labels, in Kubernetes' own form, such as `app=web,tier!=cache`.

    Returns:
        `pod_count`, `unhealthy_count` and `pods` (the first 100), each with namespace, name, `state` (such as
        Running, Pending or CrashLoopBackOff), `healthy`, how many of its containers are ready, restarts and node.
    """
    if namespace is not None:
        checks.label("namespace", namespace)
    if label_selector is not None:
        checks.text("label_selector", label_selector)
    with _api_client() as api:
        return pods.listing(api, namespace, label_selector)


@replying
def describe_pod(namespace: str, pod_name: str) -> dict[str, Any]:
    """Look at one pod: why it is pending, crashing, restarting or not ready.

    Args:
        namespace: The namespace that the pod is in.
        pod_name: The exact name of the pod.

    Returns:
        What list_pods tells, and phase, IP, labels, owners, conditions, `containers` and `init_containers` with image,
        state, last state, restarts, requests, limits and the names of environment variables, and the pod's `events`.
    """
    checks.label("namespace", namespace)
    checks.name("pod_name", pod_name)
    with _api_client() as api:
        return pods.describe(api, namespace, pod_name)


@replying
def get_pod_logs(
    namespace: str, pod_name: str, container: str | None = None, tail_lines: int = 100, previous: bool = False
) -> dict[str, Any]:
    """Read the end of what a container of a Kubernetes pod has logged.

    Args:
        namespace: The namespace that the pod is in.
        pod_name: The exact name of the pod.
        container: The container's name; leave it out for a pod with one container.
        tail_lines: How many lines to read, counted from the end, from 1 to 1000.
        previous: Whether to read the log of the container's previous run, before it crashed and was started again.

    Returns:
        `log`, `line_count`, and `cut_off`: whether the beginning was left out because it was too long.
    """
    checks.label("namespace", namespace)
    checks.name("pod_name", pod_name)
    if container is not None:
        checks.label("container", container)
    checks.number("tail_lines", tail_lines, least=1, most=checks.MAX_TAIL_LINES)
    with _api_client() as api:
        return pods.logs(api, namespace, pod_name, container, tail_lines, previous=bool(previous))


@replying
def list_deployments(namespace: str | None = None, label_selector: str | None = None) -> dict[str, Any]:
    """List deployments with the replicas and images of each, deployments in trouble first.

    Args:
        namespace: List this namespace's deployments only; leave it out for all namespaces.
        label_selector: List only deployments with these labels, in Kubernetes' own form, such as `app=web,tier!=cache`.

    Returns:
        `deployment_count`, `unhealthy_count` and `deployments` (the first 100), each with namespace, name, `healthy`,
        its replicas (desired, current, updated, ready, available), how far its rollout is, and images by container.
    """
    if namespace is not None:
        checks.label("namespace", namespace)
    if label_selector is not None:
        checks.text("label_selector", label_selector)
    with _api_client() as api:
        return deployments.listing(api, namespace, label_selector)


@replying
def get_deployment_status(namespace: str, deployment_name: str) -> dict[str, Any]:
    """Look at one deployment: whether its rollout is complete, and if not, why.

    Args:
        namespace: The namespace that the deployment is in.
        deployment_name: The exact name of the deployment.

    Returns:
        What list_deployments tells, of which `rollout` (complete, progressing or failed) and `rollout_message` come
        first, and whether it is paused, its strategy, selector, revision and conditions with their reasons.
    """
    checks.label("namespace", namespace)
    checks.name("deployment_name", deployment_name)
    with _api_client() as api:
        return deployments.status(api, namespace, deployment_name)


@replying
def list_kubernetes_events(
    namespace: str, object_kind: str | None = None, object_name: str | None = None
) -> dict[str, Any]:
    """List what has lately happened in a namespace of Kubernetes, newest first, such as failed scheduling or pulling.

    Events about nodes are in the namespace `default`.

    Args:
        namespace: The namespace of the objects that the events are about.
        object_kind: List only events about objects of this kind, such as Pod, Deployment or Node.
        object_name: List only events about objects of this exact name.

    Returns:
        `event_count`, `warning_count` and `events` (the newest 50), each with type (Normal or Warning), reason,
        message, object as kind/name, how often it happened and when last.
    """
    checks.label("namespace", namespace)
    if object_kind is not None:
        checks.kind("object_kind", object_kind)
    if object_name is not None:
        checks.name("object_name", object_name)
    with _api_client() as api:
        return events.listing(api, namespace, object_kind, object_name)


@replying
def patch_deployment(
    namespace: str,
    deployment_name: str,
    container: str,
    image: str | None = None,
    env: dict[str, str] | None = None,
    resources: dict[str, str] | None = None,
) -> dict[str, Any]:
    """Change the image, environment or resources of one container of a deployment. The user is asked to confirm first.

    Whatever is left out stays as it is. The deployment then replaces its pods, a rollout that get_deployment_status
    follows.

    Args:
        namespace: The namespace that the deployment is in.
        deployment_name: The exact name of the deployment.
        container: The name of one of its containers.
        image: The image to run, with a tag or a digest, such as `nginx:1.27.4`.
        env: Environment variables to add or to change, values by name.
        resources: What to set of cpu_request, cpu_limit (such as `250m` or `2`), memory_request and memory_limit (such
            as `256Mi` or `1Gi`).

    Returns:
        `previous_image`, `image`, `environment_variables_set`, `previous_resources`, `resources` and whether a
        rollout started; none does where everything already was as asked.
    """
    checks.own_namespace(namespace)
    checks.name("deployment_name", deployment_name)
    checks.label("container", container)
    settings = {"image": image, "env": env, "resources": resources}
    settings = {name: value for name, value in settings.items() if value is not None}
    if not settings:
        raise ToolError("Nothing to change: state an image, env or resources.")
    for name, value in settings.items():
        checks.SETTINGS[name](value)
    with _api_client() as api:
        return changes.patch(api, namespace, deployment_name, container, settings)


@replying
def scale_deployment(namespace: str, deployment_name: str, replicas: int) -> dict[str, Any]:
    """Set how many replicas a deployment has. The user is asked to confirm first.

    Args:
        namespace: The namespace that the deployment is in.
        deployment_name: The exact name of the deployment.
        replicas: How many replicas it is to have; 0 stops it.

    Returns:
        `previous_replicas` and `replicas`, the numbers wanted before and after.
    """
    checks.own_namespace(namespace)
    checks.name("deployment_name", deployment_name)
    checks.number("replicas", replicas, least=0)
    with _api_client() as api:
        return changes.scale(api, namespace, deployment_name, replicas)


@replying
def restart_deployment(namespace: str, deployment_name: str) -> dict[str, Any]:
    """Restart a deployment: replace its pods one after the other by new ones. The user is asked to confirm first.

    Args:
        namespace: The namespace that the deployment is in.
        deployment_name: The exact name of the deployment.

    Returns:
        `restarted_at`; get_deployment_status tells when the restart is complete.
    """
    checks.own_namespace(namespace)
    checks.name("deployment_name", deployment_name)
    with _api_client() as api:
        return changes.restart(api, namespace, deployment_name)


READING = (
    get_kubernetes_cluster_info,
    list_kubernetes_nodes,
    list_kubernetes_namespaces,
    list_pods,
    describe_pod,
    get_pod_logs,
    list_deployments,
    get_deployment_status,
    list_kubernetes_events,
)
"""Tools that only look."""

CHANGING = (patch_deployment, scale_deployment, restart_deployment)
"""Tools that change a deployment; the agent puts each behind a confirmation."""
