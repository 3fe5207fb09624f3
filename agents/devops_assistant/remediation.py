"""Remediation: a loop that makes one safe change of a deployment, then verifies, at most three times.

The user has approved the changes before the loop starts; `approval` says why, and holds the loop to it.
"""

import warnings

from google.adk.agents import LlmAgent, LoopAgent
from google.adk.tools.exit_loop_tool import exit_loop

from .approval import MAX_CHANGES, within_approval
from .siblings import sibling

ACT = """\
You repair a Kubernetes deployment, one change at a time. The user has approved changes of one deployment; after each of
yours somebody else verifies, and you are asked again if the deployment is not healthy.

- Make one change and no more: call restart_deployment or scale_deployment once, for the deployment and namespace that
  the user named. The change was confirmed already; do not ask for confirmation.
- When the user said which change to make, make that one. Otherwise restart first; when it was restarted and is still
  not healthy, scale it only if the user said to how many replicas.
- When the last verification says that the rollout is still progressing, change nothing: say so in one line.
- When there is no further safe change, or a reply has the status "error", change nothing else: say why in one line.
- Otherwise say in one line what you changed, with names and numbers exactly as the tool gave them.
"""

VERIFY = """\
You verify whether a Kubernetes deployment that was just repaired is healthy.

- Call get_deployment_status once, for the deployment and namespace that the user named.
- When `healthy` is true and `rollout` is complete: say in one line that it is healthy, with its replicas and how many
  changes that took, and call exit_loop together with that line.
- When nothing was changed because nothing may be or can be changed: say so, and call exit_loop together with that.
- Otherwise say in one line what is not well, with `rollout` and its message exactly as the tool gave them, and call
  nothing more.
- When a reply has the status "error", say that the deployment could not be verified and quote the error. That is never
  the same as healthy.
"""


def remediation(model: str) -> LoopAgent:
    """Make the loop of the agent that acts and the agent that verifies."""
    k8s = sibling("k8s_health").tools
    act = LlmAgent(
        name="act",
        model=model,
        description="Makes one safe change of a deployment.",
        instruction=ACT,
        tools=[k8s.restart_deployment, k8s.scale_deployment],
        before_tool_callback=within_approval,
    )
    verify = LlmAgent(
        name="verify",
        model=model,
        description="Verifies whether a deployment is healthy.",
        instruction=VERIFY,
        tools=[k8s.get_deployment_status, exit_loop],
    )
    with warnings.catch_warnings():
        # ADK deprecates it for `Workflow`, which cannot be a sub-agent yet.
        warnings.simplefilter("ignore", DeprecationWarning)
        return LoopAgent(
            name="remediation",
            description=(
                "Repairs a Kubernetes deployment that the user has approved changes of: changes it, verifies, and"
                " tries again, at most three times."
            ),
            max_iterations=MAX_CHANGES,
            sub_agents=[act, verify],
        )
