"""Our metrics in ADK's own commands, without evalkit around them."""

import json
import subprocess
import sysconfig
from pathlib import Path

import pytest

pytest.importorskip("pandas", reason="needs google-adk's eval extra: run `make test-adk`")

pytestmark = pytest.mark.adk_eval

AGENT = '''
from google.adk.agents import LlmAgent
from google.adk.models import BaseLlm, LlmResponse
from google.genai import types


class Asks(BaseLlm):
    """Stands in for a model: asks for the lag of what the user names, and repeats the answer."""

    async def generate_content_async(self, llm_request, stream=False):
        parts = [part for content in llm_request.contents for part in content.parts]
        if parts[-1].function_response:
            said = types.ModelContent(f"It is {parts[-1].function_response.response['lag']} behind.")
        else:
            call = types.Part.from_function_call(name="get_lag", args={"group": parts[-1].text})
            said = types.ModelContent([call])
        yield LlmResponse(content=said)


def get_lag(group: str) -> dict:
    """Return the lag of a consumer group."""
    return {"lag": 75}


root_agent = LlmAgent(name="lagging", model=Asks(model="asks"), tools=[get_lag])
'''


@pytest.fixture
def adk(project, clean_env):
    """Run ADK's own command as a user would."""

    def run(*arguments):
        command = [Path(sysconfig.get_path("scripts"), "adk"), *arguments]
        env = {**clean_env, "PYTHONWARNINGS": "ignore"}
        return subprocess.run(command, cwd=project.root, env=env, capture_output=True, text=True, check=False)

    return run


def test_one_config_serves_plain_adk_eval_and_evalkit_run(adk, evalkit_command, project, make_case):
    project.write("agents/lagging/agent.py", AGENT)
    names = ("tool_trajectory_avg_score", "grounding", "response", "state")
    criteria = {**dict.fromkeys(names, 1.0), "response": {"threshold": 1.0, "contains": ["lag", "75"]}}
    custom = {name: {"code_config": {"name": f"evalkit.adk.metrics.{name}"}} for name in names}
    case = make_case("one", evalkit={"expect": [{"state": {"plan": "gold"}}]})
    case["session_input"] = {"app_name": "lagging", "user_id": "u", "state": {"plan": "gold"}}
    case["conversation"][0]["user_content"]["parts"][0]["text"] = "orders"
    path = project.evalset(case, config={"criteria": criteria, "custom_metrics": custom})

    plain = adk("eval", "agents/lagging", path, "--print_detailed_results")
    (stored,) = project.results()
    statuses = {one["metric_name"]: one["eval_status"] for one in stored["overall_eval_metric_results"]}
    report = project.root / "report"
    evalkit_command("run", path, "--agent", "agents/lagging", "--report", report)
    (ours,) = json.loads((report / "results.json").read_text())["files"][0]["cases"]

    assert plain.returncode == 1
    assert {name: statuses[name] for name in names} == {
        "tool_trajectory_avg_score": 1,
        "grounding": 1,
        "response": 2,
        "state": 2,  # which `evalkit run` can judge
    }
    assert plain.stderr.count("evalkit: NO MOCKS") == 1
    assert 'evalkit: response FAILED 0.5, below 1 in the conversation that begins "orders"' in plain.stderr
    assert '$.criteria.response.contains: "lag" is not in the answer' in plain.stderr
    assert "Reasoning: nothing was judged: ADK hands a metric no session state" in plain.stdout
    passed = {one["name"]: one["passed"] for one in ours["criteria"]}
    assert {name: passed[name] for name in names} == {
        "tool_trajectory_avg_score": True,
        "grounding": True,
        "response": False,
        "state": True,
    }
