"""An ADK agent that looks at the containers of a docker host."""

from . import agent

__all__ = ["agent"]
