"""Fixed addresses are led to the fake in every client that is patched, and nothing stays patched."""

import asyncio
import os
import subprocess
import sys

import httpx
import pytest
import requests
import urllib3

from evalkit.fakes import Chunk, HttpReply

httpx2 = pytest.importorskip("httpx2", reason="httpx2 is not installed")


async def via_async_httpx(url):
    async with httpx.AsyncClient() as client:
        return (await client.get(url)).text


async def via_async_httpx2(url):
    async with httpx2.AsyncClient() as client:
        return (await client.get(url)).text


def via_urllib3_pool(url):
    place = urllib3.util.parse_url(url)
    with urllib3.connection_from_url(url) as pool:
        return pool.request("GET", place.request_uri).data.decode()


CLIENTS = {
    "httpx": lambda url: httpx.get(url).text,
    "async httpx": lambda url: asyncio.run(via_async_httpx(url)),
    "httpx2": lambda url: httpx2.get(url).text,
    "async httpx2": lambda url: asyncio.run(via_async_httpx2(url)),
    "requests": lambda url: requests.get(url, timeout=10).text,
    "urllib3": lambda url: urllib3.request("GET", url).data.decode(),
    "urllib3 pool": via_urllib3_pool,
}


@pytest.fixture(params=CLIENTS)
def fetch(request):
    return CLIENTS[request.param]


@pytest.mark.parametrize("base", ["http://grafana:3000", "https://grafana.example.com", "http://10.1.2.3:9090"])
def test_requests_to_the_address_are_answered_by_the_fake(playing, service, route, fetch, base):
    with playing(service(route("GET /api/x", "fake", query={"a": ["1", "2"]}), env={}, base_url=base)) as fakes:
        assert fetch(f"{base}/api/x?a=1&a=2") == "fake"
        assert [(event.target, event.request) for event in fakes.events] == [(base, "GET /api/x?a=1&a=2")]


def test_a_path_of_the_address_is_no_part_of_the_routes(playing, service, route, fetch):
    fake = service(route("GET /dashboards", "fake"), env={}, base_url="http://grafana:3000", path="/api")
    with playing(fake) as fakes:
        assert fetch("http://grafana:3000/api/dashboards") == "fake"
        assert "no result" in fetch("http://grafana:3000/login")
        assert fakes.misses[0].differences == ('$.path: wanted "/api/dashboards", found "/login"',)


def test_the_standard_port_may_be_written_or_not(playing, service, route, fetch):
    with playing(service(route("GET /", "fake"), env={}, base_url="https://grafana:443")):
        assert fetch("https://grafana") == "fake"


@pytest.mark.parametrize("name", ["HTTP_PROXY", "ALL_PROXY"])
def test_a_proxy_of_the_machine_is_not_in_the_way(playing, service, route, fetch, monkeypatch, name):
    for spelling in (name, name.lower()):
        monkeypatch.setenv(spelling, "http://proxy.invalid:3128")
    fixed = service(route("GET /", "fake"), env={}, base_url="http://grafana")
    with playing(fixed, service(route("GET /x", "server"))):
        assert fetch("http://grafana/") == "fake"
        assert fetch(os.environ["SERVICE_URL"] + "/x") == "server"


def test_the_response_still_says_where_the_client_asked(playing, service, route):
    redirect = HttpReply(status=302, headers=(("Location", "/new"),))
    with playing(service(route("GET /old", redirect), route("GET /new", "new"), env={}, base_url="https://grafana")):
        answers = [
            httpx.get("https://grafana/old", follow_redirects=True),
            httpx2.get("https://grafana/old", follow_redirects=True),
            requests.get("https://grafana/old", timeout=10),
        ]
    assert [(str(answer.url), answer.text) for answer in answers] == [("https://grafana/new", "new")] * 3


def test_the_host_header_is_that_of_the_address(playing, service, route, fetch):
    with playing(
        service(route("GET /", "ok", headers={"Host": "grafana:3000"}), env={}, base_url="http://grafana:3000")
    ):
        assert fetch("http://grafana:3000/") == "ok"


