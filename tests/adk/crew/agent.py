"""An orchestrator: an agent tool, a transfer to a sequence with parallel members, a loop, and a tool that two share."""

import warnings

from google.adk.agents import LlmAgent, LoopAgent, ParallelAgent, SequentialAgent
from google.adk.tools import exit_loop
from google.adk.tools.agent_tool import AgentTool

MODEL = "gemini-2.5-flash"


def get_lag(group: str) -> dict:
    """Return the lag of a consumer group."""
    raise AssertionError(f"the real get_lag ran for {group}")


def list_pods(namespace: str, limit: int = 10) -> dict:
    """List the pods of a namespace."""
    raise AssertionError(f"the real list_pods ran for {namespace}")


def get_disk(host: str) -> dict:
    """Return how full a host's disk is."""
    raise AssertionError(f"the real get_disk ran for {host}")


def whoami() -> dict:
    """Return who is asking."""
    raise AssertionError("the real whoami ran")


def write_note(text: str) -> dict:
    """Write a note."""
    raise AssertionError(f"the real write_note ran: {text}")


kafka = LlmAgent(name="kafka", model=MODEL, description="Kafka", tools=[get_lag, list_pods])
k8s = LlmAgent(name="k8s", model=MODEL, description="Kubernetes", tools=[list_pods])
once = LlmAgent(name="once", model=MODEL, description="Disks", mode="single_turn", tools=[get_disk])
task = LlmAgent(name="task", model=MODEL, description="Tasks", mode="task", tools=[get_disk])

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # ADK deprecates its workflow agents; users still have them
    checks = ParallelAgent(
        name="checks",
        sub_agents=[
            LlmAgent(name="check_lag", model=MODEL, tools=[get_lag], output_key="lag"),
            LlmAgent(name="check_disk", model=MODEL, tools=[get_disk], output_key="disk"),
        ],
    )
    summary = LlmAgent(name="summary", model=MODEL, instruction="Sum up {lag} and {disk}.", tools=[write_note])
    triage = SequentialAgent(name="triage", description="Triage", sub_agents=[checks, summary])
    repair = LoopAgent(
        name="repair",
        description="Repair",
        max_iterations=3,
        sub_agents=[
            LlmAgent(name="actor", model=MODEL, tools=[write_note]),
            LlmAgent(name="verifier", model=MODEL, tools=[whoami, exit_loop]),
        ],
    )

root_agent = LlmAgent(
    name="crew",
    model=MODEL,
    instruction="Route.",
    tools=[AgentTool(kafka), whoami],
    sub_agents=[k8s, triage, repair, once, task],
)
