"""The report for GitHub Actions: annotations beside the cases in a pull request, and the summary of the step.

GitHub shows few annotations of a step, and takes a summary of at most 1 MiB. So the worst cases come first, and both
say how many they leave out.
"""

from collections.abc import Iterable, Iterator
from dataclasses import asdict

from evalkit.report.counts import NOT_PASSED, Counts
from evalkit.report.escape import code_span, fenced, one_line, printable, table_row
from evalkit.report.markdown import case_section, head
from evalkit.report.model import Report
from evalkit.report.wording import account, case_label, remedy
from evalkit.results import CaseResult
from evalkit.workflow_commands import ANNOTATIONS_SHOWN, Kind, command, in_repository

SUMMARY_LIMIT = 1024 * 1024
"""Bytes of all that a step adds to its summary; GitHub refuses a longer one as a whole."""

FILES_SHOWN = 200
"""Rows of the table of files."""

_WORST_FIRST = ("failed", "error", "inconclusive")
_RESERVE = 200
"""Bytes kept for saying what was left out."""


def annotations(report: Report, workspace: str | None) -> Iterator[str]:
    """Yield a workflow command for each gating case that did not pass, as many as GitHub shows, and for what is news.

    Where the exit code is 0 all the same, by the gate of the suite, they are warnings; where it is not and no case is
    to blame, the run itself is annotated.

    Args:
        report: The run.
        workspace: Where the repository was checked out.
    """
    gating = [result for result in _not_passed(report) if result.aside is None]
    for result in gating[:ANNOTATIONS_SHOWN]:
        yield _annotation("error" if report.exit_code else "warning", result, account(result), workspace)
    if report.exit_code and not gating:
        yield command("error", printable(report.exit_meaning), title="evalkit")
    if len(gating) > ANNOTATIONS_SHOWN:
        more = len(gating) - ANNOTATIONS_SHOWN
        yield command("notice", f"{more} more did not pass; the summary of this step has them too", title="evalkit")
    for result in report.news[:ANNOTATIONS_SHOWN]:
        text = f"{result.aside}; but it passes now: {remedy(result)}"
        yield _annotation("warning", result, text, workspace)


def summary(report: Report, limit: int = SUMMARY_LIMIT) -> str:
    """Render the summary of a step in at most so many bytes, as GitHub's Markdown; empty if not even its start fits."""
    parts = ["\n\n".join([*head(report), _files(report)])]
    results = _not_passed(report)
    room = limit - _RESERVE - len(parts[0].encode())
    for index, result in enumerate(results):
        section = "\n\n".join(case_section(result))
        room -= len(section.encode()) + 2
        if room < 0:
            parts.append(f"{len(results) - index} more did not pass; the run's `report.md` has them too.")
            break
        parts.append(section)
    text = "\n\n".join(parts) + "\n\n"
    return text if len(text.encode()) <= limit else ""


def refusal(lines: Iterable[str]) -> str:
    """Render the summary of a step that came to evaluate nothing: the lines say why."""
    told = fenced("\n".join(lines), limit=SUMMARY_LIMIT // 8)  # a character may take four bytes and more when shown
    return f"# Nothing was evaluated\n\n{told}\n\n"


def _not_passed(report: Report) -> list[CaseResult]:
    """List the cases that did not pass: those that gate first, of these the worst."""
    results = [result for result in report.results if result.verdict in NOT_PASSED]
    return sorted(results, key=lambda result: (result.aside is not None, _WORST_FIRST.index(result.verdict)))


def _annotation(kind: Kind, result: CaseResult, text: str, workspace: str | None) -> str:
    return command(
        kind,
        printable(text),
        file=one_line(in_repository(result.file, workspace)),
        line=result.line,
        title=f"{result.verdict}: {one_line(case_label(result))}",
    )


def _files(report: Report) -> str:
    """A table of the files with all counts; cases that do not gate are counted apart."""
    verdicts = [*asdict(Counts())]
    rows = [table_row("File", *verdicts, "not gating"), "| --- |" + " ---: |" * (len(verdicts) + 1)]
    for group in report.files[:FILES_SHOWN]:
        counts = (*asdict(group.counts).values(), group.known_failing.total)
        name = code_span(group.file) + (f" with {code_span(group.model)}" if group.model else "")
        rows.append(table_row(name, *(str(count) if count else "" for count in counts)))
    if len(report.files) > FILES_SHOWN:
        rows.append(f"\nand {len(report.files) - FILES_SHOWN} more files")
    return "\n".join(rows)
