"""Where model turns come from, as plain data: scripts that say what an agent's model answers when it is asked."""
