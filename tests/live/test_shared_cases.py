"""Behaviours that users of ADK asked for, as the shared case files tell them, with a live model."""

import json

import pytest

from evalkit.errors import SelectionError
from evalkit.plan import CheckError
from evalkit.report.model import build_report

COUNTER = """
import asyncio
from google.adk.agents import LlmAgent

n = 0


def reset_data():
    global n
    n = 0


async def add_one() -> dict:
    \"\"\"Count.\"\"\"
    global n
    before = n
    await asyncio.sleep(0.01)
    n = before + 1
    return {"count": n}


root_agent = LlmAgent(name="lag", model="gemini-2.5-flash", tools=[add_one])
"""

EXPLODES = """
from google.adk.agents import LlmAgent


def explode(a: str) -> dict:
    \"\"\"Explode.\"\"\"
    raise AssertionError("the real tool ran")


root_agent = LlmAgent(name="lag", model="gemini-2.5-flash", tools=[explode])
"""


@pytest.fixture
def given(shared, project):
    """Put a shared case's evalset into the project, and return all that the case says."""

    def put(name):
        case = json.loads((shared / "cases" / f"{name}.json").read_text())
        project.write("evalsets/lag/lag.test.json", json.dumps(case["input"]["evalset"]))
        (project.root / "evalsets/lag/test_config.json").unlink()  # ADK's defaults
        return case

    return put


def test_a_backend_with_state_starts_clean_in_each_case_and_each_run(given, project, serve, answers):
    case = given("33_stateful_backend_isolated")
    project.write("agents/lag/agent.py", COUNTER)
    project.write("evalsets/lag/mocks.yaml", "tools:\n  add_one:\n    - passthrough: true\n")
    server = serve(
        lambda asked: answers.Say(f"count {asked.replies[0]['count']}") if asked.replies else answers.call("add_one")
    )
    wanted = case["input"]["run"]

    done = project.run(server, runs=wanted["num_runs"], jobs=wanted["parallel"], passthrough=True)

    said = [outcome.trace.turns[0].final.text for outcome in done.folder.outcomes()]
    assert said == [case["expect"]["all_four_results"]] * 4
    assert set(done.verdicts.values()) == {"passed"}


def test_errors_of_models_and_tools_are_reported_and_the_other_case_goes_on(given, project, serve, answers):
    case = given("34_inference_error_is_reported")
    project.write("agents/lag/agent.py", EXPLODES)
    mocks = "tools:\n  explode:\n    - raises: {type: RuntimeError, message: backend 503}\n"
    project.write("evalsets/lag/mocks.yaml", mocks)
    acts = {
        "429": answers.Refuse(429, wait=0, body={"error": {"code": 429, "status": "RESOURCE_EXHAUSTED"}}),
        "go": answers.call("explode", a="1"),
        "ok": answers.Say("fine"),
    }

    done = project.run(serve(lambda asked: acts[asked.user]))

    assert done.verdicts == {"quota": "error", "tool": "error", "ok": "passed"}
    assert "429" in done.reasons["quota"]
    assert "backend 503" in done.reasons["tool"]
    assert done.report.exit_code == case["expect"]["exit_code"]
    written = (done.folder.path / "results.json").read_text()
    assert [text for text in case["expect"]["result_file_must_contain"] if text not in written] == []


def test_a_turn_without_any_event_fails_and_the_other_case_goes_on(given, project, serve, answers):
    case = given("35_silent_turn_does_not_abort_run")

    done = project.run(serve(lambda asked: answers.Say("fine") if asked.user == "ok" else answers.Raw(b"{}")))

    assert done.verdicts == {"ok": "passed", "mute": "failed"}
    assert "no response: the agent neither said nor called anything" in done.reasons["mute"]
    assert done.report.exit_code == case["expect"]["exit_code"]
    cases = json.loads((done.folder.path / "results.json").read_text())["files"][0]["cases"]
    assert [one["eval_id"] for one in cases] == ["ok", "mute"]


def test_the_exit_code_tells_apart_what_a_ci_job_must_tell_apart(shared, project, make_case, serve, answers):
    matrix = json.loads((shared / "cases/38_exit_code_matrix.json").read_text())
    acts = {
        "passes": answers.call("get_lag", group="orders"),
        "fails": answers.call("list_groups"),
        "errors": answers.Refuse(400),
    }
    server = serve(lambda asked: answers.Say("The lag is 75.") if asked.replies else acts[asked.user])
    project.evalset(*(make_case(name) for name in acts))
    project.write("evalsets/broken/broken.test.json", '{"eval_set_id": "broken", "eval_cases": [{"evalid": "a"}]}')
    file = "evalsets/lag/lag.test.json"

    done = project.run(server, paths=(file,))
    results = {result.eval_id: result for result in done.report.results}

    def of(*names):
        return build_report([results[name] for name in names], done.report.info, configs={}).exit_code

    def refused(error, **options):
        with pytest.raises(error):
            project.run(server, **options)
        return 2  # as the command has it for each of evalkit's errors

    found = {
        "all pass": of("passes"),
        "one fails": of("passes", "fails"),
        "one errors": of("passes", "errors"),
        "nothing selected": refused(SelectionError, paths=(file,), keyword="nothing"),
        "schema error": refused(CheckError, paths=("evalsets/broken",)),
        "no credentials and live model needed": project.run(paths=(file,)).report.exit_code,
        "only replay cases, no credentials": project.run(mode="golden", paths=(f"{file}:passes",)).report.exit_code,
    }

    expected = dict(zip(matrix["input"]["runs"], matrix["expect"]["exit_codes"], strict=True))
    expected["no credentials and live model needed"] = 0  # "with cases reported SKIPPED"
    assert found == expected
    assert done.report.exit_code == 1
