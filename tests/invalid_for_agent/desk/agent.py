"""A front desk with twins among its tools, a default, an order in an instruction, and a tool that two agents share."""

from typing import TypedDict

from google.adk.agents import LlmAgent

MODEL = "gemini-2.5-flash"


class Disk(TypedDict):
    """How full a disk is."""

    host: str
    used_percent: int


def get_prometheus_alerts(state: str = "firing") -> dict:
    """List the alerts of Prometheus that are in a state, `firing` or `pending`."""
    raise AssertionError(f"the real get_prometheus_alerts ran for {state}")


def get_alertmanager_alerts(receiver: str) -> dict:
    """List the alerts of Alertmanager that a receiver is sent."""
    raise AssertionError(f"the real get_alertmanager_alerts ran for {receiver}")


def get_logs(app: str, minutes: int = 60) -> dict:
    """Read the logs of an app.

    Args:
        app: The name of the app.
        minutes: How far back.

    Returns:
        `line_count` (int) and `lines`, each with its time.
    """
    raise AssertionError(f"the real get_logs ran for {app}, {minutes}")


def get_overview() -> dict:
    """Tell how all hosts are."""
    raise AssertionError("the real get_overview ran")


def get_disk(host: str) -> Disk:
    """Tell how full a host's disk is."""
    raise AssertionError(f"the real get_disk ran for {host}")


def list_pods(namespace: str) -> dict:
    """List the pods of a namespace."""
    raise AssertionError(f"the real list_pods ran for {namespace}")


root_agent = LlmAgent(
    name="desk",
    model=MODEL,
    instruction="Answer questions about alerts and logs, and hand over the others.",
    tools=[get_prometheus_alerts, get_alertmanager_alerts, get_logs],
    sub_agents=[
        LlmAgent(
            name="hosts",
            model=MODEL,
            description="Hosts",
            instruction="Always start with get_overview.",
            tools=[get_overview, get_disk],
        ),
        LlmAgent(name="east", model=MODEL, description="Cluster east", tools=[list_pods]),
        LlmAgent(name="west", model=MODEL, description="Cluster west", tools=[list_pods]),
    ],
)
