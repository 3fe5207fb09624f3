"""What the app declares: its agents, how each is reached, its tools, what needs a confirmation, its settings."""

import asyncio
import re
from pathlib import Path

import pytest
from google.adk.agents import LlmAgent, LoopAgent, ParallelAgent, SequentialAgent
from google.adk.flows.llm_flows.agent_transfer import _get_transfer_targets
from google.adk.tools.agent_tool import AgentTool

AGENTS = Path(__file__).parents[3] / "agents"
AGENT = AGENTS / "devops_assistant"

SPECIALISTS = ["kafka_health", "observability", "k8s_health", "docker_agent"]


@pytest.fixture
def root(assistant):
    return assistant.agent.root_agent


@pytest.fixture
def team(root, script):
    """Every agent by name."""
    return script.agents_of(root)


def offered(agent):
    """The tools of an agent, by name, as ADK hands them to its model."""
    return {tool.name: tool for tool in asyncio.run(agent.canonical_tools())}


def test_the_app_and_its_root_agent_are_called_devops_assistant(assistant, root):
    assert (assistant.agent.app.name, root.name) == ("devops_assistant", "devops_assistant")
    assert assistant.agent.app.root_agent is root


def test_the_model_has_a_default_that_the_example_environment_and_the_readme_name(assistant, team):
    default = assistant.agent.DEFAULT_MODEL

    assert {agent.model for agent in team.values() if isinstance(agent, LlmAgent)} == {default}
    assert f"DEVOPS_ASSISTANT_MODEL={default}\n" in (AGENT / ".env.example").read_text()
    assert f"`{default}`" in (AGENT / "README.md").read_text()


def test_two_specialists_are_agent_tools_and_two_are_single_turn_sub_agents(root, team):
    own_session = [tool.agent.name for tool in root.tools if type(tool) is AgentTool]
    single_turn = [agent.name for agent in root.sub_agents if getattr(agent, "mode", None) == "single_turn"]

    assert own_session == ["kafka_health", "observability"]
    assert single_turn == ["k8s_health", "docker_agent"]
    assert list(offered(root)) == ["kafka_health", "observability", "approve_remediation", "k8s_health", "docker_agent"]


def test_triage_and_remediation_and_nobody_else_are_reached_by_transfer(root):
    assert [agent.name for agent in _get_transfer_targets(root)] == ["incident_triage", "remediation"]


def test_nobody_else_transfers(root, team):
    others = [agent for agent in team.values() if agent is not root]

    assert {agent.name: _get_transfer_targets(agent) for agent in others} == {agent.name: [] for agent in others}


@pytest.mark.parametrize("name", SPECIALISTS)
def test_a_specialist_is_a_copy_that_leaves_the_original_as_it_is(siblings, team, name):
    original, copy = getattr(siblings, name).agent.root_agent, team[name]

    assert copy is not original
    assert copy.tools is not original.tools
    assert (original.mode, original.parent_agent, original.disallow_transfer_to_parent) == (None, None, False)
    assert original.model == getattr(siblings, name).agent.DEFAULT_MODEL
    assert original.instruction == getattr(siblings, name).agent.INSTRUCTION
    assert copy.instruction.startswith(original.instruction)
    assert copy.before_tool_callback is original.before_tool_callback


@pytest.mark.parametrize("name", ["observability", "k8s_health", "docker_agent"])
def test_a_specialist_has_the_originals_tools_and_description(siblings, team, name):
    original = getattr(siblings, name).agent.root_agent

    assert team[name].tools == original.tools
    assert team[name].description == original.description


def test_the_kafka_specialist_has_only_the_tools_that_look_and_says_so(siblings, team):
    kafka = team["kafka_health"]

    assert kafka.tools == [*siblings.kafka_health.tools.READING]
    assert "you only look" in kafka.instruction
    assert "Changes nothing." in kafka.description


def test_triage_checks_side_by_side_and_then_sums_up(team):
    triage, checks = team["incident_triage"], team["incident_checks"]

    assert isinstance(triage, SequentialAgent)
    assert [agent.name for agent in triage.sub_agents] == ["incident_checks", "incident_summary"]
    assert isinstance(checks, ParallelAgent)
    assert {agent.name: (agent.output_key, list(offered(agent))) for agent in checks.sub_agents} == {
        "check_pods": ("pod_findings", ["list_pods", "list_kubernetes_events"]),
        "check_lag": ("lag_findings", ["get_consumer_lag"]),
        "check_alerts": ("alert_findings", ["get_prometheus_alerts"]),
    }
    assert list(offered(team["incident_summary"])) == ["write_incident_note"]


