"""A test agent with every shape that golden turns must find their way through."""

from . import agent as agent
