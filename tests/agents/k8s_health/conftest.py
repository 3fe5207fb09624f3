"""A Kubernetes API server on this machine, for one small cluster: enough of the protocol for the client and kubectl."""

import contextlib
import copy
import importlib
import json
import re
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlsplit

import pytest
import yaml

AGENTS = Path(__file__).parents[3] / "agents"
CLUSTER = yaml.safe_load(Path(__file__).with_name("cluster.yaml").read_text())

PROXIES = ("HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy")

KINDS = {
    "v1": {"nodes": "Node", "namespaces": "Namespace", "pods": "Pod", "events": "Event"},
    "apps/v1": {"deployments": "Deployment"},
}
PATH = re.compile(
    r"/(?:api|apis)/(?P<version>v1|apps/v1)(?:/namespaces/(?P<namespace>[^/]+))?"
    r"/(?P<resource>nodes|namespaces|pods|events|deployments)(?:/(?P<name>[^/]+)(?:/(?P<part>log|scale))?)?"
)


class Request(NamedTuple):
    """What a client sent; `body` is parsed, or None."""

    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: Any


class Reply(NamedTuple):
    """What the server sends; a `length` other than the body's makes it break off."""

    status: int
    body: bytes
    content_type: str = "application/json"
    length: int | None = None


class FakeCluster:
    """A cluster and its API server.

    Attributes:
        url: Where the server listens.
        discovery: By path, what tells a client which resources there are.
        objects: By resource, the objects as JSON; patches change them.
        logs: By pod, container and whether it is the previous run's, what was logged.
        replies: By method and path, what is answered instead of the truth.
        requests: What was asked, in order.
        delay_seconds: How long each answer takes.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self.discovery, self.objects = copy.deepcopy(CLUSTER["discovery"]), copy.deepcopy(CLUSTER["objects"])
        self.logs = {
            ("web-1", "web", False): b"starting\nno database\ngiving up\n",
            ("web-1", "web", True): b"out of memory\n",
            ("cache-0", "redis", False): b'{"level": "info"}',
        }
        self.replies: dict[tuple[str, str], Reply] = {}
        self.requests: list[Request] = []
        self.delay_seconds = 0.0

    def answer(self, request: Request) -> Reply:
        """Answer as the API server would, or as a test wants it to."""
        self.requests.append(request)
        time.sleep(self.delay_seconds)
        if (request.method, request.path) in self.replies:
            return self.replies[request.method, request.path]
        if (path := request.path.rstrip("/")) in self.discovery:  # kubectl asks for /version, the client for /version/
            return _json(self.discovery[path])
        if place := PATH.fullmatch(request.path):
            return self._answer(request, **place.groupdict())
        return _failure(404, "NotFound", "the server could not find the requested resource")

    def reply(self, method: str, path: str, body: Any, status: int = 200, **other: Any) -> None:
        """Answer this from now on: bytes as they are, anything else as JSON; `other` is as in `Reply`."""
        self.replies[method, path] = Reply(
            status, body if isinstance(body, bytes) else json.dumps(body).encode(), **other
        )

    def refuse(self, method: str, path: str, code: int, reason: str, message: str) -> None:
        """Refuse this from now on, as Kubernetes refuses."""
        self.replies[method, path] = _failure(code, reason, message)

    def find(self, resource: str, name: str) -> dict[str, Any]:
        """Return the object of that name."""
        return next(one for one in self.objects[resource] if one["metadata"]["name"] == name)

    def changes(self) -> list[Request]:
        """Return the requests that were to change something."""
        return [request for request in self.requests if request.method != "GET"]

    def _answer(
        self, request: Request, version: str, namespace: str | None, resource: str, name: str | None, part: str | None
    ) -> Reply:
        if name is None:
            return self._list(request.query, version, namespace, resource)
        here = [one for one in self.objects[resource] if one["metadata"].get("namespace") == namespace]
        found = next((one for one in here if one["metadata"]["name"] == name), None)
        if found is None:
            group = "" if version == "v1" else ".apps"
            return _failure(404, "NotFound", f'{resource}{group} "{name}" not found')
        if part == "log":
            return self._log(found, request.query)
        if request.method == "PATCH":
            before = json.dumps(found["spec"])
            _merge(found, request.body)
            found["metadata"]["generation"] += before != json.dumps(found["spec"])
        return _json(_scale(found) if part == "scale" else _typed(found, version, resource))

    def _list(self, query: dict[str, str], version: str, namespace: str | None, resource: str) -> Reply:
        if query.get("watch"):
            return Reply(200, b"")
        items = [
            _typed(one, version, resource)
            for one in self.objects[resource]
            if namespace in (None, one["metadata"].get("namespace"))
            and _selected(query.get("labelSelector"), one["metadata"].get("labels", {}))
            and _selected(query.get("fieldSelector"), _fields(one))
        ]
        kind = f"{KINDS[version][resource]}List"
        return _json({"kind": kind, "apiVersion": version, "metadata": {"resourceVersion": "7"}, "items": items})

    def _log(self, pod: dict[str, Any], query: dict[str, str]) -> Reply:
        name, containers = pod["metadata"]["name"], [one["name"] for one in pod["spec"]["containers"]]
        if "container" not in query and len(containers) > 1:
            message = f"a container name must be specified for pod {name}, choose one of: [{' '.join(containers)}]"
            return _failure(400, "BadRequest", message)
        key = (name, query.get("container", containers[0]), query.get("previous") == "true")
        lines = self.logs.get(key, b"").splitlines(keepends=True)
        return Reply(200, b"".join(lines[-int(query.get("tailLines", 0)) :]), "text/plain")


def _typed(thing: dict[str, Any], version: str, resource: str) -> dict[str, Any]:
    return {"kind": KINDS[version][resource], "apiVersion": version, **thing}


def _scale(deployment: dict[str, Any]) -> dict[str, Any]:
    spec = {"replicas": deployment["spec"]["replicas"]} if deployment["spec"]["replicas"] else {}
    metadata = {key: deployment["metadata"][key] for key in ("name", "namespace")}
    status = {"replicas": deployment["status"]["replicas"], "selector": "app=web"}
    return {"kind": "Scale", "apiVersion": "autoscaling/v1", "metadata": metadata, "spec": spec, "status": status}


def _merge(target: dict[str, Any], patch: dict[str, Any]) -> None:
    """Merge as Kubernetes' strategic merge does it: objects key by key, lists of named things name by name."""
    for key, value in patch.items():
        if key.startswith("$"):
            continue  # about the order of a list, which kubectl cares for
        if isinstance(value, dict):
            _merge(target.setdefault(key, {}), value)
        elif isinstance(value, list):
            known = {one["name"]: one for one in target.setdefault(key, [])}
            for one in value:
                if one["name"] not in known:
                    target[key].append(known.setdefault(one["name"], {}))
                _merge(known[one["name"]], one)
        else:
            target[key] = value