def test_the_summary_reads_what_the_checks_leave_and_no_other_instruction_is_a_template(assistant, team):
    keys = {agent.output_key for agent in team["incident_checks"].sub_agents}

    assert set(re.findall(r"{(\w+)}", team["incident_summary"].instruction)) == keys == set(assistant.triage.FINDINGS)
    for name, agent in team.items():
        assert name == "incident_summary" or "{" not in getattr(agent, "instruction", "")


def test_the_checks_use_only_tools_that_look(siblings, team):
    looking = {tool for name in SPECIALISTS for tool in getattr(siblings, name).tools.READING}

    assert {tool for agent in team["incident_checks"].sub_agents for tool in agent.tools} <= looking


def test_remediation_is_a_loop_of_at_most_three_rounds(siblings, team):
    loop, k8s = team["remediation_loop"], siblings.k8s_health.tools

    assert isinstance(loop, LoopAgent)
    assert loop.max_iterations == 3
    assert [agent.name for agent in loop.sub_agents] == ["act", "verify"]
    assert team["act"].tools == [k8s.restart_deployment, k8s.scale_deployment]
    assert list(offered(team["verify"])) == ["get_deployment_status", "exit_loop"]


def test_a_report_follows_the_loop(team):
    remediation = team["remediation"]

    assert isinstance(remediation, SequentialAgent)
    assert [agent.name for agent in remediation.sub_agents] == ["remediation_loop", "remediation_report"]
    assert offered(team["remediation_report"]) == {}


def test_the_user_confirms_each_change_through_a_specialist_and_the_whole_of_a_remediation(team):
    asked = {
        name: [tool for tool, it in offered(agent).items() if asyncio.run(it.check_require_confirmation({}, None))]
        for name, agent in team.items()
        if isinstance(agent, LlmAgent)
    }

    assert {name: tools for name, tools in asked.items() if tools} == {
        "devops_assistant": ["approve_remediation"],
        "k8s_health": ["patch_deployment", "scale_deployment", "restart_deployment"],
    }


def test_the_teams_own_tools_are_declared_with_their_arguments_and_explain_each(root, team):
    tools = {**offered(root), **offered(team["incident_summary"])}

    for name, arguments in {
        "approve_remediation": ["namespace", "deployment_name"],
        "write_incident_note": ["title", "text"],
    }.items():
        schema = tools[name]._get_declaration().parameters_json_schema
        assert schema["required"] == arguments
        assert {one["type"] for one in schema["properties"].values()} == {"string"}
        for argument in arguments:
            assert f"    {argument}: " in tools[name].description


def test_the_limits_that_a_model_reads_are_those_that_hold(assistant, team):
    description = offered(team["incident_summary"])["write_incident_note"].description

    assert f"at most {assistant.notes.MAX_TITLE} characters" in description
    assert f"at most {assistant.notes.MAX_TEXT} characters" in description
    assert "up to three changes" in assistant.approval.approve_remediation.__doc__
    assert assistant.approval.MAX_CHANGES == 3


def test_the_instruction_names_whoever_can_be_called_or_transferred_to(root):
    for name in (*offered(root), *(agent.name for agent in _get_transfer_targets(root))):
        assert name in root.instruction


def test_each_instruction_names_the_agents_tools(team):
    for agent in team.values():
        for name in offered(agent) if isinstance(agent, LlmAgent) else ():
            assert name in agent.instruction, f"{agent.name} is not told of {name}"


def test_every_agent_that_a_model_can_choose_says_what_it_is_for(team):
    workflows = {"incident_checks", "remediation_loop"}  # no model chooses them

    assert {name for name, agent in team.items() if not agent.description} == workflows


def test_the_readme_names_every_agent_and_every_tool_of_the_teams_own(root, team):
    readme = (AGENT / "README.md").read_text()
    own = [team[name] for name in ("act", "verify", "incident_summary", "check_pods", "check_lag", "check_alerts")]

    for name in (*team, *offered(root), *(tool for agent in own for tool in offered(agent))):
        assert f"`{name}`" in readme


def test_the_example_environment_lists_the_settings_of_every_specialist():
    def settings(folder):
        return set(re.findall(r"^([A-Z0-9_]+)=", (folder / ".env.example").read_text(), re.MULTILINE))

    theirs = {name for specialist in SPECIALISTS for name in settings(AGENTS / specialist)}

    needed = {name for name in theirs if not name.endswith("_MODEL")}
    assert settings(AGENT) == needed | {"DEVOPS_ASSISTANT_MODEL", "INCIDENT_NOTES_DIR"}
