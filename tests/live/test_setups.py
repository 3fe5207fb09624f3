"""A live setup, with real scripts and real tools: it is set up, played, taken down, and leaves nothing behind."""

import json
import os
import signal
import subprocess
import sysconfig
import threading
import uuid
from pathlib import Path

import jsonschema
import pytest

from evalkit.report.stored import stored_results

pytestmark = pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="looks for processes under /proc")

AGENT = '''
import os, pathlib, subprocess
from google.adk.agents import LlmAgent


def read_file(name: str) -> dict:
    """Read a file."""
    return {"text": pathlib.Path(name).read_text(), "color": os.environ.get("COLOR", "none")}


def write_file(name: str) -> dict:
    """Write a file."""
    return {"written": pathlib.Path(name).write_text("text")}


def start_daemon() -> dict:
    """Leave a process running that belongs to nobody."""
    subprocess.run(["setsid", "--fork", "sleep", "300"], check=True)
    return {"status": "started"}


def vanish() -> dict:
    """End the process."""
    os._exit(7)


root_agent = LlmAgent(name="lag", model="gemini-2.5-flash", tools=[read_file, write_file, start_daemon, vanish])
'''

CONFIG = {"criteria": {"response_match_score": 0.1}}

DAEMON = "setsid --fork sleep 300 >/dev/null 2>&1"
"""Leaves the script's session, its group, and whoever started it."""


@pytest.fixture
def live(project, mark):
    """Make a case of a converted fixture: what it sets up, and files in its folder."""
    project.write("agents/lag/agent.py", AGENT)
    project.write("evalsets/lag/test_config.json", json.dumps(CONFIG))

    def case(eval_id, before=None, after=None, *, files=(), env=(), more=(), **setup):
        for name, text in dict(files).items():
            project.write(f"evalsets/lag/files/{name}", text)
        block = {
            "before_test": before,
            "after_test": after,
            "env": {"MARK": mark, **dict(env)},
            "folder": "files" if files else None,
            **setup,
        }
        turn = {
            "user_content": {"role": "user", "parts": [{"text": eval_id}]},
            "final_response": {"role": "model", "parts": [{"text": "All is well."}]},
        }
        return {"eval_id": eval_id, "conversation": [turn], "evalkit": {"live": block, **dict(more)}}

    return case


@pytest.fixture
def model(serve, answers):
    """Make a model that makes the calls of its case, by the case's id, and then says that all is well."""

    def make(**calls):
        def script(asked):
            mine = [(tool, args) for tool, args in calls.get(asked.user, ())]
            return answers.calls(*mine) if mine and not asked.replies else answers.Say("All is well.")

        return serve(script)

    return make


@pytest.fixture
def schema_of_results(repo_root):
    return json.loads((repo_root / "evalkit/report/schemas/results.schema.json").read_text(encoding="utf-8"))


def results_of(done):
    return {result.eval_id: result for result in done.report.results}


def test_each_setup_runs_around_its_case_has_its_verdict_and_leaves_nothing(
    project, live, model, left, schema_of_results
):
    cleaned = project.root / "cleaned"
    project.write("evalsets/lag/common/lib.sh", "echo shared\n")
    files = {"base.txt": "base\n", "test_case.yaml": "expected_output: gold"}
    fine = "cat base.txt; bash ../../shared/lib.sh; echo made > made.txt"
    project.evalset(
        live("fine", fine, "ls", files=files, env={"COLOR": "red"}, shared="common", needed="a cluster"),
        live("fails", f"{DAEMON}; echo no cluster >&2; false; echo not reached", "echo cleaned"),
        live("hangs", f"{DAEMON}; sleep 300", "echo cleaned", setup_timeout=3),
        live("forks", f"{DAEMON}; sleep 300 &", "echo cleaned"),
        live("forgets", None, "echo still there >&2; exit 3"),
        live("plain"),
        live("dies", None, f"echo cleaned > {cleaned}"),
    )
    server = model(
        fine=[("read_file", {"name": "made.txt"})],
        plain=[("start_daemon", {}), ("write_file", {"name": "new.txt"})],
        dies=[("vanish", {})],
    )

    done = project.run(server, live_setup=True)

    assert done.verdicts == {
        "fine": "passed",
        "fails": "error",
        "hangs": "error",
        "forks": "passed",
        "forgets": "passed",
        "plain": "passed",
        "dies": "error",
    }
    results = results_of(done)
    replies = {asked.user: asked.replies for asked in server.asked if asked.replies}
    assert replies["fine"] == ({"text": "made\n", "color": "red"},)
    assert results["fine"].stage.before.stdout == "base\nshared\n"
    assert results["fine"].stage.after.stdout == "base.txt\nmade.txt\n"
    assert done.reasons["fails"] == "setup_failed: before_test: exit code 1: no cluster"
    assert done.reasons["hangs"] == "setup_failed: before_test: its time was up after 3 s"
    assert {results[name].fault for name in ("fails", "hangs")} == {"infrastructure"}
    assert {results[name].stage.after.stdout for name in ("fails", "hangs", "forks")} == {"cleaned\n"}
    assert not {"fails", "hangs"} & {asked.user for asked in server.asked}
    assert (
        "after_test failed, so something may be left of the case's setup: exit code 3: still there"
        in (done.notes["forgets"])
    )
    assert results["plain"].stage.files_created == ("new.txt",)
    assert {result.eval_id: result.stage for result in stored_results(done.folder)} == {
        name: result.stage for name, result in results.items()
    }
    jsonschema.validate(json.loads((done.folder.path / "results.json").read_text()), schema_of_results)
    assert done.reasons["dies"].startswith("worker_died: the process ended with exit code 7")
    assert cleaned.read_text() == "cleaned\n"
    assert "COLOR" not in os.environ
    assert not any(Path(result.stage.workdir).exists() for result in done.report.results)
    assert left() == []


