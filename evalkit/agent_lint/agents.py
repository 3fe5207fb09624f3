"""What is wrong with the agent itself, whatever the cases are."""

from collections.abc import Iterator

from evalkit.agent_lint.problems import problem
from evalkit.errors import Problem
from evalkit.models.facts import AgentFacts


def agents_without_model(facts: AgentFacts) -> Iterator[Problem]:
    """Report agents that would be answered by ADK's default model, which nobody chose."""
    for profile in facts.profiles.values():
        if profile.model is None and profile.fallback is not None:
            message = (
                f"agent {profile.name} has no model of its own and none to inherit, so ADK would ask its default,"
                f" {profile.fallback}"
            )
            hint = (
                f'write model="…" in its definition, such as LlmAgent(name="{profile.name}", model="{profile.fallback}"'
                ", …); a variable that it comes from belongs into the agent's own .env"
            )
            yield problem("no-own-model", facts.reference, "$", message, hint)
