"""The agent that the files in the folder above are wrong for."""
