"""The `backends` of a mocks file become fakes, and what cannot be one is named where it stands."""

import pytest

from evalkit.fakes import (
    Chunk,
    CommandFake,
    CommandReply,
    CommandRoute,
    HttpFake,
    HttpReply,
    HttpRoute,
    PythonFake,
)
from evalkit.formats import mocks as mocks_format

JSON = ("Content-Type", "application/json")
TEXT = ("Content-Type", "text/plain; charset=utf-8")


@pytest.fixture
def fakes(write, tmp_path, monkeypatch):
    """Read the fakes out of the text below `backends:`."""
    monkeypatch.chdir(tmp_path)

    def read(text):
        write("mocks.yaml", f"backends:\n{text}")
        loaded = mocks_format.read("mocks.yaml")
        assert loaded.value is not None, loaded.problems
        return loaded.value.fakes

    return read


@pytest.fixture
def problems(write, tmp_path, monkeypatch):
    """The problems of the text below `backends:`: rule, path and message."""
    monkeypatch.chdir(tmp_path)

    def find(text):
        write("mocks.yaml", f"backends:\n{text}")
        return [
            (problem.rule, problem.path.removeprefix("$.backends[0]"), problem.message)
            for problem in mocks_format.read("mocks.yaml").problems
        ]

    return find


@pytest.fixture
def http(fakes):
    """Read one route, written as the members of an object."""
    return lambda members: fakes(f"- http: {{env: URL, routes: [{{{members}}}]}}\n")[0].routes[0]


@pytest.fixture
def command(fakes):
    """Read one route of docker, written as the members of an object."""
    return lambda members: fakes(f"- command: {{program: docker, routes: [{{{members}}}]}}\n")[0].routes[0]


def test_a_service_a_program_and_an_object_are_read(fakes, write):
    write("replies/ps.txt", "web\n")
    assert fakes("""
  - http: {env: PROMETHEUS_URL, routes: [{method: get, path: /api/v1/targets, json: {}}]}
  - http: {base_url: "http://grafana:3000/api/", routes: []}
  - command: {program: docker, routes: [{argv: [ps, --format, json], stdout_file: replies/ps.txt}]}
  - command: {program: collect.sh, passthrough: true}
  - python: {factory: "evalsets.kafka.fakes:admin", patches: ".tools:_admin", data: {topics: []}}
""") == (
        HttpFake(
            env={"PROMETHEUS_URL": "{url}"},
            routes=(
                HttpRoute(
                    request={"method": "GET", "path": "/api/v1/targets"},
                    replies=(HttpReply(headers=(JSON,), body=b"{}"),),
                ),
            ),
        ),
        HttpFake(base_url="http://grafana:3000", path="/api"),
        CommandFake(
            program="docker",
            routes=(CommandRoute(call={"argv": ["ps", "--format", "json"]}, replies=(CommandReply(stdout=b"web\n"),)),),
        ),
        CommandFake(program="collect.sh", passthrough=True),
        PythonFake(factory="evalsets.kafka.fakes:admin", patches=".tools:_admin", data={"topics": []}),
    )


def test_labels_name_the_line_and_what_it_is(fakes):
    http, command, python = fakes("""- http:
    env: URL
    routes:
      - {method: GET, path: /a, json: 1}
      - {path: {$glob: "/b*"}, json: 1}
- command:
    program: docker
    routes:
      - {argv: [logs, --tail, 100, web], stdout: x}
      - {exit_code: 1}
- python: {factory: "f:x", patches: ".tools:y"}
""")
    assert [route.label for route in http.routes] == ["mocks.yaml:5 GET /a", "mocks.yaml:6 any request"]
    assert [route.label for route in command.routes] == ["mocks.yaml:10 docker logs --tail 100", "mocks.yaml:11 docker"]
    assert (http.label, command.label, python.label) == (
        "mocks.yaml:3 http",
        "mocks.yaml:8 docker",
        "mocks.yaml:12 .tools:y",
    )


def test_a_variable_can_have_a_form(fakes):
    (fake,) = fakes('- http: {env: {HOST: "{host}:{port}", URL: "{url}/x"}, path: /prom/, routes: []}\n')
    assert (fake.env, fake.path) == ({"HOST": "{host}:{port}", "URL": "{url}/x"}, "/prom")


