"""What a person sees while cases are played."""

import io
import re

import pytest

from evalkit.report.progress import (
    EVERY_CASES,
    EVERY_SECONDS,
    PlainProgress,
    SilentProgress,
    TerminalProgress,
    choose_progress,
)


class Terminal(io.StringIO):
    def isatty(self):
        return True

    def shown(self):
        """What was written, without escape sequences, a redrawn line as a line of its own."""
        text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", self.getvalue())
        return [line.rstrip() for line in re.split(r"[\r\n]+", text) if line.strip()]


class Clock:
    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def terminal(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    return Terminal()


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def stream():
    return io.StringIO()


@pytest.fixture
def plain(stream, clock):
    return PlainProgress(stream, clock=clock)


def test_the_display_suits_the_stream(terminal, stream):
    assert isinstance(choose_progress(terminal, in_place=True), TerminalProgress)
    assert isinstance(choose_progress(stream, in_place=False), PlainProgress)
    assert isinstance(choose_progress(terminal, in_place=True, silent=True), SilentProgress)


def test_a_small_green_run_says_nothing_on_the_way(plain, stream, case):
    plain.start(3)
    for name in "abc":
        plain.case_done(case(name))
    plain.stop()

    assert stream.getvalue() == ""


def test_a_case_that_did_not_pass_is_told_at_once(plain, stream, case):
    plain.start(4)
    plain.case_done(case("a", "failed", "first\nsecond"))
    plain.case_done(case("b", "error", run=1))
    plain.case_done(case("c", "skipped", "later"))
    plain.case_done(case("d", "inconclusive", "no judge", known_failing="bug"))

    assert stream.getvalue().splitlines() == [
        "x failed  evalsets/kafka/topics.evalset.json:a: first",
        "! error  evalsets/kafka/topics.evalset.json:b#2",
        "? inconclusive (known failing)  evalsets/kafka/topics.evalset.json:d: no judge",
    ]


def test_a_long_run_tells_every_so_many_cases(plain, stream, case):
    plain.start(2 * EVERY_CASES)
    for number in range(2 * EVERY_CASES):
        plain.case_done(case(str(number)))

    assert stream.getvalue() == f"{EVERY_CASES}/200: 100 passed, 0 failed, 0 errors, 0 inconclusive, 0 skipped\n"


def test_a_slow_run_tells_every_so_many_seconds(plain, stream, clock, case):
    plain.start(4)
    for number in range(4):
        clock.now += EVERY_SECONDS / 2
        plain.case_done(case(str(number)))

    assert stream.getvalue() == "2/4: 2 passed, 0 failed, 0 errors, 0 inconclusive, 0 skipped\n"


def test_messages_are_lines_that_steer_no_terminal(plain, stream):
    plain.message("stopping \x1b[2J")

    assert stream.getvalue() == "stopping \\x1b[2J\n"


def test_plain_lines_are_written_as_their_place_wants_them(stream, case):
    plain = choose_progress(stream, in_place=False, show=str.upper)
    plain.start(1)
    plain.case_done(case("a", "failed", "why"))

    assert stream.getvalue() == "X FAILED  EVALSETS/KAFKA/TOPICS.EVALSET.JSON:A: WHY\n"


def test_the_bar_counts_and_is_gone_at_the_end(terminal, case):
    progress = choose_progress(terminal, in_place=True)
    progress.start(2)
    progress.case_done(case("a"))
    progress.case_done(case("b"))
    progress.stop()
    progress.stop()

    assert " 2/2: 2 passed, 0 failed, 0 errors, 0 inconclusive, 0 skipped " in terminal.shown()[-1]
    assert "\x1b[?25h" in terminal.getvalue()  # the cursor is back
    assert terminal.getvalue().endswith("\x1b[2K")  # the line is empty


def test_what_did_not_pass_stays_above_the_bar_without_markup(terminal, case):
    progress = choose_progress(terminal, in_place=True)
    progress.start(2)
    progress.case_done(case("[red]a", "failed", "b\x1b[2J :smile:"))
    progress.message("stopping")
    progress.stop()

    assert "x failed  evalsets/kafka/topics.evalset.json:[red]a: b\\x1b[2J :smile:" in terminal.shown()
    assert "stopping" in terminal.shown()


def test_a_message_needs_no_bar_and_stopping_needs_no_start(terminal):
    progress = choose_progress(terminal, in_place=True)
    progress.message("reading")
    progress.stop()

    assert terminal.shown() == ["reading"]


def test_the_silent_display_says_nothing(capsys, case):
    progress = choose_progress(Terminal(), in_place=True, silent=True)
    progress.start(1)
    progress.case_done(case("a", "failed", "reason"))
    progress.message("text")
    progress.stop()

    assert capsys.readouterr() == ("", "")
