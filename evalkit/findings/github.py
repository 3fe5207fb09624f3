"""Workflow commands of GitHub Actions, which show each problem beside its line in a pull request."""

from pathlib import Path

from evalkit.check import CheckReport
from evalkit.errors import Problem
from evalkit.findings.text import visible

_COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}


def render(report: CheckReport, refusal: str | None) -> str:
    """Render an annotation a problem, and one for what could not be checked."""
    refused = [f"::error title=evalkit::{_data(refusal)}"] if refusal else []
    return "\n".join([*map(_annotation, report.problems), *refused])


def _annotation(problem: Problem) -> str:
    place = {"file": Path(problem.file).as_posix(), "line": problem.line, "col": problem.column}
    fields = {**place, "title": f"evalkit {problem.rule}"}
    shown = ",".join(f"{key}={_property(str(value))}" for key, value in fields.items() if value is not None)
    hint = f" ({problem.hint})" if problem.hint else ""
    return f"::{_COMMANDS[problem.severity]} {shown}::{_data(f'{problem.path}: {problem.message}{hint}')}"


def _data(text: str) -> str:
    return visible(text).replace("%", "%25").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
