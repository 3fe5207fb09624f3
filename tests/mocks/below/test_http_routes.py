"""Which route answers which request, and what is said when none does."""

import json
import re
from urllib.parse import quote, urlencode

import httpx
import pytest
from hypothesis import given, settings, strategies as st

from evalkit.fakes import HttpFake, HttpReply, HttpRoute
from evalkit.matching import match
from evalkit.mocks.below.case import CaseFakes
from evalkit.mocks.below.http_request import HttpRequest

NEUTRAL = {"status": "error", "error": "The service has no result for this request."}


def get(target, method="GET", body=b"", **headers):
    pairs = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return HttpRequest(method, target, "HTTP/1.1", pairs, body)


@pytest.fixture
def ask(service):
    """Ask a service with these routes; return the body of the answer, None for a miss."""

    def asked(routes, *requests, **options):
        fakes = CaseFakes([service(*routes, **options)])
        bodies = [fakes.answer_request("SERVICE_URL", request)[0] for request in requests]
        return [None if reply.status == 501 else reply.body.decode() for reply in bodies]

    return asked


def test_the_first_route_that_matches_answers(ask, route):
    routes = [route("GET /a", "one", query={"x": "1"}), route("GET /a", "two"), route("", "any")]
    assert ask(routes, get("/a?x=1"), get("/a?x=2"), get("/b"), get("/a", "PUT")) == ["one", "two", "any", "any"]


def test_parts_that_a_route_does_not_list_are_free(ask, route):
    assert ask([route("GET /a", "a")], get("/a?x=1", body=b"b", accept="text/plain")) == ["a"]


@pytest.mark.parametrize(
    ("pattern", "target", "fits"),
    [
        ("/a/b", "/a/b", True),
        ("/a/b", "/a/b/", False),
        ("/a/b", "/a/b/c", False),
        ("/caf\u00e9", "/caf%C3%A9", True),
        ("/caf%C3%A9", "/caf%C3%A9", True),
        ("/caf%C3%A9", "/caf\u00e9", True),
        ("/日本/topics", "/" + quote("日本") + "/topics", True),
        ("/a b", "/a%20b", True),
        ("/a/b", "/a%2Fb", False),
        ("/a%2Fb", "/a%2Fb", True),
        ({"$glob": "/api/v1/namespaces/*/pods"}, "/api/v1/namespaces/prod/pods", True),
        ({"$glob": "/api/v1/namespaces/*/pods"}, "/api/v1/nodes", False),
        ({"$regex": r"^/pods/web-\d+$"}, "/pods/web-12", True),
        ({"$regex": r"^/pods/web-\d+$"}, "/pods/web-12/log", False),
        ({"$not": "/a"}, "/b", True),
    ],
)
def test_a_path_is_compared_decoded_and_as_a_whole(ask, route, pattern, target, fits):
    assert ask([route("GET", "yes", path=pattern)], get(target)) == ["yes" if fits else None]


@pytest.mark.parametrize(
    ("pattern", "target", "fits"),
    [
        ("/q", "/prom/q", True),
        ("/q", "/q", False),
        ("/q", "/prometheus/q", False),
        ({"$glob": "/q*"}, "/prom/query", True),
        ({"$any": True}, "/prom", True),
        ({"$any": True}, "/promised", False),
        (None, "/prom/x", True),
        (None, "/x", False),
    ],
)
def test_a_route_of_a_service_below_a_path_speaks_of_the_rest(ask, route, pattern, target, fits):
    parts = {} if pattern is None else {"path": pattern}
    assert ask([route("GET", "yes", **parts)], get(target), path="/prom") == ["yes" if fits else None]


@pytest.mark.parametrize(
    ("pattern", "query", "fits"),
    [
        ({"limit": "5"}, "limit=5", True),
        ({"limit": "5"}, "limit=50", False),
        ({"limit": "5"}, "limit=5&continue=x", True),
        ({"limit": "5"}, "", False),
        ({"limit": "5"}, "limit=5&limit=6", False),
        ({"q": ""}, "q=", True),
        ({"match[]": ["up", "down"]}, "match[]=up&match[]=down", True),
        ({"match[]": ["up", "down"]}, "match%5B%5D=up&match%5B%5D=down", True),
        ({"match[]": ["up", "down"]}, "match[]=down&match[]=up", False),
        ({"match[]": {"$unordered": ["up", "down"]}}, "match[]=down&match[]=up", True),
        ({"match[]": ["up"]}, "match[]=up", True),
        ({"match[]": {"$contains": "up"}}, "match[]=down&match[]=up", True),
        ({"match[]": {"$subset": ["up"]}}, "match[]=up", True),
        ({"query": 'sum(rate(x{a="b"}[5m]))'}, urlencode({"query": 'sum(rate(x{a="b"}[5m]))'}), True),
        ({"q": "a b"}, "q=a+b", True),
        ({"q": "a+b"}, "q=a%2Bb", True),
        ({"q": "ü"}, "q=%C3%BC", True),
        ({"watch": {"$absent": True}}, "limit=1", True),
        ({"watch": {"$absent": True}}, "watch=1", False),
        ({"since": {"$regex": r"^\d+$"}}, "since=17", True),
    ],
)
def test_listed_parameters_must_match_and_others_are_free(ask, route, pattern, query, fits):
    assert ask([route("GET /q", "yes", query=pattern)], get(f"/q?{query}")) == ["yes" if fits else None]


