"""The cluster as a whole, its nodes, namespaces and events, through the real client and a real connection."""

import pytest


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
