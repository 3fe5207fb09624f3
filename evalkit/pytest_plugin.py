"""The pytest plugin: the `eval` marker."""

import pytest


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker, so that `--strict-markers` accepts it."""
    config.addinivalue_line("markers", "eval: an agent evaluation, played with the agent's own model")
