"""Outside what a case fakes, replay refuses connections and programs that Python sees, and keeps each refusal."""

import asyncio
import importlib
import logging.handlers
import os
import platform
import socket
import subprocess
import sys
import threading
import types
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
import requests

from evalkit.errors import EvalkitError
from evalkit.mocks.below import RefusedConnectionError, RefusedProgramError, World, native_clients
from evalkit.mocks.below.attribution import TOOL_CODE
from evalkit.mocks.below.native_clients import NATIVE_CLIENTS


def only(fakes):
    (miss,) = fakes.misses
    return miss.message


def connecting(connect, kind=socket.SOCK_STREAM):
    """Connect a socket that is closed whatever happens."""
    with socket.socket(type=kind) as client:
        connect(client)


async def connect_with_asyncio():
    await asyncio.open_connection("127.0.0.1", 9092)


PLACE = ("127.0.0.1", 9092)
CONNECTING = {
    "connect": lambda: connecting(lambda client: client.connect(PLACE)),
    "connect_ex": lambda: connecting(lambda client: client.connect_ex(PLACE)),
    "create_connection": lambda: socket.create_connection(PLACE),
    "asyncio": lambda: asyncio.run(connect_with_asyncio()),
    "datagram": lambda: connecting(lambda client: client.sendto(b"x", PLACE), socket.SOCK_DGRAM),
    "message": lambda: connecting(lambda client: client.sendmsg([b"x"], [], 0, PLACE), socket.SOCK_DGRAM),
}


@pytest.mark.parametrize("connect", CONNECTING.values(), ids=CONNECTING.keys())
def test_a_connection_is_refused_and_kept(playing, connect):
    with playing(turn=lambda: 3) as fakes, pytest.raises(RefusedConnectionError) as refused:
        connect()
    assert isinstance(refused.value, ConnectionRefusedError)
    assert isinstance(refused.value, EvalkitError)
    assert only(fakes) == (
        "a connection to 127.0.0.1:9092 was refused: fake it under `backends`: "
        '`- http: {base_url: "http://127.0.0.1:9092", routes: […]}`, or what speaks to it, if that is not HTTP: '
        "`- python: {factory: …, patches: …}`"
    )
    assert only(fakes) in str(refused.value)
    assert (fakes.misses[0].turn, fakes.misses[0].tool) == (3, "connection")
    assert fakes.misses[0].args == {"target": "127.0.0.1:9092"}


def test_clients_fail_as_if_nobody_listened(playing):
    with playing() as fakes:
        with pytest.raises(httpx.ConnectError):
            httpx.get("http://prometheus.internal:9090/api")
        with pytest.raises(requests.ConnectionError):
            requests.get("https://grafana.internal/api", timeout=5)
    assert [miss.args["target"] for miss in fakes.misses] == ["prometheus.internal:9090", "grafana.internal:443"]
    assert 'base_url: "https://grafana.internal:443"' in fakes.misses[1].message


@pytest.mark.parametrize(
    "look_up",
    [
        lambda: socket.getaddrinfo("db.internal", None),
        lambda: socket.gethostbyname("db.internal"),
        lambda: socket.gethostbyaddr("db.internal"),
        lambda: socket.getaddrinfo(b"db.internal", 5432),
    ],
)
def test_a_look_up_of_a_name_is_refused(playing, look_up):
    with playing() as fakes:
        with pytest.raises(RefusedConnectionError):
            look_up()
        assert fakes.misses[0].args["target"].startswith("db.internal")


def test_a_service_on_this_machine_is_refused_too(playing):
    with socket.create_server(("127.0.0.1", 0)) as real, playing() as fakes:
        port = real.getsockname()[1]
        with pytest.raises(RefusedConnectionError):
            httpx_get(port)
        assert f"127.0.0.1:{port}" in only(fakes)


def httpx_get(port):
    socket.create_connection(("127.0.0.1", port))


def test_the_sockets_of_other_programs_are_refused(playing, tmp_path):
    with playing() as fakes, socket.socket(socket.AF_UNIX) as client:
        with pytest.raises(RefusedConnectionError):
            client.connect("/var/run/docker.sock")
        assert only(fakes).startswith("a connection over the socket /var/run/docker.sock was refused")


