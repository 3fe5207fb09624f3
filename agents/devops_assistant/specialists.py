"""The specialists as members of the team: copies of the sibling agents, which stay as they are.

A copy has the sibling's name, instruction, tools and callbacks, and the team's model. How it joins decides what it can
do. An agent tool runs in a session of its own that ends with the call, so ADK cannot come back to a question that it
asked the user; a `single_turn` sub-agent runs in the user's session and can be asked to confirm. So the specialist
that changes things with a confirmation, k8s_health, is a sub-agent, and kafka_health only looks here.
"""

from typing import Any

from google.adk.agents import LlmAgent
from google.adk.tools.agent_tool import AgentTool

from .siblings import sibling

ONLY_LOOKING = """
In this team you only look. You have no tools that change topics: when the user asks for such a change, say that
nothing was changed and that it has to be made with the agent kafka_health on its own.
"""


def kafka_health(model: str) -> AgentTool:
    """Make the Kafka specialist, without what changes topics."""
    agent = sibling("kafka_health").agent
    return AgentTool(
        _copy(
            "kafka_health",
            model,
            description="Reports on a Kafka cluster's brokers, topics, consumer groups and lag. Changes nothing.",
            instruction=agent.INSTRUCTION + ONLY_LOOKING,
            tools=[*sibling("kafka_health").tools.READING],
        )
    )


def observability(model: str) -> AgentTool:
    """Make the specialist for Prometheus, Loki and Alertmanager."""
    return AgentTool(_copy("observability", model))


def k8s_health(model: str) -> LlmAgent:
    """Make the Kubernetes specialist, whose changes the user confirms."""
    return _single_turn("k8s_health", model)


def docker_agent(model: str) -> LlmAgent:
    """Make the specialist for docker hosts."""
    return _single_turn("docker_agent", model)


def _single_turn(name: str, model: str) -> LlmAgent:
    """Copy a sibling as a sub-agent that is called like a function.

    ADK would give it a tool to transfer the conversation with, to its parent and to its peers; it only answers.
    """
    return _copy(name, model, mode="single_turn", disallow_transfer_to_parent=True, disallow_transfer_to_peers=True)


def _copy(name: str, model: str, **changes: Any) -> LlmAgent:
    original: LlmAgent = sibling(name).agent.root_agent
    return original.clone(update={"model": model, **changes})