@pytest.mark.parametrize(
    ("members", "reply"),
    [
        ("status: 204", HttpReply(status=204)),
        ("json: null", HttpReply(headers=(JSON,), body=b"null")),
        ("json: {ü: [1, x]}", HttpReply(headers=(JSON,), body='{"ü": [1, "x"]}'.encode())),
        ("text: grün, status: 500", HttpReply(status=500, headers=(TEXT,), body="grün".encode())),
        (
            "text: x, reply_headers: {content-type: text/html, Retry-After: 5, Set-Cookie: [a=1, b=2]}",
            HttpReply(
                headers=(
                    ("content-type", "text/html"),
                    ("Retry-After", "5"),
                    ("Set-Cookie", "a=1"),
                    ("Set-Cookie", "b=2"),
                ),
                body=b"x",
            ),
        ),
        (
            "stream: [one, {text: two, delay: 0.5}, {json: {n: 3}}]",
            HttpReply(
                headers=(TEXT,), chunks=(Chunk(data=b"one"), Chunk(data=b"two", delay=0.5), Chunk(data=b'{"n": 3}\n'))
            ),
        ),
        ('text: "0123456789", truncate: 3', HttpReply(headers=(TEXT,), body=b"0123456789", truncate=3)),
        ('text: "0123456789", truncate: true', HttpReply(headers=(TEXT,), body=b"0123456789", truncate=5)),
        ("text: x, truncate: false", HttpReply(headers=(TEXT,), body=b"x")),
        (
            "stream: [ab, cd], truncate: true",
            HttpReply(headers=(TEXT,), chunks=(Chunk(data=b"ab"), Chunk(data=b"cd")), truncate=4),
        ),
        ("raises: {type: TimeoutError}", HttpReply(raises="TimeoutError")),
        ("raises: {type: ConnectionResetError}, delay: 1", HttpReply(raises="ConnectionResetError", delay=1)),
        ("text: x, delay: 0.25", HttpReply(headers=(TEXT,), body=b"x", delay=0.25)),
    ],
)
def test_what_a_service_can_answer(http, members, reply):
    assert http(members).replies == (reply,)


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("a.json", "{}", "application/json"),
        ("a.txt", "x", "text/plain"),
        ("a.unknown", "x", "application/octet-stream"),
    ],
)
def test_a_file_is_sent_byte_by_byte_with_the_type_of_its_name(http, write, name, content, kind):
    write(name, content)
    assert http(f"body_file: {name}").replies[0] == HttpReply(headers=(("Content-Type", kind),), body=content.encode())


@pytest.mark.parametrize(
    ("members", "replies", "repeat_last"),
    [
        ("json: 1", 1, True),
        ("sequence: [{status: 503}, {json: 1}]", 2, False),
        ("sequence: [{status: 503}, {json: 1}], repeat_last: true", 2, True),
    ],
)
def test_a_sequence_is_used_up_and_a_single_reply_stays(http, members, replies, repeat_last):
    route = http(members)
    assert (len(route.replies), route.repeat_last) == (replies, repeat_last)


def test_whole_numbers_and_booleans_stand_for_their_text_where_all_is_text(http, command):
    route = http(
        "query: {limit: 500, watch: true, since: {$oneof: [1, {$regex: x}]}, m: [1, a]}, headers: {X-N: 5}, json: 1"
    )
    assert route.request == {
        "query": {"limit": "500", "watch": "true", "since": {"$oneof": ["1", {"$regex": "x"}]}, "m": ["1", "a"]},
        "headers": {"X-N": "5"},
    }
    route = command("argv: [logs, --tail, 100, --follow, false], env: {LEVEL: 3}, stdout: x")
    assert route.call == {"argv": ["logs", "--tail", "100", "--follow", "false"], "env": {"LEVEL": "3"}}


def test_a_body_keeps_its_types(http):
    assert http("body: {n: 5, b: true, x: null, f: 1.5}, json: 1").request == {
        "body": {"n": 5, "b": True, "x": None, "f": 1.5}
    }


@pytest.mark.parametrize(
    ("members", "reply"),
    [
        ("stdout: ok", CommandReply(stdout=b"ok")),
        ("json: {a: [1]}", CommandReply(stdout=b'{"a": [1]}\n')),
        ("stderr: gone, exit_code: 125", CommandReply(stderr=b"gone", exit_code=125)),
        ("exit_code: 0, delay: 2", CommandReply(delay=2)),
    ],
)
def test_what_a_program_can_do(command, members, reply):
    assert command(members).replies == (reply,)


