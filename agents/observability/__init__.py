"""An ADK agent that reads metrics, logs and alerts."""

from . import agent

__all__ = ["agent"]
