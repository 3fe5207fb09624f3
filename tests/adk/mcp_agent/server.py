"""A small MCP server over standard input and output; each start leaves a line in `starts.txt` beside it."""

from pathlib import Path

try:
    from mcp.server.mcpserver import MCPServer
except ImportError:  # the SDK's first major version has it under another name
    from mcp.server.fastmcp import FastMCP as MCPServer

server = MCPServer("sums", log_level="CRITICAL")


@server.tool()
def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


@server.tool()
def divide(a: int, b: int) -> float:
    """Divide a number by another."""
    if b == 0:
        raise ValueError("division by zero")
    return a / b


@server.tool(structured_output=False)
def pay(to: str, amount: int) -> str:
    """Pay somebody."""
    return f"paid {amount} to {to}"


@server.resource("memo://rates", name="rates", mime_type="text/plain")
def rates() -> str:
    """Say what things cost."""
    return "an hour costs 90"


if __name__ == "__main__":
    with (Path(__file__).parent / "starts.txt").open("a") as starts:
        starts.write("started\n")
    server.run()
