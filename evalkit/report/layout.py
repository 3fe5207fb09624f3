"""The report as lines of styled text: what `text` prints plainly and `terminal` in colour."""

from collections.abc import Iterable, Iterator

from evalkit.report.comparison.layout import sections
from evalkit.report.counts import NOT_PASSED
from evalkit.report.escape import BLOCK_LIMIT, cells, first_line, one_line, pad, printable
from evalkit.report.lines import Line, Span
from evalkit.report.model import FileReport, Note, Report
from evalkit.report.models import ModelMatrix
from evalkit.report.repeated import (
    columns_of_k,
    criteria_over_runs,
    differs,
    repeats_phrase,
    standings,
    suite_phrase,
    verdicts_by_run,
)
from evalkit.report.wording import (
    MARKS,
    although,
    case_label,
    criteria_to_explain,
    duration,
    explanation,
    not_gating,
    routes_counted,
    score_phrase,
    share,
)
from evalkit.results import CaseResult

RECAP_ABOVE = 20
"""From more cases than this on, those that did not pass are named again at the end: the table has scrolled away."""

_ID_COLUMN = 48
_CASES_NAMED = 3


def layout(report: Report, width: int | None = None) -> Iterator[Line]:
    """Lay out a report; lines of criteria are broken between criteria to fit `width` columns, if one is given."""
    for group in report.files:
        yield from _file(group, width)
        yield ()
    for section in (
        _routing(report),
        _uncalled(report),
        _slowest(report),
        _notes(report.notes),
        _known_failing(report),
        _recap(report),
        _models(report.models),
        _repeats(report),
        sections(report.comparison) if report.comparison else (),
    ):
        lines = list(section)
        if lines:
            yield from lines
            yield ()
    yield ((report.closing, _closing_style(report)),)


def _file(group: FileReport, width: int | None) -> Iterator[Line]:
    config = f"  (criteria: {one_line(group.config)})" if group.config else ""
    model = f"  with {one_line(group.model)}" if group.model else ""
    yield ((one_line(group.file) + model, "strong"), (config, "faint"))
    labels = [one_line(case_label(result)) for result in group.results]
    column = max((cells(label) for label in labels if cells(label) <= _ID_COLUMN), default=0)
    for result, label in zip(group.results, labels, strict=True):
        yield from _case(result, pad(label, column), width)
    for metric, number in group.not_applicable.items():
        of = f"{number} of {len(group.results)} cases"
        yield ((f"  {one_line(metric)} is not applicable to {of}", "faint"),)


def _case(result: CaseResult, label: str, width: int | None) -> Iterator[Line]:
    head = (
        (f"  {MARKS[result.verdict]} {result.verdict:<12}", result.verdict),
        (f"  {label}  ", ""),
        (f"{result.seconds:>7.2f} s", "faint"),
    )
    indent = sum(cells(text) for text, _ in head) + 2
    first, *rest = _packed(list(_remarks(result)), None if width is None else width - indent)
    yield (*head, (f"  {first}" if first else "", ""))
    for line in rest:
        yield ((" " * indent + line, ""),)
    if differs(result):
        yield ((f"      runs: {verdicts_by_run(result)}", "faint"),)
    if result.verdict in NOT_PASSED or (result.repeats and result.reasons):
        yield from _reasons(result)


def _remarks(result: CaseResult) -> Iterator[str]:
    """What stands beside a case: why it does not count, then each criterion with its score."""
    if result.aside is not None:
        yield first_line(result.aside)
    if result.repeats:
        yield repeats_phrase(result)
        yield from (f"{one_line(name)} {phrase}" for name, phrase in criteria_over_runs(result))
        return
    if result.verdict == "skipped":
        yield from (first_line(reason) for reason in result.reasons[:1])
    for item in result.criteria:
        yield f"{one_line(item.criterion.name)} {score_phrase(item)}"


def _packed(pieces: list[str], width: int | None) -> list[str]:
    """Join pieces with commas into as few lines as fit; a piece is never broken."""
    lines = [""]
    for index, piece in enumerate(pieces):
        piece_and_comma = piece + ("," if index < len(pieces) - 1 else "")
        joined = f"{lines[-1]} {piece_and_comma}" if lines[-1] else piece_and_comma
        if width is None or not lines[-1] or cells(joined) <= width:
            lines[-1] = joined
        else:
            lines.append(piece_and_comma)
    return lines


def _reasons(result: CaseResult) -> Iterator[Line]:
    """Why a case did not pass, beneath it: its reasons, then what its criteria have to add."""
    yield from _block("\n".join(result.reasons), indent=6)
    for item in criteria_to_explain(result):
        yield ((f"      {one_line(item.criterion.name)} {score_phrase(item)}:", ""),)
        yield from _block(explanation(item.score), indent=8)


def _block(text: str, indent: int) -> Iterator[Line]:
    for line in printable(text).splitlines():
        yield ((f"{' ' * indent}{line}".rstrip(), ""),)


