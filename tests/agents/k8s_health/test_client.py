"""How the environment becomes a client."""

import sys

import pytest
import yaml

NO_CLUSTER = "Neither K8S_API_SERVER nor KUBECONFIG is set; set one to the API server's URL or to a kubeconfig file."


@pytest.fixture
def kubeconfig(tmp_path, cluster):
    """A file with a context for the cluster, whose user has a token, and one for a cluster that is gone."""
    contexts = {"here": cluster.url, "gone": "http://127.0.0.1:1"}
    document = {
        "apiVersion": "v1",
        "kind": "Config",
        "current-context": "here",
        "clusters": [{"name": name, "cluster": {"server": url}} for name, url in contexts.items()],
        "contexts": [{"name": name, "context": {"cluster": name, "user": "me"}} for name in contexts],
        "users": [{"name": "me", "user": {"token": "from-the-file"}}],
    }
    file = tmp_path / "kubeconfig.yaml"
    file.write_text(yaml.safe_dump(document))
    return file


def test_without_a_cluster_a_tool_says_what_to_set(k8s_health, environment):
    assert k8s_health.tools.list_kubernetes_nodes() == {"status": "error", "error": NO_CLUSTER}


def test_a_variable_that_is_empty_counts_as_not_set(k8s_health, environment):
    environment.setenv("K8S_API_SERVER", "")
    environment.setenv("KUBECONFIG", "")

    assert k8s_health.tools.list_kubernetes_nodes() == {"status": "error", "error": NO_CLUSTER}


def test_the_address_of_a_server_is_enough(tools, cluster, environment):
    environment.setenv("K8S_API_SERVER", f"{cluster.url}/")

    assert tools.list_kubernetes_namespaces()["namespace_count"] == 3
    assert cluster.requests[0].path == "/api/v1/namespaces"
    assert "authorization" not in cluster.requests[0].headers


def test_the_environment_is_read_at_each_call(tools, cluster, environment):
    assert tools.list_kubernetes_nodes()["status"] == "success"
    environment.setenv("K8S_API_SERVER", "http://127.0.0.1:1")

    assert tools.list_kubernetes_nodes()["status"] == "error"


def test_a_token_is_sent_as_the_bearers(tools, cluster, environment):
    environment.setenv("K8S_API_TOKEN", "not-a-real-one")

    tools.list_kubernetes_nodes()

    assert cluster.requests[0].headers["authorization"] == "Bearer not-a-real-one"


@pytest.mark.parametrize("server", ["localhost:6443", "ftp://localhost", "https//localhost"])
def test_an_address_that_is_no_url_is_an_error_reply(tools, environment, server):
    environment.setenv("K8S_API_SERVER", server)

    assert tools.list_kubernetes_nodes() == {
        "status": "error",
        "error": f"K8S_API_SERVER must be a URL with http:// or https://, not {server!r}.",
    }


def test_certificates_that_are_not_there_are_an_error_reply(tools, environment, tmp_path):
    environment.setenv("K8S_API_SERVER", "https://127.0.0.1:1")
    environment.setenv("K8S_API_CA_FILE", str(tmp_path / "ca.pem"))

    assert tools.list_kubernetes_nodes()["error"].startswith("Kubernetes")


def test_a_kubeconfig_file_is_used(k8s_health, environment, cluster, kubeconfig):
    environment.setenv("KUBECONFIG", str(kubeconfig))

    assert k8s_health.tools.list_kubernetes_namespaces()["namespace_count"] == 3
    assert cluster.requests[0].headers["authorization"] == "Bearer from-the-file"


def test_another_context_of_the_file_can_be_chosen(k8s_health, environment, cluster, kubeconfig):
    environment.setenv("KUBECONFIG", str(kubeconfig))
    environment.setenv("K8S_CONTEXT", "gone")

    assert "Connection refused" in k8s_health.tools.list_kubernetes_namespaces()["error"]
    assert cluster.requests == []


def test_the_address_of_a_server_wins_over_the_file(tools, environment, cluster, kubeconfig):
    environment.setenv("KUBECONFIG", str(kubeconfig))
    environment.setenv("K8S_CONTEXT", "gone")

    assert tools.list_kubernetes_namespaces()["status"] == "success"


@pytest.mark.parametrize(
    ("content", "context", "reason"),
    [
        (None, "", "No configuration found"),
        ("", "", "is empty"),
        ("a: [", "", "while parsing"),
        ("current-context: x", "", "Expected"),
        ("apiVersion: v1", "nowhere", "nowhere"),
    ],
)
def test_a_file_that_cannot_be_used_is_an_error_reply(k8s_health, environment, tmp_path, content, context, reason):
    file = tmp_path / "config"
    if content is not None:
        file.write_text(content)
    environment.setenv("KUBECONFIG", str(file))
    environment.setenv("K8S_CONTEXT", context)

    reply = k8s_health.tools.list_kubernetes_nodes()

    assert reply["status"] == "error"
    assert reply["error"].startswith(f"KUBECONFIG {file} cannot be used: ")
    assert reason in reply["error"]
    assert "\n" not in reply["error"]


def test_without_kubernetes_a_tool_says_what_to_install(tools, environment):
    environment.setitem(sys.modules, "kubernetes.client", None)

    assert tools.get_kubernetes_cluster_info() == {
        "status": "error",
        "error": "The package kubernetes is not installed; run `pip install kubernetes`.",
    }
