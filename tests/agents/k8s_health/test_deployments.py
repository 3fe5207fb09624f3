"""Looking at deployments, through the real client and a real connection."""

import pytest

WEB_DEPLOYMENT = {
    "namespace": "shop",
    "deployment_name": "web",
    "healthy": False,
    "desired_replicas": 2,
    "current_replicas": 2,
    "updated_replicas": 2,
    "ready_replicas": 1,
    "available_replicas": 1,
    "rollout": "progressing",
    "rollout_message": "1 of 2 updated replicas are available.",
    "images": {"web": "shop/web:1.4.2", "proxy": "envoy:1.34.1"},
    "created_at": "2025-03-01T10:05:00Z",
}


@pytest.mark.parametrize("namespace", ["shop", None])
def test_deployments_are_listed_with_those_in_trouble_first(tools, namespace):
    reply = tools.list_deployments(namespace)

    assert (reply["deployment_count"], reply["unhealthy_count"]) == (2, 1)
    assert reply["deployments"][0] == WEB_DEPLOYMENT
    assert (reply["deployments"][1]["deployment_name"], reply["deployments"][1]["healthy"]) == ("cache", True)


def test_deployments_are_selected_by_label(tools):
    reply = tools.list_deployments("shop", "app=cache")

    assert [one["deployment_name"] for one in reply["deployments"]] == ["cache"]


def test_a_deployments_status_adds_its_conditions(tools):
    assert tools.get_deployment_status("shop", "web") == {
        "status": "success",
        **WEB_DEPLOYMENT,
        "paused": False,
        "strategy": "RollingUpdate",
        "selector": {"app": "web"},
        "revision": "12",
        "conditions": [
            {
                "type": "Progressing",
                "status": "True",
                "reason": "ReplicaSetUpdated",
                "message": "ReplicaSet is progressing.",
                "last_update": "2025-06-01T07:01:00Z",
            }
        ],
    }


LATE = {"conditions": [{"type": "Progressing", "status": "False", "reason": "ProgressDeadlineExceeded"}]}


@pytest.mark.parametrize(
    ("status", "rollout", "message"),
    [
        ({}, "complete", "All 2 replicas are of the latest version and available."),
        ({"observedGeneration": 2}, "progressing", "Kubernetes has not yet taken up the latest change."),
        (LATE, "failed", "The rollout exceeded its progress deadline."),
        ({"updatedReplicas": None}, "progressing", "0 of 2 new replicas have been updated."),
        ({"replicas": 3}, "progressing", "1 old replicas are pending termination."),
        ({"availableReplicas": 1}, "progressing", "1 of 2 updated replicas are available."),
    ],
)
def test_a_rollout_is_told_as_kubectl_tells_it(tools, cluster, status, rollout, message):
    done = {"observedGeneration": 3, "replicas": 2, "updatedReplicas": 2, "availableReplicas": 2}
    cluster.find("deployments", "web")["status"] = {**done, **status}

    reply = tools.get_deployment_status("shop", "web")

    assert (reply["rollout"], reply["rollout_message"]) == (rollout, message)
    assert reply["healthy"] is (rollout != "failed" and status.get("availableReplicas") != 1)


def test_a_deployment_that_does_not_say_how_many_wants_one_replica(tools, cluster):
    del cluster.find("deployments", "cache")["spec"]["replicas"]

    reply = tools.get_deployment_status("shop", "cache")

    assert (reply["desired_replicas"], reply["strategy"], reply["revision"]) == (1, None, None)
