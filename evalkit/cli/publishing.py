"""What `evalkit run` leaves for a CI service beside its report: a JUnit file; on GitHub annotations and a summary."""

import os
from collections.abc import Sequence
from pathlib import Path

import click

from evalkit.check import CheckReport
from evalkit.errors import InputError, Problem
from evalkit.findings import render as render_findings
from evalkit.report import github, junit, render
from evalkit.report.escape import printable
from evalkit.report.model import Report
from evalkit.storage import explained, write_atomically
from evalkit.workflow_commands import ANNOTATIONS_SHOWN, disarmed

UNFINISHED = "the run did not come to its end"
"""What the JUnit file says until it does."""

PROBLEMS_SHOWN = 50
"""Problems of files that are published; the log has all."""

_START = 4096
"""Bytes at the start of a file that tell whether it is a JUnit report."""


class Publisher:
    """Publishes a run, or why there was none.

    Args:
        junit_file: Where the JUnit report goes, if one is wanted.
        on_github: Whether to write for GitHub Actions.
    """

    def __init__(self, junit_file: Path | None, *, on_github: bool) -> None:
        self._junit_file = junit_file
        self._may_write = False
        self.on_github = on_github

    def begin(self) -> None:
        """Say in the JUnit file that the run has not ended: what an earlier run left there must not pass for this one.

        Raises:
            InputError: The file cannot be written, or holds something else than a JUnit report.
        """
        path = self._junit_file
        if path is None:
            return
        with explained(path, "cannot write a JUnit report here"):
            if path.is_dir():
                raise InputError(f"{path}: is a folder; name a file for the JUnit report")
            if path.exists() and not _is_junit(path):
                raise InputError(f"{path}: is there and is no JUnit report; name another file")
            path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, junit.render_refusal([UNFINISHED]))
        self._may_write = True

    def report(self, report: Report) -> bool:
        """Publish a run; return whether the JUnit file that was asked for could be written."""
        written = self._write_junit(render("junit", report))
        if self.on_github:
            for line in github.annotations(report, os.environ.get("GITHUB_WORKSPACE")):
                click.echo(line, err=True)
            _add_to_summary(github.summary(report, _room_in_summary()))
        return written

    def refusal(self, reason: str, problems: Sequence[Problem]) -> None:
        """Publish why nothing was played, in texts without secrets."""
        lines = [reason, *(str(problem) for problem in problems[:PROBLEMS_SHOWN])]
        if len(problems) > PROBLEMS_SHOWN:
            lines.append(f"and {len(problems) - PROBLEMS_SHOWN} more")
        self._write_junit(junit.render_refusal(lines))
        if self.on_github:
            errors = [problem for problem in problems if problem.severity == "error"][: ANNOTATIONS_SHOWN - 1]
            click.echo(render_findings("github", CheckReport(files=(), problems=tuple(errors)), reason), err=True)
            _add_to_summary(github.refusal(lines))

    def shown(self, text: str) -> str:
        """Make text fit for the log."""
        return disarmed(text) if self.on_github else text

    def shown_line(self, text: str) -> str:
        """Make text fit for the log, and printable."""
        return self.shown(printable(text))

    def _write_junit(self, text: str) -> bool:
        if self._junit_file is None or not self._may_write:
            return True
        try:
            write_atomically(self._junit_file, text)
        except InputError as error:  # the report is still to be printed
            click.echo(f"evalkit: {error}", err=True)
            return False
        return True


def _is_junit(path: Path) -> bool:
    with path.open("rb") as stream:
        start = stream.read(_START)
    return not start or b"<testsuite" in start


def _summary_file() -> Path | None:
    name = os.environ.get("GITHUB_STEP_SUMMARY")
    return Path(name) if name else None


def _room_in_summary() -> int:
    """Bytes that other commands of the step have left."""
    path = _summary_file()
    try:
        return github.SUMMARY_LIMIT - (path.stat().st_size if path else 0)
    except OSError:  # there is none yet; or the attempt to write it will say what is wrong
        return github.SUMMARY_LIMIT


def _add_to_summary(text: str) -> None:
    """Add to the summary of the step; that this fails is worth a word, and no reason to fail."""
    path = _summary_file()
    if path is None:
        return
    try:
        with path.open("a", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
    except OSError as error:
        click.echo(f"evalkit: {path}: cannot write the summary of this step: {error.strerror or error}", err=True)
    if not text:
        click.echo("evalkit: the summary of this step is full; see report.md", err=True)
