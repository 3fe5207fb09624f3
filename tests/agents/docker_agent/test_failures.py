"""What can go wrong with the program docker: missing, failing, too slow, or printing something else."""

import json
from typing import NamedTuple

import pytest

PS = ("ps", "--all", "--no-trunc", "--format", "{{json .}}")
IMAGES = ("images", "--no-trunc", "--format", "{{json .}}")
INSPECT = ("inspect", "--type", "container", "web")
STATS = ("stats", "--no-stream", "--format", "json")
LS = ("compose", "ls", "--all", "--format", "json")
SHOP = ("compose", "--project-name", "shop", "ps", "--all", "--format", "json")
LOGS = ("logs", "--tail", "100", "web")


class Call(NamedTuple):
    """A call of a tool, the command that it runs, and the file with what docker prints on it."""

    tool: str
    args: list[str]
    command: tuple[str, ...]
    file: str

    def of(self, tools):
        return getattr(tools, self.tool)(*self.args)


LISTS = [
    Call("list_docker_containers", [], PS, "containers.jsonl"),
    Call("get_docker_container_stats", [], STATS, "stats.jsonl"),
    Call("get_docker_compose_status", ["shop"], SHOP, "compose_ps.jsonl"),
    Call("list_docker_images", [], IMAGES, "images.jsonl"),
]
DOCUMENTS = [
    Call("inspect_docker_container", ["web"], INSPECT, "inspect.json"),
    Call("get_docker_compose_status", [], LS, "compose_ls.json"),
]
ALL = [*LISTS, *DOCUMENTS, Call("get_docker_container_logs", ["web"], LOGS, "")]


def _named(call):
    """The test's name for a call: what docker is told to do."""
    return "-".join(word for word in call.command[:4] if word.isalpha())


TABLE = """\
CONTAINER ID   IMAGE     COMMAND   CREATED   STATUS    PORTS     NAMES
aaaaaaaaaaaa   nginx     "nginx"   1s ago    Up 1s               web
"""


@pytest.mark.parametrize("call", ALL, ids=_named)
def test_without_docker_a_tool_says_what_is_missing(docker_agent, monkeypatch, tmp_path, call):
    monkeypatch.setenv("PATH", str(tmp_path))

    assert call.of(docker_agent.tools) == {
        "status": "error",
        "error": "The program docker is not on the PATH; install docker's command line.",
    }


def test_a_docker_that_cannot_be_run_is_an_error_reply(tools, docker, monkeypatch):
    (docker.folder / "docker").chmod(0o644)
    monkeypatch.setenv("PATH", str(docker.folder))

    reply = tools.list_docker_containers()

    assert reply["status"] == "error"
    assert reply["error"].startswith("The program docker cannot be run: ")


@pytest.mark.parametrize("call", ALL, ids=_named)
def test_what_docker_says_when_it_fails_is_in_the_error_reply(tools, docker, call):
    docker.reply(call.command, stderr="Cannot connect to the daemon.\nIs it running?\n", exit_code=1)

    assert call.of(tools) == {
        "status": "error",
        "error": f"docker {call.command[0]} failed with exit code 1: Cannot connect to the daemon. Is it running?",
    }


def test_a_container_that_does_not_exist_is_an_error_reply_whatever_else_was_printed(tools, docker):
    command = ("inspect", "--type", "container", "nope")
    docker.reply(command, "[]\n", stderr="Error response from daemon: No such container: nope\n", exit_code=1)

    assert tools.inspect_docker_container("nope") == {
        "status": "error",
        "error": "docker inspect failed with exit code 1: Error response from daemon: No such container: nope",
    }


def test_a_docker_that_fails_in_silence_is_an_error_reply(tools, docker):
    docker.reply(PS, exit_code=3)

    assert tools.list_docker_containers()["error"] == "docker ps failed with exit code 3: it did not say why"


def test_a_docker_without_compose_is_told_apart(tools, docker):
    docker.reply(LS, stderr="unknown flag: --format\n\nUsage:  docker [OPTIONS] COMMAND\n", exit_code=125)

    assert tools.get_docker_compose_status()["error"] == (
        "docker compose failed with exit code 125: unknown flag: --format Usage: docker [OPTIONS] COMMAND."
        " Docker's plugin compose may be missing."
    )


@pytest.mark.parametrize("call", ALL, ids=_named)
def test_a_docker_that_hangs_is_cut_off(tools, docker_agent, docker, monkeypatch, call):
    monkeypatch.setattr(docker_agent.command, "TIMEOUT_SECONDS", 0.2)
    docker.reply(call.command, seconds=30)

    assert call.of(tools) == {
        "status": "error",
        "error": f"docker {call.command[0]} did not end within 0.2 seconds.",
    }


