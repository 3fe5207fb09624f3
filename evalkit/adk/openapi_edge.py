"""OpenAPI tools at their HTTP request: ADK's own code builds it, checks its address and reads the answer.

A mock's `returns` is the JSON body of an answer with status 200. Any other answer is written in full:

    returns: {$http: {status: 503, headers: {Retry-After: "5"}, json: {error: overloaded}}}

with `text` in place of `json` for a body that is no JSON. A built-in TimeoutError or ConnectionError in `raises`
becomes what httpx makes of one; any other exception is raised as it is.
"""

import ipaddress
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from types import ModuleType
from typing import Any

import httpx

from evalkit.adk import private
from evalkit.adk.patches import Patches
from evalkit.adk.playing import CURRENT
from evalkit.adk.tool_edge import answer_below
from evalkit.cases import Json
from evalkit.routes import HTTP_REPLY

Send = Callable[..., Awaitable[httpx.Response]]
Resolve = Callable[[str], tuple[Any, ...]]

_SOMEWHERE = ipaddress.ip_address("8.8.8.8")
"""What every host's name leads to; nothing is sent there, ADK only wants it to be a public address."""

_REAL: ContextVar[bool] = ContextVar("evalkit_real_request", default=False)


def replace_requests(patches: Patches, module: ModuleType) -> None:
    """Answer requests from the case's mocks, as soon as ADK's REST tools are loaded."""
    private.check_late(module)
    patches.wrap(module, private.SEND_REQUEST, _at_request)
    patches.wrap(module, private.RESOLVE_HOST, _at_resolve)


def _at_request(original: Send) -> Send:
    async def request(**params: Any) -> httpx.Response:
        if CURRENT.get() is None:
            return await original(**params)

        what = f"the request {str(params.get('method')).upper()} {params.get('url')}"

        async def really() -> httpx.Response:
            token = _REAL.set(True)
            try:
                return await original(**params)
            finally:
                _REAL.reset(token)

        async def answer(request: httpx.Request) -> httpx.Response:
            try:
                given = await answer_below(what, really)
            except (TimeoutError, ConnectionError) as error:
                raise _as_httpx(error, request) from error
            return given if isinstance(given, httpx.Response) else _response(given)

        def client() -> httpx.AsyncClient:
            return httpx.AsyncClient(transport=httpx.MockTransport(answer), trust_env=False)

        return await original(**{**params, "httpx_client_factory": client})

    return request


def _at_resolve(original: Resolve) -> Resolve:
    def resolve_direct_addresses(hostname: str) -> tuple[Any, ...]:
        return original(hostname) if CURRENT.get() is None or _REAL.get() else (_SOMEWHERE,)

    return resolve_direct_addresses


def _as_httpx(error: OSError, request: httpx.Request) -> httpx.TransportError:
    kind = httpx.ReadTimeout if isinstance(error, TimeoutError) else httpx.ConnectError
    return kind(str(error), request=request)


def _response(value: Json) -> httpx.Response:
    if not isinstance(value, dict) or HTTP_REPLY not in value:
        return httpx.Response(200, json=value)
    said = value[HTTP_REPLY]
    body = {kind: said[kind] for kind in ("json", "text") if kind in said}
    return httpx.Response(said.get("status", 200), headers=said.get("headers"), **body)
