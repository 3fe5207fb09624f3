"""The tools that only look, through the real client and a real connection."""

import copy

import pytest

POD = "/api/v1/namespaces/shop/pods/web-1"
LOG = f"{POD}/log"


def test_cluster_info_tells_the_version_and_who_is_not_well(tools):
    assert tools.get_kubernetes_cluster_info() == {
        "status": "success",
        "version": "v1.32.4",
        "platform": "linux/amd64",
        "node_count": 2,
        "ready_node_count": 1,
        "nodes_with_problems": ["node-b"],
        "namespace_count": 3,
    }


def test_nodes_come_by_name_with_all_that_is_wrong_with_them(tools):
    assert tools.list_kubernetes_nodes() == {
        "status": "success",
        "node_count": 2,
        "nodes": [
            {
                "node_name": "node-a",
                "ready": True,
                "problems": [],
                "schedulable": True,
                "taints": ["node-role.kubernetes.io/control-plane=:NoSchedule", "dedicated=db:NoExecute"],
                "roles": ["control-plane"],
                "kubelet_version": "v1.32.4",
                "internal_ip": "10.0.0.4",
                "allocatable_cpu": "3920m",
                "allocatable_memory": "12Gi",
            },
            {
                "node_name": "node-b",
                "ready": False,
                "problems": [
                    "DiskPressure is True (KubeletHasDiskPressure): kubelet has disk pressure",
                    "Ready is Unknown (NodeStatusUnknown): Kubelet stopped posting.",
                ],
                "schedulable": False,
                "taints": [],
                "roles": [],
                "kubelet_version": None,
                "internal_ip": None,
                "allocatable_cpu": None,
                "allocatable_memory": None,
            },
        ],
    }


def test_a_node_that_never_reported_is_not_ready(tools, cluster):
    cluster.find("nodes", "node-a")["status"]["conditions"] = []

    node = tools.list_kubernetes_nodes()["nodes"][0]

    assert (node["ready"], node["problems"]) == (False, ["Ready is not reported"])


def test_namespaces_come_by_name(tools):
    assert tools.list_kubernetes_namespaces() == {
        "status": "success",
        "namespace_count": 3,
        "namespaces": [
            {"namespace": "empty", "phase": "Terminating", "created_at": "2025-03-02T10:00:00Z"},
            {"namespace": "kube-system", "phase": "Active", "created_at": "2025-01-01T10:00:00Z"},
            {"namespace": "shop", "phase": "Active", "created_at": "2025-03-01T10:00:00Z"},
        ],
    }


WEB_POD = {
    "namespace": "shop",
    "pod_name": "web-1",
    "state": "CrashLoopBackOff",
    "healthy": False,
    "ready_containers": 1,
    "container_count": 2,
    "restart_count": 8,
    "node_name": "node-a",
    "created_at": "2025-06-01T07:00:00Z",
}


def test_pods_of_a_namespace_are_listed_with_those_in_trouble_first(tools):
    reply = tools.list_pods("shop")

    assert (reply["status"], reply["pod_count"], reply["unhealthy_count"]) == ("success", 2, 1)
    assert reply["pods"][0] == WEB_POD
    assert (reply["pods"][1]["pod_name"], reply["pods"][1]["state"], reply["pods"][1]["healthy"]) == (
        "cache-0",
        "Running",
        True,
    )


def test_pods_of_all_namespaces_are_listed_when_none_is_named(tools):
    pods = tools.list_pods()["pods"]

    assert [(pod["namespace"], pod["pod_name"]) for pod in pods] == [
        ("shop", "web-1"),
        ("kube-system", "coredns-1"),
        ("shop", "cache-0"),
    ]


@pytest.mark.parametrize("namespace", ["shop", None])
def test_kubernetes_itself_selects_by_label(tools, cluster, namespace):
    reply = tools.list_pods(namespace, "app=cache")

    assert [pod["pod_name"] for pod in reply["pods"]] == ["cache-0"]
    assert cluster.requests[-1].query == {"labelSelector": "app=cache"}


def test_a_hundred_pods_are_listed_and_all_are_counted(tools, cluster):
    pods = cluster.objects["pods"] = [copy.deepcopy(cluster.find("pods", "cache-0")) for _ in range(130)]
    pods[-1]["status"] = {"phase": "Pending"}

    reply = tools.list_pods("shop")

    assert (reply["pod_count"], reply["unhealthy_count"], len(reply["pods"])) == (130, 1, 100)
    assert reply["pods"][0]["state"] == "Pending"


