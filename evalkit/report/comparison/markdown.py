"""A comparison for people who read it on GitHub or in an editor."""

from collections.abc import Callable, Iterator, Sequence

from evalkit.compare.model import CaseChange, Comparison, Difference, FigureChange
from evalkit.report.comparison.layout import CASES_SHOWN
from evalkit.report.comparison.wording import (
    FINDINGS,
    HEADINGS,
    case_phrase,
    effort_finding,
    figure_phrase,
    figure_rows,
    further,
    key_label,
    score_finding,
    verdict_sentence,
)
from evalkit.report.escape import code_span, table_row


def render(comparison: Comparison) -> str:
    """Render as GitHub's Markdown that ends with a newline."""
    return "\n\n".join(["# Comparison", *paragraphs(comparison)]) + "\n"


def paragraphs(comparison: Comparison, level: int = 2) -> Iterator[str]:
    """Yield everything below the heading, the summary first; `level` is that of the highest heading among it."""
    yield f"**{comparison.summary}**"
    yield "\n".join(f"- {side.label}: {code_span(side.name)}" for side in comparison.sides)
    yield _table(comparison)
    for one in comparison.differences:
        for paragraph in _difference(one):
            yield f"{'#' * (level - 2)}{paragraph}" if paragraph.startswith("#") else paragraph


def _table(comparison: Comparison) -> str:
    rows = [
        table_row("", *(side.label for side in comparison.sides)),
        f"| --- |{' --- |' * len(comparison.sides)}",
    ]
    for name, values in figure_rows(comparison):
        rows.append(table_row(name, *(map(code_span, values) if name == "model" else values)))
    return "\n".join(rows)


def _difference(one: Difference) -> Iterator[str]:
    yield f"## {one.second} against {one.first}"
    yield f"{verdict_sentence(one).capitalize()}."
    for finding in FINDINGS:
        cases = [case for case in one.cases if case.finding == finding]
        if cases:
            yield f"### {HEADINGS[finding]}"
            yield _cases(cases)
    for heading, same in further(one):
        yield f"### {heading}"
        yield _cases(same)
    for label, keys in ((one.first, one.only_first), (one.second, one.only_second)):
        if keys:
            yield f"Played in {label} alone: {_named([key_label(key) for key in keys])}"
    yield from _figures("Scores", one.scores, score_finding)
    yield from _figures("What a run took", one.efforts, effort_finding)


def _cases(cases: Sequence[CaseChange]) -> str:
    lines = [f"- {code_span(key_label((case.file, case.eval_id)))}: {case_phrase(case, code_span)}" for case in cases]
    return "\n".join(
        [*lines[:CASES_SHOWN], *([f"- and {len(lines) - CASES_SHOWN} more"] if lines[CASES_SHOWN:] else [])]
    )


def _figures(heading: str, changes: Sequence[FigureChange], phrase: Callable[[FigureChange], str]) -> Iterator[str]:
    changed = [change for change in changes if change.finding != "unchanged"]
    if changed:
        yield f"### {heading}"
        yield "\n".join(f"- {code_span(change.name)} {figure_phrase(change)}: {phrase(change)}" for change in changed)


def _named(labels: Sequence[str]) -> str:
    shown = ", ".join(map(code_span, labels[:CASES_SHOWN]))
    more = len(labels) - CASES_SHOWN
    return f"{shown} and {more} more" if more > 0 else shown
