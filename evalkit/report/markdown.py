"""The report for people who read it on GitHub or in an editor: the content of `report.md`.

Whatever comes from files, agents and tools stands in code spans and code blocks, where Markdown means nothing and
nobody is mentioned.
"""

from collections.abc import Iterator
from datetime import UTC

from evalkit.report.counts import NOT_PASSED
from evalkit.report.escape import code_span, fenced, first_line, table_row
from evalkit.report.model import FileReport, Report
from evalkit.report.routing import NOBODY
from evalkit.report.wording import (
    case_label,
    criteria_to_explain,
    duration,
    explanation,
    routes_counted,
    score_phrase,
    share,
)
from evalkit.results import CaseResult


def render(report: Report) -> str:
    """Render as GitHub's Markdown that ends with a newline."""
    sections = (_head, _files, _not_passed, _routing, _uncalled, _slowest, _notes)
    return "\n\n".join(paragraph for section in sections for paragraph in section(report)) + "\n"


def _head(report: Report) -> Iterator[str]:
    info = report.info
    adk = f", google-adk {info.adk}" if info.adk else ""
    lines = [
        f"- Result: {report.closing}",
        f"- Mode: {code_span(info.mode)}",
        f"- Versions: evalkit {info.evalkit}{adk}, Python {info.python}",
    ]
    lines.extend(
        f"- Agent {code_span(agent)}: {', '.join(map(code_span, dict.fromkeys(models.values())))}"
        for agent, models in info.agents.items()
    )
    if report.known_failing.total:
        lines.append(f"- Known failing, not gating: {report.known_failing}")
    lines.extend(
        f"- {code_span(case_label(result))} in {code_span(result.file)} passed although it is known to fail"
        for result in report.news
    )
    yield f"# Evaluation of {info.started.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"
    yield "\n".join(lines)


def _files(report: Report) -> Iterator[str]:
    for group in report.files:
        yield f"## {code_span(group.file)}"
        config = f"Criteria: {code_span(group.config)}. " if group.config else ""
        known = f" Known failing, not gating: {group.known_failing}." if group.known_failing.total else ""
        yield f"{config}{group.counts}.{known}"
        yield _table(group)
        not_applicable = [
            f"- {code_span(metric)} is not applicable to {number} of {len(group.results)} cases"
            for metric, number in group.not_applicable.items()
        ]
        if not_applicable:
            yield "\n".join(not_applicable)


def _table(group: FileReport) -> str:
    rows = [table_row("Verdict", "Case", "Seconds", "Criteria"), "| --- | --- | ---: | --- |"]
    for result in group.results:
        seconds = f"{result.seconds:.2f}"
        remarks = "; ".join(_remarks(result))
        rows.append(table_row(result.verdict, code_span(case_label(result)), seconds, remarks))
    return "\n".join(rows)


def _remarks(result: CaseResult) -> Iterator[str]:
    if result.known_failing is not None:
        yield f"known failing: {code_span(first_line(result.known_failing))}"
    if result.verdict == "skipped" and result.reasons:
        yield code_span(first_line(result.reasons[0]))
    for item in result.criteria:
        yield f"{code_span(item.criterion.name)} {score_phrase(item)}"


def _not_passed(report: Report) -> Iterator[str]:
    results = [result for result in report.results if result.verdict in NOT_PASSED]
    if results:
        yield "## Not passed"
    for result in results:
        yield f"### {result.verdict}: {code_span(case_label(result))}"
        yield f"In {code_span(result.file)}" + (", known failing." if result.known_failing is not None else ".")
        if result.reasons:
            yield fenced("\n".join(result.reasons))
        for item in criteria_to_explain(result):
            yield f"{code_span(item.criterion.name)} {score_phrase(item)}:"
            yield fenced(explanation(item.score))


def _routing(report: Report) -> Iterator[str]:
    figures = report.routing
    if figures is None or not figures.routes:
        return
    agents = figures.agents
    names = [agent if agent == NOBODY else code_span(agent) for agent in agents]
    yield "## Routing"
    yield f"{routes_counted(figures)}. A row is what was expected, a column what came."
    rows = [table_row("Expected", *names, "Precision", "Recall"), f"| --- |{' ---: |' * (len(agents) + 2)}"]
    for expected, name in zip(agents, names, strict=True):
        counts = [_routing_cell(figures.pairs.get((expected, actual), 0), expected == actual) for actual in agents]
        rows.append(table_row(name, *counts, share(figures.precision(expected)), share(figures.recall(expected))))
    yield "\n".join(rows)


def _routing_cell(count: int, right: bool) -> str:
    return str(count) if count and right else f"**{count}**" if count else ""


def _uncalled(report: Report) -> Iterator[str]:
    if report.uncalled_tools:
        yield "## Tools that no case called"
        yield "\n".join(
            f"- {code_span(agent)}: {', '.join(map(code_span, tools))}"
            for agent, tools in report.uncalled_tools.items()
        )


def _slowest(report: Report) -> Iterator[str]:
    if report.slowest:
        yield "## Slowest"
        yield "\n".join(
            f"- {duration(result.seconds)}: {code_span(case_label(result))} in {code_span(result.file)}"
            for result in report.slowest
        )


def _notes(report: Report) -> Iterator[str]:
    if report.notes:
        yield "## Notes"
    for note in report.notes:
        if note.cases:
            yield f"For {', '.join(map(code_span, note.cases))}:"
        yield fenced(note.text)