@pytest.mark.parametrize(
    ("entry", "rule", "path", "message"),
    [
        ("http: {routes: []}", "wrong-value", ".http", "an HTTP backend needs an env or a base_url, and not both"),
        ("http: {env: A, base_url: 'http://x', routes: []}", "wrong-value", ".http", "needs an env or a base_url"),
        ("http: {env: 'a-b', routes: []}", "wrong-value", ".http.env", "'a-b' is not the name of a variable"),
        ("http: {env: {A: 'x'}, routes: []}", "wrong-value", ".http.env.A", "'x' does not say where the server is"),
        ("http: {env: {A: '{urls}'}, routes: []}", "wrong-value", ".http.env.A", "does not say where"),
        ("http: {env: {A: '{url'}, routes: []}", "wrong-value", ".http.env.A", "does not say where"),
        ("http: {env: {A: '{url.x}'}, routes: []}", "wrong-value", ".http.env.A", "does not say where"),
        ("http: {env: A, path: x, routes: []}", "wrong-value", ".http.path", "must be a path that starts with a slash"),
        (
            "http: {base_url: 'http://x', path: /y, routes: []}",
            "wrong-value",
            ".http.path",
            "the path is part of base_url",
        ),
        ("http: {base_url: 'grafana:3000', routes: []}", "wrong-value", ".http.base_url", "is not an address"),
        ("http: {base_url: 'http://x:y', routes: []}", "wrong-value", ".http.base_url", "is not an address"),
        ("http: {base_url: 'http://x/?a=1', routes: []}", "wrong-value", ".http.base_url", "is not an address"),
        ("command: {program: ./x, routes: []}", "wrong-value", ".command.program", "'./x' is not a program's name"),
        ("command: {program: x}", "wrong-value", ".command", "needs routes, or passthrough: true"),
        ("command: {program: x, routes: [], passthrough: true}", "wrong-value", ".command", "and not both"),
        ("python: {factory: x, patches: 'a:b'}", "wrong-value", ".python.factory", "'x' names no function"),
        ("python: {factory: 'a:b', patches: 'x'}", "wrong-value", ".python.patches", "'x' names no attribute"),
        ("python: {factory: 'a:b', patches: '..x:y'}", "wrong-value", ".python.patches", "names no attribute"),
        (
            "http: {env: A, routes: [{json: 1, colour: 2}]}",
            "unknown-key",
            ".http.routes[0].colour",
            "unknown key `colour`",
        ),
        (
            "command: {program: x, routes: [{exit_code: 300}]}",
            "wrong-value",
            ".command.routes[0].exit_code",
            "at most 255",
        ),
    ],
)
def test_what_cannot_be_a_backend_is_named(problems, entry, rule, path, message):
    ((found_rule, found_path, found_message),) = problems(f"- {entry}\n")
    assert (found_rule, found_path) == (rule, path)
    assert message in found_message


