"""Deployments: listing them, and how far the latest change of one has come.

A deployment's *rollout* replaces pods of the old version by pods of the new one. It is `complete` when every replica
that is wanted is of the new version and available, and no old one is left, `failed` when it made no progress within the
deployment's own deadline, and `progressing` in between.
"""

from typing import TYPE_CHECKING, Any

from . import cluster
from .client import ask
from .objects import MAX_LISTED, metadata, required, timestamp

if TYPE_CHECKING:
    from kubernetes.client import ApiClient, V1Deployment, V1DeploymentStatus, V1PodSpec


def listing(api: "ApiClient", namespace: str | None, label_selector: str | None) -> dict[str, Any]:
    """List the deployments of one namespace or of all, those in trouble first."""
    from kubernetes.client import AppsV1Api

    apps = AppsV1Api(api)
    if namespace is None:
        items = ask(apps.list_deployment_for_all_namespaces, label_selector=label_selector).items
    else:
        items = ask(apps.list_namespaced_deployment, namespace, label_selector=label_selector).items
        if not items:
            cluster.exists(api, namespace)
    found = [_deployment(deployment) for deployment in items]
    found.sort(key=lambda one: (one["healthy"], one["namespace"], one["deployment_name"]))
    return {
        "deployment_count": len(found),
        "unhealthy_count": sum(not one["healthy"] for one in found),
        "deployments": found[:MAX_LISTED],
    }


def status(api: "ApiClient", namespace: str, name: str) -> dict[str, Any]:
    """Describe one deployment and its rollout."""
    deployment = read(api, namespace, name)
    about, spec, state = metadata(deployment, "Deployment"), deployment.spec, _status_of(deployment)
    return {
        **_deployment(deployment),
        "paused": bool(spec.paused),
        "strategy": spec.strategy and spec.strategy.type,
        "selector": spec.selector.match_labels or {},
        "revision": (about.annotations or {}).get("deployment.kubernetes.io/revision"),
        "conditions": [
            {
                "type": one.type,
                "status": one.status,
                "reason": one.reason,
                "message": one.message,
                "last_update": timestamp(one.last_update_time),
            }
            for one in state.conditions or ()
        ],
    }


def read(api: "ApiClient", namespace: str, name: str) -> "V1Deployment":
    """Return one deployment as it is."""
    from kubernetes.client import AppsV1Api

    return ask(AppsV1Api(api).read_namespaced_deployment, name, namespace)


def pod_spec_of(deployment: "V1Deployment") -> "V1PodSpec":
    """Return what is wanted of each pod of a deployment."""
    pod = deployment.spec.template.spec
    return required(pod, f"a Deployment {metadata(deployment, 'Deployment').name} without a pod's spec")


def _status_of(deployment: "V1Deployment") -> "V1DeploymentStatus":
    return required(deployment.status, f"a Deployment {metadata(deployment, 'Deployment').name} without status")


def _deployment(deployment: "V1Deployment") -> dict[str, Any]:
    """Summarize a deployment; it is healthy if enough replicas are available and its rollout has not failed."""
    about, counts = metadata(deployment, "Deployment"), _counts(deployment)
    rollout, message = _rollout(deployment, counts)
    return {
        "namespace": about.namespace,
        "deployment_name": about.name,
        "healthy": counts["available_replicas"] >= counts["desired_replicas"] and rollout != "failed",
        **counts,
        "rollout": rollout,
        "rollout_message": message,
        "images": {container.name: container.image for container in pod_spec_of(deployment).containers},
        "created_at": timestamp(about.creation_timestamp),
    }


def _counts(deployment: "V1Deployment") -> dict[str, int]:
    """Count replicas; Kubernetes leaves out a count that is zero, and wants one replica where nobody says how many."""
    desired, state = deployment.spec.replicas, _status_of(deployment)
    return {
        "desired_replicas": 1 if desired is None else desired,
        "current_replicas": state.replicas or 0,
        "updated_replicas": state.updated_replicas or 0,
        "ready_replicas": state.ready_replicas or 0,
        "available_replicas": state.available_replicas or 0,
    }


def _rollout(deployment: "V1Deployment", counts: dict[str, int]) -> tuple[str, str]:
    """Say how far the rollout is, by the rules and in the order of `kubectl rollout status`."""
    state, updated = _status_of(deployment), counts["updated_replicas"]
    if (metadata(deployment, "Deployment").generation or 0) > (state.observed_generation or 0):
        return "progressing", "Kubernetes has not yet taken up the latest change."
    if any(one.type == "Progressing" and one.reason == "ProgressDeadlineExceeded" for one in state.conditions or ()):
        return "failed", "The rollout exceeded its progress deadline."
    if updated < counts["desired_replicas"]:
        return "progressing", f"{updated} of {counts['desired_replicas']} new replicas have been updated."
    if counts["current_replicas"] > updated:
        return "progressing", f"{counts['current_replicas'] - updated} old replicas are pending termination."
    if counts["available_replicas"] < updated:
        return "progressing", f"{counts['available_replicas']} of {updated} updated replicas are available."
    return "complete", f"All {updated} replicas are of the latest version and available."
