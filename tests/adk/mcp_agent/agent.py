"""A clerk whose tools are those of an MCP server, reached over standard input and output."""

import sys
from pathlib import Path

from google.adk.agents import LlmAgent
from google.adk.tools.mcp_tool import McpToolset, StdioConnectionParams
from mcp import StdioServerParameters

SERVER = Path(__file__).parent / "server.py"


def over_stdio(*args: str) -> StdioConnectionParams:
    """Say how to start the server; a slow machine needs more than ADK's five seconds."""
    command = StdioServerParameters(command=sys.executable, args=[str(SERVER), *args])
    return StdioConnectionParams(server_params=command, timeout=60)


def dear(amount: int) -> bool:
    """Tell whether a payment needs the user's consent."""
    return amount > 100


root_agent = LlmAgent(
    name="clerk",
    model="gemini-2.5-flash",
    instruction="Do sums, and pay bills.",
    tools=[McpToolset(connection_params=over_stdio())],
)
