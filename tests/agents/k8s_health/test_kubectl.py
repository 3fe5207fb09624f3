"""The fake API server, asked by the real kubectl: what holds for it holds for a real cluster."""

import os
import shutil
import subprocess

import pytest

pytestmark = pytest.mark.skipif(not shutil.which("kubectl"), reason="needs kubectl on the PATH")


@pytest.fixture
def kubectl(cluster, tmp_path):
    """Run kubectl against the fake API server; returns what it printed."""
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}

    def run(*args):
        command = ["kubectl", "--server", cluster.url, "--namespace", "shop", *args]
        ran = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)
        assert ran.returncode == 0, ran.stderr
        return ran.stdout

    return run


def _last_change(cluster):
    """The path and body of the last change, without the hints about order that kubectl adds."""
    request = cluster.changes()[-1]
    return request.path, _without_order(request.body)


def _without_order(value):
    if isinstance(value, dict):
        return {key: _without_order(item) for key, item in value.items() if not key.startswith("$setElementOrder/")}
    return [_without_order(item) for item in value] if isinstance(value, list) else value


def test_kubectl_sees_the_pods_that_the_tool_lists(tools, kubectl):
    listed = {f"pod/{pod['pod_name']}" for pod in tools.list_pods("shop")["pods"]}

    assert set(kubectl("get", "pods", "--output", "name").split()) == listed


def test_kubectl_reads_the_log_that_the_tool_reads(tools, kubectl):
    assert (
        kubectl("logs", "web-1", "--container", "web", "--tail", "2")
        == tools.get_pod_logs("shop", "web-1", "web", 2)["log"]
    )


@pytest.mark.parametrize(
    ("args", "tool", "values"),
    [
        (["scale", "deployment/web", "--replicas", "5"], "scale_deployment", [5]),
        (["set", "image", "deployment/web", "web=nginx:1.27.4"], "patch_deployment", ["web", "nginx:1.27.4"]),
    ],
)
def test_kubectl_sends_the_change_that_the_tool_sends(tools, cluster, kubectl, args, tool, values):
    assert getattr(tools, tool)("shop", "web", *values)["status"] == "success"
    by_tool = _last_change(cluster)
    cluster.find("deployments", "web")["spec"]["template"]["spec"]["containers"][0]["image"] = "shop/web:1.4.2"

    kubectl(*args)

    assert _last_change(cluster) == by_tool
    assert len(cluster.changes()) == 2


def test_kubectl_restarts_as_the_tool_does(tools, cluster, kubectl):
    tools.restart_deployment("shop", "web")
    path, body = _last_change(cluster)
    (annotations,) = body["spec"]["template"]["metadata"].values()
    # kubectl refuses to restart twice within a second.
    del cluster.find("deployments", "web")["spec"]["template"]["metadata"]["annotations"]

    kubectl("rollout", "restart", "deployment/web")

    assert _last_change(cluster)[0] == path
    assert _last_change(cluster)[1]["spec"]["template"]["metadata"]["annotations"].keys() == annotations.keys()


@pytest.mark.parametrize(
    ("name", "rollout", "words"),
    [("cache", "complete", "successfully rolled out"), ("web", "progressing", "1 of 2 updated replicas are available")],
)
def test_kubectl_tells_of_a_rollout_what_the_tool_tells(tools, kubectl, name, rollout, words):
    assert tools.get_deployment_status("shop", name)["rollout"] == rollout
    assert words in kubectl("rollout", "status", f"deployment/{name}", "--watch=false")