@pytest.mark.parametrize("call", [*LISTS, *DOCUMENTS], ids=_named)
def test_a_table_instead_of_json_is_an_error_reply(tools, docker, call):
    docker.reply(call.command, TABLE)

    reply = call.of(tools)

    assert reply["status"] == "error"
    assert "ocker's answer is not JSON" in reply["error"]
    assert "'CONTAINER ID IMAGE COMMAND" in reply["error"]


@pytest.mark.parametrize("call", LISTS, ids=_named)
@pytest.mark.parametrize("line", ["[]", '"web"', "5", "null"])
def test_a_line_that_is_no_object_is_an_error_reply(tools, docker, call, line):
    docker.reply(call.command, f"{{}}\n{line}\n")

    assert call.of(tools) == {
        "status": "error",
        "error": f"Line 2 of docker's answer is no JSON object but {line!r}.",
    }


@pytest.mark.parametrize("call", LISTS, ids=_named)
def test_lines_that_break_off_are_an_error_and_not_a_shorter_list(tools, docker, printed, call):
    whole = printed(call.file)
    docker.reply(call.command, whole[: len(whole) - 40])

    reply = call.of(tools)

    assert reply["status"] == "error"
    assert reply["error"].startswith(f"Line {len(whole.splitlines())} of docker's answer is not JSON (")


@pytest.mark.parametrize("call", DOCUMENTS, ids=_named)
@pytest.mark.parametrize("answer", ["", "["])
def test_a_document_that_breaks_off_is_an_error_reply(tools, docker, call, answer):
    docker.reply(call.command, answer)

    reply = call.of(tools)

    assert reply["status"] == "error"
    assert reply["error"].startswith("Docker's answer is not JSON (")


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        ("{}", "Docker's answer is not a list of objects."),
        ("[5]", "Docker's answer is not a list of objects."),
        ("[{}]", "Docker's answer has no text Name; it is not what was asked for."),
    ],
)
def test_projects_of_another_shape_are_an_error_reply(tools, docker, answer, error):
    docker.reply(LS, answer)

    assert tools.get_docker_compose_status() == {"status": "error", "error": error}


@pytest.mark.parametrize("answer", ["{}", "[]", "[{}, {}]", "[5]", "5"])
def test_an_inspection_of_another_shape_is_an_error_reply(tools, docker, answer):
    docker.reply(INSPECT, answer)

    assert tools.inspect_docker_container("web") == {
        "status": "error",
        "error": "Docker's answer is not a list of one container.",
    }


@pytest.mark.parametrize("name", ["Config", "HostConfig", "State", "NetworkSettings"])
@pytest.mark.parametrize("value", [None, "running", []])
def test_an_inspection_without_one_of_its_parts_is_an_error_reply(tools, docker, printed, name, value):
    (thing,) = json.loads(printed("inspect.json"))
    docker.reply(INSPECT, json.dumps([{**thing, name: value}]))

    assert tools.inspect_docker_container("web") == {
        "status": "error",
        "error": f"Docker's answer has no object {name}; it is not what was asked for.",
    }


FIELDS = [
    ["Names", "ID", "Image", "State", "Status", "Ports", "CreatedAt"],
    ["Name", "CPUPerc", "MemPerc", "MemUsage", "NetIO", "BlockIO", "PIDs"],
    ["Service", "Name", "Image", "State"],
    ["Repository", "Tag", "ID", "Size", "CreatedAt"],
]


@pytest.mark.parametrize(("call", "fields"), [*zip(LISTS, FIELDS, strict=True)])
def test_an_object_without_one_of_its_fields_is_an_error_reply(tools, docker, printed, call, fields):
    row = json.loads(printed(call.file).splitlines()[0])
    for name in fields:
        docker.reply(call.command, json.dumps({key: value for key, value in row.items() if key != name}))

        assert call.of(tools) == {
            "status": "error",
            "error": f"Docker's answer has no text {name}; it is not what was asked for.",
        }


def test_a_number_that_is_none_is_an_error_reply(tools, docker, printed):
    row = json.loads(printed("stats.jsonl").splitlines()[0])
    docker.reply(STATS, json.dumps({**row, "CPUPerc": "lots%"}))

    assert tools.get_docker_container_stats() == {
        "status": "error",
        "error": "Docker's answer has 'lots' as CPUPerc, which is no number.",
    }


def test_a_line_separator_within_a_text_ends_no_line(tools, docker, printed):
    row = json.loads(printed("containers.jsonl").splitlines()[0])
    docker.reply(PS, json.dumps({**row, "Names": "a\N{NEXT LINE}b"}, ensure_ascii=False))

    assert tools.list_docker_containers()["container_count"] == 1


def test_a_bug_is_not_dressed_up_as_a_reply(tools, docker_agent, monkeypatch):
    monkeypatch.setattr(docker_agent.containers, "_container", None)

    with pytest.raises(TypeError):
        tools.list_docker_containers()