@pytest.mark.parametrize(
    ("status", "summary", "healthy"),
    [
        pytest.param({"phase": "Succeeded"}, "Succeeded", True, id="done"),
        pytest.param({"phase": "Failed", "reason": "Evicted"}, "Evicted", False, id="evicted"),
        pytest.param({"initContainerStatuses": [{"waiting": {"reason": "ErrImagePull"}}]}, "Init:ErrImagePull", False),
        pytest.param(
            {"initContainerStatuses": [{"terminated": {"exitCode": 1, "reason": "Error"}}]}, "Init:Error", False
        ),
        pytest.param({"initContainerStatuses": [{"waiting": {"reason": "PodInitializing"}}]}, "Pending", False),
        pytest.param({"initContainerStatuses": [{}]}, "Pending", False, id="nothing-known"),
        pytest.param({"containerStatuses": [{"waiting": {"reason": "ContainerCreating"}}]}, "ContainerCreating", False),
        pytest.param({"containerStatuses": [{"terminated": {"exitCode": 3}}]}, "ExitCode:3", False),
        pytest.param({"containerStatuses": [{"terminated": {"exitCode": 0}}]}, "Pending", False),
    ],
)
def test_a_pods_status_is_what_holds_it_up(tools, cluster, status, summary, healthy):
    for key in {"containerStatuses", "initContainerStatuses"} & set(status):
        common = {"name": "redis", "image": "redis", "imageID": "", "ready": False, "restartCount": 0}
        status[key] = [{**common, "state": state} for state in status[key]]
    cluster.find("pods", "cache-0")["status"] = {"phase": "Pending", **status}

    (pod,) = tools.list_pods("shop", "app=cache")["pods"]

    assert (pod["state"], pod["healthy"]) == (summary, healthy)


def test_a_pod_that_is_being_deleted_is_terminating(tools, cluster):
    cluster.find("pods", "cache-0")["metadata"]["deletionTimestamp"] = "2025-06-01T10:00:00Z"

    assert tools.list_pods("shop", "app=cache")["pods"][0]["state"] == "Terminating"


@pytest.mark.parametrize(
    ("tool", "count"),
    [("list_pods", "pod_count"), ("list_deployments", "deployment_count"), ("list_kubernetes_events", "event_count")],
)
class TestANamespaceWithNothingInIt:
    def test_is_empty_if_it_exists(self, tools, tool, count):
        reply = getattr(tools, tool)("empty")

        assert (reply["status"], reply[count]) == ("success", 0)

    def test_is_an_error_if_it_does_not(self, tools, tool, count):
        assert getattr(tools, tool)("shpo") == {
            "status": "error",
            "error": 'Kubernetes answered 404 Not Found: namespaces "shpo" not found',
            "code": 404,
        }

    def test_is_empty_for_who_may_not_look_at_namespaces(self, tools, cluster, tool, count):
        cluster.refuse("GET", "/api/v1/namespaces/empty", 403, "Forbidden", "not yours")

        reply = getattr(tools, tool)("empty")

        assert (reply["status"], reply[count]) == ("success", 0)


def test_a_pod_is_described_with_its_containers_and_events(tools):
    reply = tools.describe_pod("shop", "web-1")

    assert reply.pop("events") == [
        {
            "type": "Warning",
            "reason": "BackOff",
            "message": "Back-off restarting failed container",
            "object": "Pod/web-1",
            "count": 42,
            "last_seen": "2025-06-01T09:30:00Z",
        },
        {
            "type": "Normal",
            "reason": "Pulled",
            "message": "Container image already present on machine",
            "object": "Pod/web-1",
            "count": 8,
            "last_seen": "2025-06-01T09:29:01Z",
        },
    ]
    assert [(one["container"], list(one["state"])) for one in reply.pop("init_containers")] == [
        ("migrate", ["terminated"])
    ]
    web, proxy = reply.pop("containers")
    assert web == {
        "container": "web",
        "image": "shop/web:1.4.2",
        "ready": False,
        "restart_count": 7,
        "state": {
            "waiting": {"reason": "CrashLoopBackOff", "message": "back-off 5m0s restarting failed container"},
        },
        "last_state": {
            "terminated": {
                "reason": "OOMKilled",
                "message": "killed",
                "exit_code": 137,
                "finished_at": "2025-06-01T09:29:00Z",
            }
        },
        "requests": {"cpu": "100m"},
        "limits": {"memory": "256Mi"},
        "environment_variables": ["DB_PASSWORD", "LOG_LEVEL"],
    }
    assert (proxy["state"], proxy["last_state"]) == (
        {"running": {"started_at": "2025-06-01T07:00:05Z"}},
        {},
    )
    assert reply == {
        "status": "success",
        **WEB_POD,
        "phase": "Running",
        "message": None,
        "pod_ip": "10.1.0.9",
        "qos_class": "Burstable",
        "service_account": "web",
        "labels": {"app": "web"},
        "owners": ["ReplicaSet/web-5d9c"],
        "conditions": [
            {
                "type": "Ready",
                "status": "False",
                "reason": "ContainersNotReady",
                "message": "containers with unready status: [web]",
            }
        ],
    }


