"""Who may call which tool, in every agent of the team.

A session's state holds the user's role under `role`: `viewer`, `operator` or `admin`, each with the rights of those
before it. A session without one belongs to a viewer. The rights are those that the specialists themselves give, plus
those of what is this app's own. What is not listed needs `admin`, so that a new tool is closed until somebody decides.
"""

from typing import Any

from google.adk.plugins.base_plugin import BasePlugin
from google.adk.tools.base_tool import BaseTool
from google.adk.tools.tool_context import ToolContext

from .replies import failure
from .siblings import sibling

ROLES = ("viewer", "operator", "admin")

DENIED = "last_denied_tool"
"""The state's key for the name of the tool that was refused last; the specialists use the same."""

TRANSFER = "transfer_to_agent"

REQUIRED_ROLE: dict[str, str] = {
    **sibling("kafka_health").access.REQUIRED_ROLE,
    **sibling("k8s_health").access.REQUIRED_ROLE,
    # These two only look, so they have no table of their own.
    **{tool.__name__: "viewer" for tool in sibling("docker_agent").tools.READING},
    **{tool.__name__: "viewer" for tool in sibling("observability").tools.READING},
    # The specialists themselves, which are tools of the entry agent.
    "kafka_health": "viewer",
    "observability": "viewer",
    "k8s_health": "viewer",
    "docker_agent": "viewer",
    # The team's own tools.
    "write_incident_note": "operator",
    "approve_remediation": "operator",
    "exit_loop": "viewer",
}
"""The role that each tool needs."""

ROLE_FOR_TRANSFER = {"incident_triage": "viewer", "remediation": "operator"}
"""The role that each agent needs to take over. ADK itself would let a model transfer to any sub-agent that it names."""


class RoleGuard(BasePlugin):
    """Answers in place of each tool that the session's role may not call.

    ADK asks a plugin before the agents' own callbacks and before it asks the user to confirm, so nobody is asked to
    confirm what is forbidden. Agents that run as tools have the same plugins and a copy of the state, role included.
    """

    def __init__(self) -> None:
        super().__init__(name="role_guard")

    async def before_tool_callback(
        self, *, tool: BaseTool, tool_args: dict[str, Any], tool_context: ToolContext
    ) -> dict[str, Any] | None:
        """Return the refusal, or None to let the call through."""
        role = tool_context.state.get("role", ROLES[0])
        if tool.name == TRANSFER:
            agent = str(tool_args.get("agent_name"))
            act, needed = f"have {agent} take over", ROLE_FOR_TRANSFER.get(agent, ROLES[-1])
        else:
            act, needed = f"call {tool.name}", REQUIRED_ROLE.get(tool.name, ROLES[-1])
        if role not in ROLES:
            known = ", ".join(ROLES)
            return refuse(tool, tool_context, f"The session has the unknown role {role!r}; the roles are {known}.")
        if ROLES.index(role) < ROLES.index(needed):
            return refuse(tool, tool_context, f"The role {role} may not {act}; that needs the role {needed}.")
        return None


def refuse(tool: BaseTool, tool_context: ToolContext, sentence: str) -> dict[str, Any]:
    """Return a refusal for the model and leave the tool's name in the state, for audit."""
    tool_context.state[DENIED] = tool.name
    return failure(sentence)