def test_cookies_belong_to_the_address(playing, service, route):
    login = HttpReply(headers=(("Set-Cookie", "session=1"),))
    fake = service(
        route("POST /login", login),
        route("GET /me", "me", headers={"Cookie": "session=1"}),
        env={},
        base_url="http://app",
    )
    with playing(fake), httpx.Client() as client, requests.Session() as session:
        client.post("http://app/login")
        session.post("http://app/login", timeout=10)
        assert client.get("http://app/me").text == "me"
        assert session.get("http://app/me", timeout=10).text == "me"


def test_streams_and_broken_bodies_are_those_of_a_real_connection(playing, service, route):
    stream = HttpReply(chunks=(Chunk(data=b"one"), Chunk(data=b"two", delay=0.01)))
    broken = HttpReply(body=b"0123456789", truncate=3)
    with playing(service(route("GET /s", stream), route("GET /b", broken), env={}, base_url="https://grafana")):
        with httpx.stream("GET", "https://grafana/s") as answer:
            assert list(answer.iter_raw()) == [b"one", b"two"]
        with pytest.raises(httpx.RemoteProtocolError, match="received 3 bytes"):
            httpx.get("https://grafana/b")
        with pytest.raises(requests.exceptions.ChunkedEncodingError):
            requests.get("https://grafana/b", timeout=10)


def test_whole_urls_given_to_a_pool_are_led_like_paths(playing, service, route):
    with (
        playing(service(route("GET /x", "fake"), env={}, base_url="http://grafana")),
        urllib3.connection_from_url("http://grafana") as pool,
    ):
        assert pool.request("GET", "http://grafana/x").data == b"fake"


def test_messages_of_the_client_name_the_address_and_not_the_fake(playing, service, route):
    reset = HttpReply(raises="ConnectionResetError")
    named = pytest.raises(urllib3.exceptions.MaxRetryError, match=r"HTTPSConnectionPool\(host='grafana', port=443\)")
    with playing(service(route("GET /x", reset), env={}, base_url="https://grafana")), named:
        urllib3.request("GET", "https://grafana/x", retries=1)


def test_other_addresses_are_left_alone(playing, service, route, fetch):
    with playing(service(env={}, base_url="http://grafana"), service(route("GET /x", "other"))):
        assert fetch(os.environ["SERVICE_URL"] + "/x") == "other"


def test_everything_is_as_before_afterwards(playing, service):
    owners = [
        (httpx.HTTPTransport, "handle_request"),
        (httpx.AsyncHTTPTransport, "handle_async_request"),
        (httpx2.HTTPTransport, "handle_request"),
        (urllib3.HTTPConnectionPool, "urlopen"),
    ]
    before = [vars(owner)[name] for owner, name in owners]
    finders = list(sys.meta_path)
    with playing(service(env={}, base_url="http://grafana")):
        assert [vars(owner)[name] for owner, name in owners] != before
    assert [vars(owner)[name] for owner, name in owners] == before
    assert sys.meta_path == finders


def test_a_library_that_is_not_there_stays_away(playing, service, monkeypatch):
    monkeypatch.delitem(sys.modules, "httpx2")
    monkeypatch.setattr(sys, "path", [])
    monkeypatch.setattr(sys, "path_importer_cache", {})
    with playing(service(env={}, base_url="http://grafana")), pytest.raises(ModuleNotFoundError):
        import httpx2  # noqa: F401 - it is not there


LATER = """
import sys
from evalkit.fakes import HttpFake, HttpReply, HttpRoute
from evalkit.mocks.below import World

libraries = ("httpx", "httpx2", "requests", "urllib3")
fake = HttpFake(base_url="http://grafana", routes=(HttpRoute(replies=(HttpReply(body=b"fake"),)),))
with World([fake]) as world, world.case([fake]):
    assert not [name for name in libraries if name in sys.modules]
    import httpx, httpx2, requests, urllib3
    print(httpx.get("http://grafana").text, httpx2.get("http://grafana").text, requests.get("http://grafana").text)
    print(urllib3.request("GET", "http://grafana").data.decode(), type(httpx.__loader__).__name__)
"""


def test_a_library_is_patched_when_it_is_imported_and_not_before(clean_env):
    done = subprocess.run([sys.executable, "-c", LATER], capture_output=True, text=True, env=clean_env, check=False)
    assert done.stderr == ""
    assert done.stdout.split() == ["fake"] * 4 + ["SourceFileLoader"]
