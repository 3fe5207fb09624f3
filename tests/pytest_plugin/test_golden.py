"""`pytest --evalkit-mode golden`: every verdict as pytest shows such things, with its reason instead of a traceback."""

import json

import pytest

GOLDEN = ("--evalkit-mode", "golden")

BLOCKING = """
import os


def before_tool(tool, args, tool_context):
    while args["group"] == "block":
        pass
    if args["group"] == "die":
        os._exit(7)
"""


@pytest.fixture
def five(project, make_case):
    """Five cases, one for each verdict."""
    project.evalset(
        make_case("fine"),
        make_case("wrong", answer="The lag is 99."),
        make_case("raises", group="payments"),
        make_case("misses", group="nobody"),
        make_case("later", skip="not before the summer"),
    )
    return project


@pytest.fixture(scope="module")
def kept():
    """What was played once for several tests."""
    return {}


@pytest.fixture
def done(kept, request):
    """The five cases, played."""
    if "done" not in kept:
        kept["done"] = request.getfixturevalue("five").run(*GOLDEN, "-v", "-rfs", "--color=no")
    return kept["done"]


def test_every_verdict_but_passed_and_skipped_is_a_failure_that_says_which(done):
    assert done.exit == 1
    assert done.counts == {"passed": 1, "failed": 3, "skipped": 1}
    shown = [line.rpartition("json::")[2].split("  ")[0] for line in done.out.splitlines() if "%]" in line]
    assert shown == [
        "fine PASSED",
        "wrong FAILED",
        "raises FAILED (error)",
        "misses FAILED (inconclusive)",
        "later SKIPPED (not before the summer)",
    ]


def test_a_failure_is_the_reason_and_the_differences_and_no_traceback(done):
    assert "failed: grounding is 0, below 1: $.eval_cases[1].conversation[0]: no tool reply" in done.out
    assert "error: tool_error: TimeoutError: broker unreachable" in done.out
    assert 'evalsets/lag/mocks.yaml:4 get_lag ($.group: wanted "orders", found "nobody")' in done.out
    assert "replay 0.00 (failed)" in done.out
    assert "Traceback" not in done.out
    assert "Error:" not in done.out.replace("TimeoutError:", "")


def test_the_end_counts_all_verdicts_and_says_that_the_model_was_not_exercised(done):
    line = "1 passed, 1 failed, 1 error, 1 inconclusive, 1 skipped (golden replay: the model was not exercised)"
    assert line in done.out.splitlines()


def test_the_short_summary_names_each_failure_with_its_reason(done):
    lines = done.out.splitlines()
    assert any(line.startswith("FAILED evalsets/lag/lag.test.json::wrong - failed: grou") for line in lines)
    assert any(line.startswith("FAILED (error) evalsets/lag/lag.test.json::raises - error:") for line in lines)
    assert "SKIPPED [1] evalsets/lag/lag.test.json: not before the summer" in lines


def test_junit_has_verdict_mode_agent_and_scores(done):
    assert done.properties["fine"] == {
        "evalkit_verdict": "passed",
        "evalkit_mode": "golden",
        "evalkit_agent": "agents/lag",
        "evalkit_score_replay": "1.0",
        "evalkit_score_grounding": "1.0",
    }
    assert done.properties["wrong"]["evalkit_score_grounding"] == "0.0"
    assert done.properties["misses"]["evalkit_verdict"] == "inconclusive"
    assert done.properties["later"] == {"evalkit_verdict": "skipped", "evalkit_mode": "golden"}


def test_the_verdicts_are_those_of_evalkit_run(five, done, run_evalkit):
    by_command = json.loads(run_evalkit("run", "--format", "json", cwd=five.root).stdout)["files"][0]["cases"]

    assert done.verdicts() == {case["eval_id"]: case["verdict"] for case in by_command}


def test_a_quiet_run_says_so_too_and_stops_at_the_first_failure_if_that_is_wanted(five):
    done = five.run(*GOLDEN, "-q", "-x")

    assert done.counts == {"passed": 1, "failed": 1}
    assert "0 inconclusive, 0 skipped (golden replay: the model was not exercised)" in done.out


