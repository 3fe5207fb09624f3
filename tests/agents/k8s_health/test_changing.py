"""The tools that change deployments, through the real client and a real connection."""

import datetime as dt

import pytest

WEB = "/apis/apps/v1/namespaces/shop/deployments/web"
STRATEGIC = "application/strategic-merge-patch+json"


def _change(cluster):
    """The one change that was sent, what it is and where to."""
    (request,) = cluster.changes()
    assert request.method == "PATCH"
    assert request.query == {"fieldManager": "k8s-health-agent"}
    assert request.headers["content-type"] == STRATEGIC
    return request.path, request.body


def test_an_image_is_changed_and_nothing_else(tools, cluster):
    assert tools.patch_deployment("shop", "web", "web", image="shop/web:1.5.0") == {
        "status": "success",
        "namespace": "shop",
        "deployment_name": "web",
        "container": "web",
        "previous_image": "shop/web:1.4.2",
        "image": "shop/web:1.5.0",
        "environment_variables_set": [],
        "previous_resources": {"requests": {"cpu": "100m"}, "limits": {"memory": "256Mi"}},
        "resources": {"requests": {"cpu": "100m"}, "limits": {"memory": "256Mi"}},
        "rollout_started": True,
    }
    container = {"name": "web", "image": "shop/web:1.5.0"}
    assert _change(cluster) == (WEB, {"spec": {"template": {"spec": {"containers": [container]}}}})


def test_environment_variables_are_added_and_changed_by_name(tools, cluster):
    reply = tools.patch_deployment("shop", "web", "web", env={"LOG_LEVEL": "debug", "CACHE": "on"})

    assert reply["environment_variables_set"] == ["CACHE", "LOG_LEVEL"]
    assert "debug" not in str(reply)
    web, proxy = cluster.find("deployments", "web")["spec"]["template"]["spec"]["containers"]
    assert {one["name"]: one["value"] for one in web["env"]} == {
        "DB_PASSWORD": "hunter2",
        "LOG_LEVEL": "debug",
        "CACHE": "on",
    }
    assert "env" not in proxy


def test_resources_are_changed_one_by_one(tools, cluster):
    resources = {"cpu_request": "250m", "cpu_limit": "1.5", "memory_limit": "1Gi"}

    reply = tools.patch_deployment("shop", "web", "web", resources=resources)

    assert reply["resources"] == {"requests": {"cpu": "250m"}, "limits": {"cpu": "1.5", "memory": "1Gi"}}
    _, body = _change(cluster)
    assert body["spec"]["template"]["spec"]["containers"] == [
        {"name": "web", "resources": {"requests": {"cpu": "250m"}, "limits": {"cpu": "1.5", "memory": "1Gi"}}}
    ]


def test_everything_is_changed_in_one_patch(tools, cluster):
    reply = tools.patch_deployment(
        "shop", "web", "proxy", image="envoy:1.35.0", env={"A": ""}, resources={"memory_request": "64Mi"}
    )

    assert (reply["previous_image"], reply["image"]) == ("envoy:1.34.1", "envoy:1.35.0")
    assert reply["previous_resources"] == {"requests": {}, "limits": {}}
    _, body = _change(cluster)
    assert body["spec"]["template"]["spec"]["containers"] == [
        {
            "name": "proxy",
            "image": "envoy:1.35.0",
            "env": [{"name": "A", "value": ""}],
            "resources": {"requests": {"memory": "64Mi"}},
        }
    ]


def test_a_patch_that_changes_nothing_starts_no_rollout(tools):
    reply = tools.patch_deployment("shop", "web", "web", image="shop/web:1.4.2")

    assert (reply["status"], reply["rollout_started"]) == ("success", False)


def test_a_container_that_is_not_there_is_not_added(tools, cluster):
    assert tools.patch_deployment("shop", "web", "wbe", image="shop/web:1.5.0") == {
        "status": "error",
        "error": "Deployment web has no container wbe; it has proxy, web.",
    }
    assert cluster.changes() == []


@pytest.mark.parametrize(("before", "replicas"), [(2, 5), (2, 0), (0, 1)])
def test_a_deployment_is_scaled(tools, cluster, before, replicas):
    cluster.find("deployments", "web")["spec"]["replicas"] = before

    assert tools.scale_deployment("shop", "web", replicas) == {
        "status": "success",
        "namespace": "shop",
        "deployment_name": "web",
        "previous_replicas": before,
        "replicas": replicas,
    }
    assert _change(cluster) == (f"{WEB}/scale", {"spec": {"replicas": replicas}})
    assert cluster.find("deployments", "web")["spec"]["replicas"] == replicas


def test_a_deployment_is_restarted_by_an_annotation_of_now(tools, cluster):
    reply = tools.restart_deployment("shop", "web")

    assert (reply["status"], reply["namespace"], reply["deployment_name"]) == ("success", "shop", "web")
    annotations = {"kubectl.kubernetes.io/restartedAt": reply["restarted_at"]}
    assert _change(cluster) == (WEB, {"spec": {"template": {"metadata": {"annotations": annotations}}}})
    age = dt.datetime.now(dt.UTC) - dt.datetime.fromisoformat(reply["restarted_at"])
    assert dt.timedelta(0) <= age < dt.timedelta(minutes=5)


def test_a_deployment_that_is_paused_is_not_restarted(tools, cluster):
    cluster.find("deployments", "web")["spec"]["paused"] = True

    assert tools.restart_deployment("shop", "web") == {
        "status": "error",
        "error": "Deployment web is paused; it restarts nothing before its rollout is resumed.",
    }
    assert cluster.changes() == []


NAMES = "must be made of small letters, digits"
IMAGE = "image must be a reference with a tag or a digest, such as nginx:1.27.4, not"