def test_a_process_may_talk_to_itself(playing):
    with playing() as fakes, socket.create_server(("127.0.0.1", 0)) as own:
        with socket.create_connection(own.getsockname()):
            pass
        assert fakes.misses == ()


def test_a_process_may_talk_to_itself_at_any_address_of_its_own(playing):
    with playing() as fakes, socket.create_server(("", 0)) as own:
        with socket.create_connection(("127.0.0.1", own.getsockname()[1])), socket.create_server(("", 0)) as closed:
            pass
        with pytest.raises(RefusedConnectionError):
            socket.create_connection(("127.0.0.1", 1))
        assert closed.fileno() == -1
        assert len(fakes.misses) == 1


def test_logs_that_go_to_the_system_do_not_touch_the_verdict(playing):
    with playing() as fakes:
        logging.handlers.SysLogHandler("/run/evalkit/no/log").close()
        assert fakes.misses == ()
        assert "carried telemetry or logs away" in fakes.notes[0]


def test_a_program_that_is_nowhere_on_the_path_is_looked_for_further_on(playing, program, monkeypatch):
    with playing(program("docker", (["ps"], "web"))) as fakes:
        monkeypatch.setenv("PATH", "/nowhere/at/all:" + os.environ["PATH"])
        assert os.spawnvp(os.P_WAIT, "docker", ["docker", "ps"]) == 0  # noqa: S606 - it tries folder after folder
        assert fakes.misses == ()


def test_an_event_loop_and_names_of_this_machine_are_no_business_of_the_guard(playing):
    with playing() as fakes:
        asyncio.run(asyncio.sleep(0))
        socket.getaddrinfo("localhost", 80)
        socket.getaddrinfo("127.0.0.1", 80)
        socket.getaddrinfo("::1", 80)
        socket.getaddrinfo(None, 80)
        assert fakes.misses == ()


def test_the_fakes_themselves_can_be_reached(playing, service, route, url):
    with playing(service(route("GET /x", "x"))) as fakes:
        assert httpx.get(url("/x")).text == "x"
        assert httpx.get(url("/x").replace("127.0.0.1", "localhost")).text == "x"
        assert fakes.misses == ()


def test_another_client_for_an_intercepted_address_is_told_what_to_do(playing, service, route):
    import urllib.request

    with playing(service(route("GET /", "x"), env={}, base_url="http://grafana:3000")) as fakes:
        with pytest.raises(OSError, match="refused"):
            urllib.request.urlopen("http://grafana:3000/")
        assert only(fakes) == (
            "a connection to grafana:3000 was refused: it is faked for httpx, httpx2, requests and urllib3, and this "
            "is another client: let the agent read the address from a variable, and fake that: "
            "`- http: {env: NAME, routes: […]}`"
        )


async def run_with_asyncio():
    await asyncio.create_subprocess_exec("kubectl", "get", "pods", "-A")


PROGRAMS = {
    "run": lambda: subprocess.run(["kubectl", "get", "pods", "-A"], check=False),
    "asyncio": lambda: asyncio.run(run_with_asyncio()),
    "exec": lambda: os.execvp("kubectl", ["kubectl", "get", "pods", "-A"]),  # noqa: S606 - it never gets there
    "posix_spawn": lambda: os.posix_spawn("kubectl", ["kubectl", "get", "pods", "-A"], {}),
}


@pytest.mark.parametrize("start", PROGRAMS.values(), ids=PROGRAMS.keys())
def test_a_program_is_refused_and_kept(playing, start):
    with playing() as fakes, pytest.raises(RefusedProgramError) as refused:
        start()
    assert isinstance(refused.value, PermissionError)
    assert isinstance(refused.value, EvalkitError)
    assert fakes.misses[0].message.endswith(
        "was refused: fake it under `backends`: "
        "`- command: {program: kubectl, routes: [{argv: [get, pods, -A], stdout: …}]}`"
    )
    assert fakes.misses[0].tool == "program"


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("kubectl get pods", "the program `kubectl`, called by `kubectl get pods`, was refused: fake it"),
        ("docker ps | xargs kubectl get", "the program `kubectl`, called by `docker ps | xargs kubectl get`"),
        ("docker ps; rm -rf x", "the program `rm`"),
        ("echo hello", "the shell command `echo hello` was refused: it calls no program that the case fakes"),
        ('docker ps "', "which programs it calls cannot be told (No closing quotation); write it plainer"),
        ("/usr/bin/docker ps", "the case fakes docker, but not when it is called by its path; call it by its name"),
    ],
)
def test_a_shell_may_call_what_is_faked_and_nothing_else(playing, program, script, words):
    with playing(program("docker", (["ps"], "web"))) as fakes:
        for start in (
            lambda: subprocess.run(script, shell=True, check=False),  # noqa: S602 - agents do that
            lambda: os.system(script),  # noqa: S605 - and that
        ):
            with pytest.raises(RefusedProgramError):
                start()
        assert words in only(fakes)


