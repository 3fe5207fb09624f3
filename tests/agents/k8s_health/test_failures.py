"""What a cluster can do wrong: be unreachable, slow or broken off, or no Kubernetes at all."""

import copy

import pytest

NODES = "/api/v1/nodes"
NAMESPACES = "/api/v1/namespaces"
PODS = "/api/v1/namespaces/shop/pods"
POD = f"{PODS}/web-1"
LOG = f"{POD}/log"
DEPLOYMENT = "/apis/apps/v1/namespaces/shop/deployments/web"
EVENTS = "/api/v1/namespaces/shop/events"
CALLS = {
    NODES: ("list_kubernetes_nodes", []),
    NAMESPACES: ("list_kubernetes_namespaces", []),
    PODS: ("list_pods", ["shop"]),
    POD: ("describe_pod", ["shop", "web-1"]),
    DEPLOYMENT: ("get_deployment_status", ["shop", "web"]),
    EVENTS: ("list_kubernetes_events", ["shop"]),
}


def _call(tools, path):
    tool, args = CALLS[path]
    return getattr(tools, tool)(*args)


@pytest.mark.parametrize("path", CALLS)
def test_a_body_that_breaks_off_is_an_error_reply(tools, cluster, path):
    cluster.reply("GET", path, b'{"items": [', length=5000)

    reply = _call(tools, path)

    assert reply["status"] == "error"
    assert reply["error"].startswith("Kubernetes could not be asked: ")
    assert "IncompleteRead" in reply["error"]


def test_a_log_that_breaks_off_is_an_error_and_not_a_shorter_log(tools, cluster):
    cluster.reply("GET", LOG, b"starting\n", content_type="text/plain", length=5000)

    reply = tools.get_pod_logs("shop", "web-1", "web")

    assert reply["status"] == "error"
    assert "IncompleteRead" in reply["error"]


@pytest.mark.parametrize("body", [b'{"items": [', b"", b"[]", b'"x"', b"5", b"null", b"<html></html>", b"\xff"])
@pytest.mark.parametrize("path", CALLS)
def test_a_body_that_is_not_the_object_is_an_error_reply(tools, cluster, path, body):
    cluster.reply("GET", path, body)

    reply = _call(tools, path)

    assert reply["status"] == "error"
    assert reply["error"].startswith("Kubernetes' answer cannot be read: ")
    assert "\n" not in reply["error"]


@pytest.mark.parametrize(
    ("path", "resource", "kind"),
    [
        (NODES, "nodes", "Node"),
        (NAMESPACES, "namespaces", "Namespace"),
        (PODS, "pods", "Pod"),
        (POD, "pods", "Pod"),
        (DEPLOYMENT, "deployments", "Deployment"),
    ],
)
class TestAnObject:
    def _without(self, cluster, path, resource, *fields):
        """Answer with the resource's first object, from which a field was taken away."""
        thing = whole = copy.deepcopy(cluster.objects[resource][0])
        for field in fields[:-1]:
            thing = thing[field]
        del thing[fields[-1]]
        cluster.reply("GET", path, {"items": [whole]} if path.endswith(resource) else whole)

    def test_without_metadata_is_an_error_reply(self, tools, cluster, path, resource, kind):
        self._without(cluster, path, resource, "metadata")

        assert _call(tools, path) == {
            "status": "error",
            "error": f"Kubernetes' answer cannot be read: it has a {kind} without metadata.",
        }

    def test_without_a_name_is_an_error_reply(self, tools, cluster, path, resource, kind):
        self._without(cluster, path, resource, "metadata", "name")

        assert _call(tools, path) == {
            "status": "error",
            "error": f"Kubernetes' answer cannot be read: it has a {kind} without a name.",
        }

    def test_without_status_is_an_error_reply(self, tools, cluster, path, resource, kind):
        self._without(cluster, path, resource, "status")
        name = cluster.objects[resource][0]["metadata"]["name"]

        assert _call(tools, path) == {
            "status": "error",
            "error": f"Kubernetes' answer cannot be read: it has a {kind} {name} without status.",
        }