def test_headers_are_compared_whatever_the_case_of_their_names(ask, route):
    routes = [route("GET /x", "yes", headers={"X-Scope-OrgID": "team-a"})]
    assert ask(routes, get("/x", x_scope_orgid="team-a"), get("/x", x_scope_orgid="team-b"), get("/x")) == [
        "yes",
        None,
        None,
    ]


def test_a_repeated_header_is_a_list(ask, route):
    request = HttpRequest("GET", "/x", "HTTP/1.1", (("accept", "a"), ("accept", "b")))
    assert ask([route("GET /x", "yes", headers={"Accept": ["a", "b"]})], request) == ["yes"]
    assert ask([route("GET /x", "yes", headers={"Accept": "a"})], request) == [None]


JSON = "application/json"
FORM = "application/x-www-form-urlencoded"


@pytest.mark.parametrize(
    ("pattern", "body", "content_type", "fits"),
    [
        ({"a": 1}, b'{"a": 1.0}', JSON, True),
        ({"a": 1}, b'{"a": 1, "b": 2}', JSON, False),
        ({"$subset": {"a": 1}}, b'{"a": 1, "b": 2}', JSON, True),
        ({"spec": {"replicas": {"$gte": 3}}}, b'{"spec": {"replicas": 3}}', "application/merge-patch+json", True),
        ([{"op": "add"}], b'[{"op": "add"}]', "application/json-patch+json", True),
        ({"a": 1}, b'{"a": 1}', "", True),
        ({"a": 1}, b'{"a": 1}', FORM, True),
        (5, b"5", JSON, True),
        (5, b"5", "text/plain", False),
        ("5", b"5", JSON, True),
        ({"query": "up", "time": "1"}, b"query=up&time=1", FORM, True),
        ({"query": "up"}, b"query=up&time=1", FORM, False),
        ({"m": ["a", "b"]}, b"m=a&m=b", FORM, True),
        ("hello wörld", "hello wörld".encode(), "text/plain", True),
        ({"$regex": "restartedAt"}, b'{"meta": {"restartedAt": "2024"}}', JSON, True),
        ({"$all": [{"$contains": "a"}, {"$not": {"$contains": "z"}}]}, b'{"a": "b"}', JSON, True),
        ({"$contains": "level=error"}, b"level=error msg=x", "text/plain", True),
        ({"a": 1}, b'{"a": 1', JSON, False),
        (["a", "b"], b'["a", "b"]', JSON, True),
        ({"$oneof": ["x", {"$regex": "^y"}]}, b"yes", "text/plain", True),
        ({"$oneof": [["x"], "y"]}, b'["x"]', JSON, True),
        ({"$not": {"$contains": "z"}}, b'{"a": 1}', JSON, True),
        ({}, b"{}", JSON, True),
        ({"$absent": True}, b"", JSON, True),
        ({"$absent": True}, b"x", "", False),
        ({"$any": True}, b"", "", False),
        ({"$any": True}, b"\xff\xfe", "application/octet-stream", True),
    ],
)
def test_a_body_is_compared_as_it_reads(ask, route, pattern, body, content_type, fits):
    request = get("/x", "POST", body, **({"content_type": content_type} if content_type else {}))
    assert ask([route("POST /x", "yes", body=pattern)], request) == ["yes" if fits else None]


def test_a_sequence_is_used_up_in_order_and_then_is_a_miss(ask, route):
    first, second = HttpReply(status=503, body=b"down"), HttpReply(body=b"up")
    routes = [route("GET /x", first, second, repeat_last=False), route("GET /x", "never")]
    assert ask(routes, *[get("/x")] * 3) == ["down", "up", None]


