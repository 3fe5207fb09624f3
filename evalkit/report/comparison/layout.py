"""A comparison as lines of styled text."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from evalkit.compare.model import CaseChange, Comparison, Difference, FigureChange
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
from evalkit.report.escape import cells, one_line, pad
from evalkit.report.lines import Line

CASES_SHOWN = 20
"""Cases of one kind that are listed."""

_STYLES: Mapping[str, str] = {
    "regression": "failed",
    "undecided": "inconclusive",
    "improvement": "passed",
    "unclear": "faint",
    "edited": "faint",
}


def layout(comparison: Comparison) -> Iterator[Line]:
    """Lay out a comparison: the runs side by side, then what changed from one to another, the summary last."""
    yield from sections(comparison)
    yield ()
    yield ((comparison.summary, _style(comparison)),)


def sections(comparison: Comparison) -> Iterator[Line]:
    """Lay out all but the summary."""
    for side in comparison.sides:
        yield ((f"{side.label}  {one_line(side.name)}", "strong"),)
    yield ()
    yield from _table(comparison)
    for difference in comparison.differences:
        yield ()
        yield from _difference(difference)


def _table(comparison: Comparison) -> Iterator[Line]:
    rows = [("", [side.label for side in comparison.sides])]
    rows += [(name, [one_line(value) for value in values]) for name, values in figure_rows(comparison)]
    first = max(cells(name) for name, _ in rows)
    widths = [max(cells(row[place]) for _, row in rows) for place in range(len(comparison.sides))]
    for name, values in rows:
        padded = "  ".join(pad(value, width) for value, width in zip(values, widths, strict=True))
        yield ((f"  {pad(name, first)}  {padded}", "" if name else "faint"),)


def _difference(one: Difference) -> Iterator[Line]:
    yield ((f"{one.second} against {one.first}: {verdict_sentence(one)}", "strong"),)
    for finding in FINDINGS:
        cases = [case for case in one.cases if case.finding == finding]
        if cases:
            yield ((f"  {HEADINGS[finding]}", _STYLES[finding]),)
            yield from _cases(cases)
    for heading, same in further(one):
        yield ((f"  {heading}", ""),)
        yield from _cases(same)
    for label, keys in ((one.first, one.only_first), (one.second, one.only_second)):
        if keys:
            yield ((f"  Played in {label} alone: {_named([key_label(key) for key in keys])}", "faint"),)
    yield from _figures("Scores", one.scores, score_finding)
    yield from _figures("A run took", one.efforts, effort_finding)


def _cases(cases: Sequence[CaseChange]) -> Iterator[Line]:
    for case in cases[:CASES_SHOWN]:
        label = one_line(key_label((case.file, case.eval_id)))
        yield ((f"    {label}  {case_phrase(case)}", ""),)
    if len(cases) > CASES_SHOWN:
        yield ((f"    and {len(cases) - CASES_SHOWN} more", "faint"),)


def _figures(heading: str, changes: tuple[FigureChange, ...], phrase: Callable[[FigureChange], str]) -> Iterator[Line]:
    changed = [change for change in changes if change.finding != "unchanged"]
    if not changed:
        return
    yield ((f"  {heading}", ""),)
    for change in changed:
        style = _STYLES.get(change.finding, "") if change.gates else ""
        yield (
            (f"    {one_line(change.name)} {figure_phrase(change)}: ", ""),
            (phrase(change), style),
        )


def _named(labels: list[str]) -> str:
    shown = ", ".join(map(one_line, labels[:CASES_SHOWN]))
    more = len(labels) - CASES_SHOWN
    return f"{shown} and {more} more" if more > 0 else shown


def _style(comparison: Comparison) -> str:
    return {0: "passed", 1: "failed"}.get(comparison.exit_code, "inconclusive")
