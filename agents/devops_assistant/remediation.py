"""Remediation: a loop that makes one safe change of a deployment, then verifies, at most three times; then a report.

The user has approved the changes before the loop starts; `approval` says why, and holds the loop to it. The report is
there because nobody speaks after `exit_loop`: the last words of a loop that has ended well are those of the agent that
acted, before anything was verified.
"""

import warnings

from google.adk.agents import LlmAgent, LoopAgent, SequentialAgent
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
- When `healthy` is true and `rollout` is complete, call exit_loop.
- When nothing was changed because nothing may be or can be changed, call exit_loop too.
- Otherwise say in one line what is not well, with `rollout` and its message exactly as the tool gave them, and call
  nothing more.
- When a reply has the status "error", say that the deployment could not be verified and quote the error. That is never
  the same as healthy.
"""

REPORT = """\
You tell the user how the repair of a Kubernetes deployment has ended, in at most four lines.

- Say first how the deployment is by the last get_deployment_status: healthy or not, its replicas and its rollout, names
  and numbers exactly as the tool gave them. When there was none, or it failed, say that nobody knows, and quote the
  error. A rollout that is still progressing is under way, neither repaired nor failed.
- Then say what was changed and how often, or that nothing was changed and why.
- When it is not healthy, say that no more than three changes were tried, and that somebody has to look.
"""


def remediation(model: str) -> SequentialAgent:
    """Make the loop of the agent that acts and the agent that verifies, and the agent that reports."""
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
    report = LlmAgent(
        name="remediation_report",
        model=model,
        description="Tells how the repair of a deployment has ended.",
        instruction=REPORT,
    )
    with warnings.catch_warnings():
        # ADK deprecates these for `Workflow`, which cannot be a sub-agent yet.
        warnings.simplefilter("ignore", DeprecationWarning)
        loop = LoopAgent(name="remediation_loop", max_iterations=MAX_CHANGES, sub_agents=[act, verify])
        return SequentialAgent(
            name="remediation",
            description=(
                "Repairs a Kubernetes deployment that the user has approved changes of: changes it, verifies, and"
                " tries again, at most three times."
            ),
            sub_agents=[loop, report],
        )
