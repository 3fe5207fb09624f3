"""Fake programs are real subprocesses, found first on the PATH."""

import asyncio
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from evalkit.errors import FakeError
from evalkit.fakes import CommandFake, CommandReply, CommandRoute
from evalkit.matching import match, match_args
from evalkit.mocks.below import World
from evalkit.mocks.below.case import CaseFakes
from evalkit.mocks.below.command_call import CommandCall

pytestmark = pytest.mark.skipif(os.name != "posix", reason="fake programs are shell scripts")


def run(*argv, **options):
    return subprocess.run(argv, capture_output=True, text=True, check=False, **options)


def run_in_shell(line):
    return run(line, shell=True)  # noqa: S604 - agents do that, and it must work


def test_a_program_writes_what_its_route_says_and_ends_as_it_says(playing, program):
    failed = CommandReply(stdout=b"some\n", stderr=b"no such container: x\n", exit_code=125)
    with playing(program("docker", (["ps"], "web\ndb\n"), (["inspect", "x"], failed))):
        listed, inspected = run("docker", "ps"), run("docker", "inspect", "x")
    assert (listed.stdout, listed.stderr, listed.returncode) == ("web\ndb\n", "", 0)
    assert (inspected.stdout, inspected.stderr, inspected.returncode) == ("some\n", "no such container: x\n", 125)


@pytest.mark.parametrize(
    ("pattern", "argv", "fits"),
    [
        (["ps", "--format", "{{json .}}"], ["ps", "--format", "{{json .}}"], True),
        (["ps"], ["ps", "-a"], False),
        (["ps", "-a"], ["ps"], False),
        (["logs", "--tail", {"$regex": r"^\d+$"}, {"$any": True}], ["logs", "--tail", "100", "web"], True),
        (["logs", "--tail", {"$regex": r"^\d+$"}, {"$any": True}], ["logs", "--tail", "all", "web"], False),
        ({"$contains": "ps"}, ["-H", "tcp://x", "ps"], True),
        ({"$subset": ["logs", "web"]}, ["logs", "-f", "web"], True),
        ([], [], True),
        ([], ["x"], False),
        (["über", "a b", "", "'\"$x`"], ["über", "a b", "", "'\"$x`"], True),
        (["*"], ["*"], True),
        (["line\nbreak"], ["line\nbreak"], True),
    ],
)
def test_arguments_reach_the_fake_as_they_are(playing, program, pattern, argv, fits):
    with playing(program("docker", (pattern, "yes"))) as fakes:
        assert run("docker", *argv).stdout == ("yes" if fits else "")
        assert len(fakes.misses) == (not fits)


def test_it_works_from_asyncio_with_a_shell_and_from_other_programs(playing, program):
    async def with_asyncio():
        process = await asyncio.create_subprocess_exec("docker", "ps", stdout=subprocess.PIPE)
        by_shell = await asyncio.create_subprocess_shell("docker ps | sort", stdout=subprocess.PIPE)
        return [(await started.communicate())[0].decode() for started in (process, by_shell)]

    with playing(program("docker", (["ps"], "web\ndb\n"))):
        assert asyncio.run(with_asyncio()) == ["web\ndb\n", "db\nweb\n"]
        assert run_in_shell("docker ps | grep web").stdout == "web\n"
        assert run_in_shell("for i in 1 2; do docker ps | head -n 1; done").stdout == "web\nweb\n"
        with os.popen("docker ps | wc -l") as output:  # noqa: S605 - one of the ways in which programs are started
            assert output.read().strip() == "2"
        assert os.system("docker ps > /dev/null") == 0  # noqa: S605 - another
        assert os.spawnvp(os.P_WAIT, "docker", ["docker", "ps"]) == 0  # noqa: S606 - another


SCRIPT = """#!/bin/sh
set -eu
for name in $(docker ps); do
    docker logs "$name" || echo "no logs of $name"
done
"""


