"""Roles: a viewer looks, an operator scales and restarts, an admin patches."""

from types import SimpleNamespace

import pytest
from google.adk.tools.function_tool import FunctionTool

VIEWER, OPERATOR, ADMIN = "viewer", "operator", "admin"

ALLOWED = {
    "get_kubernetes_cluster_info": [VIEWER, OPERATOR, ADMIN],
    "list_kubernetes_nodes": [VIEWER, OPERATOR, ADMIN],
    "list_kubernetes_namespaces": [VIEWER, OPERATOR, ADMIN],
    "list_pods": [VIEWER, OPERATOR, ADMIN],
    "describe_pod": [VIEWER, OPERATOR, ADMIN],
    "get_pod_logs": [VIEWER, OPERATOR, ADMIN],
    "list_deployments": [VIEWER, OPERATOR, ADMIN],
    "get_deployment_status": [VIEWER, OPERATOR, ADMIN],
    "list_kubernetes_events": [VIEWER, OPERATOR, ADMIN],
    "scale_deployment": [OPERATOR, ADMIN],
    "restart_deployment": [OPERATOR, ADMIN],
    "patch_deployment": [ADMIN],
}


@pytest.fixture
def check(k8s_health):
    """Ask the agent's own callback, as ADK does; the session's state is changed in place."""

    def ask(tool, state):
        tool = FunctionTool(getattr(k8s_health.tools, tool)) if isinstance(tool, str) else tool
        (callback,) = k8s_health.agent.root_agent.canonical_before_tool_callbacks
        return callback(tool=tool, args={}, tool_context=SimpleNamespace(state=state))

    return ask


@pytest.mark.parametrize("role", [VIEWER, OPERATOR, ADMIN])
@pytest.mark.parametrize("tool", ALLOWED)
def test_each_role_may_call_what_the_table_says(check, tool, role):
    state = {"role": role}

    reply = check(tool, state)

    if role in ALLOWED[tool]:
        assert reply is None
        assert state == {"role": role}
    else:
        assert reply["status"] == "error"
        assert reply["error"].startswith(f"The role {role} may not call {tool}; that needs the role ")
        assert state == {"role": role, "last_denied_tool": tool}


def test_the_table_knows_every_tool(k8s_health):
    tools = k8s_health.tools

    assert {tool.__name__ for tool in (*tools.READING, *tools.CHANGING)} == set(ALLOWED)


def test_the_refusal_names_the_role_that_is_needed(check):
    assert check("patch_deployment", {"role": OPERATOR}) == {
        "status": "error",
        "error": "The role operator may not call patch_deployment; that needs the role admin.",
    }


def test_a_session_without_a_role_is_a_viewers(check):
    assert check("get_pod_logs", {}) is None
    assert check("scale_deployment", {})["error"].startswith("The role viewer may not call scale_deployment")


@pytest.mark.parametrize("role", ["root", "Admin", "", None, ["admin"]])
def test_a_role_that_nobody_knows_may_not_even_look(check, role):
    state = {"role": role}

    assert check("list_pods", state) == {
        "status": "error",
        "error": f"The session has the unknown role {role!r}; the roles are viewer, operator, admin.",
    }
    assert state["last_denied_tool"] == "list_pods"


def test_a_tool_that_nobody_decided_about_needs_an_admin(check):
    def delete_everything():
        """Not one of the agent's tools."""

    new = FunctionTool(delete_everything)

    assert check(new, {"role": OPERATOR})["error"].endswith("that needs the role admin.")
    assert check(new, {"role": ADMIN}) is None
