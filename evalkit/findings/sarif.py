"""SARIF 2.1.0, which code hosts and editors read."""

import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

from evalkit import __version__
from evalkit.check import CheckReport
from evalkit.errors import Problem
from evalkit.findings.text import visible
from evalkit.formats.explanations import explanation
from evalkit.formats.rules import RULES

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {"error": "error", "warning": "warning", "note": "note"}


def render(report: CheckReport, refusal: str | None) -> str:
    """Render one run with a result a problem, and the rules that these name."""
    rules = [*dict.fromkeys(problem.rule for problem in report.problems)]
    run = {
        "tool": {"driver": {"name": "evalkit", "version": __version__, "rules": [_rule(name) for name in rules]}},
        "columnKind": "unicodeCodePoints",
        "invocations": [_invocation(refusal)],
        "results": [_result(problem, rules.index(problem.rule)) for problem in report.problems],
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2)


def _rule(name: str) -> dict[str, Any]:
    text = explanation(name)
    return {
        "id": name,
        "shortDescription": {"text": RULES[name].about},
        "help": {"text": text, "markdown": text},
        "defaultConfiguration": {"level": _LEVELS[RULES[name].severity]},
    }


def _invocation(refusal: str | None) -> dict[str, Any]:
    if refusal is None:
        return {"executionSuccessful": True}
    notification = {"level": "error", "message": {"text": refusal}}
    return {"executionSuccessful": False, "toolExecutionNotifications": [notification]}


def _result(problem: Problem, index: int) -> dict[str, Any]:
    hint = f" ({problem.hint})" if problem.hint else ""
    location: dict[str, Any] = {
        "physicalLocation": {"artifactLocation": {"uri": _uri(problem.file)}},
        "logicalLocations": [{"fullyQualifiedName": problem.path}],
    }
    if problem.line is not None:
        location["physicalLocation"]["region"] = {"startLine": problem.line, "startColumn": problem.column or 1}
    return {
        "ruleId": problem.rule,
        "ruleIndex": index,
        "level": _LEVELS[problem.severity],
        "message": {"text": visible(f"{problem.message}{hint}")},
        "locations": [location],
    }


def _uri(file: str) -> str:
    path = Path(file)
    return path.as_uri() if path.is_absolute() else quote(path.as_posix(), errors="surrogateescape")
