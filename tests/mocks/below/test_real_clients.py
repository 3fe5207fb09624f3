"""The official clients of the systems that agents look after, unchanged, against fakes."""

import json
import os
import shutil
import subprocess

import pytest

from evalkit.fakes import Chunk, CommandFake, HttpReply


def pod(name, phase="Running"):
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": "prod"},
        "status": {"phase": phase},
    }


PODS = {"apiVersion": "v1", "kind": "PodList", "metadata": {}, "items": [pod("web-1"), pod("web-2", "Pending")]}
STATUS = {
    "kind": "Status",
    "apiVersion": "v1",
    "status": "Failure",
    "reason": "NotFound",
    "message": "no web-9",
    "code": 404,
}
JSON = (("Content-Type", "application/json"),)


class TestKubernetesClient:
    @pytest.fixture
    def kubernetes(self):
        return pytest.importorskip("kubernetes", reason="the kubernetes client is not installed")

    @pytest.fixture
    def core(self, kubernetes, url):
        def made(address=None):
            configuration = kubernetes.client.Configuration()
            configuration.host = address or url()
            configuration.retries = False
            return kubernetes.client.CoreV1Api(kubernetes.client.ApiClient(configuration))

        return made

    def test_lists_and_reads_objects(self, playing, service, route, core):
        listing = route("GET /api/v1/namespaces/prod/pods", PODS, query={"labelSelector": "app=web", "limit": "5"})
        with playing(service(listing)) as fakes:
            found = core().list_namespaced_pod("prod", label_selector="app=web", limit=5)
            assert [(item.metadata.name, item.status.phase) for item in found.items] == [
                ("web-1", "Running"),
                ("web-2", "Pending"),
            ]
            assert fakes.misses == ()

    def test_patches_with_a_body(self, playing, service, route, core):
        patch = route(
            "PATCH /api/v1/namespaces/prod/pods/web-1", pod("web-1"), body={"metadata": {"labels": {"a": "b"}}}
        )
        with playing(service(patch)):
            done = core().patch_namespaced_pod("web-1", "prod", {"metadata": {"labels": {"a": "b"}}})
        assert done.metadata.name == "web-1"

    def test_gets_the_api_servers_own_errors(self, playing, service, route, core, kubernetes):
        missing = route(
            "GET /api/v1/namespaces/prod/pods/web-9",
            HttpReply(status=404, headers=JSON, body=json.dumps(STATUS).encode()),
        )
        with playing(service(missing)), pytest.raises(kubernetes.client.ApiException) as raised:
            core().read_namespaced_pod("web-9", "prod")
        assert (raised.value.status, json.loads(raised.value.body)["reason"]) == (404, "NotFound")

    def test_watches(self, playing, service, route, core, kubernetes):
        lines = [json.dumps({"type": kind, "object": pod("web-1")}).encode() + b"\n" for kind in ("ADDED", "DELETED")]
        stream = HttpReply(headers=JSON, chunks=tuple(Chunk(data=line) for line in lines))
        watched = route("GET /api/v1/namespaces/prod/pods", stream, query={"watch": {"$oneof": ["true", "True"]}})
        with playing(service(watched)):
            watch = kubernetes.watch.Watch()
            seen = []
            for event in watch.stream(core().list_namespaced_pod, "prod", timeout_seconds=1):
                seen.append((event["type"], event["object"].metadata.name))
                if len(seen) == 2:
                    watch.stop()
        assert seen == [("ADDED", "web-1"), ("DELETED", "web-1")]

    def test_reads_logs(self, playing, service, route, core):
        logs = route("GET /api/v1/namespaces/prod/pods/web-1/log", "line 1\nline 2\n", query={"tailLines": "2"})
        with playing(service(logs)):
            assert core().read_namespaced_pod_log("web-1", "prod", tail_lines=2) == "line 1\nline 2\n"

    def test_an_intercepted_cluster_needs_no_certificate(self, playing, service, route, core):
        fake = service(
            route("GET /api/v1/namespaces/prod/pods", PODS), env={}, base_url="https://cluster.example.com:6443"
        )
        with playing(fake):
            assert len(core("https://cluster.example.com:6443").list_namespaced_pod("prod").items) == 2

    @pytest.mark.parametrize(
        ("broken", "error"),
        [
            (HttpReply(headers=JSON, body=json.dumps({**PODS, "items": [{"status": {}}]}).encode()), AttributeError),
            (HttpReply(headers=JSON, body=json.dumps(PODS).encode(), truncate=40), Exception),
            (HttpReply(status=500, body=b"boom"), Exception),
        ],
    )
    def test_a_reply_in_the_wrong_shape_fails_as_in_production(self, playing, service, route, core, broken, error):
        with playing(service(route("GET /api/v1/namespaces/prod/pods", broken))), pytest.raises(error):
            [item.metadata.name for item in core().list_namespaced_pod("prod").items]


