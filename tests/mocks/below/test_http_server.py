"""The server speaks HTTP/1.1 as real clients do."""

import asyncio
import gzip
import http.client
import json
import os
import socket
import threading
import zlib
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

import httpx
import pytest
import requests
import urllib3

from evalkit.fakes import Chunk, HttpReply
from evalkit.mocks.below import World

CLIENTS = {
    "httpx": lambda method, url, body=None, **options: httpx.request(method, url, content=body, **options),
    "requests": lambda method, url, body=None, **options: requests.request(
        method, url, data=body, timeout=10, **options
    ),
}


@pytest.fixture(params=CLIENTS)
def request_(request):
    return CLIENTS[request.param]


def test_a_client_gets_status_headers_and_body_of_the_route(playing, service, route, url, request_):
    reply = HttpReply(status=418, headers=(("X-Kind", "pot"), ("Content-Type", "text/plain")), body=b"short and stout")
    with playing(service(route("GET /tea", reply))):
        got = request_("GET", url("/tea"))
    assert (got.status_code, got.headers["x-kind"], got.text) == (418, "pot", "short and stout")
    assert got.headers["content-length"] == "15"


def test_json_is_served_as_json(playing, service, route, url, request_):
    with playing(service(route("GET /x", {"über": [1, None, 2.5]}))):
        got = request_("GET", url("/x"))
    assert got.json() == {"über": [1, None, 2.5]}
    assert got.headers["content-type"] == "application/json"


def test_one_connection_takes_many_requests(playing, service, route, url):
    with playing(service(route("POST /n", *[str(number) for number in range(20)]))), httpx.Client() as client:
        answers = [client.post(url("/n"), content=b"x" * size) for size in range(20)]
        streams = {answer.extensions["network_stream"].get_extra_info("client_addr") for answer in answers}
    assert [answer.text for answer in answers] == [str(number) for number in range(20)]
    assert len(streams) == 1


def test_a_client_that_waits_keeps_no_other_waiting(playing, service, route, url):
    fake = service(route("GET /silent", HttpReply(raises="TimeoutError")), route("GET /x", "x"))
    with ThreadPoolExecutor(4) as pool, playing(fake) as fakes:
        waiting = [pool.submit(httpx.get, url("/silent"), timeout=None) for _ in range(4)]
        while len(fakes.events) < 4:
            pass
        assert httpx.get(url("/x")).text == "x"
        assert not any(answer.done() for answer in waiting)
    assert [type(answer.exception()) for answer in waiting] == [httpx.RemoteProtocolError] * 4


def test_many_threads_get_each_its_own_answer(playing, service, route, url):
    routes = [route(f"GET /{number}", str(number)) for number in range(50)]
    with playing(service(*routes)), ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(lambda number: httpx.get(url(f"/{number}")).text, range(50)))
    assert answers == [str(number) for number in range(50)]


async def test_requests_of_one_event_loop_get_each_their_own_answer(playing, service, route, url):
    routes = [route(f"GET /{number}", HttpReply(body=b"%d" % number, delay=0.01)) for number in range(20)]
    with playing(service(*routes)):
        async with httpx.AsyncClient() as client:
            answers = await asyncio.gather(*(client.get(url(f"/{number}")) for number in range(20)))
    assert [answer.text for answer in answers] == [str(number) for number in range(20)]


def test_a_stream_arrives_piece_by_piece(playing, service, route, url):
    pieces = tuple(Chunk(data=f"data: {number}\n\n".encode(), delay=0.05) for number in range(4))
    with playing(service(route("GET /events", HttpReply(chunks=pieces)))), httpx.stream("GET", url("/events")) as got:
        seen = list(got.iter_raw())
    assert seen == [b"data: 0\n\n", b"data: 1\n\n", b"data: 2\n\n", b"data: 3\n\n"]
    assert got.headers["transfer-encoding"] == "chunked"


def test_lines_of_a_watch_come_through_requests(playing, service, route, url):
    pieces = tuple(Chunk(data=json.dumps({"n": number}).encode() + b"\n") for number in range(3))
    with playing(service(route("GET /watch", HttpReply(chunks=pieces)))):
        got = requests.get(url("/watch"), stream=True, timeout=10)
        assert [json.loads(line) for line in got.iter_lines()] == [{"n": 0}, {"n": 1}, {"n": 2}]


