import pytest

from evalkit.formats import mocks as mocks_format
from evalkit.routes import MockSet, Reply, Route

FULL = """agent: kafka_health
tools:
  get_lag:
    - args: {group: orders}
      returns: {lag: 75}
    - args: {group: {$regex: "^pay"}}
      returns_file: replies/payments.json
    - raises: {type: TimeoutError, message: broker unreachable}
  restart:
    - sequence: [{returns: {status: error}}, {returns: {status: ok}, state: {restarted: true}}]
  ping:
    - sequence:
        - returns: pong
      repeat_last: true
  describe:
    - passthrough: true
agents:
  k8s_health: {tools: {get_lag: [{returns: null, state: {asked: 1}}]}}
toolsets:
  grafana: {tools: [{name: query, description: Query it., input_schema: {type: object}}]}
backends:
  - http: {env: PROMETHEUS_URL, routes: [{method: GET, path: /api/v1/targets, json: {}}]}
  - command: {program: docker, routes: [{argv: [ps], stdout_file: replies/ps.txt}]}
  - python: {factory: "fakes:admin", patches: ".tools:_admin"}
"""


@pytest.fixture
def load(write, tmp_path, monkeypatch):
    """Read a mocks file of the test's folder by its bare name."""
    monkeypatch.chdir(tmp_path)

    def read(text: str, name: str = "mocks.yaml") -> MockSet:
        write(name, text)
        loaded = mocks_format.read(name)
        assert loaded.value is not None, loaded.problems
        return loaded.value

    return read


@pytest.fixture
def problems(write, tmp_path, monkeypatch):
    """The problems of a mocks file, as they are printed."""
    monkeypatch.chdir(tmp_path)

    def find(text: str, name: str = "mocks.yaml") -> list[str]:
        write(name, text)
        return [str(problem) for problem in mocks_format.read(name).problems]

    return find


def test_a_whole_file_is_read(load, write):
    write("replies/payments.json", {"lag": 3})
    write("replies/ps.txt", "{}")
    mocks = load(FULL)
    assert (mocks.file, mocks.agent) == ("mocks.yaml", "kafka_health")
    assert mocks.routes == (
        Route(tool="get_lag", args={"group": "orders"}, replies=(Reply(value={"lag": 75}),)),
        Route(tool="get_lag", args={"group": {"$regex": "^pay"}}, replies=(Reply(value={"lag": 3}),)),
        Route(tool="get_lag", replies=(Reply(raises="TimeoutError", message="broker unreachable"),)),
        Route(
            tool="restart",
            replies=(Reply(value={"status": "error"}), Reply(value={"status": "ok"}, state={"restarted": True})),
            repeat_last=False,
        ),
        Route(tool="ping", replies=(Reply(value="pong"),)),
        Route(tool="describe", replies=(), passthrough=True),
        Route(tool="get_lag", agent="k8s_health", replies=(Reply(value=None, state={"asked": 1}),)),
    )
    assert mocks.toolsets["grafana"]["tools"][0]["name"] == "query"
    assert [next(iter(backend)) for backend in mocks.backends] == ["http", "command", "python"]


def test_a_route_is_called_by_its_file_line_and_tool(load, write):
    write("replies/payments.json", {})
    write("replies/ps.txt", "{}")
    assert [route.label for route in load(FULL).routes] == [
        "mocks.yaml:4 get_lag",
        "mocks.yaml:6 get_lag",
        "mocks.yaml:8 get_lag",
        "mocks.yaml:10 restart",
        "mocks.yaml:12 ping",
        "mocks.yaml:16 describe",
        "mocks.yaml:18 get_lag",
    ]