@pytest.mark.parametrize(
    ("tool", "args", "error"),
    [
        ("patch_deployment", ["shop", "web", "web"], "Nothing to change: state an image, env or resources."),
        ("patch_deployment", ["shop", "Web", "web", "nginx:1"], f"deployment_name {NAMES}"),
        ("patch_deployment", ["shop", "web", "", "nginx:1"], "container must not be empty."),
        ("patch_deployment", ["", "web", "web", "nginx:1"], "namespace must not be empty."),
        ("patch_deployment", ["shop", "web", "web", ""], "image must not be empty."),
        ("patch_deployment", ["shop", "web", "web", 7], "image must be text, not 7."),
        ("patch_deployment", ["shop", "web", "web", "nginx"], f"{IMAGE} 'nginx'."),
        ("patch_deployment", ["shop", "web", "web", "host:5000/nginx"], f"{IMAGE} 'host:5000/nginx'."),
        ("patch_deployment", ["shop", "web", "web", "nginx:1 --privileged"], f"{IMAGE} 'nginx:1 --privileged'."),
        ("patch_deployment", ["shop", "web", "web", "nginx@sha256:12"], f"{IMAGE} 'nginx@sha256:12'."),
        ("patch_deployment", ["shop", "web", "web", None, {}], "env must not be empty."),
        ("patch_deployment", ["shop", "web", "web", None, "A=1"], "env must be an object, not 'A=1'."),
        (
            "patch_deployment",
            ["shop", "web", "web", None, {"A B": "1"}],
            "env has 'A B', which cannot be the name of an environment variable.",
        ),
        ("patch_deployment", ["shop", "web", "web", None, {"A": 1}], "env must have text for A, not 1."),
        (
            "patch_deployment",
            ["shop", "web", "web", None, None, {"cpu": "1"}],
            "resources has 'cpu'; it can have cpu_request, cpu_limit, memory_request, memory_limit.",
        ),
        (
            "patch_deployment",
            ["shop", "web", "web", None, None, {"memory_limit": "128m"}],
            "resources must have text such as '256Mi' or '1Gi' for memory_limit, not '128m'.",
        ),
        (
            "patch_deployment",
            ["shop", "web", "web", None, None, {"cpu_limit": 2}],
            "resources must have text such as '250m' or '2' for cpu_limit, not 2.",
        ),
        ("patch_deployment", ["shop", "web", "web", None, None, []], "resources must be an object, not []."),
        ("scale_deployment", ["shop", "web", -1], "replicas must be at least 0, not -1."),
        ("scale_deployment", ["shop", "web", "3"], "replicas must be a whole number, not '3'."),
        ("scale_deployment", ["shop", "web", True], "replicas must be a whole number, not True."),
        ("scale_deployment", ["shop", "../x", 1], f"deployment_name {NAMES}"),
        ("scale_deployment", ["sh op", "web", 1], f"namespace {NAMES}"),
        ("restart_deployment", ["shop", " "], "deployment_name must not be empty."),
        ("restart_deployment", [5, "web"], "namespace must be text, not 5."),
    ],
)
def test_bad_input_is_refused_before_kubernetes_is_asked(tools, cluster, tool, args, error):
    reply = getattr(tools, tool)(*args)

    assert reply["status"] == "error"
    assert reply["error"].startswith(error)
    assert cluster.requests == []


@pytest.mark.parametrize(
    "image",
    [
        "nginx:1.27.4",
        "shop/web:1.4.2-rc.1",
        "registry.example.com:5000/team/app_name/web:v1",
        "nginx@sha256:" + "0a" * 32,
        "nginx:1@sha256:" + "0a" * 32,
        "localhost/a--b:latest",
    ],
)
def test_every_form_of_an_image_that_says_which_is_taken(tools, image):
    assert tools.patch_deployment("shop", "web", "web", image)["image"] == image


@pytest.mark.parametrize(
    ("tool", "args"),
    [("patch_deployment", ["web", "nginx:1"]), ("scale_deployment", [0]), ("restart_deployment", [])],
)
@pytest.mark.parametrize("namespace", ["kube-system", "kube-public", "kube-node-lease"])
def test_nothing_is_changed_in_kubernetes_own_namespaces(tools, cluster, tool, args, namespace):
    assert getattr(tools, tool)(namespace, "coredns", *args) == {
        "status": "error",
        "error": f"{namespace} is a namespace of Kubernetes itself; this agent changes nothing there.",
    }
    assert cluster.requests == []


@pytest.mark.parametrize(
    ("tool", "args"),
    [("patch_deployment", ["web", "nginx:1"]), ("scale_deployment", [3]), ("restart_deployment", [])],
)
def test_a_missing_deployment_is_not_changed(tools, cluster, tool, args):
    assert getattr(tools, tool)("shop", "wbe", *args) == {
        "status": "error",
        "error": 'Kubernetes answered 404 Not Found: deployments.apps "wbe" not found',
        "code": 404,
    }
    assert cluster.changes() == []


@pytest.mark.parametrize(
    ("tool", "args", "path"),
    [
        ("patch_deployment", ["web", "nginx:1"], WEB),
        ("scale_deployment", [3], f"{WEB}/scale"),
        ("restart_deployment", [], WEB),
    ],
)
def test_whatever_kubernetes_refuses_is_an_error_reply(tools, cluster, tool, args, path):
    cluster.refuse("PATCH", path, 409, "Conflict", "the object has been modified")

    assert getattr(tools, tool)("shop", "web", *args) == {
        "status": "error",
        "error": "Kubernetes answered 409 Conflict: the object has been modified",
        "code": 409,
    }
