"""What an item's report carries: properties that pytest-xdist hands on and JUnit files keep."""

from collections.abc import Iterable
from typing import Any

import pytest

from evalkit.report.properties import PREFIX, VERDICT, Properties


def replace(item: pytest.Item, found: Properties) -> None:
    """Give an item these properties instead of those of an earlier run of it."""
    others = [(name, value) for name, value in item.user_properties if not name.startswith(PREFIX)]
    item.user_properties[:] = others + found


def read(report: Any) -> dict[str, str]:
    """Read the properties back from a report of any item; empty if it is none of ours, or nothing is decided yet."""
    properties: Iterable[tuple[str, object]] = getattr(report, "user_properties", ())
    found = {name: str(value) for name, value in properties if name.startswith(PREFIX)}
    decided = report.when == "call" or (report.when == "setup" and report.outcome == "skipped")
    return found if VERDICT in found and decided else {}
