"""`evalkit run` as a job of a CI service: its log, its files, and the steps of the pipelines we give to users."""

import json
import re
import subprocess
import sysconfig
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
import yaml

from evalkit.templates import pipeline_text

SCRIPTS = Path(sysconfig.get_path("scripts"))
SECRET = "kv9Tr3zebraPLUM41"  # noqa: S105 - made up, to be hidden
FORGED = f"The lag is 75.\n::add-mask::75\n##[error]forged\nIt was read with {SECRET}."
"""An answer that would give the runner orders, and give a secret of the job away."""


@dataclass(frozen=True)
class Job:
    """A step that ran evalkit on GitHub: both its streams together, as the runner shows them."""

    exit_code: int
    log: list[str]
    root: Path
    workspace: Path

    @property
    def annotations(self):
        return [line for line in self.log if line.startswith("::")]

    @property
    def summary(self):
        return (self.workspace / "summary.md").read_text(encoding="utf-8")

    @property
    def junit(self):
        return ET.parse(self.root / "out/junit.xml").getroot()  # noqa: S314 - evalkit wrote it


def on_github(root, workspace, clean_env, *arguments):
    env = {
        **clean_env,
        "CI": "true",
        "BROKER_PASSWORD": SECRET,
        "GITHUB_ACTIONS": "true",
        "GITHUB_WORKSPACE": str(workspace),
        "GITHUB_STEP_SUMMARY": str(workspace / "summary.md"),
    }
    done = subprocess.run(
        [SCRIPTS / "evalkit", "run", "--junit", "out/junit.xml", *arguments],
        cwd=root,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    return Job(done.returncode, done.stdout.splitlines(), root, workspace)


@pytest.fixture(scope="module")
def job(new_project, make_case, clean_env, tmp_path_factory):
    """A run with a case of each verdict, in a folder of a repository."""
    workspace = tmp_path_factory.mktemp("workspace")
    project = new_project(workspace / "services", lambda *_, **__: None)
    cases = (
        make_case("fine"),
        make_case("later", skip="not yet"),
        make_case("misses", group="nobody"),
        make_case("forged", answer=FORGED, expect=[{"response": {"not_contains": [FORGED]}}]),
        make_case("raises", group="raise-in-tool"),
        make_case("known", answer="The lag is 99.", known_failing="bug 12"),
    )
    project.write("evalsets/lag/lag.test.json", json.dumps({"eval_set_id": "lag", "eval_cases": cases}, indent=1))
    return on_github(project.root, workspace, clean_env, "--report", "out")


def test_a_case_that_did_not_pass_is_annotated_at_its_line_the_worst_first(job):
    lines = (job.root / "evalsets/lag/lag.test.json").read_text(encoding="utf-8").splitlines()
    place = re.compile(r"::error file=services/evalsets/lag/lag\.test\.json,line=(\d+),title=(\w+)%3A (\w+)::")
    found = [place.match(line).groups() for line in job.annotations]

    assert [(verdict, name) for _, verdict, name in found] == [
        ("failed", "forged"),
        ("error", "raises"),
        ("inconclusive", "misses"),
    ]
    assert all(lines[int(number) - 1] == f'   "eval_id": "{name}",' for number, _, name in found)


def test_the_step_has_a_summary(job):
    assert "- Result: 1 passed, 1 failed, 1 error, 1 inconclusive, 1 skipped, 1 known failing in " in job.summary
    assert "### error: `raises`\n\nIn `evalsets/lag/lag.test.json`.\n\n```text\ntool_error: TimeoutError" in job.summary


def test_the_junit_file_says_the_same(job):
    kinds = {
        case.get("name"): [(child.tag, child.get("type")) for child in case if child.get("type")]
        for case in job.junit.iter("testcase")
    }

    assert kinds == {
        "fine": [],
        "later": [("skipped", "skipped")],
        "misses": [("error", "inconclusive")],
        "forged": [("failure", "failed")],
        "raises": [("error", "error")],
        "known": [("skipped", "known_failing")],
    }
    agents = {item.get("value") for item in job.junit.iter("property") if item.get("name") == "evalkit_agent"}
    assert agents == {"agents/lag"}


def test_the_log_is_plain_and_its_last_line_has_the_counts(job):
    assert job.exit_code == 1
    assert not re.search("[\x1b\r]", "\n".join(job.log))
    assert job.log[-2] == "report: out"
    assert job.log[-1].startswith("1 passed, 1 failed, 1 error, 1 inconclusive, 1 skipped, 1 known failing in ")
    assert job.log[-1].endswith("golden replay: the model was not exercised)")


def test_what_a_case_says_gives_the_runner_no_orders(job):
    assert FORGED.splitlines()[1] in "\n".join(job.log).replace("\\u003a", ":")
    others = [line for line in job.log if line not in job.annotations]
    assert not [line for line in others if re.match(r"\s*::", line) or "##[" in line]


def test_no_secret_of_the_job_is_in_its_log_or_in_what_it_leaves(job):
    junit = (job.root / "out/junit.xml").read_text(encoding="utf-8")

    for text in ("\n".join(job.log), job.summary, junit):
        assert SECRET not in text
        assert "[secret: BROKER_PASSWORD]" in text


def test_files_with_faults_are_annotated_and_leave_no_green_report_behind(project, make_case, clean_env):
    project.write("out/junit.xml", "<testsuites/>")
    broken = make_case("good")
    broken["conversation"][0]["intermediate_data"]["tool_uses"][0]["argz"] = {}
    project.evalset(broken)
    job = on_github(project.root, project.root, clean_env)

    assert job.exit_code == 2
    assert job.annotations[0].startswith("::error file=evalsets/lag/lag.test.json,line=1,col=")
    assert job.annotations[-1] == "::error title=evalkit::1 error in the files; nothing was played"
    assert job.summary.startswith("# Nothing was evaluated\n\n```text\n1 error in the files; nothing was played\nevals")
    assert [child.get("type") for child in job.junit.find("testsuite/testcase")] == ["refused"]


def test_github_can_be_asked_for_and_declined(project, make_case):
    project.evalset(make_case("a"), make_case("a"))
    asked = project.evalkit("run", "--github")
    declined = project.evalkit("run", "--no-github", env={"GITHUB_ACTIONS": "true"})

    assert "\n::error title=evalkit::1 error in the files" in asked.stderr
    assert "::error" not in declined.stderr


@pytest.mark.parametrize("name", ["out", "pyproject.toml", "pyproject.toml/junit.xml"])
def test_a_place_that_holds_something_else_is_no_place_for_a_junit_file(project, make_case, name):
    project.evalset(make_case("good"))
    (project.root / "out").mkdir()
    done = project.evalkit("run", "--junit", name)

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"evalkit: {name}: ")
    assert (project.root / "pyproject.toml").read_text(encoding="utf-8") == "[tool.evalkit]\n"
    assert not (project.root / ".evalkit").exists()


