"""A test agent whose root is a graph."""

from . import agent as agent
