"""The verdicts of all cases in a few lines, at the end of what pytest prints; read from the reports alone."""

from collections import Counter
from collections.abc import Iterator

import pytest

from evalkit.pytesting.explain import EXERCISED
from evalkit.pytesting.properties import read
from evalkit.report.counts import Counts
from evalkit.report.properties import KNOWN_FAILING, MODEL, QUARANTINE, VERDICT

_ASIDE = {
    KNOWN_FAILING: ("known failing", "known to fail", "take `known_failing` out"),
    QUARANTINE: ("in quarantine", "in quarantine", "take it off the list"),
}
"""Properties of cases that do not gate: how to count them, what they are, and what to do when they pass."""

_MOST_REASONS = 5
"""So many reasons why nothing was played are told; with `-rs` pytest tells all, with their places."""


def write_summary(terminal: pytest.TerminalReporter, mode: str) -> bool:
    """Write the section; return whether there was any case of ours."""
    reports = dict(_reported(terminal))
    if not reports:
        return False
    found = {name: read(report) for name, report in reports.items()}
    gating = Counts(**Counter(one[VERDICT] for one in found.values() if not _ASIDE.keys() & one.keys()))
    terminal.section("evalkit")
    for key, (_, what, remedy) in _ASIDE.items():
        for name, one in found.items():
            if key in one and one[VERDICT] == "passed":
                terminal.line(f"{name} passed although it is {what}: {remedy}")
    models = sorted({f"{key.removeprefix(MODEL)}: {value}" for one in found.values() for key, value in _models(one)})
    if models:
        terminal.line(f"models: {', '.join(models)}")
    counted = {name: sum(key in one for one in found.values()) for key, (name, *_) in _ASIDE.items()}
    others = "".join(f", {number} {name}" for name, number in counted.items() if number)
    played = any(one[VERDICT] != "skipped" for one in found.values())
    if not played:
        for reason, times in Counter(map(_why_skipped, reports.values())).most_common(_MOST_REASONS):
            terminal.line(f"{times} skipped: {reason}")
    terminal.line(f"{gating}{others} ({EXERCISED[mode] if played else f'{mode}: nothing was played'})")
    return True


def _why_skipped(report: pytest.TestReport) -> str:
    *_, reason = report.longrepr if isinstance(report.longrepr, tuple) else ("no reason",)
    return str(reason).removeprefix("Skipped: ")


def _reported(terminal: pytest.TerminalReporter) -> Iterator[tuple[str, pytest.TestReport]]:
    """Yield each case with its last report; those after which it was run again are left out."""
    for reports in terminal.stats.values():
        for report in reports:
            again = getattr(report, "outcome", None) == "rerun"  # so pytest-rerunfailures marks them
            if isinstance(report, pytest.TestReport) and not again and read(report):
                yield report.nodeid, report


def _models(properties: dict[str, str]) -> Iterator[tuple[str, str]]:
    return ((key, value) for key, value in properties.items() if key.startswith(MODEL))
