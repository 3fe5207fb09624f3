"""A stage is set up, used and taken down; whatever happens in between, after_test runs and no process is left."""

import os
import signal
import socket
import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import pytest

from evalkit.errors import SetupError
from evalkit.setups import PortForward

DAEMON = "setsid --fork sleep 300 >/dev/null 2>&1"
"""Leaves the script's session, its group, and whoever started it."""

STUBBORN = "setsid --fork bash -c 'trap \"\" TERM HUP; exec -a stubborn sleep 300' >/dev/null 2>&1"
"""Does not listen to SIGTERM either."""


@pytest.fixture
def port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def takes_connections(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def wait_for(holds):
    for _ in range(600):
        if holds():
            return
        threading.Event().wait(0.05)
    raise AssertionError("it never came to that")


def fail_to_set_up(stage, stop=lambda: False):
    with pytest.raises(SetupError) as failed, stage:
        stage.set_up(stop)
    return str(failed.value)


def test_scripts_run_in_a_copy_of_the_folder_with_the_cases_variables(make_stage, tmp_path, left, monkeypatch):
    monkeypatch.setenv("HUE", "red")
    (tmp_path / "files").mkdir()
    (tmp_path / "files/base.txt").write_text("base\n")
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared/lib.sh").write_text("echo shared\n")
    before = "cat base.txt; bash ../../shared/lib.sh; echo $COLOR >&2; cat; echo made > made.txt"
    stage = make_stage(before, "cat made.txt", folder="files", shared="shared", env={"COLOR": "$HUE-$NOT_SET"})

    with stage:
        stage.set_up()
        workdir = Path(stage.record.workdir)
        (workdir / "new.txt").touch()
        stage.played()

    record = stage.record
    assert (record.before.exit_code, record.before.stdout) == (0, "base\nshared\n")
    assert record.before.stderr == "red-$NOT_SET\n"
    assert (record.after.exit_code, record.after.stdout) == (0, "made\n")
    assert record.files_created == ("new.txt",)
    assert not workdir.exists()
    assert (tmp_path / "files/base.txt").exists()
    assert not (tmp_path / "files/made.txt").exists()
    assert left() == []


def test_a_server_of_before_test_is_there_until_the_end(make_stage, port, left):
    before = (
        f"{sys.executable} -m http.server {port} --bind 127.0.0.1 &\nuntil echo > /dev/tcp/127.0.0.1/{port}; do :; done"
    )
    with make_stage(before, f"echo > /dev/tcp/127.0.0.1/{port} && echo still there") as stage:
        stage.set_up()
        assert takes_connections(port)
    assert not takes_connections(port)
    assert stage.record.after.stdout == "still there\n"
    assert [command for command in stage.record.ended if "http.server" in command]
    assert left() == []


def test_bash_ends_a_script_at_its_first_error_also_in_a_pipe(make_stage, left):
    stage = make_stage(f"{DAEMON}; echo began; echo no cluster >&2; false | cat; echo not reached", "echo cleaned")
    assert fail_to_set_up(stage) == "before_test: exit code 1: no cluster"
    assert (stage.record.before.stdout, stage.record.after.stdout) == ("began\n", "cleaned\n")
    assert [command.endswith("sleep 300") for command in stage.record.ended] == [True]
    assert left() == []


def test_sh_goes_on_after_an_error_as_holmesgpt_does(make_stage):
    with make_stage("false; echo went on", run_by="sh") as stage:
        stage.set_up()
    assert (stage.record.before.exit_code, stage.record.before.stdout) == (0, "went on\n")


def test_bash_reads_nobodys_startup_files(make_stage, tmp_path, monkeypatch):
    (tmp_path / ".bashrc").write_text("echo startup\n")
    (tmp_path / ".bash_profile").write_text("echo startup\n")
    monkeypatch.setenv("HOME", str(tmp_path))
    with make_stage("shopt -q login_shell || echo no login shell") as stage:
        stage.set_up()
    assert stage.record.before.stdout == "no login shell\n"


def test_a_script_that_hangs_is_ended_with_its_children_when_its_time_is_up(make_stage, left):
    before = f"sleep 300 & (sleep 300; sleep 300) & {DAEMON}; echo began; sleep 300"
    stage = make_stage(before, "echo cleaned", timeout=3)
    assert fail_to_set_up(stage) == "before_test: its time was up after 3 s: began"
    assert (stage.record.before.ended, stage.record.before.exit_code) == ("time_limit", None)
    assert stage.record.after.stdout == "cleaned\n"
    assert left() == []


def test_a_hanging_after_is_ended_too(make_stage, left):
    with make_stage(None, "echo began; sleep 300", timeout=3) as stage:
        stage.set_up()
    assert (stage.record.after.ended, stage.record.after.stdout) == ("time_limit", "began\n")
    assert left() == []


def test_daemons_that_left_the_session_are_ended_too_even_if_they_do_not_listen(make_stage, left):
    with make_stage(f"{DAEMON}; {STUBBORN}; sleep 300 >/dev/null 2>&1 &", STUBBORN) as stage:
        stage.set_up()
        wait_for(lambda: "stubborn 300" in left())
    assert "stubborn 300" in stage.record.ended
    assert len(stage.record.ended) == 4
    assert left() == []


def test_after_runs_and_nothing_is_left_whatever_happens_in_between(make_stage, left):
    stage = make_stage(DAEMON, "echo cleaned")

    def play():
        with stage:
            stage.set_up()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        play()
    assert stage.record.after.stdout == "cleaned\n"
    assert left() == []


def test_a_user_who_stops_the_run_ends_before_and_has_after_run(make_stage, tmp_path, left):
    began = tmp_path / "began"
    stage = make_stage(f"{DAEMON}; touch {began}; sleep 300", "echo cleaned")
    assert fail_to_set_up(stage, began.exists) == "before_test: the run was stopped"
    assert (stage.record.before.ended, stage.record.after.stdout) == ("stopped", "cleaned\n")
    assert left() == []


def test_a_user_who_insists_ends_after_too(make_stage, tmp_path, left):
    began = tmp_path / "began"
    stage = make_stage(DAEMON, f"touch {began}; sleep 300; echo not reached")

    def insist():
        wait_for(began.exists)
        os.kill(os.getpid(), signal.SIGINT)

    def play():
        with stage:
            stage.set_up()
            threading.Thread(target=insist).start()

    with pytest.raises(KeyboardInterrupt):
        play()
    assert left() == []


def test_a_killed_process_has_its_stage_taken_down(tmp_path, mark, left):
    began, cleaned, workdir = tmp_path / "began", tmp_path / "cleaned", tmp_path / "workdir"
    program = f"""
        from pathlib import Path
        from evalkit.setups import LiveSetup
        from evalkit.staging.stage import Scene, Stage, StageOptions

        live = LiveSetup(
            before={f"{DAEMON}; pwd > {workdir}; touch {began}; sleep 300"!r},
            after={f"echo cleaned > {cleaned}"!r},
            env={{"MARK": {mark!r}}},
        )
        with Stage(Scene(name="case", setup=live, base=Path()), StageOptions(live=True)) as stage:
            stage.set_up()
    """
    process = subprocess.Popen([sys.executable, "-c", textwrap.dedent(program)])
    wait_for(began.exists)
    process.kill()
    process.wait()

    wait_for(lambda: not left())
    assert cleaned.read_text() == "cleaned\n"
    assert not Path(workdir.read_text().strip()).exists()


def test_much_output_is_kept_in_bounds(make_stage):
    with make_stage("echo first; head -c 3000000 /dev/zero | tr '\\0' x; echo; echo last") as stage:
        stage.set_up()
    said = stage.record.before.stdout
    assert said.startswith("first\nxxx")
    assert said.endswith("xxx\nlast\n")
    assert "bytes left out …" in said
    assert len(said) < 20_000


def test_a_shell_that_is_not_there_is_said(make_stage, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    stage = make_stage("true")
    assert fail_to_set_up(stage) == "before_test: exit code 127: bash: No such file or directory"


def test_a_script_that_a_signal_ends_is_said(make_stage):
    assert fail_to_set_up(make_stage("kill -SEGV $$")) == "before_test: ended by SIGSEGV"


def test_without_anything_to_run_there_is_a_folder_and_no_process(make_stage, left):
    with make_stage() as stage:
        stage.set_up()
        assert list(Path(stage.record.workdir).iterdir()) == []
        assert left() == []
    assert (stage.record.before, stage.record.after) == (None, None)


# Port-forwards: a kubectl of our own, which forwards nothing but takes connections; its first attempt fails.
KUBECTL = f"""#!{sys.executable}
import pathlib, socket, sys
attempts = pathlib.Path(__file__).with_name("attempts")
with attempts.open("a") as file:
    file.write(" ".join(sys.argv[1:]) + "\\n")
if len(attempts.read_text().splitlines()) == 1:
    sys.exit("error: unable to forward port because pod is not running")
with socket.create_server(("127.0.0.1", int(sys.argv[-1].partition(":")[0]))) as server:
    for _ in range({{connections}}):
        server.accept()[0].close()
"""


@pytest.fixture
def kubectl(tmp_path, monkeypatch):
    """Put such a kubectl first on the PATH, which ends after so many connections; return what it was called with."""

    def put(connections=1000):
        file = tmp_path / "bin" / "kubectl"
        file.parent.mkdir()
        file.write_text(KUBECTL.format(connections=connections))
        file.chmod(0o755)
        monkeypatch.setenv("PATH", f"{file.parent}{os.pathsep}{os.environ['PATH']}")
        return file.with_name("attempts")

    return put


@pytest.fixture
def forward(port):
    return PortForward(namespace="app", service="web", local_port=port, remote_port=80)


def test_a_port_is_forwarded_as_soon_as_that_can_be_done_until_the_end(make_stage, kubectl, forward, port, left):
    attempts = kubectl()
    with make_stage(None, None, port_forwards=(forward,)) as stage:
        stage.set_up()
        assert takes_connections(port)
    assert not takes_connections(port)
    assert attempts.read_text().splitlines() == [f"port-forward --namespace app svc/web {port}:80"] * 2
    assert [command for command in stage.record.ended if "kubectl port-forward" in command]
    assert left() == []


def test_a_port_forward_that_ends_is_started_again(make_stage, kubectl, forward, port, left):
    kubectl(connections=2)
    with make_stage(None, None, port_forwards=(forward,)) as stage:
        stage.set_up()
        takes_connections(port)
        wait_for(lambda: takes_connections(port))
    assert left() == []


def test_a_port_that_is_taken_is_said_at_once(make_stage, kubectl, left):
    attempts = kubectl()
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        taken = PortForward(namespace="app", service="deployment/web", local_port=port, remote_port=80)
        stage = make_stage(None, "echo cleaned", port_forwards=(taken,))
        assert fail_to_set_up(stage) == (
            f"kubectl port-forward --namespace app deployment/web {port}:80:"
            f" port {port} of this machine is in use already; free it first"
        )
    assert not attempts.exists()
    assert stage.record.after.stdout == "cleaned\n"
    assert left() == []


def test_without_kubectl_a_port_forward_fails(make_stage, forward, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    said = fail_to_set_up(make_stage(port_forwards=(forward,)))
    assert said.endswith(": kubectl: No such file or directory")


def test_the_keeper_is_quick_to_start(make_stage):
    """It imports nothing of Google's and nothing heavy: it is there for each case."""
    program = "import sys, evalkit.staging.keeper; print([n for n in ('google', 'click', 'yaml') if n in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
