"""An ADK agent that watches over a Kafka cluster."""

from . import agent

__all__ = ["agent"]
