"""An ADK agent that watches over a Kubernetes cluster."""

from . import agent

__all__ = ["agent"]