def test_tools_are_real_where_there_is_a_live_setup_save_those_that_the_case_names(project, live, model, make_case):
    project.write(
        "evalsets/lag/mocks.yaml",
        "tools:\n  read_file: [{returns: {text: recorded}}]\n  write_file: [{returns: {written: 0}}]\n"
        "  old_tool: [{returns: {}}]\n  kept_tool: [{returns: {}}]\n"
        "provides:\n  - {name: old_tool}\n  - {name: kept_tool}\n",
    )
    secret = "s3cr3t-" + uuid.uuid4().hex
    project.evalset(
        live("real", mocked_tools=["read_*", "kept_tool"]),
        live("tells", "echo token is $API_TOKEN", env={"API_TOKEN": secret}),
        {**make_case("mocked"), "evalkit": {}},
    )
    both = [("read_file", {"name": "none"}), ("write_file", {"name": "new.txt"})]
    server = model(real=both, mocked=both)

    done = project.run(server, live_setup=True)

    replies = {asked.user: asked.replies for asked in server.asked if asked.replies}
    tools = {asked.user: asked.tools for asked in server.asked}
    assert replies["real"] == ({"text": "recorded"}, {"written": 4})
    assert replies["mocked"] == ({"text": "recorded"}, {"written": 0})
    assert tools["real"][-2:] == ("vanish", "kept_tool")
    assert tools["mocked"][-2:] == ("old_tool", "kept_tool")
    assert not [note for note in done.notes["real"] if "unused route" in note]
    assert results_of(done)["mocked"].stage is None
    assert results_of(done)["tells"].stage.before.stdout == "token is [secret: API_TOKEN]\n"
    assert not [file for file in done.folder.path.iterdir() if secret in file.read_text(encoding="utf-8")]


def test_golden_mode_plays_the_cases_own_calls_through_the_real_tools(project, live):
    case = live("case", "echo made > made.txt")
    case["conversation"][0]["intermediate_data"] = {"tool_uses": [{"name": "read_file", "args": {"name": "made.txt"}}]}
    project.config({"tool_trajectory_avg_score": 1.0})
    project.evalset(case)

    done = project.run(mode="golden", live_setup=True)

    assert done.verdicts == {"case": "passed"}
    (event,) = next(done.folder.outcomes()).trace.turns[0].tools
    assert (event.status, event.reply) == ("real", {"text": "made\n", "color": "none"})


def test_self_answer_gives_each_case_a_folder_in_which_its_agent_must_create_no_files(project, live, model):
    holmes = {"source": {"system": "holmesgpt", "holmes": {"expected_score": 0}}, "known_failing": "expected score 0"}
    project.evalset(
        live("forbidden", "echo log > before.log", files={"a.txt": "a"}),
        live("allowed", may_create_files=True),
        live("zero", more=holmes),
    )
    write = [("write_file", {"name": "script.py"})]

    done = project.run(model(forbidden=write, allowed=write), live_setup=True, profile="self-answer")

    assert done.verdicts == {"forbidden": "failed", "allowed": "passed", "zero": "skipped"}
    assert done.reasons["forbidden"] == "files_created: the agent created script.py, which the case does not ask for"
    assert done.reasons["zero"] == "expected_score == 0"
    assert results_of(done)["allowed"].stage.files_created == ("script.py",)


def test_self_answer_runs_no_script_of_a_case_that_is_played_over_mocks(project, live, model):
    writes = "\nroot_agent.before_agent_callback = lambda callback_context: write_file('x.py') and None\n"
    project.write("agents/lag/agent.py", AGENT + writes)
    project.evalset(live("case", "exit 1", files={"a.txt": "a"}))

    done = project.run(model(), profile="self-answer")

    stage = results_of(done)["case"].stage
    assert done.verdicts == {"case": "failed"}
    assert (stage.live, stage.before, stage.files_created) == (False, None, ("x.py",))
    assert not (project.root / "x.py").exists()


def wait_for(holds):
    for _ in range(1200):
        if holds():
            return
        threading.Event().wait(0.05)
    raise AssertionError("it never came to that")


def test_an_interrupted_run_stops_the_agent_and_takes_the_setup_down(project, live, model, answers, clean_env, left):
    server = model()
    server.script = lambda _: answers.Hang()
    cleaned = project.root / "cleaned"
    project.evalset(live("hangs", DAEMON, f"echo cleaned > {cleaned}"), live("next", f"rm {cleaned}"))
    command = [Path(sysconfig.get_path("scripts"), "evalkit"), "run", "--mode", "live", "--live-setup", "--yes"]

    process = subprocess.Popen(
        [*command, "--report", "out"],
        cwd=project.root,
        env={**clean_env, **server.variables},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    wait_for(lambda: server.asked)
    process.send_signal(signal.SIGINT)
    said, _ = process.communicate(timeout=60)

    first, second = json.loads((project.root / "out/results.json").read_text())["files"][0]["cases"]
    assert process.returncode == 2
    assert "the run was interrupted" in said
    assert (first["verdict"], first["stage"]["after"]["exit_code"]) == ("inconclusive", 0)
    assert (second["verdict"], second["stage"]) == ("inconclusive", None)
    assert cleaned.read_text() == "cleaned\n"
    assert left() == []