def test_the_last_reply_of_a_sequence_may_stay(ask, route):
    assert ask([route("GET /x", "a", "b")], *[get("/x")] * 4) == ["a", "b", "b", "b"]


class TestMisses:
    def test_the_client_is_told_in_neutral_words(self, playing, service, route, url):
        with playing(service(route("GET /a", "a"))):
            got = httpx.get(url("/b"))
        assert (got.status_code, got.json()) == (501, NEUTRAL)

    def test_the_report_names_the_closest_route_and_each_difference(self, service, route):
        fakes = CaseFakes(
            [
                service(
                    route("GET /api/v1/targets", "t", label="mocks.yaml:9 GET /api/v1/targets"),
                    route(
                        "GET /api/v1/query", "q", query={"query": "up", "time": "1"}, label="mocks.yaml:12 GET /query"
                    ),
                )
            ],
            turn=lambda: 2,
        )
        fakes.answer_request("SERVICE_URL", get("/api/v1/query?query=down"))
        (miss,) = fakes.misses
        assert miss.message == (
            "the agent's code asked SERVICE_URL for GET /api/v1/query?query=down, which no mock answers: the closest "
            'is mocks.yaml:12 GET /query ($.query.query: wanted "up", found "down"; $.query.time: missing, wanted "1")'
        )
        assert (miss.turn, miss.tool, miss.closest) == (2, "http SERVICE_URL", "mocks.yaml:12 GET /query")
        assert miss.args == {"method": "GET", "path": "/api/v1/query", "query": {"query": "down"}}

    def test_routes_that_are_as_close_are_named_beside_it(self, service, route):
        routes = [route("GET", "", path={"$glob": shape}, label=shape) for shape in ("/a*", "/b*")]
        fakes = CaseFakes([service(*routes, path="/v1")])
        fakes.answer_request("SERVICE_URL", get("/v1/c"))
        assert fakes.misses[0].message.endswith(
            'the closest is /a* ($.path: wanted a value like "/a*", found "/c"); http SERVICE_URL also has '
            '/b* {"method": "GET", "path": a value like "/b*" below /v1}'
        )

    def test_a_path_that_no_route_has_is_compared_with_the_most_similar(self, service, route):
        routes = [route(f"GET /api/v1/{name}", "", label=name) for name in ("nodes", "namespaces/a/pods", "events")]
        fakes = CaseFakes([service(*routes)])
        fakes.answer_request("SERVICE_URL", get("/api/v1/namespaces/b/pods"))
        assert fakes.misses[0].closest == "namespaces/a/pods"

    def test_a_used_up_sequence_says_so(self, service, route):
        fakes = CaseFakes([service(route("GET /x", "1", repeat_last=False, label="mocks.yaml:3 GET /x"))])
        for _ in range(2):
            fakes.answer_request("SERVICE_URL", get("/x"))
        assert fakes.misses[0].message == (
            "the agent's code asked SERVICE_URL for GET /x, which mocks.yaml:3 GET /x matches, but its one reply is "
            "used up (add one, or set repeat_last: true)"
        )

    def test_headers_are_not_kept_since_they_hold_secrets(self, service):
        fakes = CaseFakes([service()])
        fakes.answer_request("SERVICE_URL", get("/x", authorization="Bearer s3cret"))
        assert "s3cret" not in repr(fakes.misses)

    def test_a_long_body_is_shortened(self, service):
        fakes = CaseFakes([service()])
        fakes.answer_request("SERVICE_URL", get("/x", "POST", b'{"a": "' + b"x" * 10_000 + b'"}'))
        assert len(fakes.misses[0].args["body"]) == 2000

    def test_each_miss_counts(self, service, route):
        fakes = CaseFakes([service(route("GET /x", "x"))])
        for _ in range(3):
            fakes.answer_request("SERVICE_URL", get("/y"))
        assert len(fakes.misses) == 3


def test_what_was_asked_is_recorded_in_order(service, route):
    turns = iter([0, 0, 1, 1])
    fakes = CaseFakes([service(route("GET /x", "four", label="mocks.yaml:2 GET /x"))], turn=lambda: next(turns))
    for target in ("/x?a=1", "/y"):
        fakes.answer_request("SERVICE_URL", get(target))[1].end()
    first, second = fakes.events
    assert (first.kind, first.target, first.request) == ("http", "SERVICE_URL", "GET /x?a=1")
    assert (first.reply, first.route, first.turn) == ("200, 4 bytes", "mocks.yaml:2 GET /x", 0)
    assert (second.reply, second.route) == ("501, 75 bytes", None)
    assert 0 <= first.started <= second.started
    assert first.seconds >= 0