def _routing(report: Report) -> Iterator[Line]:
    """The confusion matrix; columns are numbered as the rows are, so that long names do not widen it."""
    figures = report.routing
    if figures is None or not figures.routes:
        return
    agents = figures.agents
    digits = len(str(len(agents)))
    labels = [f"{number:>{digits}} {one_line(agent)}" for number, agent in enumerate(agents, start=1)]
    first = max(map(cells, labels))
    width = max(digits, *(len(str(count)) for count in figures.pairs.values())) + 2
    yield ((f"Routing: {routes_counted(figures)}", "strong"), ("  (rows: expected, columns: actual)", "faint"))
    numbers = "".join(f"{number:>{width}}" for number in range(1, len(agents) + 1))
    yield ((f"  {' ' * first}{numbers}  precision  recall", "faint"),)
    for expected, label in zip(agents, labels, strict=True):
        counts = [_routing_cell(figures.pairs.get((expected, actual), 0), expected == actual) for actual in agents]
        shares = f"{share(figures.precision(expected)):>11}{share(figures.recall(expected)):>8}"
        yield ((f"  {pad(label, first)}", ""), *((f"{text:>{width}}", style) for text, style in counts), (shares, ""))


def _routing_cell(count: int, right: bool) -> Span:
    return (str(count), "passed" if right else "failed") if count else (".", "faint")


def _repeats(report: Report) -> Iterator[Line]:
    """All runs together: how many passed, what the cases are, and how likely one or all of k runs pass."""
    suite = report.suite
    if suite is None or not report.repeated:
        return
    yield ((f"Repeats: {suite_phrase(suite)}", "strong"),)
    yield ((f"  cases: {standings(report.results)}", ""),)
    columns = columns_of_k(suite)
    yield ((f"  {'k':8}{''.join(f'{k:>6}' for k in columns)}", "faint"),)
    for name, shares in (("pass@k", suite.pass_at_k), ("pass^k", suite.pass_hat_k)):
        yield ((f"  {name:8}{''.join(f'{shares[k - 1]:6.2f}' for k in columns)}", ""),)


def _uncalled(report: Report) -> Iterator[Line]:
    if report.uncalled_tools:
        yield (("Tools that no case called", "strong"),)
    for agent, tools in report.uncalled_tools.items():
        yield ((f"  {one_line(agent)}: {', '.join(map(one_line, tools))}", ""),)


def _slowest(report: Report) -> Iterator[Line]:
    if report.slowest:
        yield (("Slowest", "strong"),)
    for result in report.slowest:
        yield ((f"  {duration(result.seconds):>12}  {_selector(result)}", ""),)


def _notes(notes: Iterable[Note]) -> Iterator[Line]:
    for note in notes:
        named = ", ".join(map(one_line, note.cases[:_CASES_NAMED]))
        more = f" and {len(note.cases) - _CASES_NAMED} more" if len(note.cases) > _CASES_NAMED else ""
        yield ((f"note: {one_line(note.text, BLOCK_LIMIT)}" + (f" ({named}{more})" if named else ""), ""),)


def _known_failing(report: Report) -> Iterator[Line]:
    if report.known_failing.total:
        yield ((f"{not_gating(report.results)}: {report.known_failing}", "strong"),)
    for result in report.news:
        yield ((f"  {_selector(result)} passed although it is {although(result)}", "passed"),)


def _recap(report: Report) -> Iterator[Line]:
    not_passed = [result for result in report.results if result.verdict in NOT_PASSED]
    if not_passed and len(report.results) > RECAP_ABOVE:
        yield (("Not passed", "strong"),)
        for result in not_passed:
            reason = first_line(result.reasons[0]) if result.reasons else ""
            yield (
                (f"  {MARKS[result.verdict]} {result.verdict:<12}", result.verdict),
                (f"  {_selector(result)}  {reason}".rstrip(), ""),
            )


def _models(matrix: ModelMatrix | None) -> Iterator[Line]:
    """The models with their counts, then the cases on which they disagree, a numbered column per model."""
    if matrix is None:
        return
    names = [one_line(column.model) for column in matrix.columns]
    width = max(map(cells, names))
    yield (("Models", "strong"),)
    for number, (name, column) in enumerate(zip(names, matrix.columns, strict=True), start=1):
        known = f", {column.known_failing.total} known failing" if column.known_failing.total else ""
        yield ((f"  {number} {pad(name, width)}  {column.counts}{known}", ""),)
    differing = [row for row in matrix.rows if row.differs]
    if not differing:
        yield (("  every case has the same verdict with all of them", "faint"),)
        return
    numbers = "".join(f"{number:<14}" for number in range(1, len(names) + 1))
    yield ((f"  {numbers}cases with different verdicts", "faint"),)
    for row in differing:
        marks = [(f"{MARKS[verdict]} {verdict}" if verdict else "", verdict or "") for verdict in row.verdicts]
        yield (
            ("  ", ""),
            *((f"{text:<14}", style) for text, style in marks),
            (one_line(f"{row.file}:{row.label}"), ""),
        )


def _selector(result: CaseResult) -> str:
    """A case with its file, as `evalkit run` takes it."""
    return one_line(f"{result.file}:{case_label(result)}")


def _closing_style(report: Report) -> str:
    return {0: "passed", 1: "failed"}.get(report.exit_code, "inconclusive")