def test_a_client_of_http_1_0_gets_a_stream_without_chunks(playing, service, route, url):
    stream = HttpReply(chunks=(Chunk(data=b"one "), Chunk(data=b"two")))
    with playing(service(route("GET /s", stream))):
        raw = talk(url(), b"GET /s HTTP/1.0\r\n\r\n")
    head, _, body = raw.partition(b"\r\n\r\n")
    assert b"chunked" not in head
    assert body == b"one two"


def test_head_gets_the_headers_alone(playing, service, route, url, request_):
    with playing(service(route("HEAD /x", "twelve bytes"), route("GET /y", "other"))):
        got = request_("HEAD", url("/x"))
        assert (got.status_code, got.headers["content-length"], got.text) == (200, "12", "")


def test_head_leaves_the_connection_usable(playing, service, route, url):
    with playing(service(route("HEAD /x", "body"), route("GET /x", "body"))), httpx.Client() as client:
        assert [client.request(method, url("/x")).text for method in ("HEAD", "GET", "HEAD", "GET")] == [
            "",
            "body",
            "",
            "body",
        ]


@pytest.mark.parametrize("status", [204, 304])
def test_a_status_without_a_body_leaves_the_connection_usable(playing, service, route, url, status):
    fake = service(route("GET /none", HttpReply(status=status)), route("GET /some", "some"))
    with playing(fake), httpx.Client() as client:
        assert [client.get(url("/none")).status_code, client.get(url("/some")).text] == [status, "some"]


def test_large_bodies_go_both_ways(playing, service, route, url, request_):
    large = "x" * 5_000_000
    with playing(service(route("POST /large", large, body=large))):
        assert request_("POST", url("/large"), body=large.encode()).text == large


def test_a_chunked_request_is_read_whole(playing, service, route, url):
    with playing(service(route("POST /up", "ok", body={"parts": ["a", "b"]}))):
        pieces = (piece for piece in (b'{"parts": ', b'["a",', b' "b"]}'))
        assert httpx.post(url("/up"), content=pieces).text == "ok"


def test_a_chunked_request_with_trailers_leaves_the_connection_usable(playing, service, route, url):
    chunked = b"POST /up HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3;x=1\r\nabc\r\n0\r\nX-T: 1\r\n\r\n"
    plain = b"GET /after HTTP/1.1\r\nConnection: close\r\n\r\n"
    with playing(service(route("POST /up", "up", body="abc"), route("GET /after", "after"))):
        raw = talk(url(), chunked + plain)
    assert raw.count(b"HTTP/1.1 200 OK") == 2
    assert raw.endswith(b"after")


CODINGS = {"gzip": gzip.compress, "deflate": zlib.compress, "x-unknown": lambda body: body}


@pytest.mark.parametrize("coding", CODINGS)
def test_a_compressed_request_is_matched_by_what_is_in_it(playing, service, route, url, request_, coding):
    body = CODINGS[coding](b'{"metric": "lag"}')
    with playing(service(route("POST /push", "ok", body={"metric": "lag"}))):
        got = request_("POST", url("/push"), body=body, headers={"Content-Encoding": coding})
    assert got.text == "ok"


def test_a_client_may_wait_for_leave_to_send_its_body(playing, service, route, url):
    with playing(service(route("POST /up", "ok", body="hello"))):
        place = urlsplit(url())
        with socket.create_connection((place.hostname, place.port)) as connection:
            head = b"POST /up HTTP/1.1\r\nContent-Length: 5\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n"
            connection.sendall(head)
            leave = connection.recv(1000)
            connection.sendall(b"hello")
            rest = b"".join(iter(lambda: connection.recv(1000), b""))
    assert leave == b"HTTP/1.1 100 Continue\r\n\r\n"
    assert rest.endswith(b"ok")


