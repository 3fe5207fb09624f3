"""The report on a terminal."""

import re

import pytest

from evalkit.report.terminal import render
from evalkit.report.text import render as render_plainly

ESCAPES = re.compile(r"\x1b\[[0-9;]*m")


@pytest.fixture(autouse=True)
def _terminal(monkeypatch):
    for name in ("NO_COLOR", "FORCE_COLOR", "COLORTERM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "500")


def test_colour_only_repeats_what_the_plain_report_says(mixed_report):
    shown = render(mixed_report)

    assert ESCAPES.sub("", shown) == re.sub(r" +\n", "\n", ESCAPES.sub("", shown)) == render_plainly(mixed_report)
    assert "\x1b[32m  + passed      \x1b[0m" in shown
    assert "\x1b[1;31m  x failed      \x1b[0m" in shown


def test_no_color_is_respected(mixed_report, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")

    assert not re.search(r"\x1b\[[0-9;]*3[0-9]", render(mixed_report))


def test_a_terminal_that_understands_nothing_gets_plain_text(mixed_report, monkeypatch):
    monkeypatch.setenv("TERM", "dumb")

    assert "\x1b" not in render(mixed_report)


def test_criteria_are_broken_between_criteria_and_stay_in_their_column(report, case, criterion, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    names = ("replay", "grounding", "tool_trajectory_avg_score")
    shown = ESCAPES.sub("", render(report(case("lag", criteria=tuple(map(criterion, names))))))

    assert shown.splitlines()[1:4] == [
        "  + passed        lag     0.00 s  replay 1.00,",
        "                                  grounding 1.00,",
        "                                  tool_trajectory_avg_score 1.00",
    ]


def test_markup_and_escapes_of_others_do_nothing(report, case):
    shown = render(report(case("[red]x[/red] :smile:", "failed", "\x1b[2J[bold]")))

    assert "[red]x[/red] :smile:" in shown
    assert "\\x1b[2J[bold]" in shown


def test_colour_without_a_terminal_leaves_lines_whole(mixed_report, monkeypatch):
    monkeypatch.delenv("COLUMNS")
    monkeypatch.setattr("sys.__stdout__", None)

    assert ESCAPES.sub("", render(mixed_report)) == render_plainly(mixed_report)
