"""The user's approval of a remediation: asked for once, before the loop, and held to in it.

A tool that asks for confirmation inside a loop ends the loop: ADK 2.13 gives the user's answer to the agent that called
the tool and runs that agent alone; what comes after it in the loop never runs, not even in an app with a
`ResumabilityConfig`. So the entry agent asks before it transfers, for one deployment and a number of changes, and each
change in the loop is checked against that. The approval is kept under `temp:`: it is gone when the turn is over.
"""

from typing import Any

from google.adk.tools.base_tool import BaseTool
from google.adk.tools.tool_context import ToolContext

from .access import refuse
from .replies import ToolError, replying
from .siblings import sibling

MAX_CHANGES = 3

APPROVED = "temp:approved_remediation"
"""The state's key for what was approved: namespace, deployment_name and changes_left."""


@replying
def approve_remediation(namespace: str, deployment_name: str) -> dict[str, Any]:
    """Have the user approve that remediation changes a Kubernetes deployment. The user is asked to confirm first.

    What is approved is up to three changes of this one deployment in this turn, each a restart or a new number of
    replicas. Nothing is changed by this tool itself.

    Args:
        namespace: The namespace that the deployment is in.
        deployment_name: The exact name of the deployment.

    Returns:
        The namespace, the deployment, and `changes_allowed`.
    """
    k8s = sibling("k8s_health")
    try:
        k8s.checks.own_namespace(namespace)
        k8s.checks.name("deployment_name", deployment_name)
    except k8s.replies.ToolError as error:
        raise ToolError(str(error)) from error
    return {"namespace": namespace, "deployment_name": deployment_name, "changes_allowed": MAX_CHANGES}


def keep_approval(
    tool: BaseTool, args: dict[str, Any], tool_context: ToolContext, tool_response: dict[str, Any]
) -> None:
    """Remember what the user has confirmed; an after-tool callback of the agent that asks.

    It is not the tool that remembers, since a tool's arguments and replies say nothing about who confirmed them.
    """
    confirmation = tool_context.tool_confirmation
    if tool.name != approve_remediation.__name__ or confirmation is None or not confirmation.confirmed:
        return
    if tool_response.get("status") == "success":
        approved = {key: args.get(key) for key in ("namespace", "deployment_name")}
        tool_context.state[APPROVED] = {**approved, "changes_left": MAX_CHANGES}


def within_approval(tool: BaseTool, args: dict[str, Any], tool_context: ToolContext) -> dict[str, Any] | None:
    """Refuse a change that was not approved, and count one that was; a before-tool callback of the agent that acts."""
    approved = tool_context.state.get(APPROVED)
    if not approved:
        return refuse(tool, tool_context, "The user has approved no remediation in this turn, so nothing is changed.")
    if any(args.get(key) != approved[key] for key in ("namespace", "deployment_name")):
        only = f"{approved['deployment_name']} in {approved['namespace']}"
        return refuse(tool, tool_context, f"The user has approved changes of {only} and of nothing else.")
    if approved["changes_left"] < 1:
        return refuse(tool, tool_context, f"All {MAX_CHANGES} changes that the user has approved were made.")
    tool_context.state[APPROVED] = {**approved, "changes_left": approved["changes_left"] - 1}
    return None
