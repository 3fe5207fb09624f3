"""The pytest plugin: the `eval` marker."""

import pytest


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker, so that `--strict-markers` accepts it."""
    config.addinivalue_line("markers", "eval: an agent evaluation; plays the agent's own model, so it needs credentials")
