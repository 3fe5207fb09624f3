"""`evalkit run --adk-history`: results where `adk web` looks for them."""

import json

import pytest
from google.adk.evaluation.local_eval_set_results_manager import LocalEvalSetResultsManager

AGENT = '''
from google.adk.agents import LlmAgent


def get_lag(group: str) -> dict:
    """Return the lag of a consumer group."""
    raise AssertionError("the real tool ran")


root_agent = LlmAgent(name="lagging", model="gemini-2.5-flash", tools=[get_lag])
'''


@pytest.fixture
def project(tmp_path):
    """An agent in a folder of agents, and an evalset with a right answer, a wrong one and a case to be skipped."""

    def case(eval_id, answer, **fields):
        turn = {
            "user_content": {"role": "user", "parts": [{"text": "How far?"}]},
            "intermediate_data": {"tool_uses": [{"name": "get_lag", "args": {"group": "orders"}}]},
            "final_response": {"role": "model", "parts": [{"text": answer}]},
        }
        return {"eval_id": eval_id, "conversation": [turn], **fields}

    cases = [case("good", "75"), case("bad", "80"), case("later", "75", evalkit={"skip": "not yet"})]
    evals, agent = tmp_path / "evals", tmp_path / "agents" / "lagging"
    evals.mkdir()
    agent.mkdir(parents=True)
    (evals / "lag.test.json").write_text(json.dumps({"eval_set_id": "lag_1", "eval_cases": cases}))
    (evals / "test_config.json").write_text(json.dumps({"criteria": {"grounding": 1.0}}))
    (evals / "mocks.yaml").write_text("tools:\n  get_lag:\n    - returns: {lag: 75}\n")
    (agent / "__init__.py").write_text("from . import agent\n")
    (agent / "agent.py").write_text(AGENT)
    return tmp_path


def test_adks_manager_lists_what_a_run_came_to_each_time_that_a_case_was_played(project, run_evalkit):
    flags = ("--agent", "agents/lagging", "--runs", "2", "--adk-history")
    done = run_evalkit("run", "evals", *flags, cwd=project)

    manager = LocalEvalSetResultsManager(agents_dir=str(project / "agents"))
    (name,) = manager.list_eval_set_results("lagging")
    result = manager.get_eval_set_result("lagging", name)
    assert done.returncode == 1
    assert result.eval_set_id == "lag_1"
    assert [(case.eval_id, case.final_eval_status.name) for case in result.eval_case_results] == [
        ("good", "PASSED"),
        ("good", "PASSED"),
        ("bad", "FAILED"),
        ("bad", "FAILED"),
    ]


def test_an_agent_that_is_no_folder_has_no_history_and_that_is_said(project, run_evalkit):
    done = run_evalkit("run", "evals", "--agent", "agents.lagging", "--adk-history", cwd=project)

    assert done.returncode == 1
    assert "evals/lag.test.json: its agent agents.lagging is no folder" in done.stderr
    assert not (project / "agents/lagging/.adk").exists()


def test_without_the_flag_nothing_is_written_into_the_agents_folder(project, run_evalkit):
    run_evalkit("run", "evals/lag.test.json:later", "--agent", "agents/lagging", cwd=project)

    assert not (project / "agents/lagging/.adk").exists()