def test_a_whole_url_as_target_is_taken_as_its_path(playing, service, route, url):
    with playing(service(route("GET /x", "ok", query={"a": "1"}))):
        raw = talk(url(), b"GET http://any:80/x?a=1 HTTP/1.1\r\nConnection: close\r\n\r\n")
    assert raw.endswith(b"ok")


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"nonsense\r\n\r\n", b"400"),
        (b"PRI * HTTP/2.0\r\n\r\n", b"400"),
        (b"GET / HTTP/1.1\r\nno colon\r\n\r\n", b"400"),
        (b"GET / HTTP/1.1\r\nContent-Length: many\r\n\r\n", b"400"),
        (b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", b"400"),
        (b"GET /" + b"x" * 70_000 + b" HTTP/1.1\r\n\r\n", b"431"),
    ],
)
def test_what_is_no_request_is_turned_away_and_not_counted(playing, service, route, url, sent, status):
    with playing(service(route("", "anything"))) as fakes:
        raw = talk(url(), sent)
        assert raw.startswith(b"HTTP/1.1 " + status)
        assert fakes.events == ()


def test_a_client_that_goes_away_in_the_middle_of_a_request_leaves_the_server_alive(playing, service, route, url):
    with playing(service(route("POST /x", "ok"))) as fakes:
        place = urlsplit(url())
        with socket.create_connection((place.hostname, place.port)) as connection:
            connection.sendall(b"POST /x HTTP/1.1\r\nContent-Length: 100\r\n\r\nonly this")
        assert httpx.post(url("/x")).text == "ok"
        assert len(fakes.events) == 1


def test_a_repeated_reply_header_arrives_repeated(playing, service, route, url):
    cookies = (("Set-Cookie", "a=1"), ("Set-Cookie", "b=2"))
    with playing(service(route("GET /login", HttpReply(headers=cookies)))):
        got = httpx.get(url("/login"))
    assert got.headers.get_list("set-cookie") == ["a=1", "b=2"]


def test_the_length_that_a_route_states_is_sent_as_it_is(playing, service, route, url):
    stated = HttpReply(headers=(("Content-Length", "1234"),))
    with playing(service(route("HEAD /file", stated))):
        assert httpx.head(url("/file")).headers["content-length"] == "1234"


def test_a_service_that_closes_the_connection_says_so(playing, service, route, url):
    with playing(service(route("GET /x", HttpReply(headers=(("Connection", "close"),), body=b"x")))):
        assert talk(url(), b"GET /x HTTP/1.1\r\n\r\n").endswith(b"\r\n\r\nx")


def test_a_stream_may_have_empty_pieces_and_pieces_beyond_its_cut(playing, service, route, url):
    whole = HttpReply(chunks=(Chunk(data=b""), Chunk(data=b"a"), Chunk(data=b"")))
    cut = HttpReply(chunks=(Chunk(data=b"ab"), Chunk(data=b"cd", delay=60)), truncate=2)
    with playing(service(route("GET /whole", whole), route("GET /cut", cut))):
        assert httpx.get(url("/whole")).text == "a"
        with pytest.raises(httpx.RemoteProtocolError):
            httpx.get(url("/cut"))


def test_a_header_in_an_old_encoding_is_read(playing, service, route, url):
    with playing(service(route("GET /x", "ok", headers={"X-Name": "caf\u00e9"}))):
        sent = b"GET /x HTTP/1.1\r\nX-Name: caf\xe9\r\nConnection: close\r\n\r\n"
        assert talk(url(), sent).endswith(b"ok")


def test_a_body_that_is_not_compressed_as_it_says_is_taken_as_it_is(playing, service, route, url):
    with playing(service(route("POST /x", "ok", body="plain"))):
        assert httpx.post(url("/x"), content=b"plain", headers={"Content-Encoding": "gzip"}).text == "ok"


def test_a_client_that_goes_away_in_the_middle_of_a_head_is_not_counted(playing, service, route, url):
    with playing(service(route("", "ok"))) as fakes:
        place = urlsplit(url())
        with socket.create_connection((place.hostname, place.port)) as connection:
            connection.sendall(b"GET /x HTTP/1.1\r\nHost")
        assert httpx.get(url("/x")).text == "ok"
        assert len(fakes.events) == 1