def test_what_is_known_to_fail_is_an_xfail_and_news_when_it_passes(project, make_case):
    project.evalset(
        make_case("still", answer="The lag is 3.", known_failing="ticket 7"),
        make_case("no longer", known_failing="ticket 8"),
    )

    done = project.run(*GOLDEN, "-rxX")

    assert done.exit == 0
    assert done.counts == {"xfailed": 1, "xpassed": 1}
    assert "XFAIL evalsets/lag/lag.test.json::still - ticket 7" in done.out
    assert "json::no longer passed although it is known to fail: take `known_failing` out" in done.out
    assert "0 inconclusive, 0 skipped, 2 known failing (golden replay" in done.out


def test_news_is_a_failure_where_the_project_is_strict_about_xfail(project, make_case):
    project.settings(pytest_table="xfail_strict = true")
    project.evalset(make_case("no longer", known_failing="ticket 8"))

    done = project.run(*GOLDEN)

    assert done.exit == 1
    assert "[XPASS(strict)] ticket 8" in done.out


QUARANTINE = """
[[tool.evalkit.quarantine]]
case = "evalsets/lag/lag.test.json:{case}"
owner = "team-kafka"
reason = "mixes up topics"
expires = {expires}
"""


def test_a_case_in_quarantine_is_an_xfail_and_one_whose_time_is_over_fails_even_if_it_passes(project, make_case):
    held = QUARANTINE.format(case="held", expires="2999-12-31")
    project.settings(held + QUARANTINE.format(case="forgotten", expires="2020-01-31"))
    project.evalset(make_case("held", answer="The lag is 3."), make_case("forgotten"))

    done = project.run(*GOLDEN, "-rxX")

    assert done.counts == {"xfailed": 1, "failed": 1}
    assert "::held - in quarantine until 2999-12-31 (team-kafka): mixes up topics" in done.out
    assert "its quarantine ended on 2020-01-31 (team-kafka: mixes up topics)" in done.out
    assert "0 inconclusive, 0 skipped, 1 in quarantine (golden replay" in done.out


def test_a_case_that_blocks_is_cut_and_one_that_ends_the_process_is_an_error_and_the_rest_goes_on(project, make_case):
    project.settings("timeout = 6")
    project.agent("lag", code=BLOCKING, callback="before_tool")
    project.evalset(make_case("blocks", group="block"), make_case("dies", group="die"), make_case("fine"))

    done = project.run(*GOLDEN)

    assert done.verdicts() == {"blocks": "failed", "dies": "error", "fine": "passed"}
    assert "failed: timeout_exceeded: the case used up its 6 s" in done.out
    assert "error: worker_died: the process ended with exit code 7" in done.out


def test_an_agent_that_cannot_be_loaded_fails_each_of_its_cases_with_the_reason(project, make_case):
    project.agent("lag", code="raise RuntimeError('no broker configured')")
    project.evalset(make_case("one"), make_case("two"))

    done = project.run(*GOLDEN)

    assert done.counts == {"failed": 2}
    assert done.out.count("lag: importing the agent failed: RuntimeError: no broker configured") == 2


def test_nothing_of_the_agent_is_ever_in_the_process_of_pytest(project, make_case):
    project.evalset(make_case("one"), name="agents/lag/tests/evals/lag.test.json")
    project.write("agents/lag/tests/__init__.py", "raise AssertionError('pytest imported the package of the evalset')")
    project.say_whether_adk_is_loaded()

    done = project.run(*GOLDEN, "-s")

    assert done.counts == {"passed": 1}
    assert "ADK is loaded: False" in done.out


def test_agents_with_equal_file_names_and_different_environments_do_not_meet(project, make_case):
    look = "import os\nopen('seen.txt', 'a').write(os.environ.get('WHO', '-') + os.environ.get('{}', '-') + ' ')"
    for name, other in (("lag", "OF_BEHIND"), ("behind", "OF_LAG")):
        project.agent(name, code=look.format(other))
        project.write(f"agents/{name}/.env", f"WHO={name}\nOF_{name.upper()}=1\n")
        project.evalset(make_case("same"), name=f"agents/{name}/evals/lag.test.json")
    project.write("test_after.py", "import os\ndef test_nothing_is_left():\n    assert 'WHO' not in os.environ")

    done = project.run(*GOLDEN, "-v")

    assert done.counts == {"passed": 3}
    assert "agents/behind/evals/lag.test.json::same PASSED" in done.out
    assert "agents/lag/evals/lag.test.json::same PASSED" in done.out
    assert (project.root / "seen.txt").read_text().split() == ["behind-", "lag-"]
