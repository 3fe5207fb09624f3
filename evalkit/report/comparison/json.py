"""A comparison for programs; `schemas/comparison.schema.json` describes it."""

from dataclasses import asdict

from evalkit.cases import Json
from evalkit.codec.encoding import encode, pretty
from evalkit.compare.model import CaseChange, Comparison, Difference, FigureChange, Side

SCHEMA = "evalkit.comparison/1"


def render(comparison: Comparison) -> str:
    """Render as JSON that ends with a newline."""
    return pretty(comparison_data(comparison), levels=4) + "\n"


def comparison_data(comparison: Comparison) -> Json:
    """The content, for documents that hold it."""
    return {
        "schema": SCHEMA,
        "exit_code": comparison.exit_code,
        "summary": comparison.summary,
        "sides": [_side(comparison, side) for side in comparison.sides],
        "differences": [_difference(one) for one in comparison.differences],
    }


def _side(comparison: Comparison, side: Side) -> Json:
    figures = comparison.figures[side.label]
    return {
        "label": side.label,
        "name": side.name,
        "replayed": side.replayed,
        "models": list(side.models),
        **asdict(figures),
        "verdicts": dict(figures.verdicts),
        "pass_rate": figures.pass_rate,
    }


def _difference(one: Difference) -> Json:
    return {
        "first": one.first,
        "second": one.second,
        "finding": one.finding,
        "verdicts": asdict(one.verdicts),
        "cases": [_case(case) for case in one.cases],
        "scores": [_figure(change) for change in one.scores],
        "efforts": [_figure(change) for change in one.efforts],
        "only_first": [{"file": file, "eval_id": eval_id} for file, eval_id in one.only_first],
        "only_second": [{"file": file, "eval_id": eval_id} for file, eval_id in one.only_second],
    }


def _case(case: CaseChange) -> Json:
    return encode(asdict(case))


def _figure(change: FigureChange) -> Json:
    shift = change.shift
    return {
        "name": change.name,
        "cases": change.cases,
        "gates": change.gates,
        "first": change.first,
        "second": change.second,
        "finding": change.finding,
        "difference": change.second - change.first,
        "low": shift.interval.low if shift else None,
        "high": shift.interval.high if shift else None,
        "p": change.p,
    }
