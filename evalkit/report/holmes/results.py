"""The records for programs: the content of `results.json`."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from evalkit.cases import Json
from evalkit.report.holmes.records import Record
from evalkit.report.model import Report

SCHEMA = "evalkit.holmes/1"


def tally(records: Sequence[Record]) -> dict[str, int]:
    """Count records: passed, failed and skipped are all of them; of the failed also errors and what is not judged."""
    found = Counter(record.verdict for record in records)
    failed = found["failed"] + found["error"] + found["inconclusive"]
    return {
        "total": len(records),
        "passed": found["passed"],
        "failed": failed,
        "skipped": found["skipped"],
        "failed_with_an_error": found["error"],
        "failed_as_not_judged": found["inconclusive"],
        "failed_as_known": sum(
            record.known_failing is not None and not record.passed and not record.skipped for record in records
        ),
    }


def results_data(report: Report, records: Sequence[Record], run: Path) -> Json:
    """Return the content of `results.json`."""
    info = report.info
    return {
        "schema": SCHEMA,
        "run": {
            "folder": run.name,
            "started": info.started.isoformat(),
            "finished": _time(info.finished),
            "mode": info.mode,
            "model_exercised": report.model_exercised,
            "agents": {agent: dict(models) for agent, models in info.agents.items()},
            "model": info.model,
            "evalkit": info.evalkit,
            "adk": info.adk,
        },
        "summary": tally(records),
        "results": [_record(record) for record in records],
    }


def _record(record: Record) -> Json:
    return {
        "id": record.eval_id,
        "run": record.run,
        "model": record.model,
        "prompt": record.prompt,
        "expected": list(record.expected),
        "output": record.output,
        "passed": record.passed,
        "skipped": record.skipped,
        "skip_reason": record.skip_reason,
        "details": {
            "verdict": record.verdict,
            "reasons": list(record.reasons),
            "mode": record.mode,
            "score": record.score,
            "missing": list(record.missing),
            "not_judged": list(record.unjudged),
            "judged_by": record.judged_by,
            "known_failing": record.known_failing,
            "answered_at": _time(record.answered_at),
            "scored_at": _time(record.scored_at),
            "working_directory": record.working_directory,
            "files_created": list(record.files_created),
            "exposed": list(record.exposed),
            "tags": list(record.tags),
            "fixture": record.path,
            "evalset": record.file,
            "seconds": record.seconds,
            "tool_calls": record.tool_calls,
            "tokens": record.tokens,
            "usd_estimated": record.usd,
        },
    }


def _time(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment else None
