"""An ADK app that routes an operations team's requests to specialists, triages incidents and repairs deployments."""

from . import agent

__all__ = ["agent"]
