"""Pods and their logs, through the real client and a real connection."""

import copy

import pytest

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
