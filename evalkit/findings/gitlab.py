"""A Code Quality report of GitLab, which shows each problem in the merge request that brings it."""

import hashlib
import json
import os
from collections import Counter
from collections.abc import Mapping
from typing import Any

from evalkit.check import CheckReport
from evalkit.errors import Problem, Severity
from evalkit.findings.text import visible
from evalkit.workflow_commands import in_repository

_SEVERITIES: Mapping[Severity, str] = {"error": "major", "warning": "minor", "note": "info"}


def render(report: CheckReport, refusal: str | None) -> str:
    """Render an entry a problem, and one for what could not be checked: no entries at all would mean that all is well.

    GitLab compares two reports by fingerprints, so these say nothing of lines, which move, and none comes twice.
    """
    seen: Counter[str] = Counter()
    entries = []
    for problem in report.problems:
        identity = f"{problem.rule}\n{problem.file}\n{problem.path}\n{problem.message}"
        seen[identity] += 1
        entries.append(_entry(problem, f"{identity}\n{seen[identity]}"))
    if refusal:
        entries.append(_entry(Problem(file=".", rule="refused", message=refusal), refusal))
    return json.dumps(entries, indent=2)


def _entry(problem: Problem, identity: str) -> dict[str, Any]:
    hint = f" ({problem.hint})" if problem.hint else ""
    return {
        "description": visible(f"{problem.path}: {problem.message}{hint}"),
        "check_name": problem.rule,
        "fingerprint": hashlib.sha256(identity.encode(errors="surrogateescape")).hexdigest(),
        "severity": _SEVERITIES[problem.severity],
        "location": {
            "path": in_repository(problem.file, os.environ.get("CI_PROJECT_DIR")),
            "lines": {"begin": problem.line or 1},
        },
    }
