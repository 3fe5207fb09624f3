"""`evalkit run --runs`, gates, quarantine, `--baseline` and `evalkit compare`, as a user types them."""

import json

import pytest

FLAKY = '''
import itertools

from google.adk.agents import LlmAgent

ANSWERS = itertools.count(1)
WRONG = {wrong}


def get_lag(group: str) -> dict:
    """Return the lag of a consumer group."""
    raise AssertionError("the real tool ran")


def after_model(callback_context, llm_response):
    parts = llm_response.content.parts if llm_response.content else None
    if parts and parts[0].text and "orders" in parts[0].text and next(ANSWERS) in WRONG:
        parts[0].text = "The lag of orders is 3."
    return llm_response


root_agent = LlmAgent(name="lag", model="gemini-2.5-flash", tools=[get_lag], after_model_callback=after_model)
'''


@pytest.fixture
def flaky(project):
    """Make the agent give a wrong answer in these runs."""

    def make(*wrong):
        project.write("agents/lag/agent.py", FLAKY.format(wrong=set(wrong) or "()"))

    return make


QUARANTINE = """
[[tool.evalkit.quarantine]]
case = "evalsets/lag/lag.test.json:{case}"
owner = "team-kafka"
reason = "mixes up topics"
expires = {expires}
"""


def test_a_case_that_passes_two_of_three_runs_is_flaky_and_fails(project, make_case, flaky):
    flaky(2)
    project.evalset(make_case("lag"), make_case("later", skip="later"))
    done = project.evalkit("run", "--runs", "3")
    assert done.returncode == 1
    assert "flaky: 2 of 3 runs passed (95% interval 21% to 94%)" in done.stdout
    assert "runs: passed 1, 3; failed 2" in done.stdout
    assert "golden replays are deterministic" in done.stdout
    lag, later = project.results()["files"][0]["cases"]
    assert [run["verdict"] for run in lag["repeats"]["runs"]] == ["passed", "failed", "passed"]
    assert (lag["standing"], later["repeats"]) == ("flaky", None)


def test_flags_say_how_often_cases_must_pass_and_a_case_may_say_it_of_itself(project, make_case, flaky):
    flaky(3, 4)  # the second run of each
    project.evalset(make_case("lag"), make_case("strict", min_pass_rate=1))
    done = project.evalkit("run", "--runs", "3", "--min-pass-rate", "0.6", "--suite-min-pass-rate", "0.5")
    results = project.results()
    lag, strict = results["files"][0]["cases"]
    assert ((lag["verdict"], strict["verdict"]), done.returncode) == (("passed", "failed"), 1)
    assert (results["suite"]["verdict"], results["suite"]["min_pass_rate"]) == ("passed", 0.5)


def test_fail_fast_waits_until_a_case_is_lost(project, make_case, flaky):
    flaky(1, 3)
    project.evalset(make_case("lag"))
    project.evalkit("run", "--runs", "4", "--fail-fast", "--min-pass-rate", "0.6")
    runs = project.results()["files"][0]["cases"][0]["repeats"]["runs"]
    assert [run["verdict"] for run in runs] == ["failed", "passed", "failed", "inconclusive"]
    assert runs[3]["reasons"] == ["interrupted: not played: --fail-fast"]


def test_a_quarantine_keeps_a_case_from_gating_until_its_time_is_over(project, make_case):
    held, over = (
        QUARANTINE.format(case=case, expires=day) for case, day in (("held", "2999-12-31"), ("over", "2020-01-31"))
    )
    project.write("pyproject.toml", f"[tool.evalkit]\n{held}{over}")
    project.evalset(make_case("held", answer="It is 3."), make_case("over"))
    done = project.evalkit("run")
    assert done.returncode == 1
    assert "in quarantine until 2999-12-31 (team-kafka): mixes up topics" in done.stdout
    assert "its quarantine ended on 2020-01-31 (team-kafka: mixes up topics)" in done.stdout
    assert "0 passed, 1 failed, 0 errors, 0 inconclusive, 0 skipped, 1 in quarantine" in done.stdout


def test_a_run_of_the_same_agent_shows_no_change_and_one_of_a_worse_agent_a_regression(project, make_case, flaky):
    project.evalset(make_case("lag"), make_case("other", group="orders", answer="It is 75."))
    flaky()
    project.evalkit("run", "--report", "old")
    same = project.evalkit("run", "--baseline", "old")
    flaky(1)
    worse = project.evalkit("run", "--report", "new", "--baseline", "latest", "--format", "json")
    compared = project.evalkit("compare", "old", "new")
    as_json = json.loads(project.evalkit("compare", "latest", "new", "--format", "json").stdout)
    alone = project.evalkit("compare", "old")

    assert same.returncode == 0
    assert "(B against A: no change; golden replay" in same.stdout.splitlines()[-1]
    assert compared.returncode == 1
    assert "    evalsets/lag/lag.test.json:lag  passed, now failed; " in compared.stdout
    assert compared.stdout.splitlines()[-1] == "B against A: regression (1 case worse; 2 scores lower)"
    assert worse.returncode == 1
    assert json.loads(worse.stdout)["comparison"]["differences"] == as_json["differences"]
    assert "### B against A" in (project.root / "new/report.md").read_text()
    assert (alone.returncode, "there is nothing to compare it with; name another run" in alone.stderr) == (2, True)


@pytest.mark.parametrize("arguments", [["run", "--baseline", "nowhere"], ["compare", "nowhere", "elsewhere"]])
def test_a_run_that_is_not_there_is_one_clear_line_and_exit_2(arguments, project, make_case):
    project.evalset(make_case("good"))
    done = project.evalkit(*arguments)
    assert done.returncode == 2
    assert (
        "nowhere: is no run folder, nor the name of a run in .evalkit/runs; no run is stored there yet" in done.stderr
    )
