"""Frozen dataclasses to JSON and back, losing nothing that matters and failing for nothing that a tool may say."""
