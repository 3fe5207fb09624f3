"""The only room that knows ADK: loading agents, the two edges, and events turned into traces."""