def test_unused_routes_of_the_case_itself_are_named(service, route):
    own = service(route("GET /a", "a"), route("GET /b", "b"))
    fakes = CaseFakes([own], [service(route("GET /c", "c"))])
    fakes.answer_request("SERVICE_URL", get("/a"))
    assert fakes.unused() == ("GET /b",)


def test_the_routes_of_the_case_come_before_those_of_its_folder(service, route):
    fakes = CaseFakes([service(route("GET /a", "case"))], [service(route("GET /a", "folder"), route("GET /b", "b"))])
    answers = [fakes.answer_request("SERVICE_URL", get(target))[0].body for target in ("/a", "/b")]
    assert answers == [b"case", b"b"]


WORDS = st.text("abü/ %&=+", max_size=4)
PATHS = WORDS.map(lambda text: "/" + text)
VALUES = st.one_of(WORDS, st.lists(WORDS, min_size=2, max_size=2))
PATTERNS = st.one_of(
    WORDS,
    st.lists(WORDS, min_size=1, max_size=2),
    WORDS.map(lambda text: {"$contains": text}),
    WORDS.map(lambda text: {"$not": text}),
    WORDS.map(lambda text: {"$regex": re.escape(text)}),
    st.just({"$absent": True}),
)
BODIES = st.one_of(st.none(), st.integers(0, 3), WORDS, st.dictionaries(st.sampled_from("ab"), st.integers(0, 2)))
BODIES |= st.lists(WORDS, max_size=2)
ROUTES = st.fixed_dictionaries(
    {},
    optional={
        "method": st.sampled_from(["GET", "POST", {"$oneof": ["PUT", "GET"]}]),
        "path": st.one_of(PATHS, WORDS.map(lambda text: {"$contains": text})),
        "query": st.dictionaries(st.sampled_from("ab"), PATTERNS, max_size=2),
        "headers": st.dictionaries(st.sampled_from(["X-A", "x-b"]), PATTERNS, max_size=2),
        "body": BODIES,
    },
)


def fits(pattern, values, missing):
    """What a name's pattern means, said once more: a text that stands alone is a list of one for a list."""
    if values is None:
        return missing
    value = values if isinstance(pattern, list) or len(values) > 1 else values[0]
    return not match(pattern, value)


def wanted(pattern, found):
    """Whether every listed name matches, for a dict of lists."""
    return all(
        fits(each, found.get(name), each == {"$absent": True} or "$not" in each) for name, each in pattern.items()
    )


@settings(deadline=None, max_examples=300)
@given(
    routes=st.lists(ROUTES, max_size=4),
    method=st.sampled_from(["GET", "POST", "PUT"]),
    path=PATHS,
    query=st.dictionaries(st.sampled_from("ab"), VALUES, max_size=2),
    headers=st.dictionaries(st.sampled_from(["x-a", "x-b"]), VALUES, max_size=2),
    body=st.one_of(st.none(), BODIES),
)
def test_a_fake_answers_exactly_the_requests_that_match_its_route(routes, method, path, query, headers, body):
    lists = {name: value if isinstance(value, list) else [value] for name, value in query.items()}
    header_lists = {name: value if isinstance(value, list) else [value] for name, value in headers.items()}
    text = "" if body is None else json.dumps(body)
    request = HttpRequest(
        method,
        quote(path) + ("?" + urlencode(lists, doseq=True) if lists else ""),
        "HTTP/1.1",
        (*((name, value) for name, values in header_lists.items() for value in values), ("content-type", JSON)),
        text.encode(),
    )

    def matches(route):
        return (
            not ("method" in route and match(route["method"], method))
            and not ("path" in route and match(route["path"], path))
            and wanted(route.get("query", {}), lists)
            and wanted({name.lower(): each for name, each in route.get("headers", {}).items()}, header_lists)
            and (
                "body" not in route
                or (bool(text) and not match(route["body"], text if isinstance(route["body"], str) else body))
            )
        )

    made = tuple(
        HttpRoute(request=each, replies=(HttpReply(body=str(index).encode()),)) for index, each in enumerate(routes)
    )
    fakes = CaseFakes([HttpFake(env={"S": "{url}"}, routes=made)])
    reply, _ = fakes.answer_request("S", request)
    expected = next((str(index) for index, each in enumerate(routes) if matches(each)), None)
    assert (None if reply.status == 501 else reply.body.decode()) == expected
    assert len(fakes.misses) == (expected is None)