def test_a_file_in_json_says_the_same(load):
    mocks = load('{"tools": {"get_lag": [\n  {"returns": {"lag": 75}}]}}', "mocks.json")
    assert mocks.routes == (Route(tool="get_lag", replies=(Reply(value={"lag": 75}),)),)
    assert mocks.routes[0].label == "mocks.json:2 get_lag"


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("lag.json", '{"lag": 75}', {"lag": 75}),
        ("lag.yaml", "lag: 75\n", {"lag": 75}),
        ("lag.yml", "- 1\n", [1]),
        ("lag.txt", "lag: 75\n", "lag: 75\n"),
        ("null.json", "null", None),
    ],
)
def test_a_reply_file_is_a_value_or_text(name, text, value, load, write):
    write(name, text)
    assert load(f"tools: {{get_lag: [{{returns_file: {name}}}]}}").routes[0].replies == (Reply(value=value),)


def test_a_reply_file_must_stay_inside_also_behind_a_link(problems, write, tmp_path):
    write("mocks/replies/in.txt", "x")
    secret = write("secret.txt", "x")
    (tmp_path / "mocks/replies/out.txt").symlink_to(secret)
    (tmp_path / "mocks/replies/also-in.txt").symlink_to("in.txt")
    text = "tools:\n  a:\n" + "".join(
        f"    - returns_file: {name}\n" for name in ("replies/in.txt", "replies/also-in.txt", "replies/out.txt", secret)
    )
    assert problems(text, "mocks/mocks.yaml") == [
        (
            "mocks/mocks.yaml:5:21: error[outside-folder] $.tools.a[2].returns_file: replies/out.txt lies outside "
            "the folder mocks (keep reply files beside it)"
        ),
        (
            f"mocks/mocks.yaml:6:21: error[outside-folder] $.tools.a[3].returns_file: {secret} lies outside "
            "the folder mocks (keep reply files beside it)"
        ),
    ]


@pytest.mark.parametrize("name", ['"a\\0b"', "x" * 5000, "loop"])
def test_a_name_that_can_be_no_file_is_a_problem(name, problems, tmp_path):
    (tmp_path / "loop").symlink_to("loop")
    (found,) = problems(f"tools: {{a: [{{returns_file: {name}}}]}}")
    assert "error[missing-reply-file] $.tools.a[0].returns_file: " in found


def test_a_broken_reply_file_is_a_problem_in_that_file(problems, write):
    write("replies/lag.json", '{"lag": }')
    assert problems("tools: {a: [{returns_file: replies/lag.json}, {returns_file: replies/lag.json}]}") == [
        "replies/lag.json:1:9: error[bad-json] $: a value should stand here, not } (write the value, or null)"
    ]


def test_faults_of_every_route_are_found_in_one_go(problems):
    text = """tools:
  a:
    - args: {x: {$no: 1}}
    - returns: 1
      raises: {type: ValueError}
agents:
  b:
    tools:
      c:
        - sequence: [{state: {}}]
"""
    assert [found.partition(" $")[0] for found in problems(text)] == [
        "mocks.yaml:3:23: error[bad-pattern]",
        "mocks.yaml:3:7: error[no-reply]",
        "mocks.yaml:4:7: error[many-replies]",
        "mocks.yaml:10:22: error[no-reply]",
    ]


def test_a_route_that_does_not_pass_through_needs_a_reply(problems):
    (found,) = problems("tools: {a: [{passthrough: false}]}")
    assert "error[no-reply]" in found


@pytest.mark.parametrize("text", ["tools:\nagents:\nbackends:\n", "tools: {}\n", "$schema: x\nagent: kafka\n"])
def test_sections_may_be_empty(text, load):
    assert load(text).routes == ()


@pytest.mark.parametrize("place", ["mocks.json", "replies/deep.json"])
def test_a_json_file_may_be_nested_as_deep_as_a_yaml_file(place, write, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = []
    for depth in (90, 110):
        deep = "[" * depth + "1" + "]" * depth
        write("replies/deep.json", deep)
        reply = '"returns_file": "replies/deep.json"' if place != "mocks.json" else f'"returns": {deep}'
        write("mocks.json", f'{{"tools": {{"f": [{{{reply}}}]}}}}')
        found.append({problem.rule for problem in mocks_format.read("mocks.json").problems})
    assert found == [set(), {"too-deep"}]