def test_a_pod_of_which_nothing_runs_yet_is_described_all_the_same(tools, cluster):
    pod = cluster.find("pods", "cache-0")
    pod["status"] = {"phase": "Pending"}

    reply = tools.describe_pod("shop", "cache-0")

    assert (reply["state"], reply["conditions"], reply["events"], reply["owners"]) == ("Pending", [], [], [])
    assert reply["containers"] == [
        {
            "container": "redis",
            "image": "redis:7.4.2",
            "ready": False,
            "restart_count": 0,
            "state": {},
            "last_state": {},
            "requests": {},
            "limits": {},
            "environment_variables": [],
        }
    ]


def test_values_of_environment_variables_are_shown_nowhere(tools):
    replies = [tools.list_pods(), tools.describe_pod("shop", "web-1"), tools.get_deployment_status("shop", "web")]

    assert "hunter2" not in str(replies)


@pytest.mark.parametrize(
    ("tail_lines", "log"),
    [(1, "giving up\n"), (2, "no database\ngiving up\n"), (100, "starting\nno database\ngiving up\n")],
)
def test_the_end_of_a_log_is_read(tools, tail_lines, log):
    assert tools.get_pod_logs("shop", "web-1", "web", tail_lines) == {
        "status": "success",
        "namespace": "shop",
        "pod_name": "web-1",
        "container": "web",
        "previous": False,
        "line_count": min(3, tail_lines),
        "cut_off": False,
        "log": log,
    }


def test_the_log_of_the_run_before_is_read_when_asked_for(tools, cluster):
    reply = tools.get_pod_logs("shop", "web-1", "web", previous=True)

    assert (reply["previous"], reply["log"]) == (True, "out of memory\n")
    assert cluster.requests[-1].query == {"container": "web", "tailLines": "100", "previous": "true"}


def test_a_log_that_is_json_stays_as_it_was_written(tools):
    assert tools.get_pod_logs("shop", "cache-0")["log"] == '{"level": "info"}'


def test_a_log_that_is_no_text_is_still_shown(tools, cluster):
    cluster.logs["cache-0", "redis", False] = b"caf\xe9\n"

    assert tools.get_pod_logs("shop", "cache-0")["log"] == "caf\N{REPLACEMENT CHARACTER}\n"


def test_of_a_log_with_endless_lines_the_end_is_shown(tools, cluster):
    cluster.logs["cache-0", "redis", False] = b"x" * 30_000 + b"the end"

    reply = tools.get_pod_logs("shop", "cache-0")

    assert (len(reply["log"]), reply["log"][-7:], reply["cut_off"], reply["line_count"]) == (20_000, "the end", True, 1)


def test_a_pod_with_several_containers_needs_to_know_which(tools):
    assert tools.get_pod_logs("shop", "web-1") == {
        "status": "error",
        "error": (
            "Kubernetes answered 400 Bad Request: "
            "a container name must be specified for pod web-1, choose one of: [web proxy]"
        ),
        "code": 400,
    }


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


def test_events_come_newest_first_and_warnings_are_counted(tools):
    reply = tools.list_kubernetes_events("shop")

    assert (reply["namespace"], reply["event_count"], reply["warning_count"]) == ("shop", 3, 1)
    assert [(one["object"], one["count"], one["last_seen"]) for one in reply["events"]] == [
        ("Pod/web-1", 42, "2025-06-01T09:30:00Z"),
        ("Pod/web-1", 8, "2025-06-01T09:29:01Z"),
        ("Deployment/web", 1, "2025-06-01T07:00:00Z"),
    ]


def test_an_event_without_any_time_comes_last(tools, cluster):
    del cluster.objects["events"][0]["lastTimestamp"]

    assert tools.list_kubernetes_events("shop")["events"][-1]["last_seen"] is None