def test_colour_can_be_asked_for_where_there_is_no_terminal(project, make_case):
    project.evalset(make_case("later", skip="not yet"))
    done = project.evalkit("run", env={"FORCE_COLOR": "1", "CI": "true"})

    assert "\x1b[2m  - skipped     \x1b[0m" in done.stdout
    assert done.stderr.startswith("report: ")


def shell_steps(service):
    """The shell steps of the golden job, each with whether it runs whatever came before."""
    pipeline = yaml.safe_load(pipeline_text(service))
    if service == "github":
        return [(step["run"], False) for step in pipeline["jobs"]["golden"]["steps"] if "run" in step]
    job = {**pipeline[".evalkit"], **pipeline["evalkit-golden"]}
    return [(line, False) for line in [*job["before_script"], *job["script"]]] + [
        (line, True) for line in job["after_script"]
    ]


@pytest.fixture
def play_job(project, clean_env):
    """Run the golden job of a service for real, but for what pip would install; return the exit codes of its steps."""
    pip = project.write("bin/python", '#!/bin/sh\necho "$@" >> pip.log\n')
    pip.chmod(0o755)
    env = {
        **clean_env,
        "CI": "true",
        "EVALSETS": "evalsets",
        "PATH": f"{pip.parent}:{SCRIPTS}:{clean_env['PATH']}",
    }

    def play(service):
        codes = []
        for script, always in shell_steps(service):
            if always or not any(codes):
                done = subprocess.run(["bash", "-e", "-c", script], cwd=project.root, env=env, timeout=120, check=False)
                codes.append(done.returncode)
        return codes

    return play


def test_the_golden_job_on_github_installs_checks_and_replays(project, make_case, play_job):
    project.evalset(make_case("good"))
    project.write("requirements.txt", "confluent-kafka\n")

    assert play_job("github") == [0, 0, 0]
    assert (project.root / "pip.log").read_text(encoding="utf-8").splitlines() == [
        "-m pip install -r requirements.txt",
        "-m pip install adk-evalkit",
    ]
    assert 'tests="1" failures="0" errors="0"' in (project.root / "evalkit-run/junit.xml").read_text(encoding="utf-8")
    assert (project.root / "evalkit-run/report.md").is_file()


def test_the_golden_job_on_gitlab_is_red_when_an_answer_no_longer_fits_and_still_leaves_its_reports(
    project, make_case, play_job
):
    project.evalset(make_case("bad", answer="The lag of orders is 99."))

    assert play_job("gitlab") == [0, 0, 0, 1, 0]
    assert (project.root / "pip.log").read_text(encoding="utf-8") == "-m pip install adk-evalkit\n"
    assert 'tests="1" failures="1" errors="0"' in (project.root / "evalkit-run/junit.xml").read_text(encoding="utf-8")
    assert json.loads((project.root / "evalkit-code-quality.json").read_text(encoding="utf-8")) == []
