"""What an item's report carries: properties that pytest-xdist hands on and JUnit files keep."""

from collections.abc import Iterable, Mapping
from typing import Any

import pytest

from evalkit.results import CaseResult, CriterionResult

PREFIX = "evalkit_"
VERDICT = f"{PREFIX}verdict"
MODE = f"{PREFIX}mode"
AGENT = f"{PREFIX}agent"
MODEL = f"{PREFIX}model_"
SCORE = f"{PREFIX}score_"
KNOWN_FAILING = f"{PREFIX}known_failing"

Properties = list[tuple[str, object]]


def describe(result: CaseResult, agent: str, mode: str, models: Mapping[str, str]) -> Properties:
    """Describe what a case came to: plain values only, since they travel between processes.

    Args:
        result: The case with its verdict.
        agent: The agent's folder or module.
        mode: Where model turns came from.
        models: The model of each agent that was asked.
    """
    found: Properties = [(VERDICT, result.verdict), (MODE, mode), (AGENT, agent)]
    found += [(f"{MODEL}{name}", model) for name, model in models.items() if mode == "live"]
    found += [(f"{SCORE}{item.criterion.name}", _score(item)) for item in result.criteria]
    if result.known_failing is not None:
        found.append((KNOWN_FAILING, result.known_failing))
    return found


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


def _score(item: CriterionResult) -> float | str:
    score = item.score
    if score.state != "judged" or score.value is None:
        return score.state.replace("_", " ")
    return f"{score.value:g} (by construction)" if score.by_construction else score.value
