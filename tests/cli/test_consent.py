"""Scripts of cases run only if the user wants that: asked on a terminal, said with --yes elsewhere."""

import json
import os
import subprocess
import sysconfig
from pathlib import Path

import pytest


@pytest.fixture
def project(tmp_path):
    """A project with one case that has a live setup, whose scripts leave a trace."""
    agent = 'from google.adk.agents import LlmAgent\nroot_agent = LlmAgent(name="lag", model="gemini-2.5-flash")\n'
    live = {
        "before_test": f"# why\n\ntouch {tmp_path}/ran",
        "after_test": "true",
        "folder": "files",
        "port_forwards": [{"namespace": "app", "service": "web", "local_port": 9090, "remote_port": 80}],
    }
    turn = {
        "user_content": {"role": "user", "parts": [{"text": "?"}]},
        "final_response": {"role": "model", "parts": [{"text": "All is well."}]},
    }
    cases = [{"eval_id": "case", "conversation": [turn], "evalkit": {"live": live}}]
    for name, text in {
        "pyproject.toml": "[tool.evalkit]\n",
        "agents/lag/__init__.py": "from . import agent\n",
        "agents/lag/agent.py": agent,
        "evalsets/lag/lag.test.json": json.dumps({"eval_set_id": "lag", "eval_cases": cases}),
        "evalsets/lag/files/a.txt": "a",
        "bin/kubectl": "#!/bin/sh\necho minikube\n",
    }.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (tmp_path / "bin/kubectl").chmod(0o755)
    return tmp_path


def test_where_nobody_can_be_asked_it_takes_yes(project, run_evalkit):
    done = run_evalkit("run", "--live-setup")
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == (
        "evalkit: --live-setup would run the scripts of 1 case on this machine, and their agents' own tools for real:"
        " case; nobody can be asked here, so add --yes to allow it"
    )
    assert not (project / "ran").exists()


def test_what_would_be_run_can_be_listed_without_that(project, run_evalkit):
    done = run_evalkit("run", "--live-setup", "--list")
    assert (done.returncode, done.stdout) == (0, "evalsets/lag/lag.test.json:case\n")


def test_where_no_case_has_a_live_setup_nobody_is_asked(project, run_evalkit):
    file = project / "evalsets/lag/lag.test.json"
    data = json.loads(file.read_text())
    data["eval_cases"][0]["evalkit"] = {"skip": "not today"}
    file.write_text(json.dumps(data))
    assert run_evalkit("run", "--live-setup").returncode == 0


def test_on_a_terminal_the_user_sees_what_would_run_and_where_and_is_asked(project, clean_env):
    command = [Path(sysconfig.get_path("scripts"), "evalkit"), "run", "--live-setup"]
    env = {**clean_env, "PATH": f"{project}/bin{os.pathsep}{clean_env['PATH']}"}
    ours, theirs = os.openpty()
    os.write(ours, b"n\n")

    done = subprocess.run(
        command, cwd=project, env=env, stdin=theirs, stdout=subprocess.PIPE, stderr=theirs, timeout=60, check=False
    )

    os.close(theirs)
    said = os.read(ours, 10_000).decode()
    os.close(ours)
    assert (done.returncode, done.stdout) == (2, b"")
    assert "on this machine (" in said
    assert "), kubectl context minikube:" in said
    assert "  evalsets/lag/lag.test.json:case" in said
    assert "    in a copy of evalsets/lag/files, below " in said
    assert f"    before_test: 2 lines: touch {project}/ran" in said
    assert "    after_test: 1 line: true" in said
    assert "    kubectl port-forward --namespace app svc/web 9090:80" in said
    assert "Run them? [y/N]: " in said
    assert "evalkit: --live-setup was declined; nothing was played" in said
    assert not (project / "ran").exists()
