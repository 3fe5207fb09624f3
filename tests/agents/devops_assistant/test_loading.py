"""The app is found in each of the ways in which agents are loaded, its siblings too, and nothing needs a connection."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

AGENTS = Path(__file__).parents[3] / "agents"

PROGRAM = """
import asyncio, json, sys

def names(agent):
    yield agent.name
    for one in agent.sub_agents:
        yield from names(one)

def tell(app, root):
    models = {{tool.agent.name: tool.agent.model for tool in root.tools if hasattr(tool, "agent")}}
    print(json.dumps({{
        "app": app.name,
        "plugins": [plugin.name for plugin in app.plugins],
        "agents": sorted({{*names(root), *models}}),
        "models": sorted({{root.model, *models.values()}}),
        "imported": sorted(set(sys.modules) & {{"devops_assistant", "agent", "kafka_health", "k8s_health"}}),
        "clients": sorted(set(sys.modules) & {{"confluent_kafka", "kubernetes"}}),
    }}))

{load}
"""

WAYS = {
    "adk web": f"""
from google.adk.cli.utils.agent_loader import AgentLoader
app = AgentLoader({str(AGENTS)!r}).load_agent("devops_assistant")
tell(app, app.root_agent)
""",
    "adk eval": f"""
from google.adk.cli.cli_eval import get_app_or_root_agent
tell(*asyncio.run(get_app_or_root_agent({str(AGENTS / "devops_assistant")!r})))
""",
    "evalkit": f"""
from evalkit.adk.load import loaded_agent
with loaded_agent({str(AGENTS / "devops_assistant")!r}) as agent:
    tell(agent.app, agent.root)
""",
}


@pytest.fixture(scope="module", params=WAYS)
def loaded(request, tmp_path_factory):
    """What is found in one of the ways, in a process of its own that starts elsewhere, and what it prints meanwhile."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    ran = subprocess.run(
        [sys.executable, "-W", "default::DeprecationWarning", "-c", PROGRAM.format(load=WAYS[request.param])],
        cwd=tmp_path_factory.mktemp("elsewhere"),
        env={**environment, "DEVOPS_ASSISTANT_MODEL": "some-model", "KAFKA_HEALTH_MODEL": "another-model"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return {**json.loads(ran.stdout), "way": request.param, "printed": ran.stderr}


def test_the_whole_team_is_there_with_the_apps_model(loaded):
    assert (loaded["app"], loaded["plugins"]) == ("devops_assistant", ["audit", "role_guard"])
    assert loaded["agents"] == [
        "act",
        "check_alerts",
        "check_lag",
        "check_pods",
        "devops_assistant",
        "docker_agent",
        "incident_checks",
        "incident_summary",
        "incident_triage",
        "k8s_health",
        "kafka_health",
        "observability",
        "remediation",
        "remediation_loop",
        "remediation_report",
        "verify",
    ]
    assert loaded["models"] == ["some-model"]


def test_the_siblings_are_imported_under_their_own_names(loaded):
    own = {"adk web": "devops_assistant", "adk eval": "agent", "evalkit": "devops_assistant"}[loaded["way"]]

    assert loaded["imported"] == sorted([own, "k8s_health", "kafka_health"])


def test_no_client_is_imported_before_a_tool_is_called(loaded):
    assert loaded["clients"] == []


@pytest.mark.parametrize("kind", ["LoopAgent", "SequentialAgent", "ParallelAgent"])
def test_nobody_is_warned_about_adks_deprecated_agents(loaded, kind):
    assert kind not in loaded["printed"]


def test_the_folder_of_agents_is_put_on_the_path_once_and_at_its_end(assistant, monkeypatch):
    folder = assistant.siblings.AGENTS_FOLDER
    monkeypatch.setattr(sys, "path", [one for one in sys.path if one != folder])

    assistant.siblings.sibling("kafka_health")
    assistant.siblings.sibling("k8s_health")

    assert sys.path.count(folder) == 1
    assert sys.path[-1] == folder
