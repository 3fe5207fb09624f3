"""Fakes below the tools: services over HTTP, programs and Python objects, so that the tools' own code runs."""

from evalkit.mocks.below.case import CaseFakes
from evalkit.mocks.below.guard import RefusedConnectionError, RefusedProgramError
from evalkit.mocks.below.native_clients import native_clients
from evalkit.mocks.below.world import World

__all__ = ["CaseFakes", "RefusedConnectionError", "RefusedProgramError", "World", "native_clients"]
