"""ADK's own `AgentEvaluator` inside a test function, with mocks in place: offline, and by the case's own turns."""

import json
import sys

import pytest

pytest.importorskip("pandas", reason="needs google-adk's eval extra: run `make test-adk`")

from google.adk.evaluation.agent_evaluator import AgentEvaluator

pytestmark = [
    pytest.mark.adk_eval,
    pytest.mark.filterwarnings("ignore:The `plugins` argument is deprecated:DeprecationWarning"),
]

AGENT = '''
from google.adk.agents import LlmAgent


def get_lag(group: str) -> dict:
    """Return the lag of a consumer group."""
    raise AssertionError("the real tool ran")


root_agent = LlmAgent(name="lagging", model="gemini-2.5-flash", tools=[get_lag])
'''

MOCKS = "tools:\n  get_lag:\n    - args: {group: orders}\n      returns: {lag: 75}\n"


def case(eval_id, group):
    turn = {
        "user_content": {"role": "user", "parts": [{"text": f"How far behind is {group}?"}]},
        "intermediate_data": {"tool_uses": [{"name": "get_lag", "args": {"group": group}}]},
        "final_response": {"role": "model", "parts": [{"text": "It is 75 behind."}]},
    }
    return {"eval_id": eval_id, "conversation": [turn]}


@pytest.fixture
def evalset(tmp_path, monkeypatch):
    """An agent that can be imported, and a function that writes an evalset for it."""
    monkeypatch.syspath_prepend(tmp_path)
    package = tmp_path / "evalkit_lagging_agent"
    package.mkdir()
    (package / "__init__.py").write_text("from . import agent\n")
    (package / "agent.py").write_text(AGENT)
    (tmp_path / "mocks.yaml").write_text(MOCKS)
    (tmp_path / "test_config.json").write_text(json.dumps({"criteria": {"tool_trajectory_avg_score": 1.0}}))

    def write(*cases):
        path = tmp_path / "lag.test.json"
        path.write_text(json.dumps({"eval_set_id": "lag", "eval_cases": cases}))
        return path

    yield write
    for name in [name for name in sys.modules if name.startswith("evalkit_lagging_agent")]:
        del sys.modules[name]


async def test_golden_turns_and_mocks_let_it_pass_without_credentials(evalkit, evalset):
    path = evalset(case("one", "orders"))

    with evalkit.mocks(path, golden=True) as played:
        await AgentEvaluator.evaluate("evalkit_lagging_agent", str(path), num_runs=2)

    assert [(call.args["group"], call.status) for call in played.calls] == [("orders", "answered")] * 2


async def test_a_call_that_no_mock_answers_fails_the_test_although_adk_passes_it(evalkit, evalset):
    path = evalset(case("one", "nobody"))

    with pytest.raises(AssertionError, match=r'lagging called get_lag\(group="nobody"\), which no mock answers'):  # noqa: SIM117 - the outer one watches the end
        with evalkit.mocks(path, golden=True):
            await AgentEvaluator.evaluate("evalkit_lagging_agent", str(path), num_runs=1)