@pytest.mark.parametrize(
    ("path", "resource", "reason"),
    [
        (NODES, "nodes", "it has a Node node-b without spec."),
        (POD, "pods", "it has a Pod web-1 without spec."),
        (DEPLOYMENT, "deployments", "V1Deployment.spec: Input should be a valid dictionary"),
    ],
)
def test_an_object_without_spec_is_an_error_reply(tools, cluster, path, resource, reason):
    del cluster.objects[resource][0]["spec"]

    assert _call(tools, path)["error"].startswith(f"Kubernetes' answer cannot be read: {reason}")


def test_a_deployment_without_a_pods_spec_is_an_error_reply(tools, cluster):
    del cluster.find("deployments", "web")["spec"]["template"]["spec"]

    assert tools.patch_deployment("shop", "web", "web", "nginx:1") == {
        "status": "error",
        "error": "Kubernetes' answer cannot be read: it has a Deployment web without a pod's spec.",
    }
    assert cluster.changes() == []


def test_an_event_about_nothing_is_an_error_reply_that_says_which_field(tools, cluster):
    del cluster.objects["events"][0]["involvedObject"]

    reply = tools.list_kubernetes_events("shop")

    assert reply["error"].startswith("Kubernetes' answer cannot be read: CoreV1Event.involvedObject: ")


def test_an_answer_of_a_proxy_is_told_by_its_status(tools, cluster):
    cluster.reply("GET", NODES, b"<html>502</html>", status=502, content_type="text/html")

    assert tools.list_kubernetes_nodes() == {
        "status": "error",
        "error": "Kubernetes answered 502 Bad Gateway.",
        "code": 502,
    }


@pytest.mark.parametrize("body", [[], {"message": 5}, {}])
def test_an_answer_without_a_message_is_told_by_its_status(tools, cluster, body):
    cluster.reply("GET", LOG, body, status=500)

    reply = tools.get_pod_logs("shop", "web-1", "web")

    assert (reply["error"], reply["code"]) == ("Kubernetes answered 500 Internal Server Error.", 500)


def test_an_answer_in_a_form_that_the_client_does_not_know_is_an_error_reply(tools, cluster):
    cluster.reply("GET", NODES, b"...", content_type="application/vnd.kubernetes.protobuf")

    assert tools.list_kubernetes_nodes() == {
        "status": "error",
        "error": "Kubernetes' client failed: Unsupported content type: application/vnd.kubernetes.protobuf",
    }


def test_a_server_that_is_not_there_is_an_error_reply(tools, environment):
    environment.setenv("K8S_API_SERVER", "http://127.0.0.1:1")

    reply = tools.list_kubernetes_nodes()

    assert reply["status"] == "error"
    assert reply["error"].startswith("Kubernetes could not be asked: ")
    assert "Connection refused" in reply["error"]


def test_a_server_that_is_too_slow_is_an_error_reply(tools, k8s_health, cluster, environment):
    environment.setattr(k8s_health.client, "REQUEST_TIMEOUT_SECONDS", 0.05)
    cluster.delay_seconds = 0.5

    assert tools.list_kubernetes_nodes() == {"status": "error", "error": "Kubernetes did not answer in time."}


def test_no_request_is_tried_again(tools, cluster):
    cluster.refuse("GET", NODES, 503, "ServiceUnavailable", "try later")

    assert tools.list_kubernetes_nodes()["code"] == 503
    assert len(cluster.requests) == 1


def test_a_bug_is_not_dressed_up_as_a_reply(tools, k8s_health, monkeypatch):
    monkeypatch.setattr(k8s_health.cluster, "_node", None)

    with pytest.raises(TypeError):
        tools.list_kubernetes_nodes()
