"""Workflow commands of GitHub Actions, which show each problem beside its line in a pull request."""

import os
from collections.abc import Mapping

from evalkit.check import CheckReport
from evalkit.errors import Problem, Severity
from evalkit.findings.text import visible
from evalkit.workflow_commands import Kind, command, in_repository

_KINDS: Mapping[Severity, Kind] = {"error": "error", "warning": "warning", "note": "notice"}


def render(report: CheckReport, refusal: str | None) -> str:
    """Render an annotation a problem, and one for what could not be checked."""
    refused = [command("error", visible(refusal), title="evalkit")] if refusal else []
    return "\n".join([*map(_annotation, report.problems), *refused])


def _annotation(problem: Problem) -> str:
    hint = f" ({problem.hint})" if problem.hint else ""
    return command(
        _KINDS[problem.severity],
        visible(f"{problem.path}: {problem.message}{hint}"),
        file=visible(in_repository(problem.file, os.environ.get("GITHUB_WORKSPACE"))),
        line=problem.line,
        col=problem.column,
        title=f"evalkit {problem.rule}",
    )