@pytest.mark.parametrize(
    ("kind", "name", "selector", "objects"),
    [
        ("Deployment", None, "involvedObject.kind=Deployment", ["Deployment/web"]),
        (None, "web-1", "involvedObject.name=web-1", ["Pod/web-1", "Pod/web-1"]),
        ("Pod", "web-1", "involvedObject.kind=Pod,involvedObject.name=web-1", ["Pod/web-1", "Pod/web-1"]),
    ],
)
def test_events_are_selected_by_the_object_they_are_about(tools, cluster, kind, name, selector, objects):
    reply = tools.list_kubernetes_events("shop", kind, name)

    assert [event["object"] for event in reply["events"]] == objects
    assert cluster.requests[-1].query == {"fieldSelector": selector}


def test_the_newest_fifty_events_are_listed_and_all_are_counted(tools, cluster):
    cluster.objects["events"] = [
        {**cluster.objects["events"][0], "lastTimestamp": f"2025-06-01T09:{minute:02}:00Z"} for minute in range(60)
    ]

    reply = tools.list_kubernetes_events("shop")

    assert (reply["event_count"], len(reply["events"])) == (60, 50)
    assert reply["events"][0]["last_seen"] == "2025-06-01T09:59:00Z"


@pytest.mark.parametrize(
    ("tool", "args", "argument"),
    [
        ("list_pods", [""], "namespace"),
        ("list_pods", ["Shop"], "namespace"),
        ("list_pods", ["shop", " "], "label_selector"),
        ("list_deployments", ["a/b"], "namespace"),
        ("list_deployments", [None, 5], "label_selector"),
        ("describe_pod", ["shop", "web_1"], "pod_name"),
        ("describe_pod", ["shop", "../nodes"], "pod_name"),
        ("describe_pod", ["x" * 64, "web-1"], "namespace"),
        ("describe_pod", [None, "web-1"], "namespace"),
        ("get_pod_logs", ["shop", "x" * 254], "pod_name"),
        ("get_pod_logs", ["-shop", "web-1"], "namespace"),
        ("get_pod_logs", ["shop", "web-1", "web.1"], "container"),
        ("get_pod_logs", ["shop", "web-1", None, 0], "tail_lines"),
        ("get_pod_logs", ["shop", "web-1", None, 1001], "tail_lines"),
        ("get_pod_logs", ["shop", "web-1", None, "20"], "tail_lines"),
        ("get_deployment_status", ["shop", ""], "deployment_name"),
        ("get_deployment_status", [7, "web"], "namespace"),
        ("list_kubernetes_events", ["shop", "pod"], "object_kind"),
        ("list_kubernetes_events", ["shop", ""], "object_kind"),
        ("list_kubernetes_events", ["shop", "Pod", "a,b"], "object_name"),
        ("list_kubernetes_events", ["shop ", None, None], "namespace"),
    ],
)
def test_bad_input_is_refused_before_kubernetes_is_asked(tools, cluster, tool, args, argument):
    reply = getattr(tools, tool)(*args)

    assert reply["status"] == "error"
    assert reply["error"].startswith(f"{argument} ")
    assert cluster.requests == []


@pytest.mark.parametrize(
    ("tool", "args", "paths"),
    [
        ("get_kubernetes_cluster_info", [], ["/version/", "/api/v1/nodes", "/api/v1/namespaces"]),
        ("list_kubernetes_nodes", [], ["/api/v1/nodes"]),
        ("list_kubernetes_namespaces", [], ["/api/v1/namespaces"]),
        ("list_pods", [], ["/api/v1/pods"]),
        ("list_pods", ["shop"], ["/api/v1/namespaces/shop/pods"]),
        ("describe_pod", ["shop", "web-1"], [POD, "/api/v1/namespaces/shop/events"]),
        ("get_pod_logs", ["shop", "web-1"], [LOG]),
        ("list_deployments", [], ["/apis/apps/v1/deployments"]),
        ("list_deployments", ["shop"], ["/apis/apps/v1/namespaces/shop/deployments"]),
        ("get_deployment_status", ["shop", "web"], ["/apis/apps/v1/namespaces/shop/deployments/web"]),
        ("list_kubernetes_events", ["shop"], ["/api/v1/namespaces/shop/events"]),
    ],
)
def test_whatever_kubernetes_refuses_is_an_error_reply(tools, cluster, tool, args, paths):
    for path in paths:
        cluster.replies = {}
        cluster.refuse("GET", path, 403, "Forbidden", "viewer cannot do that")

        assert getattr(tools, tool)(*args) == {
            "status": "error",
            "error": "Kubernetes answered 403 Forbidden: viewer cannot do that",
            "code": 403,
        }