def test_a_script_in_another_language_meets_the_fakes(playing, program, tmp_path):
    script = tmp_path / "collect"
    script.write_text(SCRIPT)
    script.chmod(0o755)
    docker = program(
        "docker",
        (["ps"], "web\ndb\n"),
        (["logs", "web"], "GET /\n"),
        (["logs", "db"], CommandReply(stderr=b"gone\n", exit_code=1)),
    )
    collect = CommandFake(program="collect", passthrough=True)
    with playing(docker, collect, passthrough=True) as fakes:
        done = run(str(script))
        assert (done.stdout, done.stderr) == ("GET /\nno logs of db\n", "gone\n")
        assert [event.request for event in fakes.events] == ["docker ps", "docker logs web", "docker logs db"]


def test_input_is_read_only_where_a_route_asks_for_it(playing):
    docker = CommandFake(
        program="docker",
        routes=(
            CommandRoute(call={"argv": ["ps"]}, replies=(CommandReply(stdout=b"web"),)),
            CommandRoute(
                call={"argv": ["load"], "stdin": {"$contains": "layer"}}, replies=(CommandReply(stdout=b"loaded"),)
            ),
            CommandRoute(
                call={"argv": ["apply"], "stdin": {"kind": "Pod", "spec": {"$any": True}}},
                replies=(CommandReply(stdout=b"applied"),),
            ),
            CommandRoute(call={"argv": ["load"]}, replies=(CommandReply(stdout=b"something else"),)),
        ),
    )
    with playing(docker) as fakes:
        reading, writing = os.pipe()  # nobody ever writes to it, so a program that read it would hang
        assert run("docker", "ps", stdin=reading).stdout == "web"
        assert run("docker", "load", input="layer 1" * 100_000).stdout == "loaded"
        assert run("docker", "load", input="none").stdout == "something else"
        assert run("docker", "apply", input=json.dumps({"kind": "Pod", "spec": {}})).stdout == "applied"
        assert run("docker", "load", stdin=subprocess.DEVNULL).stdout == "something else"
        assert run("docker", "apply", input="kind: Pod").returncode == 1
        assert fakes.misses[0].args == {"argv": ["apply"], "stdin": "kind: Pod"}
        os.close(reading)
        os.close(writing)


def test_variables_can_be_asked_for(playing):
    route = CommandRoute(call={"env": {"KUBECONFIG": {"$glob": "*/prod"}}}, replies=(CommandReply(stdout=b"prod"),))
    with playing(CommandFake(program="kubectl", routes=(route,))):
        assert run("kubectl", env={**os.environ, "KUBECONFIG": "/etc/prod"}).stdout == "prod"
        assert run("kubectl", env={**os.environ, "KUBECONFIG": "/etc/dev"}).returncode == 1


def test_a_sequence_answers_in_order(playing, program):
    up, down = CommandReply(stdout=b"up"), CommandReply(exit_code=1)
    with playing(program("docker", (["ps"], down, up))):
        assert [run("docker", "ps").returncode for _ in range(3)] == [1, 0, 0]


def test_large_outputs_arrive_whole(playing, program):
    large = CommandReply(stdout=b"o" * 3_000_000, stderr=b"e" * 3_000_000)
    with playing(program("docker", (["logs"], large))):
        done = run("docker", "logs")
    assert (done.stdout, done.stderr) == ("o" * 3_000_000, "e" * 3_000_000)


def test_outputs_need_not_be_text(playing, program):
    with playing(program("docker", (["save"], CommandReply(stdout=b"\x00\xff\n")))):
        assert subprocess.run(["docker", "save"], stdout=subprocess.PIPE, check=True).stdout == b"\x00\xff\n"


def test_a_reader_that_has_enough_ends_the_program_quietly(playing, program):
    with playing(program("docker", (["logs"], "line\n" * 500_000))):
        done = run_in_shell("docker logs | head -n 1")
    assert (done.stdout, done.stderr) == ("line\n", "")


