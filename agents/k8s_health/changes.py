"""What the agent can change about a deployment: a container's settings, the number of replicas, a fresh start."""

import datetime as dt
from typing import TYPE_CHECKING, Any

from . import deployments
from .client import ask
from .objects import metadata, timestamp
from .replies import ToolError

if TYPE_CHECKING:
    from kubernetes.client import ApiClient, V1Container, V1Deployment, V1Scale

FIELD_MANAGER = "k8s-health-agent"
"""Who made a change, for whoever looks at an object's `managedFields`."""

RESTARTED_AT = "kubectl.kubernetes.io/restartedAt"
"""The annotation whose change makes a deployment replace its pods; the one that kubectl uses."""


def patch(api: "ApiClient", namespace: str, name: str, container: str, settings: dict[str, Any]) -> dict[str, Any]:
    """Change one container of a deployment by a strategic merge patch.

    Args:
        api: The client.
        namespace: Where the deployment is.
        name: The deployment's name.
        container: The name of a container that is there; a patch that names another one would add it.
        settings: Those of `image` (a reference), `env` (variables by name) and `resources` (as in
            `checks.QUANTITIES`) that are to change.

    Raises:
        ToolError: The deployment has no such container.
    """
    before = deployments.read(api, namespace, name)
    old = _container(before, container)
    change = {"name": container, **_container_patch(settings)}
    after = _patch(api, namespace, name, {"spec": {"containers": [change]}})
    new = _container(after, container)
    return {
        "namespace": namespace,
        "deployment_name": name,
        "container": container,
        "previous_image": old.image,
        "image": new.image,
        "environment_variables_set": sorted(settings.get("env", ())),
        "previous_resources": _resources(old),
        "resources": _resources(new),
        "rollout_started": metadata(after, "Deployment").generation != metadata(before, "Deployment").generation,
    }


def scale(api: "ApiClient", namespace: str, name: str, replicas: int) -> dict[str, Any]:
    """Set how many replicas are wanted."""
    from kubernetes.client import AppsV1Api

    apps = AppsV1Api(api)
    before = ask(apps.read_namespaced_deployment_scale, name, namespace)
    body = {"spec": {"replicas": replicas}}
    after = ask(apps.patch_namespaced_deployment_scale, name, namespace, body, field_manager=FIELD_MANAGER)
    return {
        "namespace": namespace,
        "deployment_name": name,
        "previous_replicas": _replicas(before),
        "replicas": _replicas(after),
    }


def restart(api: "ApiClient", namespace: str, name: str) -> dict[str, Any]:
    """Have a deployment replace its pods one after the other.

    Raises:
        ToolError: The deployment is paused, so that nothing would happen until somebody resumes it.
    """
    if deployments.read(api, namespace, name).spec.paused:
        raise ToolError(f"Deployment {name} is paused; it restarts nothing before its rollout is resumed.")
    now = timestamp(dt.datetime.now(dt.UTC))
    _patch(api, namespace, name, {"metadata": {"annotations": {RESTARTED_AT: now}}})
    return {"namespace": namespace, "deployment_name": name, "restarted_at": now}


def _patch(api: "ApiClient", namespace: str, name: str, template: dict[str, Any]) -> "V1Deployment":
    """Change the template of a deployment's pods; the client sends an object as a strategic merge patch."""
    from kubernetes.client import AppsV1Api

    body = {"spec": {"template": template}}
    return ask(AppsV1Api(api).patch_namespaced_deployment, name, namespace, body, field_manager=FIELD_MANAGER)


def _container(deployment: "V1Deployment", name: str) -> "V1Container":
    containers = {container.name: container for container in deployments.pod_spec_of(deployment).containers}
    if name not in containers:
        where = f"Deployment {metadata(deployment, 'Deployment').name}"
        raise ToolError(f"{where} has no container {name}; it has {', '.join(sorted(containers))}.")
    return containers[name]


def _container_patch(settings: dict[str, Any]) -> dict[str, Any]:
    """Turn settings into the fields of a container."""
    fields: dict[str, Any] = {}
    if "image" in settings:
        fields["image"] = settings["image"]
    if "env" in settings:
        fields["env"] = [{"name": name, "value": value} for name, value in settings["env"].items()]
    for key, quantity in settings.get("resources", {}).items():
        resource, kind = key.split("_")
        fields.setdefault("resources", {}).setdefault(f"{kind}s", {})[resource] = quantity
    return fields


def _resources(container: "V1Container") -> dict[str, dict[str, str]]:
    found = container.resources
    return {"requests": (found and found.requests) or {}, "limits": (found and found.limits) or {}}


def _replicas(scale: "V1Scale") -> int:
    """Return how many replicas are wanted; Kubernetes leaves out a zero."""
    return (scale.spec and scale.spec.replicas) or 0