KUBECONFIG = """
apiVersion: v1
kind: Config
clusters: [{{name: c, cluster: {{server: "{server}"}}}}]
contexts: [{{name: c, context: {{cluster: c, user: u, namespace: prod}}}}]
users: [{{name: u, user: {{}}}}]
current-context: c
"""


@pytest.mark.skipif(shutil.which("kubectl") is None, reason="kubectl is not installed")
class TestKubectl:
    """Real kubectl, a program in another language, over HTTP to the fake; the case lets it run for real."""

    @pytest.fixture
    def kubectl(self, tmp_path, url):
        def run(*args, **options):
            config = tmp_path / "config"
            config.write_text(KUBECONFIG.format(server=url()))
            env = {**os.environ, "KUBECONFIG": str(config), "HOME": str(tmp_path)}
            done = subprocess.run(["kubectl", *args], capture_output=True, text=True, check=False, env=env, **options)
            return done.stdout, done.stderr

        return run

    @pytest.fixture
    def cluster(self, service, route, playing):
        discovery = [
            route("GET /api", {"kind": "APIVersions", "versions": ["v1"]}),
            route("GET /apis", {"kind": "APIGroupList", "apiVersion": "v1", "groups": []}),
            route("GET /version", {"major": "1", "minor": "32", "gitVersion": "v1.32.0"}),
            route(
                "GET /api/v1",
                {
                    "kind": "APIResourceList",
                    "groupVersion": "v1",
                    "resources": [
                        {
                            "name": "pods",
                            "singularName": "pod",
                            "namespaced": True,
                            "kind": "Pod",
                            "verbs": ["get", "list", "patch", "delete"],
                        }
                    ],
                },
            ),
        ]
        real = CommandFake(program="kubectl", passthrough=True)
        return lambda *routes: playing(service(*discovery, *routes), real, passthrough=True)

    def test_gets_objects(self, cluster, kubectl, route):
        with cluster(route("GET /api/v1/namespaces/prod/pods", PODS)) as fakes:
            out, err = kubectl("get", "pods", "-o", "name")
        assert (out, err) == ("pod/web-1\npod/web-2\n", "")
        assert fakes.misses == ()

    def test_patches(self, cluster, kubectl, route):
        body = {"metadata": {"labels": {"a": "b"}}}
        name = "/api/v1/namespaces/prod/pods/web-1"
        with cluster(route(f"GET {name}", pod("web-1")), route(f"PATCH {name}", pod("web-1"), body=body)):
            out, err = kubectl("patch", "pod", "web-1", "-p", json.dumps(body))
        assert (out.split()[0], err) == ("pod/web-1", "")

    def test_reports_the_api_servers_errors(self, cluster, kubectl, route):
        missing = HttpReply(status=404, headers=JSON, body=json.dumps(STATUS).encode())
        with cluster(route("GET /api/v1/namespaces/prod/pods/web-9", missing)):
            assert kubectl("get", "pod", "web-9") == ("", "Error from server (NotFound): no web-9\n")

    def test_is_itself_faked_by_name(self, playing, program):
        with playing(program("kubectl", (["get", "pods", "-o", "json"], json.dumps(PODS)))):
            done = subprocess.run(["kubectl", "get", "pods", "-o", "json"], capture_output=True, check=True)
        assert len(json.loads(done.stdout)["items"]) == 2


def test_curl_speaks_to_the_server(playing, service, route, url):
    if shutil.which("curl") is None:
        pytest.skip("curl is not installed")
    real = CommandFake(program="curl", passthrough=True)
    push = route("POST /push", "ok", body={"lag": 75}, headers={"Content-Type": "application/json"})
    with playing(service(push), real, passthrough=True):
        call = ["curl", "-sS", "-H", "Content-Type: application/json", "-d", '{"lag": 75}', url("/push")]
        assert subprocess.run(call, capture_output=True, check=True).stdout == b"ok"


def test_aiohttp_reads_the_address_like_any_client(playing, service, route, url):
    aiohttp = pytest.importorskip("aiohttp", reason="aiohttp is not installed")
    import asyncio

    async def read():
        async with aiohttp.ClientSession() as session, session.get(url("/x")) as answer:
            return await answer.json()

    with playing(service(route("GET /x", {"up": 1}))):
        assert asyncio.run(read()) == {"up": 1}


def test_urllib_reads_the_address_like_any_client(playing, service, route, url):
    import urllib.request

    with playing(service(route("GET /x", "plain"))), urllib.request.urlopen(url("/x")) as answer:  # noqa: S310 - ours
        assert answer.read() == b"plain"