def test_a_program_that_takes_too_long_can_be_ended(playing, program):
    slow = program("docker", (["pull"], CommandReply(stdout=b"done", delay=60)))
    with playing(slow), pytest.raises(subprocess.TimeoutExpired):
        run("docker", "pull", timeout=0.3)


def test_a_program_that_still_waits_ends_with_its_case(program):
    docker = program("docker", (["wait"], CommandReply(delay=60)))
    with World([docker]) as world:
        with world.case([docker]) as fakes:
            waiting = subprocess.Popen(["docker", "wait"])
            while not fakes.events:
                pass
        assert waiting.wait(timeout=10) == 1


def test_many_calls_at_once_get_each_its_own_answer(playing, program):
    with playing(program("docker", *[([str(n)], f"answer {n}") for n in range(24)])), ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(lambda n: run("docker", str(n)).stdout, range(24)))
    assert answers == [f"answer {n}" for n in range(24)]


def test_an_unknown_call_fails_in_neutral_words_and_is_a_miss(playing, program):
    with playing(program("docker", (["ps", "-a"], ""), (["images"], "")), turn=lambda: 1) as fakes:
        done = run("docker", "ps", "-q")
    assert (done.stdout, done.stderr) == ("", "docker: The service has no result for this request.\n")
    assert done.returncode == 1
    (miss,) = fakes.misses
    assert miss.message == (
        "the agent's code ran docker ps -q, which no mock answers: the closest is mocks.yaml ps -a "
        '($.argv[1]: wanted "-a", found "-q")'
    )
    assert (miss.turn, miss.tool, miss.args) == (1, "command docker", {"argv": ["ps", "-q"]})
    (event,) = fakes.events
    assert (event.kind, event.target, event.request) == ("command", "docker", "docker ps -q")
    assert (event.reply, event.route) == ("exit code 1, 0 bytes", None)


def test_a_program_of_another_case_fakes_nothing_in_this_one(program):
    docker, kubectl = program("docker", (["ps"], "web")), program("kubectl", (["get"], "pod"))
    with World([docker, kubectl]) as world, world.case([docker]) as fakes:
        assert run("kubectl", "get").returncode == 1
        assert fakes.misses[0].message == "the agent's code ran kubectl get, but the case fakes nothing there"


def test_unused_routes_are_named(playing, program):
    with playing(program("docker", (["ps"], ""), (["images"], ""))) as fakes:
        run("docker", "ps")
    assert fakes.unused() == ("mocks.yaml images",)


def test_the_path_and_the_folder_are_gone_afterwards(playing, program):
    before = os.environ["PATH"]
    with playing(program("docker", (["ps"], ""))):
        fake = Path(shutil.which("docker"))
        assert os.environ["PATH"].endswith(before)
    assert os.environ["PATH"] == before
    assert not fake.parent.exists()


def test_nobody_else_may_look_into_the_folder(playing, program):
    with playing(program("docker", (["ps"], ""))):
        assert Path(shutil.which("docker")).parent.stat().st_mode & 0o077 == 0


def test_who_does_not_know_the_token_gets_no_answer(playing, program):
    with playing(program("docker", (["ps"], "secret")), closed="nobody") as fakes:
        port = int((Path(shutil.which("docker")).parent / ".address").read_text().split()[0])
        call = b"wrong token\0docker\x001\0ps"
        for sent in (b"nonsense\n", b"0\n", b"%d\n%s" % (len(call), call)):
            with socket.create_connection(("127.0.0.1", port)) as connection:
                connection.sendall(sent)
                assert connection.recv(100) == b""
        assert fakes.events == ()