def test_an_unusual_status_is_sent_as_it_is(playing, service, route, url):
    with playing(service(route("GET /x", HttpReply(status=499)))):
        assert httpx.get(url("/x")).status_code == 499


class TestFailures:
    def test_a_reset_connection(self, playing, service, route, url):
        with playing(service(route("GET /x", HttpReply(raises="ConnectionResetError")))) as fakes:
            with pytest.raises(httpx.ReadError):
                httpx.get(url("/x"))
            with pytest.raises(requests.ConnectionError, match="Connection reset"):
                requests.get(url("/x"), timeout=10)
            assert [event.reply for event in fakes.events] == ["ConnectionResetError"] * 2
            assert fakes.misses == ()

    def test_silence_until_the_client_gives_up(self, playing, service, route, url):
        with playing(service(route("GET /x", HttpReply(raises="TimeoutError")))):
            with pytest.raises(httpx.ReadTimeout):
                httpx.get(url("/x"), timeout=0.1)
            with pytest.raises(requests.ReadTimeout):
                requests.get(url("/x"), timeout=0.1)

    def test_a_delay_is_silence_for_a_while(self, playing, service, route, url):
        with playing(service(route("GET /x", HttpReply(body=b"late", delay=0.2)))):
            with pytest.raises(httpx.ReadTimeout):
                httpx.get(url("/x"), timeout=0.05)
            assert httpx.get(url("/x")).text == "late"

    def test_a_body_cut_in_the_middle(self, playing, service, route, url):
        with playing(service(route("GET /x", HttpReply(body=b"0123456789", truncate=4)))):
            with pytest.raises(httpx.RemoteProtocolError, match="received 4 bytes, expected 10"):
                httpx.get(url("/x"))
            with pytest.raises(requests.exceptions.ChunkedEncodingError, match="4 bytes read, 6 more expected"):
                requests.get(url("/x"), timeout=10)
            with pytest.raises(urllib3.exceptions.ProtocolError):
                urllib3.request("GET", url("/x"), retries=False)

    @pytest.mark.parametrize(("truncate", "received"), [(4, b"abcd"), (6, b"abcdef")])
    def test_a_stream_that_breaks_off(self, playing, service, route, url, truncate, received):
        stream = HttpReply(chunks=(Chunk(data=b"abc"), Chunk(data=b"def")), truncate=truncate)
        got = []
        with playing(service(route("GET /x", stream))), httpx.stream("GET", url("/x")) as answer:
            pieces = answer.iter_raw()
            with pytest.raises(httpx.RemoteProtocolError):
                got.extend(pieces)
        assert b"".join(got) == received

    def test_the_next_request_after_a_failure_works(self, playing, service, route, url):
        fake = service(route("GET /x", HttpReply(body=b"0123456789", truncate=4), "whole"))
        with playing(fake), httpx.Client() as client:
            with pytest.raises(httpx.RemoteProtocolError):
                client.get(url("/x"))
            assert client.get(url("/x")).text == "whole"

    def test_an_answer_that_is_held_back_ends_with_its_case(self, service, route):
        fake = service(route("GET /x", HttpReply(raises="TimeoutError")))
        with World([fake]) as world:
            address = os.environ["SERVICE_URL"]
            ended = []

            def wait():
                try:
                    httpx.get(f"{address}/x", timeout=None)  # noqa: S113 - the point is that the client waits for good
                except httpx.RemoteProtocolError as error:
                    ended.append(error)

            with world.case([fake]) as fakes:
                waiting = threading.Thread(target=wait)
                waiting.start()
                while not fakes.events:
                    pass
            waiting.join(timeout=10)
        assert len(ended) == 1


def test_http_client_of_python_itself_works_too(playing, service, route, url):
    with playing(service(route("GET /x", "plain"))):
        place = urlsplit(url())
        connection = http.client.HTTPConnection(place.hostname, place.port)
        connection.request("GET", "/x")
        assert connection.getresponse().read() == b"plain"
        connection.close()


def talk(address, sent):
    """Send bytes, and return all that comes back until the server closes."""
    place = urlsplit(address)
    with socket.create_connection((place.hostname, place.port)) as connection:
        connection.sendall(sent)
        received = b""
        while data := connection.recv(65536):
            received += data
        return received
