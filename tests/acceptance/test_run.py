"""`evalkit run` as a user types it."""

import json
import signal
import subprocess
import sysconfig
import time
from pathlib import Path

import pytest


def test_a_good_case_passes_and_the_run_says_that_the_model_was_not_exercised(project, make_case):
    project.evalset(make_case("good"))
    done = project.evalkit("run")
    assert done.returncode == 0, done.stderr
    assert "+ passed        good" in done.stdout
    assert done.stdout.splitlines()[-1].startswith("1 passed, 0 failed, 0 errors, 0 inconclusive, 0 skipped in ")
    assert "golden replay: the model was not exercised" in done.stdout.splitlines()[-1]


def test_by_construction_is_labelled_in_table_json_and_markdown(project, make_case):
    project.evalset(make_case("good"))
    project.write("evalsets/lag/test_config.json", json.dumps({"criteria": {"tool_trajectory_avg_score": 1.0}}))
    done = project.evalkit("run")
    assert "tool_trajectory_avg_score 1.00 (by construction)" in done.stdout
    criteria = project.results()["files"][0]["cases"][0]["criteria"]
    assert {item["name"]: item["by_construction"] for item in criteria} == {
        "replay": False,
        "tool_trajectory_avg_score": True,
    }
    assert "by construction" in (project.root / ".evalkit/runs/latest/report.md").read_text()


