"""Trustworthy evaluation of agents built with Google's Agent Development Kit."""

__version__ = "0.1.0"
