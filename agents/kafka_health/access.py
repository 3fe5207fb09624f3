"""Who may call which tool.

A session's state holds the user's role under `role`: `viewer`, `operator` or `admin`, each with the rights of those
before it. A session without one belongs to a viewer. A tool that is not listed here needs `admin`, so that a new tool
is closed until somebody decides.
"""

from typing import Any

from google.adk.tools.base_tool import BaseTool
from google.adk.tools.tool_context import ToolContext

ROLES = ("viewer", "operator", "admin")

REQUIRED_ROLE = {
    "get_kafka_cluster_health": "viewer",
    "list_kafka_brokers": "viewer",
    "list_kafka_topics": "viewer",
    "get_topic_metadata": "viewer",
    "list_consumer_groups": "viewer",
    "describe_consumer_group": "viewer",
    "get_consumer_lag": "viewer",
    "create_kafka_topic": "operator",
    "add_topic_partitions": "operator",
    "delete_kafka_topic": "admin",
}


def check_role(
    tool: BaseTool,
    args: dict[str, Any],  # noqa: ARG001 - ADK passes it by name
    tool_context: ToolContext,
) -> dict[str, Any] | None:
    """Answer in place of a tool that the session's role may not call; None lets the call through.

    ADK runs this before it asks the user to confirm, so nobody is asked to confirm what is forbidden. A call turned
    away leaves the tool's name in the state under `last_denied_tool`, for audit.
    """
    role = tool_context.state.get("role", ROLES[0])
    needed = REQUIRED_ROLE.get(tool.name, ROLES[-1])
    if role not in ROLES:
        error = f"The session has the unknown role {role!r}; the roles are {', '.join(ROLES)}."
    elif ROLES.index(role) < ROLES.index(needed):
        error = f"The role {role} may not call {tool.name}; that needs the role {needed}."
    else:
        return None
    tool_context.state["last_denied_tool"] = tool.name
    return {"status": "error", "error": error}
