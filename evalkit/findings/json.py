"""JSON, for programs: whole and valid whatever happens."""

import json
from typing import Any

from evalkit.check import CheckReport
from evalkit.errors import Problem

SEVERITIES = ("error", "warning", "note")


def render(report: CheckReport, refusal: str | None) -> str:
    """Render the problems, how many there are, and why not everything was checked, if so."""
    document = {
        "schema": "evalkit.check/1",
        "error": refusal,
        "counts": {
            "files": len(report.files),
            **{f"{name}s": report.count(name) for name in SEVERITIES},
            "fixable": report.fixable,
        },
        "problems": [_problem(problem) for problem in report.problems],
    }
    return json.dumps(document, indent=2)


def _problem(problem: Problem) -> dict[str, Any]:
    return {
        "file": problem.file,
        "line": problem.line,
        "column": problem.column,
        "path": problem.path,
        "rule": problem.rule,
        "severity": problem.severity,
        "message": problem.message,
        "hint": problem.hint,
        "fixable": problem.fixable,
    }