def test_five_different_outcomes_in_one_run(project, make_case):
    project.evalset(
        make_case("fine"),
        make_case("agent raises", group="raise-in-callback"),
        make_case("tool raises", group="raise-in-tool"),
        make_case("misses", group="nobody"),
        make_case("blocks", group="block"),
    )
    done = project.evalkit("run", "--timeout", "1.5", "--format", "json")
    cases = {case["eval_id"]: case for case in json.loads(done.stdout)["files"][0]["cases"]}
    verdicts = {name: case["verdict"] for name, case in cases.items()}
    assert verdicts == {
        "fine": "passed",
        "agent raises": "error",
        "tool raises": "error",
        "misses": "inconclusive",
        "blocks": "failed",
    }
    reasons = {name: " ".join(case["reasons"]) for name, case in cases.items()}
    assert "RuntimeError: the callback broke" in reasons["agent raises"]
    assert "TimeoutError: broker unreachable" in reasons["tool raises"]
    assert (
        'the closest is evalsets/lag/mocks.yaml:4 get_lag ($.group: wanted "orders", found "nobody")'
        in reasons["misses"]
    )
    assert "timeout_exceeded" in reasons["blocks"]
    assert done.returncode == 1


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["nowhere"], "evalkit: nowhere: no such file or folder"),
        (
            ["evalsets/lag/lag.test.json:godo"],
            "evalkit: evalsets/lag/lag.test.json: no case 'godo'; did you mean good?",
        ),
        (["--agent", "nope"], "evalkit: nope: "),
        (["agents"], "evalkit: agents: no evalset here (*.evalset.json or *.test.json)"),
        (["-k", "zzz"], "evalkit: no case selected: none of the 1 cases in evalsets fits -k and --tag"),
        (["-k", "good and"], "evalkit: -k 'good and': a word was expected, found the end"),
        (["--config", "no.json"], "evalkit: "),
    ],
)
def test_what_cannot_be_run_is_one_clear_line_and_exit_2(project, make_case, arguments, line):
    project.evalset(make_case("good"))
    done = project.evalkit("run", *arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.splitlines()[-1].startswith(line)
    assert "Traceback" not in done.stderr


def test_an_agent_that_cannot_be_imported_is_one_clear_line(project, make_case):
    project.evalset(make_case("good"))
    project.write("agents/lag/agent.py", "import no_such_library\n")
    done = project.evalkit("run")
    assert done.returncode == 2
    assert "importing the agent failed: ModuleNotFoundError: No module named 'no_such_library'" in done.stderr
    assert len([line for line in done.stderr.splitlines() if line.startswith("evalkit: ")]) == 1


def test_a_metric_nobody_knows_stops_the_run_with_the_place(project, make_case):
    project.evalset(make_case("good"))
    project.write("evalsets/lag/test_config.json", '{"criteria": {"groundin": 1.0}}')
    done = project.evalkit("run")
    assert done.returncode == 2
    assert "evalsets/lag/test_config.json:1:15: error[unknown-metric] $.criteria.groundin" in done.stderr
    assert "grounding" in done.stderr


def test_without_a_mocks_file_the_call_is_a_miss_that_says_so(project, make_case):
    project.evalset(make_case("good"))
    (project.root / "evalsets/lag/mocks.yaml").unlink()
    done = project.evalkit("run")
    assert done.returncode == 2
    assert "but no mock names get_lag: there are no tool mocks at all" in done.stdout


def test_files_with_errors_are_listed_and_nothing_is_played(project, make_case):
    broken = make_case("good")
    broken["conversation"][0]["intermediate_data"]["tool_uses"][0]["argz"] = {}
    project.evalset(broken)
    done = project.evalkit("run", "--format", "json")
    assert done.returncode == 2
    assert json.loads(done.stdout)["error"] == "1 error in the files; nothing was played"
    assert (
        "did you mean args?" in json.loads(done.stdout)["problems"][0]
        or "args" in json.loads(done.stdout)["problems"][0]
    )
    assert not (project.root / ".evalkit").exists()


def test_skipped_cases_are_counted_and_say_why(project, make_case):
    project.evalset(make_case("later", skip="not yet"))
    done = project.evalkit("run")
    assert done.returncode == 0
    assert "not yet" in done.stdout
    assert "1 skipped" in done.stdout.splitlines()[-1]
    assert project.evalkit("run", "--require-judged").returncode == 2


def test_list_names_what_would_be_run(project, make_case):
    project.evalset(make_case("good", tags=["lag"]), make_case("other"))
    done = project.evalkit("run", "--list", "--tag", "lag")
    assert done.stdout == "evalsets/lag/lag.test.json:good\n"
    assert not (project.root / ".evalkit").exists()


def test_fail_fast_stops_and_counts_the_rest_as_not_played(project, make_case):
    cases = [make_case(f"case {number}", answer="The lag is 99.") for number in range(5)]
    project.evalset(*cases)
    done = project.evalkit("run", "--fail-fast", "--format", "json")
    verdicts = [case["verdict"] for case in json.loads(done.stdout)["files"][0]["cases"]]
    assert verdicts == ["failed", "inconclusive", "inconclusive", "inconclusive", "inconclusive"]
    assert done.returncode == 1


def test_tools_that_no_case_called_are_listed(project, make_case):
    project.evalset(make_case("good"))
    agent = (project.root / "agents/lag/agent.py").read_text()
    project.write("agents/lag/agent.py", agent.replace("tools=[get_lag]", "tools=[get_lag, before_tool]"))
    assert "lag: before_tool" in project.evalkit("run").stdout


def test_two_processes_give_the_same_verdicts_as_one(project, make_case):
    project.evalset(*(make_case(f"case {number}", answer=f"The lag is {75 + number % 2}.") for number in range(60)))
    one, two = (json.loads(project.evalkit("run", "-j", jobs, "--format", "json").stdout) for jobs in ("1", "2"))

    def verdicts(results):
        return [(case["eval_id"], case["verdict"]) for case in results["files"][0]["cases"]]

    assert verdicts(one) == verdicts(two)
    assert {verdict for _, verdict in verdicts(one)} == {"passed", "failed"}


def test_ctrl_c_keeps_what_was_done(project, make_case, clean_env):
    project.evalset(make_case("first"), make_case("endless", group="block"), make_case("never"))
    command = [Path(sysconfig.get_path("scripts"), "evalkit"), "run", "--report", "out"]
    process = subprocess.Popen(command, cwd=project.root, env=clean_env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    outcomes = project.root / "out/outcomes.jsonl"
    deadline = time.monotonic() + 60
    while not (outcomes.is_file() and outcomes.read_text()) and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=30)
    verdicts = {
        case["eval_id"]: case["verdict"]
        for case in json.loads((project.root / "out/results.json").read_text())["files"][0]["cases"]
    }
    assert verdicts == {"first": "passed", "endless": "inconclusive", "never": "inconclusive"}, stderr
    assert b"interrupted" in stdout
    assert process.returncode == 2
