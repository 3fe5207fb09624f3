"""What the page shows, as values: the template only lays them out."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC

from evalkit.report.comparison.layout import sections
from evalkit.report.counts import Counts
from evalkit.report.html.case_view import CaseView, case_view
from evalkit.report.html.texts import block, line
from evalkit.report.lines import plain
from evalkit.report.model import FileReport, Report
from evalkit.report.repeated import columns_of_k, standings, suite_phrase
from evalkit.report.routing import RoutingFigures
from evalkit.report.wording import MARKS, case_label, duration, not_gating, routes_counted, share
from evalkit.results import Verdict

_VERDICTS: tuple[Verdict, ...] = ("passed", "failed", "error", "inconclusive", "skipped")
_OPEN_AT_MOST = 20
"""Cases that did not pass whose details are unfolded from the start."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tile:
    """A verdict with how many cases have it."""

    verdict: Verdict
    mark: str
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table: what it is about, its columns, and rows whose first cell is a heading."""

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FileView:
    """One evalset."""

    title: str
    config: str
    counts: str
    apart: str
    not_applicable: tuple[str, ...]
    cases: tuple[CaseView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """The whole page."""

    title: str
    closing: str
    mode_sentence: str
    tiles: tuple[Tile, ...]
    facts: tuple[tuple[str, str], ...]
    files: tuple[FileView, ...]
    models: Table | None
    repeats: Table | None
    routing: Table | None
    comparison: str
    uncalled: tuple[tuple[str, str], ...]
    slowest: tuple[str, ...]
    notes: tuple[tuple[str, str], ...]


def page_of(report: Report) -> Page:
    """Collect what the page shows of a report."""
    return Page(
        title=f"Evaluation of {report.info.started.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC",
        closing=block(report.closing),
        mode_sentence=report.mode_sentence,
        tiles=tuple(Tile(verdict=one, mark=MARKS[one], count=getattr(report.counts, one)) for one in _VERDICTS),
        facts=tuple(_facts(report)),
        files=tuple(_files(report)),
        models=_models(report),
        repeats=_repeats(report),
        routing=_routing(report.routing),
        comparison=plain(sections(report.comparison)) if report.comparison else "",
        uncalled=tuple((line(agent), ", ".join(map(line, tools))) for agent, tools in report.uncalled_tools.items()),
        slowest=tuple(
            f"{duration(one.seconds)}: {line(case_label(one))} in {line(one.file)}" for one in report.slowest
        ),
        notes=tuple((block(note.text), ", ".join(map(line, note.cases))) for note in report.notes),
    )


def _facts(report: Report) -> Iterator[tuple[str, str]]:
    info = report.info
    yield "Mode", line(info.mode)
    yield "Duration", duration(report.seconds)
    yield "Exit code", str(report.exit_code)
    if report.known_failing.total:
        yield not_gating(report.results), str(report.known_failing)
    for agent, models in info.agents.items():
        yield f"Agent {line(agent)}", ", ".join(map(line, dict.fromkeys(models.values())))
    yield "Cost", _cost(report)
    yield (
        "Versions",
        f"evalkit {info.evalkit}" + (f", google-adk {info.adk}" if info.adk else "") + (f", Python {info.python}"),
    )
    if info.options:
        yield "Command", line(" ".join(("evalkit", *info.options)))


def _cost(report: Report) -> str:
    """Say what all cases took: the cost is an estimate, and none where a price or a token is unknown."""
    efforts = [result.effort for result in report.results]
    tokens = sum(effort.tokens for effort in efforts)
    calls = sum(effort.tool_calls for effort in efforts)
    told = [f"{calls:,} tool calls"]
    if not report.model_exercised:
        return ", ".join([*told, "no model was asked"])
    told.append(f"{sum(effort.model_calls for effort in efforts):,} model calls")
    told.append(f"{tokens:,} tokens")
    costs = [effort.usd for effort in efforts if effort.usd is not None]
    played = sum(effort.model_calls > 0 for effort in efforts)
    if costs and len(costs) >= played:
        told.append(f"${sum(costs):.4f}, estimated")
    else:
        told.append("cost unknown: prices are set under [tool.evalkit.prices]")
    return ", ".join(told)


def _files(report: Report) -> Iterator[FileView]:
    """Yield the files; each case has an anchor of its own, and the first that did not pass are unfolded."""
    number = unfolded = 0
    for group in report.files:
        views = []
        for result in group.results:
            number += 1
            view = case_view(report, result, f"case-{number}")
            view_open = view.needs_a_look and unfolded < _OPEN_AT_MOST
            unfolded += view_open
            views.append(view.unfolded() if view_open else view)
        yield _file(group, tuple(views))


def _file(group: FileReport, cases: tuple[CaseView, ...]) -> FileView:
    known = group.known_failing
    return FileView(
        title=line(group.file) + (f" with {line(group.model)}" if group.model else ""),
        config=line(group.config),
        counts=str(group.counts),
        apart=f"{not_gating(group.results)}: {known}" if known.total else "",
        not_applicable=tuple(
            f"{line(metric)} is not applicable to {count} of {len(group.results)} cases"
            for metric, count in group.not_applicable.items()
        ),
        cases=cases,
    )


def _models(report: Report) -> Table | None:
    matrix = report.models
    if matrix is None:
        return None
    total = ("all cases", *(_counted(column.counts, column.known_failing) for column in matrix.columns))
    rows = [
        (f"{line(row.label)} in {line(row.file)}", *(verdict or "not played" for verdict in row.verdicts))
        for row in matrix.rows
    ]
    columns = ("Case", *(line(column.model) for column in matrix.columns))
    return Table(caption="What each case came to with each model", columns=columns, rows=(total, *rows))


def _counted(counts: Counts, apart: Counts) -> str:
    return str(counts) + (f"; not gating: {apart.total}" if apart.total else "")


def _repeats(report: Report) -> Table | None:
    suite = report.suite
    if suite is None or not report.repeated:
        return None
    columns = columns_of_k(suite)
    shares = (("pass@k", suite.pass_at_k), ("pass^k", suite.pass_hat_k))
    return Table(
        caption=f"{suite_phrase(suite)}. Cases: {standings(report.results)}.",
        columns=("k", *map(str, columns)),
        rows=tuple((name, *(f"{values[k - 1]:.2f}" for k in columns)) for name, values in shares),
    )


def _routing(figures: RoutingFigures | None) -> Table | None:
    if figures is None or not figures.routes:
        return None
    agents = figures.agents
    rows = tuple(
        (
            line(expected),
            *(str(figures.pairs.get((expected, actual), "")) for actual in agents),
            share(figures.precision(expected)),
            share(figures.recall(expected)),
        )
        for expected in agents
    )
    caption = f"{routes_counted(figures)}. A row is what was expected, a column what came."
    return Table(caption=caption, columns=("Expected", *map(line, agents), "Precision", "Recall"), rows=rows)