def test_shells_called_by_their_name_are_looked_into(playing, program):
    with playing(program("docker", (["ps"], "web\n"))) as fakes:
        assert subprocess.run(["bash", "-c", "docker ps"], capture_output=True, check=True).stdout == b"web\n"
        with pytest.raises(RefusedProgramError):
            subprocess.run(["bash", "-c", "curl x"], check=False)
        with pytest.raises(RefusedProgramError):
            subprocess.run(["bash", "collect.sh"], check=False)
        assert len(fakes.misses) == 2


def test_a_path_without_the_fakes_would_find_the_real_program(playing, program, tmp_path):
    real = tmp_path / "docker"
    real.write_text("#!/bin/sh\necho real\n")
    real.chmod(0o755)
    with playing(program("docker", (["ps"], "fake"))) as fakes:
        with pytest.raises(RefusedProgramError):
            subprocess.run(["docker", "ps"], env={"PATH": str(tmp_path)}, check=False)
        with pytest.raises(RefusedProgramError):
            subprocess.run([real, "ps"], check=False)
        assert "the PATH it is called with does not start with the fakes" in fakes.misses[0].message


@pytest.mark.parametrize(
    ("event", "args", "words"),
    [
        ("pty.spawn", (["kubectl", "exec"],), "the program `kubectl exec` was refused: fake it"),
        ("pty.spawn", ("kubectl",), "the program `kubectl` was refused: fake it"),
        ("os.startfile", ("report.html", "open"), "which program opens it cannot be told"),
    ],
)
def test_rarer_ways_to_start_a_program_are_refused(playing, event, args, words):
    with playing() as fakes:
        with pytest.raises(RefusedProgramError):
            sys.audit(event, *args)
        assert words in only(fakes)


def test_what_python_itself_asks_the_system_may_run(playing):
    platform._uname_cache = None
    with playing() as fakes:
        platform.platform()
        platform.processor()
        assert fakes.misses == ()


def test_a_program_runs_for_real_where_case_and_command_line_allow_it(playing):
    from evalkit.fakes import CommandFake

    echo = CommandFake(program="echo", passthrough=True)
    with playing(echo, passthrough=True):
        assert subprocess.run(["echo", "real"], capture_output=True, text=True, check=True).stdout == "real\n"
        done = subprocess.run("echo real | cat", shell=True, capture_output=True, check=True)  # noqa: S602 - dito
        assert done.stdout == b"real\n"
    with playing(echo) as fakes:
        with pytest.raises(RefusedProgramError):
            subprocess.run(["echo", "real"], check=True)
        assert "--allow-passthrough" in only(fakes)


def test_each_refusal_is_kept_once(playing):
    with playing() as fakes:
        for _ in range(5):
            with pytest.raises(RefusedProgramError):
                subprocess.run(["kubectl"], check=False)
        assert len(fakes.misses) == 1


def exporter(code):
    """Run code in a module that is called as OpenTelemetry's exporters are."""
    module = types.ModuleType("opentelemetry.exporter.otlp.http")
    module.socket = socket
    exec(code, vars(module))  # noqa: S102 - so that its frames carry the module's name
    return module


def test_telemetry_is_refused_without_touching_the_verdict(playing):
    module = exporter("def export():\n    socket.create_connection(('127.0.0.1', 4318))\n")
    with playing() as fakes:
        with pytest.raises(RefusedConnectionError):
            module.export()
        assert fakes.misses == ()
        (note,) = fakes.notes
        assert note == (
            "a connection to 127.0.0.1:4318 was refused: "
            "it would have carried telemetry or logs away, which replay never does"
        )


