"""A `Workflow` root: two agents one after the other, each with a tool, and a function at the end."""

from google.adk.agents import LlmAgent
from google.adk.workflow import Workflow


def get_lag(group: str) -> dict:
    """Return the lag of a consumer group."""
    raise AssertionError(f"the real get_lag ran for {group}")


def write_note(text: str) -> dict:
    """Write a note."""
    raise AssertionError(f"the real write_note ran: {text}")


collect = LlmAgent(name="collect", model="gemini-2.5-flash", tools=[get_lag])
report = LlmAgent(name="report", model="gemini-2.5-flash", tools=[write_note])

root_agent = Workflow(name="graph", edges=[("START", collect, report)])
