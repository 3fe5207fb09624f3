"""What a person sees while cases are played: on standard error, so that standard output holds the report alone.

`choose_progress` picks one of three: a bar on a terminal, lines of plain text elsewhere, nothing where a program reads.
All of them tell at once of a case that did not pass, save the silent one.
"""

import sys
import time
from collections.abc import Callable
from typing import Protocol, TextIO

from evalkit.report.counts import NOT_PASSED, Counts
from evalkit.report.escape import first_line, one_line, printable
from evalkit.report.wording import MARKS, aside, case_label
from evalkit.results import CaseResult

EVERY_CASES = 100
"""Cases between two plain lines of progress."""

EVERY_SECONDS = 10.0
"""Seconds after which a plain line of progress is due earlier."""


class Progress(Protocol):
    """Watches a run; `stop` may be called at any time and more than once."""

    def start(self, total: int) -> None:
        """Begin: so many cases will be played."""

    def case_done(self, result: CaseResult) -> None:
        """One more case has its verdict."""

    def message(self, text: str) -> None:
        """Tell the user something about the run."""

    def stop(self) -> None:
        """End, and leave the terminal as it was."""


def choose_progress(
    stream: TextIO, *, in_place: bool, silent: bool = False, show: Callable[[str], str] = printable
) -> Progress:
    """Pick the display that suits a stream.

    Args:
        stream: Where to write.
        in_place: Whether lines can be redrawn; without that there is no bar.
        silent: Whether to say nothing.
        show: Makes the texts of plain lines fit to be written there.
    """
    if silent:
        return SilentProgress()
    return TerminalProgress(stream) if in_place else PlainProgress(stream, show=show)


class SilentProgress:
    """Says nothing: for output that a program reads."""

    def start(self, total: int) -> None:
        """Say nothing."""

    def case_done(self, result: CaseResult) -> None:
        """Say nothing."""

    def message(self, text: str) -> None:
        """Say nothing."""

    def stop(self) -> None:
        """Say nothing."""


class PlainProgress:
    """Whole lines, few of them: every `EVERY_CASES` cases or `EVERY_SECONDS` seconds, and each case that did not pass.

    Args:
        stream: Where to write.
        show: Makes texts fit to be written there.
        clock: Seconds that only grow.
    """

    def __init__(
        self,
        stream: TextIO,
        *,
        show: Callable[[str], str] = printable,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._stream = stream
        self._show = show
        self._clock = clock
        self._total = 0
        self._counts = Counts()
        self._told_cases = 0
        self._told_at = clock()

    def start(self, total: int) -> None:
        """Begin to count cases and time."""
        self._total = total
        self._counts = Counts()
        self._told_cases, self._told_at = 0, self._clock()

    def case_done(self, result: CaseResult) -> None:
        """Count a case; write about it if it did not pass, and about all of them if that is due."""
        self._counts = self._counts.plus(result.verdict)
        if result.verdict in NOT_PASSED:
            self.message(case_line(result))
        if self._is_due() and self._counts.total < self._total:
            self.message(progress_line(self._counts, self._total))
            self._told_cases, self._told_at = self._counts.total, self._clock()

    def message(self, text: str) -> None:
        """Write a line."""
        self._stream.write(self._show(text) + "\n")
        self._stream.flush()

    def stop(self) -> None:
        """Nothing to undo; the report has the final counts."""

    def _is_due(self) -> bool:
        return self._counts.total - self._told_cases >= EVERY_CASES or self._clock() - self._told_at >= EVERY_SECONDS


class TerminalProgress:
    """A bar with counts and time that is redrawn in place and gone when the run ends; messages scroll by above it."""

    def __init__(self, stream: TextIO) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress as Display, TextColumn, TimeElapsedColumn

        self._display = Display(
            TimeElapsedColumn(),
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=None),  # takes what the words leave
            expand=True,
            console=Console(file=stream, markup=False, emoji=False, highlight=False),
            transient=True,
            # Standard output is the report's; what agents print goes above the bar only if both are the same screen.
            redirect_stdout=sys.stdout.isatty(),
        )
        self._task = self._display.add_task("", total=None)
        self._counts = Counts()
        self._total = 0

    def start(self, total: int) -> None:
        """Show the bar, empty."""
        self._total = total
        self._counts = Counts()
        self._display.reset(self._task, total=total, description=progress_line(self._counts, total))
        self._display.start()

    def case_done(self, result: CaseResult) -> None:
        """Move the bar; tell above it of a case that did not pass."""
        self._counts = self._counts.plus(result.verdict)
        if result.verdict in NOT_PASSED:
            self.message(case_line(result))
        self._display.update(self._task, advance=1, description=progress_line(self._counts, self._total))

    def message(self, text: str) -> None:
        """Write a line above the bar, or where the cursor is if there is none."""
        self._display.console.print(printable(text), soft_wrap=True)

    def stop(self) -> None:
        """Take the bar away."""
        self._display.stop()


def progress_line(counts: Counts, total: int) -> str:
    """How far the run is: `40/200: 38 passed, 1 failed, 1 error, 0 inconclusive, 0 skipped`."""
    return f"{counts.total}/{total}: {counts}"


def case_line(result: CaseResult) -> str:
    """A case that did not pass, with its first reason."""
    known = f" ({aside(result)})" if result.aside is not None else ""
    place = one_line(f"{result.file}:{case_label(result)}")
    reason = f": {first_line(result.reasons[0])}" if result.reasons else ""
    return f"{MARKS[result.verdict]} {result.verdict}{known}  {place}{reason}"