async def test_concurrent_cases_keep_their_refusals_apart():
    async def case(world, name):
        with world.case() as fakes:
            await asyncio.sleep(0)
            with pytest.raises(RefusedProgramError):
                await asyncio.to_thread(subprocess.run, [name])
            await asyncio.sleep(0)
        return [miss.args["target"] for miss in fakes.misses]

    with World([]) as world:
        assert await asyncio.gather(case(world, "one"), case(world, "two")) == [["one"], ["two"]]


async def test_names_that_event_loops_look_up_in_threads_count_for_the_case_that_asked():
    async def case(world, host):
        with world.case() as fakes:
            async with httpx.AsyncClient() as client:
                with pytest.raises(httpx.ConnectError):
                    await client.get(f"http://{host}/")
        return [miss.args["target"] for miss in fakes.misses]

    with World([]) as world:
        found = await asyncio.gather(case(world, "one.internal"), case(world, "two.internal"))
    assert found == [["one.internal:80"], ["two.internal:80"]]


def test_a_thread_that_does_not_say_whose_it_is_counts_for_every_case_in_play():
    def refused():
        with pytest.raises(RefusedProgramError):
            subprocess.run(["kubectl"], check=False)

    with World([]) as world, world.case() as one, world.case() as other:
        thread = threading.Thread(target=refused)
        thread.start()
        thread.join()
        assert len(one.misses) == len(other.misses) == 1


async def test_what_a_case_leaves_running_is_not_counted_against_the_next():
    async def late(go):
        await go.wait()
        with pytest.raises(RefusedConnectionError):
            socket.gethostbyname("db.internal")

    with World([]) as world:
        go = asyncio.Event()
        with world.case() as first:
            left = asyncio.create_task(late(go))
            await asyncio.sleep(0)
        with world.case() as second:
            go.set()
            await left
    assert (first.misses, second.misses, len(world.outside)) == ((), (), 1)


def test_what_is_refused_outside_of_cases_is_kept_by_the_world():
    with World([]) as world:
        with pytest.raises(RefusedProgramError):
            subprocess.run(["kubectl"], check=False)
        with world.case() as fakes:
            pass
    assert fakes.misses == ()
    assert [miss.args for miss in world.outside] == [{"target": "kubectl"}]


def test_an_open_world_refuses_nothing():
    with World([], closed="nobody") as world, world.case() as fakes:
        assert subprocess.run([sys.executable, "-c", "print(1)"], capture_output=True, check=True).stdout == b"1\n"
    assert fakes.misses == ()


def test_where_models_are_asked_for_real_the_code_of_tools_alone_is_refused():
    program = [sys.executable, "-c", "print(1)"]
    with World([], closed="tools") as world, world.case() as fakes, ThreadPoolExecutor() as threads:
        assert subprocess.run(program, capture_output=True, check=True).stdout == b"1\n"
        token = TOOL_CODE.set(True)
        with pytest.raises(RefusedProgramError):
            subprocess.run(program, check=False)
        with pytest.raises(RefusedConnectionError):
            threads.submit(socket.create_connection, ("127.0.0.1", 9)).result()
        TOOL_CODE.reset(token)
        assert threads.submit(TOOL_CODE.get).result() is False
    assert [miss.tool for miss in fakes.misses] == ["program", "connection"]


def test_the_door_is_open_again_afterwards(playing):
    with playing():
        pass
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()):
        assert subprocess.run([sys.executable, "-c", "print(1)"], capture_output=True, check=True).stdout == b"1\n"


def test_native_clients_that_are_loaded_are_named(playing, monkeypatch):
    for name in NATIVE_CLIENTS:
        monkeypatch.delitem(sys.modules, name, raising=False)
    assert native_clients() == ()
    monkeypatch.setitem(sys.modules, "confluent_kafka", types.ModuleType("confluent_kafka"))
    sentence = (
        "confluent_kafka is loaded, which connects from native code (librdkafka): "
        "replay cannot refuse that inside the process"
    )
    assert native_clients() == (sentence,)
    with playing() as fakes:
        pass
    assert fakes.notes == (sentence,)


def test_the_modules_that_probe_the_system_exist():
    from evalkit.mocks.below.callers import _PROBING

    assert {importlib.import_module(name).__name__ for name in _PROBING} == _PROBING
