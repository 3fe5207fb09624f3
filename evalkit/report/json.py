"""The report for programs: the content of `results.json`.

Its shape is public and versioned: `schemas/results.schema.json` describes it, and a change that could break a reader
gets a new number in `SCHEMA`. Nothing is cut: reasons stand here in full.
"""

import math
from dataclasses import asdict

from evalkit.cases import Json
from evalkit.codec.encoding import encode, pretty
from evalkit.report.comparison.json import comparison_data
from evalkit.report.model import FileReport, Report
from evalkit.report.routing import RoutingFigures
from evalkit.results import Audit, CaseResult, CriterionResult, Repeats
from evalkit.runs import RunInfo
from evalkit.stage_records import StageRecord
from evalkit.suites import SuiteFigures

SCHEMA = "evalkit.results/1"


def render(report: Report) -> str:
    """Render as JSON that ends with a newline; each criterion of each case stands on a line of its own."""
    return pretty(_results(report), levels=6) + "\n"


def _results(report: Report) -> Json:
    return {
        "schema": SCHEMA,
        "run": _run(report.info, report.seconds),
        "model_exercised": report.model_exercised,
        "exit_code": report.exit_code,
        "exit_meaning": report.exit_meaning,
        "summary": report.closing,
        "counts": asdict(report.counts),
        "known_failing": asdict(report.known_failing),
        "suite": _suite(report.suite),
        "models": _models(report),
        "comparison": comparison_data(report.comparison) if report.comparison else None,
        "files": [_file(group) for group in report.files],
        "routing": _routing(report.routing),
        "uncalled_tools": {agent: list(tools) for agent, tools in report.uncalled_tools.items()},
        "slowest": [
            {
                "file": result.file,
                "model": result.model,
                "eval_id": result.eval_id,
                "run": result.run,
                "seconds": result.seconds,
            }
            for result in report.slowest
        ],
        "notes": [{"text": note.text, "cases": list(note.cases)} for note in report.notes],
    }


def _run(info: RunInfo, seconds: float) -> Json:
    return {
        "evalkit": info.evalkit,
        "adk": info.adk,
        "python": info.python,
        "mode": info.mode,
        "started": info.started.isoformat(),
        "finished": info.finished.isoformat() if info.finished else None,
        "seconds": seconds,
        "interrupted": info.interrupted,
        "options": list(info.options),
        "agents": {agent: dict(models) for agent, models in info.agents.items()},
        "origins": {agent: dict(origins) for agent, origins in info.origins.items()},
        "model": info.model,
        "runs": info.runs,
    }


def _models(report: Report) -> Json:
    if report.models is None:
        return None
    columns, rows = report.models.columns, report.models.rows
    return {
        "columns": [
            {
                "model": column.model,
                "folder": report.info.parts[column.model],
                "counts": asdict(column.counts),
                "known_failing": asdict(column.known_failing),
            }
            for column in columns
        ],
        "rows": [
            {
                "file": row.file,
                "case": row.label,
                "verdicts": {column.model: verdict for column, verdict in zip(columns, row.verdicts, strict=True)},
            }
            for row in rows
        ],
    }


def _file(group: FileReport) -> Json:
    return {
        "file": group.file,
        "model": group.model,
        "config": group.config or None,
        "counts": asdict(group.counts),
        "known_failing": asdict(group.known_failing),
        "not_applicable": dict(group.not_applicable),
        "routing": _routing(group.routing),
        "cases": [_case(result) for result in group.results],
    }


def _routing(figures: RoutingFigures | None) -> Json:
    if figures is None:
        return None
    return {
        "routes": figures.routes,
        "by_construction": figures.by_construction,
        "undecided": figures.undecided,
        "agents": [
            {
                "agent": agent,
                "expected": figures.expected(agent),
                "actual": figures.actual(agent),
                "precision": figures.precision(agent),
                "recall": figures.recall(agent),
            }
            for agent in figures.agents
        ],
        "confusion": [
            {"expected": expected, "actual": actual, "count": count}
            for (expected, actual), count in sorted(figures.pairs.items())
        ],
    }


def _case(result: CaseResult) -> Json:
    return {
        "eval_id": result.eval_id,
        "run": result.run,
        "verdict": result.verdict,
        "standing": result.standing,
        "reasons": list(result.reasons),
        "known_failing": result.known_failing,
        "quarantine": encode(result.quarantine),
        "fault": result.fault,
        "line": result.line,
        "notes": list(result.notes),
        "seconds": result.seconds,
        "effort": asdict(result.effort),
        "stage": _stage(result.stage),
        "audit": _audit(result.audit),
        "repeats": _repeats(result.repeats),
        "criteria": [_criterion(item) for item in result.criteria],
    }


def _audit(audit: Audit | None) -> Json:
    if audit is None:
        return None
    return {
        "answered_at": audit.answered_at.isoformat() if audit.answered_at else None,
        "scored_at": audit.scored_at.isoformat() if audit.scored_at else None,
        "answered_first": audit.answered_first,
        "gold": audit.gold,
        "gold_sha256": audit.gold_sha256,
        "searched": list(audit.searched),
        "exposed": [{"text": one.text, "place": one.place} for one in audit.exposed],
        "workdir": audit.workdir,
        "files_created": list(audit.files_created),
    }


def _stage(stage: StageRecord | None) -> Json:
    return None if stage is None else asdict(stage)


def _repeats(repeats: Repeats | None) -> Json:
    if repeats is None:
        return None
    return {
        "passed": repeats.passed,
        "pass_rate": repeats.pass_rate,
        "low": repeats.low,
        "high": repeats.high,
        "pass_at_k": list(repeats.pass_at_k),
        "pass_hat_k": list(repeats.pass_hat_k),
        "runs": [
            {
                "run": run.run,
                "verdict": run.verdict,
                "standing": run.standing,
                "reasons": list(run.reasons),
                "fault": run.fault,
                "notes": list(run.notes),
                "seconds": run.seconds,
                "effort": asdict(run.effort),
                "stage": _stage(run.stage),
                "audit": _audit(run.audit),
                "criteria": [_criterion(item) for item in run.criteria],
            }
            for run in repeats.runs
        ],
    }


def _suite(suite: SuiteFigures | None) -> Json:
    if suite is None:
        return None
    return {
        **{name: value for name, value in asdict(suite).items() if name != "gate"},
        "min_pass_rate": suite.gate.min_pass_rate,
        "min_lower_bound": suite.gate.min_lower_bound,
    }


def _criterion(result: CriterionResult) -> Json:
    criterion, score = result.criterion, result.score
    return {
        "name": criterion.name,
        "origin": result.origin,
        "threshold": _finite(criterion.threshold),
        "options": encode(criterion.options),
        "custom_function": criterion.custom_function,
        "state": score.state,
        "value": _finite(score.value),
        "passed": result.passed,
        "gates": result.gates,
        "by_construction": score.by_construction,
        "reason": score.reason,
        "turns": [{"turn": turn.turn, "value": _finite(turn.value), "reason": turn.reason} for turn in score.turns],
        "details": encode(score.details),
    }


def _finite(value: float | None) -> float | None:
    """JSON has no number for some of what a user's scorer may return; null says that there is no value."""
    return value if value is not None and math.isfinite(value) else None
