"""The report for people who read it on GitHub or in an editor: the content of `report.md`.

Whatever comes from files, agents and tools stands in code spans and code blocks, where Markdown means nothing and
nobody is mentioned.
"""

from collections.abc import Iterator, Mapping
from datetime import UTC

from evalkit.report.comparison.markdown import paragraphs
from evalkit.report.counts import NOT_PASSED
from evalkit.report.escape import code_span, fenced, first_line, table_row
from evalkit.report.model import FileReport, Report
from evalkit.report.repeated import (
    columns_of_k,
    criteria_over_runs,
    differs,
    repeats_phrase,
    standings,
    suite_phrase,
    verdicts_by_run,
)
from evalkit.report.routing import NOBODY
from evalkit.report.wording import (
    although,
    aside,
    case_label,
    criteria_to_explain,
    duration,
    explanation,
    not_gating,
    routes_counted,
    score_phrase,
    share,
)
from evalkit.results import CaseResult, Verdict


def render(report: Report) -> str:
    """Render as GitHub's Markdown that ends with a newline."""
    sections = (head, _models, _repeats, _comparison, _files, _not_passed, _routing, _uncalled, _slowest, _notes)
    return "\n\n".join(paragraph for section in sections for paragraph in section(report)) + "\n"


def head(report: Report) -> Iterator[str]:
    """Yield the paragraphs that say what was run and what came of it."""
    info = report.info
    adk = f", google-adk {info.adk}" if info.adk else ""
    lines = [
        f"- Result: {report.closing}",
        f"- Mode: {code_span(info.mode)}",
        f"- Versions: evalkit {info.evalkit}{adk}, Python {info.python}",
    ]
    lines.extend(
        f"- Agent {code_span(agent)}: {', '.join(_asked(models, info.origins.get(agent, {})))}"
        for agent, models in info.agents.items()
    )
    if report.known_failing.total:
        lines.append(f"- {not_gating(report.results)}: {report.known_failing}")
    lines.extend(
        f"- {code_span(case_label(result))} in {code_span(result.file)} passed although it is {although(result)}"
        for result in report.news
    )
    yield f"# Evaluation of {info.started.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"
    yield "\n".join(lines)


def _repeats(report: Report) -> Iterator[str]:
    suite = report.suite
    if suite is None or not report.repeated:
        return
    yield "## Repeats"
    yield f"{suite_phrase(suite)}. Cases: {standings(report.results)}."
    columns = columns_of_k(suite)
    rows = [table_row("k", *map(str, columns)), f"| --- |{' ---: |' * len(columns)}"]
    for name, shares in (("pass@k", suite.pass_at_k), ("pass^k", suite.pass_hat_k)):
        rows.append(table_row(name, *(f"{shares[k - 1]:.2f}" for k in columns)))
    yield "\n".join(rows)


def _comparison(report: Report) -> Iterator[str]:
    if report.comparison:
        yield "## Comparison"
        yield from paragraphs(report.comparison, level=3)


def _asked(models: Mapping[str, str], origins: Mapping[str, str]) -> Iterator[str]:
    """Name each model that was asked once, with where it comes from if that is known."""
    for model, origin in dict.fromkeys((model, origins.get(agent)) for agent, model in models.items()):
        yield code_span(model) + (f" ({code_span(origin)})" if origin else "")


def _models(report: Report) -> Iterator[str]:
    matrix = report.models
    if matrix is None:
        return
    names = [code_span(column.model) for column in matrix.columns]
    yield "## Models"
    rows = [table_row("Case", *names), f"| --- |{' --- |' * len(names)}"]
    rows.append(table_row("all", *(str(column.counts) for column in matrix.columns)))
    for row in matrix.rows:
        cells = [_model_cell(verdict, row.differs) for verdict in row.verdicts]
        rows.append(table_row(f"{code_span(row.label)} in {code_span(row.file)}", *cells))
    yield "\n".join(rows)


def _model_cell(verdict: Verdict | None, differs: bool) -> str:
    text = verdict or "not played"
    return f"**{text}**" if differs and verdict != "passed" else text


def _files(report: Report) -> Iterator[str]:
    for group in report.files:
        yield f"## {code_span(group.file)}" + (f" with {code_span(group.model)}" if group.model else "")
        config = f"Criteria: {code_span(group.config)}. " if group.config else ""
        known = f" {not_gating(group.results)}: {group.known_failing}." if group.known_failing.total else ""
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
    if result.aside is not None:
        yield _why_aside(result)
    if result.repeats:
        yield repeats_phrase(result)
        if differs(result):
            yield f"runs: {verdicts_by_run(result)}"
        yield from (f"{code_span(name)} {phrase}" for name, phrase in criteria_over_runs(result))
        return
    if result.verdict == "skipped" and result.reasons:
        yield code_span(first_line(result.reasons[0]))
    for item in result.criteria:
        yield f"{code_span(item.criterion.name)} {score_phrase(item)}"


def _why_aside(result: CaseResult) -> str:
    entry = result.quarantine
    if result.known_failing is not None or entry is None:
        return f"known failing: {code_span(first_line(result.known_failing or ''))}"
    return f"in quarantine until {entry.expires} ({code_span(entry.owner)}): {code_span(first_line(entry.reason))}"


def _not_passed(report: Report) -> Iterator[str]:
    results = [result for result in report.results if result.verdict in NOT_PASSED]
    if results:
        yield "## Not passed"
    for result in results:
        yield from case_section(result)
    tolerated = [result for result in report.results if result.verdict == "passed" and result.reasons]
    if tolerated:
        yield "## Passed, though not in every run"
    for result in tolerated:
        yield from case_section(result)


def case_section(result: CaseResult) -> Iterator[str]:
    """Yield the paragraphs that say why a case, or a run of it, did not pass."""
    yield f"### {result.verdict}: {code_span(case_label(result))}"
    yield f"In {code_span(result.file)}" + (f", {aside(result)}." if result.aside is not None else ".")
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
