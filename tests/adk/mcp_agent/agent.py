"""A clerk whose tools are those of an MCP server, reached over standard input and output."""

import sys
from pathlib import Path

from google.adk.agents import LlmAgent
from google.adk.tools.mcp_tool import McpToolset, StdioConnectionParams
from mcp import StdioServerParameters

SERVER = StdioServerParameters(command=sys.executable, args=[str(Path(__file__).parent / "server.py")])

root_agent = LlmAgent(
    name="clerk",
    model="gemini-2.5-flash",
    instruction="Do sums, and pay bills.",
    # A slow machine needs more than ADK's five seconds to start the server.
    tools=[McpToolset(connection_params=StdioConnectionParams(server_params=SERVER, timeout=60))],
)
