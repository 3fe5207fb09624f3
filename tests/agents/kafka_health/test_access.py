"""Roles: a viewer looks, an operator creates and extends, an admin deletes."""

from types import SimpleNamespace

import pytest
from google.adk.tools.function_tool import FunctionTool

VIEWER, OPERATOR, ADMIN = "viewer", "operator", "admin"

ALLOWED = {
    "get_kafka_cluster_health": [VIEWER, OPERATOR, ADMIN],
    "list_kafka_brokers": [VIEWER, OPERATOR, ADMIN],
    "list_kafka_topics": [VIEWER, OPERATOR, ADMIN],
    "get_topic_metadata": [VIEWER, OPERATOR, ADMIN],
    "list_consumer_groups": [VIEWER, OPERATOR, ADMIN],
    "describe_consumer_group": [VIEWER, OPERATOR, ADMIN],
    "get_consumer_lag": [VIEWER, OPERATOR, ADMIN],
    "create_kafka_topic": [OPERATOR, ADMIN],
    "add_topic_partitions": [OPERATOR, ADMIN],
    "delete_kafka_topic": [ADMIN],
}


@pytest.fixture
def check(kafka_health):
    """Ask the agent's own callback, as ADK does; the session's state is changed in place."""

    def ask(tool, state):
        tool = FunctionTool(getattr(kafka_health.tools, tool)) if isinstance(tool, str) else tool
        (callback,) = kafka_health.agent.root_agent.canonical_before_tool_callbacks
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


def test_the_table_knows_every_tool(kafka_health):
    tools = kafka_health.tools

    assert {tool.__name__ for tool in (*tools.READING, *tools.CHANGING)} == set(ALLOWED)


def test_the_refusal_names_the_role_that_is_needed(check):
    assert check("create_kafka_topic", {"role": VIEWER}) == {
        "status": "error",
        "error": "The role viewer may not call create_kafka_topic; that needs the role operator.",
    }


def test_a_session_without_a_role_is_a_viewers(check):
    assert check("get_consumer_lag", {}) is None
    assert check("delete_kafka_topic", {})["error"].startswith("The role viewer may not call delete_kafka_topic")


@pytest.mark.parametrize("role", ["root", "Admin", "", None, ["admin"]])
def test_a_role_that_nobody_knows_may_not_even_look(check, role):
    state = {"role": role}

    assert check("list_kafka_topics", state) == {
        "status": "error",
        "error": f"The session has the unknown role {role!r}; the roles are viewer, operator, admin.",
    }
    assert state["last_denied_tool"] == "list_kafka_topics"


def test_a_tool_that_nobody_decided_about_needs_an_admin(check):
    def drop_everything():
        """Not one of the agent's tools."""

    new = FunctionTool(drop_everything)

    assert check(new, {"role": OPERATOR})["error"].endswith("that needs the role admin.")
    assert check(new, {"role": ADMIN}) is None
