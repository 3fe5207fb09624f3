"""The three services on this machine: real servers that answer what a test wants them to."""

import contextlib
import importlib
import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlsplit

import pytest

AGENTS = Path(__file__).parents[3] / "agents"

PROXIES = ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy")


class Reply(NamedTuple):
    """What a service sends; a `length` other than the body's makes it break off."""

    status: int
    body: bytes
    content_type: str = "application/json"
    length: int | None = None


class FakeService:
    """A service.

    Attributes:
        url: Where it listens.
        requests: What was asked, in order: path and query.
        headers: Those of the last request, by name in small letters.
        delay_seconds: How long each answer takes.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self.requests: list[tuple[str, dict[str, str]]] = []
        self.headers: dict[str, str] = {}
        self.delay_seconds = 0.0
        self._replies: dict[str, Reply] = {}

    def reply(self, path: str, body: Any, status: int = 200, **other: Any) -> None:
        """Answer this from now on: bytes as they are, anything else as JSON; `other` is as in `Reply`."""
        self._replies[path] = Reply(status, body if isinstance(body, bytes) else json.dumps(body).encode(), **other)

    def reply_data(self, path: str, data: Any, **other: Any) -> None:
        """Answer this from now on, in the envelope of Prometheus and Loki, to which `other` is added."""
        self.reply(path, {"status": "success", "data": data, **other})

    def answer(self, path: str, query: dict[str, str], headers: dict[str, str]) -> Reply:
        """Answer one request."""
        self.requests.append((path, query))
        self.headers = headers
        time.sleep(self.delay_seconds)
        return self._replies.get(path, Reply(404, b"404 page not found", "text/plain"))


class Handler(BaseHTTPRequestHandler):
    """Hands requests to the service that the server plays."""

    def do_GET(self) -> None:
        """Answer one request."""
        parts = urlsplit(self.path)
        headers = {name.lower(): value for name, value in self.headers.items()}
        reply = self.server.service.answer(parts.path, dict(parse_qsl(parts.query)), headers)
        with contextlib.suppress(ConnectionError):  # the client may have given up
            self.send_response(reply.status)
            self.send_header("Content-Type", reply.content_type)
            self.send_header("Content-Length", str(len(reply.body) if reply.length is None else reply.length))
            self.end_headers()
            self.wfile.write(reply.body)

    def log_message(self, *args: Any) -> None:
        """Keep the tests' output clean."""


def _serve() -> Iterator[FakeService]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.service = FakeService(f"http://127.0.0.1:{server.server_port}")
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server.service
        server.shutdown()
        thread.join()


@pytest.fixture(scope="session")
def observability() -> Iterator[ModuleType]:
    """The agent's package, imported as `adk web` imports it, in an environment that says nothing about it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(AGENTS))
        patch.delenv("OBSERVABILITY_MODEL", raising=False)
        yield importlib.import_module("observability")


@pytest.fixture
def environment(observability: ModuleType, monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """An environment that says nothing about services, for the test to say what it wants to."""
    for name in (*PROXIES, *(service.variable for service in observability.client.SERVICES)):
        monkeypatch.delenv(name, raising=False)
    return monkeypatch


@pytest.fixture
def prometheus(environment: pytest.MonkeyPatch) -> Iterator[FakeService]:
    """Prometheus, and the environment says where."""
    for service in _serve():
        environment.setenv("PROMETHEUS_URL", service.url)
        yield service


@pytest.fixture
def loki(environment: pytest.MonkeyPatch) -> Iterator[FakeService]:
    """Loki, and the environment says where."""
    for service in _serve():
        environment.setenv("LOKI_URL", service.url)
        yield service


@pytest.fixture
def alertmanager(environment: pytest.MonkeyPatch) -> Iterator[FakeService]:
    """Alertmanager, and the environment says where."""
    for service in _serve():
        environment.setenv("ALERTMANAGER_URL", service.url)
        yield service


@pytest.fixture
def tools(observability: ModuleType, environment: pytest.MonkeyPatch) -> ModuleType:
    """The agent's tools, which know no service but those that the test asks for."""
    return observability.tools
