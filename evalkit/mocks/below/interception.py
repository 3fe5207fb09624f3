"""Fixed addresses: requests of httpx, httpx2, requests and urllib3 to them go to a server of ours instead.

The request is led elsewhere below the client, at its transport or connection pool, so the client's own code meets a
real connection: streams, broken bodies and time limits are as in production. `requests` sends through urllib3.
Only libraries that are imported are touched, whenever that happens, and all is as before when the block is left.
"""

import functools
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from types import ModuleType
from typing import Any
from urllib.parse import urlsplit

from evalkit.mocks.below.http_server import HOST
from evalkit.mocks.below.imports import when_imported
from evalkit.mocks.below.origins import origin
from evalkit.mocks.below.replacing import replaced

Ports = Mapping[str, int]
"""The port of the server that stands for an origin."""

INTERCEPTED = "httpx, httpx2, requests and urllib3"


@contextmanager
def intercepted(ports: Ports) -> Iterator[None]:
    """Lead requests to these origins to their servers, while the block lasts."""
    if not ports:
        yield
        return
    with ExitStack() as undo:
        actions: dict[str, Callable[[ModuleType], None]] = {
            "httpx": functools.partial(_httpx, ports, undo),
            "httpx2": functools.partial(_httpx, ports, undo),
            "urllib3": functools.partial(_urllib3, ports, undo),
        }
        undo.enter_context(when_imported(actions))
        yield


def _httpx(ports: Ports, undo: ExitStack, httpx: ModuleType) -> None:
    """Patch the transports of httpx, or of its successor, which has the same classes."""
    # No connection is kept, so none outlives the loop it belongs to; and none of the client's proxies is in the way.
    options = {"verify": False, "trust_env": False, "limits": httpx.Limits(max_keepalive_connections=0)}
    direct = undo.enter_context(httpx.HTTPTransport(**options))
    direct_async = httpx.AsyncHTTPTransport(**options)
    handle, handle_async = httpx.HTTPTransport.handle_request, httpx.AsyncHTTPTransport.handle_async_request

    def led_elsewhere(request: Any) -> Any:
        port = ports.get(origin(request.url.scheme, request.url.host, request.url.port))
        if port is None:
            return None
        return httpx.Request(
            method=request.method,
            url=request.url.copy_with(scheme="http", host=HOST, port=port),
            headers=request.headers,
            stream=request.stream,
            extensions=request.extensions,
        )

    def handle_request(self: Any, request: Any) -> Any:
        led = led_elsewhere(request)
        return handle(self, request) if led is None else handle(direct, led)

    async def handle_async_request(self: Any, request: Any) -> Any:
        led = led_elsewhere(request)
        return await (handle_async(self, request) if led is None else handle_async(direct_async, led))

    undo.enter_context(replaced(httpx.HTTPTransport, "handle_request", functools.wraps(handle)(handle_request)))
    undo.enter_context(
        replaced(httpx.AsyncHTTPTransport, "handle_async_request", functools.wraps(handle_async)(handle_async_request))
    )


def _urllib3(ports: Ports, undo: ExitStack, urllib3: ModuleType) -> None:
    """Patch the connection pools of urllib3."""
    urlopen = urllib3.HTTPConnectionPool.urlopen
    pools = {place: _local_pool(urllib3, place, port) for place, port in ports.items()}

    def led_elsewhere(self: Any, method: str, url: str, *args: Any, **kwargs: Any) -> Any:
        parts = urlsplit(url)
        # A pool of connections to a proxy is asked for whole URLs; any other for paths on its own host.
        place = origin(parts.scheme, parts.hostname or "", parts.port) if parts.netloc else _origin_of_pool(self)
        if place not in pools or self in pools.values():
            return urlopen(self, method, url, *args, **kwargs)
        path = parts._replace(scheme="", netloc="").geturl() or "/"
        return urlopen(pools[place], method, path, *args, **kwargs)

    undo.enter_context(replaced(urllib3.HTTPConnectionPool, "urlopen", functools.wraps(urlopen)(led_elsewhere)))
    for pool in pools.values():
        undo.callback(pool.close)


def _origin_of_pool(pool: Any) -> str:
    return origin(pool.scheme, pool.host, pool.port)


def _local_pool(urllib3: ModuleType, place: str, port: int) -> Any:
    """Make a pool that calls itself by the origin's name in every message, and connects to our server."""
    parts = urlsplit(place)
    secure = parts.scheme == "https"
    base = urllib3.HTTPSConnectionPool if secure else urllib3.HTTPConnectionPool

    class Connection(base.ConnectionCls):  # type: ignore[misc,name-defined]  # whichever urllib3 is installed
        is_verified = True

        def connect(self) -> None:
            self.sock = socket.create_connection((HOST, port))

    pool = base(parts.hostname, parts.port or (443 if secure else 80), maxsize=100)
    pool.ConnectionCls = Connection
    return pool
