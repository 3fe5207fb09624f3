"""A live run with a stand-in model that chooses a wrong specialist in three named cases: exactly those are red."""

import json
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
EVALSET = ROOT / "evalsets/devops_assistant/devops_routing.evalset.json"

WRONG = {
    "lag_goes_to_kafka": ("kafka_health", "observability"),
    "near_miss_logs_on_a_docker_host": ("docker_agent", "k8s_health"),
    "near_miss_a_pod_that_runs_kafka": ("k8s_health", "kafka_health"),
}
"""By case: the specialist meant, and the one that the model chooses."""

AGENT = '''
"""The repository's orchestrator with a model that follows a script."""

import json
import os
import sys

sys.path.insert(0, os.environ["AGENTS"])

from devops_assistant.agent import app, root_agent
from google.adk.models import BaseLlm, LlmResponse
from google.adk.tools.agent_tool import AgentTool
from google.genai import types

CALLS = json.loads(os.environ["CALLS"])


class Script(BaseLlm):
    """Answers each agent by what it is asked: its calls one after the other, then what it says."""

    async def generate_content_async(self, llm_request, stream=False):
        parts = [part for content in llm_request.contents for part in content.parts or ()]
        agent = llm_request.config.labels["adk_agent_name"]
        asked = max(i for i, part in enumerate(parts) if part.text in CALLS.get(agent, {}) or i == 0)
        calls, said = CALLS.get(agent, {}).get(parts[asked].text, ([], "That is not for me."))
        done = sum(1 for part in parts[asked:] if part.function_response)
        batch = calls[done:] if done == 0 and len(calls) > 1 and agent == root_agent.name else calls[done : done + 1]
        new = [types.Part.from_function_call(name=name, args=args) for name, args in batch]
        yield LlmResponse(content=types.Content(role="model", parts=new or [types.Part(text=said)]))


def follow_script(agent):
    if hasattr(agent, "model"):
        agent.model = Script(model="stand-in")
    for tool in getattr(agent, "tools", ()):
        if isinstance(tool, AgentTool):
            follow_script(tool.agent)
    for inner in agent.sub_agents:
        follow_script(inner)


follow_script(root_agent)
'''

Script = dict[str, dict[str, tuple[list[tuple[str, dict[str, Any]]], str]]]


def calls_of(turn: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    data = turn["intermediate_data"]
    flat = data.get("tool_uses") or [
        part["function_call"] for event in data.get("invocation_events", ()) for part in event["content"]["parts"]
    ]
    return [(call["name"], call["args"]) for call in flat]


def script(cases: list[dict[str, Any]]) -> Script:
    """Script every agent by the cases, but for the three wrong choices."""
    specialists = {"kafka_health", "k8s_health", "docker_agent", "observability"}
    said: Script = {"devops_assistant": {}, **{name: {} for name in specialists}}
    for case in cases:
        meant, chosen = WRONG.get(case["eval_id"], (None, None))
        for turn in case["conversation"]:
            calls = calls_of(turn)
            prompt = turn["user_content"]["parts"][0]["text"]
            answer = turn["final_response"]["parts"][0]["text"]
            outer = [call for call in calls if call[0] in specialists]
            inner = [call for call in calls if call[0] not in specialists]
            for (name, args), nested in zip(outer, inner, strict=True):
                said[name][args["request"]] = ([nested], "Done.")
            chosen_calls = [(chosen if name == meant else name, args) for name, args in outer]
            said["devops_assistant"][prompt] = (chosen_calls, answer)
    return said


@pytest.fixture(scope="module")
def results(tmp_path_factory, clean_env) -> dict[str, Any]:
    import subprocess
    import sysconfig

    folder = tmp_path_factory.mktemp("stand_in")
    agent = folder / "stand_in"
    agent.mkdir()
    (agent / "__init__.py").write_text("from . import agent\n")
    (agent / "agent.py").write_text(AGENT)
    calls = json.dumps(script(json.loads(EVALSET.read_text())["eval_cases"]))
    command = Path(sysconfig.get_path("scripts"), "evalkit")
    arguments = [
        "run",
        str(EVALSET),
        "--mode",
        "live",
        "--agent",
        str(agent),
        "--format",
        "json",
        "--report",
        str(folder / "r"),
    ]
    env = {**clean_env, "AGENTS": str(ROOT / "agents"), "CALLS": calls}
    done = subprocess.run([command, *arguments], env=env, capture_output=True, text=True, check=False, timeout=200)
    assert done.stdout, done.stderr
    return json.loads(done.stdout)


def test_exactly_the_cases_with_a_wrong_specialist_are_red(results):
    verdicts = {case["eval_id"]: case["verdict"] for case in results["files"][0]["cases"]}
    assert {name for name, verdict in verdicts.items() if verdict != "passed"} == set(WRONG)
    assert {verdicts[name] for name in WRONG} == {"failed"}


def test_the_reason_names_the_specialist_meant_and_the_one_chosen(results):
    for case in results["files"][0]["cases"]:
        if case["eval_id"] in WRONG:
            route = next(item for item in case["criteria"] if item["name"] == "route")
            assert all(name in route["reason"] for name in WRONG[case["eval_id"]])


def test_the_confusion_matrix_has_exactly_those_counts_off_its_diagonal(results):
    cells = results["routing"]["confusion"]
    wrong = {(cell["expected"], cell["actual"]): cell["count"] for cell in cells if cell["expected"] != cell["actual"]}
    assert wrong == dict.fromkeys(WRONG.values(), 1)


def test_precision_and_recall_follow_from_the_matrix(results):
    by_agent = {item["agent"]: item for item in results["routing"]["agents"]}
    right = {(c["expected"], c["actual"]): c["count"] for c in results["routing"]["confusion"]}
    docker = right["docker_agent", "docker_agent"]
    assert by_agent["docker_agent"]["recall"] == pytest.approx(docker / (docker + 1))
    assert by_agent["docker_agent"]["precision"] == 1.0