def test_a_program_that_outlives_its_world_fails_and_does_not_hang(program, tmp_path):
    with World([program("docker", (["ps"], "web"))]):
        folder = Path(shutil.which("docker")).parent
        kept = {name: (folder / name).read_text() for name in ("docker", ".address")}
    for name, text in kept.items():
        (tmp_path / name).write_text(text.replace(str(folder), str(tmp_path)))
    (tmp_path / "docker").chmod(0o700)
    done = run(str(tmp_path / "docker"), "ps")
    assert (done.returncode, done.stderr) == (1, "docker: Connection refused\n")


def test_the_interpreter_of_the_shim_is_this_one_and_loads_nothing(playing, program):
    with playing(program("docker", (["ps"], ""))):
        assert f"exec {sys.executable} -I -S " in Path(shutil.which("docker")).read_text()


def test_a_system_without_a_shell_is_told_what_to_do(program, monkeypatch, tmp_path):
    monkeypatch.setattr("evalkit.mocks.below.commands._SHELL", tmp_path / "sh")
    with pytest.raises(FakeError, match="on Windows use WSL"), World([program("docker", (["ps"], ""))]):
        pass


WORDS = st.text("ab-", max_size=3)
PATTERNS = st.one_of(
    WORDS,
    WORDS.map(lambda word: {"$contains": word}),
    WORDS.map(lambda word: {"$not": word}),
    st.just({"$any": True}),
)
ARGV_PATTERNS = st.one_of(
    st.lists(PATTERNS, max_size=3),
    WORDS.map(lambda word: {"$contains": word}),
    st.lists(WORDS, max_size=2).map(lambda words: {"$subset": words}),
)
CALLS = st.fixed_dictionaries(
    {}, optional={"argv": ARGV_PATTERNS, "env": st.dictionaries(st.sampled_from("AB"), PATTERNS), "stdin": PATTERNS}
)


@settings(deadline=None, max_examples=300)
@given(
    calls=st.lists(CALLS, max_size=4),
    argv=st.lists(WORDS, max_size=3),
    env=st.dictionaries(st.sampled_from("AB"), WORDS),
    stdin=WORDS,
)
def test_a_fake_answers_exactly_the_calls_that_match_its_route(calls, argv, env, stdin):
    def matches(call):
        return (
            not match(call.get("argv", {"$any": True}), argv)
            and not match_args(call.get("env"), env)
            and not match(call.get("stdin", {"$any": True}), stdin)
        )

    routes = [CommandRoute(call=call, replies=(CommandReply(exit_code=number),)) for number, call in enumerate(calls)]
    fakes = CaseFakes([CommandFake(program="docker", routes=tuple(routes))])
    expected = next((number for number, call in enumerate(calls) if matches(call)), None)
    answer = fakes.answer_command(CommandCall("docker", tuple(argv), env))
    if answer is None:  # the input decides
        assert any("stdin" in call for call in calls)
        answer = fakes.answer_command(CommandCall("docker", tuple(argv), env, stdin.encode()))
    assert (None if fakes.misses else answer[0].exit_code) == expected


def test_a_folder_in_which_no_program_may_run_is_named(program, monkeypatch):
    monkeypatch.setattr("evalkit.mocks.below.commands.os.access", lambda *_: False)
    with pytest.raises(FakeError, match="set TMPDIR to a folder"), World([program("docker", (["ps"], ""))]):
        pass


def test_a_call_that_is_no_utf_8_is_taken_as_near_as_can_be(program):
    fakes = CaseFakes([program("docker", (["a\ufffdb"], "yes"))])
    call = CommandCall("docker", (b"a\xffb".decode("utf-8", "replace"),), {})
    assert fakes.answer_command(call)[0].stdout == b"yes"


def test_a_program_dies_of_a_signal_like_any_other(playing, program):
    with playing(program("docker", (["wait"], CommandReply(delay=60)))) as fakes:
        waiting = subprocess.Popen(["docker", "wait"])
        while not fakes.events:
            pass
        waiting.send_signal(signal.SIGTERM)
        assert waiting.wait(timeout=10) == -signal.SIGTERM
