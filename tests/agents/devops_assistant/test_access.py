"""Roles over the whole team: a viewer looks, an operator makes the usual changes, an admin the rest."""

import asyncio
from types import SimpleNamespace

import pytest
from google.adk.tools.base_tool import BaseTool

VIEWER, OPERATOR, ADMIN = ROLES = ("viewer", "operator", "admin")

ENTRY = "devops_assistant"

CAN_BE_CALLED_BY = {
    VIEWER: [
        "kafka_health",
        "get_kafka_cluster_health",
        "list_kafka_brokers",
        "list_kafka_topics",
        "get_topic_metadata",
        "list_consumer_groups",
        "describe_consumer_group",
        "get_consumer_lag",
        "k8s_health",
        "get_kubernetes_cluster_info",
        "list_kubernetes_nodes",
        "list_kubernetes_namespaces",
        "list_pods",
        "describe_pod",
        "get_pod_logs",
        "list_deployments",
        "get_deployment_status",
        "list_kubernetes_events",
        "docker_agent",
        "list_docker_containers",
        "inspect_docker_container",
        "get_docker_container_logs",
        "get_docker_container_stats",
        "get_docker_compose_status",
        "list_docker_images",
        "observability",
        "query_prometheus",
        "query_prometheus_range",
        "get_prometheus_targets",
        "get_prometheus_alerts",
        "query_loki",
        "list_loki_labels",
        "list_loki_label_values",
        "get_alertmanager_alerts",
        "get_alertmanager_silences",
        "exit_loop",
    ],
    OPERATOR: [
        "create_kafka_topic",
        "add_topic_partitions",
        "scale_deployment",
        "restart_deployment",
        "approve_remediation",
        "write_incident_note",
    ],
    ADMIN: ["delete_kafka_topic", "patch_deployment"],
}
NEEDED = {tool: role for role, tools in CAN_BE_CALLED_BY.items() for tool in tools}


@pytest.fixture
def check(app):
    """Ask the app's own guard, as ADK does; the session's state is changed in place."""
    (guard,) = [plugin for plugin in app.plugins if plugin.name == "role_guard"]

    def ask(tool, state, **args):
        context = SimpleNamespace(state=state)
        tool = BaseTool(name=tool, description="")
        return asyncio.run(guard.before_tool_callback(tool=tool, tool_args=args, tool_context=context))

    return ask


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("tool", NEEDED)
def test_each_role_may_call_what_the_table_says(check, tool, role):
    state = {"role": role}

    reply = check(tool, state)

    if ROLES.index(role) >= ROLES.index(NEEDED[tool]):
        assert reply is None
        assert state == {"role": role}
    else:
        error = f"The role {role} may not call {tool}; that needs the role {NEEDED[tool]}."
        assert reply == {"status": "error", "error": error}
        assert state == {"role": role, "last_denied_tool": tool}


def test_the_table_is_the_guards_and_knows_every_tool_of_every_agent(assistant, app, script):
    offered = set()
    for agent in script.agents_of(app.root_agent).values():
        if hasattr(agent, "canonical_tools"):
            offered |= {tool.name for tool in asyncio.run(agent.canonical_tools())}

    assert assistant.access.REQUIRED_ROLE == NEEDED
    assert offered <= set(NEEDED)


@pytest.mark.parametrize(
    ("agent", "roles"), [("incident_triage", ROLES), ("remediation", (OPERATOR, ADMIN)), ("k8s_health", (ADMIN,))]
)
def test_a_hand_over_needs_the_role_that_its_target_needs(check, agent, roles):
    allowed = [role for role in ROLES if check("transfer_to_agent", {"role": role}, agent_name=agent) is None]

    assert tuple(allowed) == roles


@pytest.mark.parametrize("args", [{}, {"agent_name": None}, {"agent_name": ["remediation"]}])
def test_a_hand_over_to_what_is_no_agent_is_refused(check, args):
    assert check("transfer_to_agent", {"role": OPERATOR}, **args)["status"] == "error"


def test_a_session_without_a_role_is_a_viewers(check):
    assert check("get_consumer_lag", {}) is None
    assert check("restart_deployment", {})["error"].startswith("The role viewer may not call restart_deployment")


@pytest.mark.parametrize("role", ["root", "Admin", "", None, ["admin"]])
def test_a_role_that_nobody_knows_may_not_even_ask_a_specialist(check, role):
    state = {"role": role}

    assert check("kafka_health", state) == {
        "status": "error",
        "error": f"The session has the unknown role {role!r}; the roles are viewer, operator, admin.",
    }
    assert state["last_denied_tool"] == "kafka_health"


def test_a_tool_that_nobody_decided_about_needs_an_admin(check):
    assert check("drop_everything", {"role": OPERATOR})["error"].endswith("that needs the role admin.")
    assert check("drop_everything", {"role": ADMIN}) is None


def test_nobody_is_asked_to_confirm_what_the_role_forbids(app, systems, script):
    change = script.call("restart_deployment", namespace="shop", deployment_name="web")

    played = script.play(
        app,
        "restart web in shop",
        devops_assistant=[[script.call("k8s_health", request="restart web in shop")], "that needs an operator"],
        k8s_health=[[change], "that needs the role operator"],
    )

    assert [tool for _, tool in played.calls] == ["k8s_health", "restart_deployment"]
    assert played.replies["restart_deployment"] == {
        "status": "error",
        "error": "The role viewer may not call restart_deployment; that needs the role operator.",
    }
    assert played.state["last_denied_tool"] == "restart_deployment"
    assert systems.done == []


def test_the_guard_also_stands_inside_an_agent_tool_and_knows_the_role_there(
    assistant, app, systems, script, monkeypatch
):
    monkeypatch.setitem(assistant.access.REQUIRED_ROLE, "get_prometheus_alerts", ADMIN)
    turns = {
        ENTRY: [[script.call("observability", request="alerts")], "no"],
        "observability": [[script.call("get_prometheus_alerts")], "no"],
    }

    refused = script.play(app, "alerts?", state={"role": OPERATOR}, **turns)
    allowed = script.play(app, "alerts?", state={"role": ADMIN}, **turns)

    assert refused.state["last_denied_tool"] == "get_prometheus_alerts"
    assert "last_denied_tool" not in allowed.state
    assert systems.done == [("alerts",)]


def test_a_viewer_is_not_handed_over_to_remediation(app, systems, script):
    played = script.play(app, "repair web", devops_assistant=[[script.transfer("remediation")], "not as a viewer"])

    assert played.replies["transfer_to_agent"] == {
        "status": "error",
        "error": "The role viewer may not have remediation take over; that needs the role operator.",
    }
    assert played.said == [(ENTRY, "not as a viewer")]
