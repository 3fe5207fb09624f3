"""Live, nothing of one agent reaches another or the process above, and nothing that was done is lost."""

import json
import os
import signal
import subprocess
import sysconfig
import threading
from pathlib import Path


def right(answers):
    return lambda asked: answers.Say("The lag is 75.") if asked.replies else answers.call("get_lag", group="orders")


def test_each_agent_asks_with_its_own_env_file_alone(project, make_case, serve, answers):
    server = serve(right(answers))
    seen = 'instruction=",".join(sorted(name for name in os.environ if name.startswith("MINE_")))'
    for name in ("lag", "other", "third"):
        project.agent(name, more=seen, env=f"GOOGLE_API_KEY={name}s-own\nMINE_{name.upper()}=1\n")
        project.evalset(make_case(name), name=f"evalsets/{name}/{name}.test.json")
        project.write(f"evalsets/{name}/mocks.yaml", (project.root / "evalsets/lag/mocks.yaml").read_text())
    del server.variables["GOOGLE_API_KEY"]
    before = dict(os.environ)

    done = project.run(server)

    assert set(done.verdicts.values()) == {"passed"}
    assert {(asked.user, asked.key) for asked in server.asked} == {
        ("lag", "lags-own"),
        ("other", "others-own"),
        ("third", "thirds-own"),
    }
    assert {(asked.user, asked.system.partition("\n")[0]) for asked in server.asked} == {
        ("lag", "MINE_LAG"),
        ("other", "MINE_OTHER"),
        ("third", "MINE_THIRD"),
    }
    assert dict(os.environ) == before


def test_ctrl_c_keeps_what_was_done(project, make_case, serve, answers, clean_env):
    hanging = threading.Event()

    def answer(asked):
        if asked.user != "done":
            hanging.set()
            return answers.Hang()
        return right(answers)(asked)

    server = serve(answer)
    project.evalset(make_case("done"), make_case("hangs"))
    project.write("pyproject.toml", "[tool.evalkit]\n")
    command = [Path(sysconfig.get_path("scripts"), "evalkit"), "run", "--mode", "live", "--report", "out"]
    process = subprocess.Popen(
        command, cwd=project.root, env={**clean_env, **server.variables}, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert hanging.wait(120)
    _until((project.root / "out/outcomes.jsonl").read_text)
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=60)

    cases = json.loads((project.root / "out/results.json").read_text())["files"][0]["cases"]
    assert {case["eval_id"]: case["verdict"] for case in cases} == {"done": "passed", "hangs": "inconclusive"}, stderr
    assert b"interrupted" in stdout
    assert process.returncode == 2


def _until(holds):
    for _ in range(600):
        if holds():
            return
        threading.Event().wait(0.05)
    raise AssertionError("it never came to that")