def _fields(thing: dict[str, Any]) -> dict[str, str]:
    involved = thing.get("involvedObject", {})
    return {
        "metadata.name": thing["metadata"].get("name"),
        **{f"involvedObject.{key}": value for key, value in involved.items()},
    }


def _selected(selector: str | None, values: dict[str, str]) -> bool:
    pairs = [one.split("=") for one in (selector or "").split(",") if one]
    return all(values.get(key) == value for key, value in pairs)


def _json(document: Any, status: int = 200) -> Reply:
    return Reply(status, json.dumps(document).encode())


def _failure(code: int, reason: str, message: str) -> Reply:
    status = {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure"}
    return _json({**status, "message": message, "reason": reason, "code": code}, code)


class Handler(BaseHTTPRequestHandler):
    """Hands requests to the cluster that the server plays."""

    def handle_request(self) -> None:
        """Answer one request."""
        parts = urlsplit(self.path)
        raw = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        request = Request(
            self.command,
            parts.path,
            dict(parse_qsl(parts.query)),
            {name.lower(): value for name, value in self.headers.items()},
            json.loads(raw) if raw else None,
        )
        reply = self.server.cluster.answer(request)
        with contextlib.suppress(ConnectionError):  # the client may have given up
            self.send_response(reply.status)
            self.send_header("Content-Type", reply.content_type)
            self.send_header("Content-Length", str(len(reply.body) if reply.length is None else reply.length))
            self.end_headers()
            self.wfile.write(reply.body)

    do_GET = do_PATCH = handle_request  # noqa: N815 - the names that http.server calls

    def log_message(self, *args: Any) -> None:
        """Keep the tests' output clean."""


@pytest.fixture(scope="session")
def k8s_health() -> Iterator[ModuleType]:
    """The agent's package, imported as `adk web` imports it, in an environment that says nothing about it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(AGENTS))
        patch.delenv("K8S_HEALTH_MODEL", raising=False)
        yield importlib.import_module("k8s_health")


@pytest.fixture
def cluster() -> Iterator[FakeCluster]:
    """A cluster of its own for each test, behind a real server."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.cluster = FakeCluster(f"http://127.0.0.1:{server.server_port}")
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server.cluster
        server.shutdown()
        thread.join()


@pytest.fixture
def environment(k8s_health: ModuleType, monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """An environment that says nothing about clusters, for the test to say what it wants to."""
    for name in (*k8s_health.client.SETTINGS, *PROXIES):
        monkeypatch.delenv(name, raising=False)
    return monkeypatch


@pytest.fixture
def tools(k8s_health: ModuleType, cluster: FakeCluster, environment: pytest.MonkeyPatch) -> ModuleType:
    """The agent's tools, told where the cluster is."""
    environment.setenv("K8S_API_SERVER", cluster.url)
    return k8s_health.tools
