"""The real program docker, asked about a daemon that a test plays: what it prints is what the tools expect."""

import json
import os
import re
import shutil
import struct
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

import pytest

pytestmark = pytest.mark.skipif(not shutil.which("docker"), reason="needs the program docker on the PATH")

ID = "a" * 64
CREATED = 1748764800
CONTAINER = {
    "Id": ID,
    "Names": ["/web"],
    "Image": "nginx:1.27.4",
    "ImageID": "sha256:" + "3" * 64,
    "Command": "nginx",
    "Created": CREATED,
    "Ports": [{"IP": "127.0.0.1", "PrivatePort": 80, "PublicPort": 8080, "Type": "tcp"}],
    "Labels": {},
    "State": "running",
    "Status": "Up 2 hours (healthy)",
    "HostConfig": {"NetworkMode": "bridge"},
    "NetworkSettings": {"Networks": {"bridge": {}}},
    "Mounts": [],
}
IMAGE = {
    "Id": "sha256:" + "3" * 64,
    "RepoTags": ["nginx:1.27.4"],
    "RepoDigests": [],
    "Created": CREATED,
    "Size": 192000000,
    "Containers": -1,
    "SharedSize": -1,
    "Labels": None,
    "ParentId": "",
}
USAGE = {
    "name": "/web",
    "id": ID,
    "cpu_stats": {"cpu_usage": {"total_usage": 2000000}, "system_cpu_usage": 2000000000, "online_cpus": 2},
    "precpu_stats": {"cpu_usage": {"total_usage": 1000000}, "system_cpu_usage": 1000000000},
    "memory_stats": {"usage": 22544384, "limit": 2087000000, "stats": {}},
    "networks": {"eth0": {"rx_bytes": 1000, "tx_bytes": 500}},
    "pids_stats": {"current": 3},
    "blkio_stats": {},
}


def _frame(stream, text):
    """One piece of a log as the daemon sends it: 1 is what the container printed, 2 its errors."""
    return struct.pack(">BxxxI", stream, len(text)) + text.encode()


class Daemon(BaseHTTPRequestHandler):
    """As much of the docker daemon as its command line needs."""

    protocol_version = "HTTP/1.1"

    def answer(self):
        path = re.sub(r"^/v1\.\d+", "", urlsplit(self.path).path)
        log = _frame(1, "started\n") + _frame(1, "ready\n")
        answers = {
            "/_ping": b"OK",
            "/containers/json": [CONTAINER],
            "/images/json": [IMAGE],
            "/containers/web/json": self.server.inspected,
            "/containers/web/logs": log,
            f"/containers/{ID}/logs": log,
            "/containers/web/stats": USAGE,
        }
        body = answers.get(path, {"message": f"No such thing: {path}"})
        self._send(200 if path in answers else 404, body if isinstance(body, bytes) else json.dumps(body).encode())

    def _send(self, status, body):
        self.send_response(status)
        self.send_header("Api-Version", "1.44")
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    do_GET = do_HEAD = answer  # noqa: N815 - the names that http.server calls

    def log_message(self, *args):
        """Keep the tests' output clean."""


@pytest.fixture
def real_tools(docker_agent, printed, monkeypatch, tmp_path):
    """The agent's tools over the real docker, told where the daemon is."""
    for name in ("DOCKER_CONTEXT", "DOCKER_TLS_VERIFY", "DOCKER_API_VERSION", "HTTP_PROXY", "http_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("DOCKER_CONFIG", os.fspath(tmp_path))
    with ThreadingHTTPServer(("127.0.0.1", 0), Daemon) as server:
        (server.inspected,) = json.loads(printed("inspect.json"))
        monkeypatch.setenv("DOCKER_HOST", f"tcp://127.0.0.1:{server.server_port}")
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield docker_agent.tools
        server.shutdown()
        thread.join()


def test_containers_are_listed(real_tools):
    assert real_tools.list_docker_containers()["containers"] == [
        {
            "container": "web",
            "id": "aaaaaaaaaaaa",
            "image": "nginx:1.27.4",
            "state": "running",
            "condition": "Up 2 hours (healthy)",
            "health": "healthy",
            "ports": "127.0.0.1:8080->80/tcp",
            "created_at": "2025-06-01 08:00:00 +0000 UTC",
        }
    ]


def test_a_container_is_inspected(real_tools):
    reply = real_tools.inspect_docker_container("web")

    assert (reply["status"], reply["container"], reply["id"]) == ("success", "web", "aaaaaaaaaaaa")
    assert (reply["state"], reply["health"], reply["finished_at"]) == ("running", "unhealthy", None)
    assert reply["networks"] == {"shop_default": "172.18.0.3"}


def test_a_log_is_read(real_tools):
    assert real_tools.get_docker_container_logs("web", 10, "30m")["log"] == "started\nready\n"


def test_usage_is_measured(real_tools):
    (container,) = real_tools.get_docker_container_stats("web")["containers"]

    assert (container["container"], container["cpu_percent"], container["memory"]) == ("web", 0.2, "21.5MiB")
    assert (container["network_received"], container["network_sent"], container["processes"]) == ("1kB", "500B", 3)


def test_images_are_listed(real_tools):
    (image,) = real_tools.list_docker_images()["images"]

    assert (image["repository"], image["tag"], image["id"], image["size"]) == ("nginx", "1.27.4", "3" * 12, "192MB")


def test_what_the_daemon_refuses_is_an_error_reply(real_tools):
    reply = real_tools.inspect_docker_container("nope")

    assert reply["status"] == "error"
    assert reply["error"].startswith("docker inspect failed with exit code 1: ")
    assert "No such thing: /containers/nope/json" in reply["error"]