@pytest.mark.parametrize(
    ("members", "rule", "path", "message"),
    [
        ("path: /x", "no-reply", "", "nothing says what to answer"),
        ("json: 1, text: x", "many-replies", "", "json and text stand side by side"),
        ("json: 1, sequence: [{json: 2}]", "many-replies", ".json", "json and sequence stand side by side"),
        ("sequence: []", "no-reply", ".sequence", "the sequence has no replies"),
        ("sequence: [{delay: 1}]", "no-reply", ".sequence[0]", "nothing says what to answer"),
        ("json: 1, repeat_last: true", "wrong-value", ".repeat_last", "repeat_last belongs to a sequence"),
        ("json: 1, path: x", "wrong-value", ".path", "a path starts with a slash"),
        ("json: 1, path: '/x?a=1'", "wrong-value", ".path", "a path ends before the question mark"),
        (
            "json: 1, path: {$regexp: x}",
            "bad-pattern",
            ".path.$regexp",
            "unknown operator $regexp; did you mean $regex?",
        ),
        ("json: 1, body: {a: {$gt: []}}", "bad-pattern", ".body.a.$gt", "takes a number or a string"),
        ("json: 1, query: {a: 1.5}", "bad-pattern", ".query.a", "the value here is always text, and 1.5 is none"),
        ("json: 1, query: {a: null}", "bad-pattern", ".query.a", "always text"),
        ("json: 1, query: {a: {b: c}}", "bad-pattern", ".query.a", "an object never equals one"),
        ("json: 1, query: {a: {$gt: 5}}", "bad-pattern", ".query.a.$gt", "does not compare with numbers"),
        ("json: 1, query: {$any: true}", "bad-pattern", ".query.$any", "where the name of an argument belongs"),
        ('json: 1, reply_headers: {A: "b\\nc"}', "wrong-value", ".reply_headers.A", "a header is one line"),
        (
            "json: 1, reply_headers: {Transfer-Encoding: chunked}",
            "wrong-value",
            '.reply_headers["Transfer-Encoding"]',
            "sets Transfer-Encoding itself",
        ),
        ("json: 1, truncate: 1", "wrong-value", ".truncate", "the body has 1 bytes, so nothing is cut after 1"),
        ("raises: {type: ValueError}", "wrong-value", ".raises.type", "must be ConnectionResetError or TimeoutError"),
        (
            "raises: {type: TimeoutError}, status: 500",
            "wrong-value",
            ".status",
            "cannot be sent by a service that fails",
        ),
        ("stream: [{text: a, json: 1}]", "many-replies", ".stream[0]", "text and json stand side by side"),
        ("stream: [{delay: 1}]", "no-reply", ".stream[0]", "nothing says what to answer"),
        ("status: 100", "wrong-value", ".status", "at least 200"),
        ("body_file: nothing.json", "missing-reply-file", ".body_file", "there is no file nothing.json"),
        ("body_file: ../secret", "outside-folder", ".body_file", "lies outside"),
    ],
)
def test_what_cannot_be_an_http_route_is_named(problems, members, rule, path, message):
    ((found_rule, found_path, found_message),) = problems(f"- http: {{env: URL, routes: [{{{members}}}]}}\n")
    assert (found_rule, found_path) == (rule, f".http.routes[0]{path}")
    assert message in found_message


@pytest.mark.parametrize(
    ("members", "rule", "path", "message"),
    [
        ("argv: [ps]", "no-reply", "", "nothing says what to answer"),
        ("stdout: a, json: 1", "many-replies", "", "json and stdout stand side by side"),
        ("stdout: a, argv: [1.5]", "bad-pattern", ".argv[0]", "the value here is always text, and 1.5 is none"),
        ("stdout: a, argv: [{$regex: '('}]", "bad-pattern", ".argv[0].$regex", "is not a valid regular expression"),
        ("stdout: a, env: {A: null}", "bad-pattern", ".env.A", "always text"),
        ("stdout: a, stdin: {$glob: 1}", "bad-pattern", ".stdin.$glob", "takes a string"),
        ("stdout_file: nothing", "missing-reply-file", ".stdout_file", "there is no file nothing"),
    ],
)
def test_what_cannot_be_a_command_route_is_named(problems, members, rule, path, message):
    ((found_rule, found_path, found_message),) = problems(f"- command: {{program: docker, routes: [{{{members}}}]}}\n")
    assert (found_rule, found_path) == (rule, f".command.routes[0]{path}")
    assert message in found_message


def test_a_written_fake_answers_as_written(fakes):
    """From the file to an answer: the pieces fit together."""
    import json
    import os
    import subprocess

    import httpx

    from evalkit.mocks.below import World

    read = fakes("""
  - http:
      env: PROMETHEUS_URL
      path: /prom
      routes:
        - {method: GET, path: /api/v1/query, query: {query: up, limit: 5}, json: {status: success}}
        - method: POST
          path: {$glob: "/api/v1/*"}
          body: {matchers: {$unordered: [a, b]}}
          sequence: [{status: 503}, {text: ok}]
  - command: {program: docker, routes: [{argv: [logs, --tail, 100, web], json: {log: started}}]}
""")
    with World(read) as world, world.case(read) as case:
        url = os.environ["PROMETHEUS_URL"]
        assert httpx.get(f"{url}/api/v1/query?query=up&limit=5").json() == {"status": "success"}
        answers = [httpx.post(f"{url}/api/v1/silences", json={"matchers": ["b", "a"]}) for _ in range(2)]
        assert [answer.status_code for answer in answers] == [503, 200]
        logs = subprocess.run(["docker", "logs", "--tail", "100", "web"], capture_output=True, check=True)
        assert json.loads(logs.stdout) == {"log": "started"}
    assert (case.misses, case.unused()) == ((), ())
