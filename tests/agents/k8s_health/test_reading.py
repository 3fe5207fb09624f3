"""What holds for all tools that only look."""

import pytest

POD = "/api/v1/namespaces/shop/pods/web-1"
LOG = f"{POD}/log"


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


def test_values_of_environment_variables_are_shown_nowhere(tools):
    replies = [tools.list_pods(), tools.describe_pod("shop", "web-1"), tools.get_deployment_status("shop", "web")]

    assert "hunter2" not in str(replies)


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
