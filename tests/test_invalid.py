"""Every file in `invalid/` has one fault; the problem that `check` must find stands beside it in `*.problem.json`.

A new case is two new files; beside a folder stands the problem of its files together. Fields that another module words,
such as the message of a bad matcher, are left out there.
"""

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from evalkit.check import check
from evalkit.formats.rules import RULES

INVALID = Path(__file__).parent / "invalid"
SUFFIX = ".problem.json"
EXPECTED = sorted(INVALID.rglob(f"*{SUFFIX}"))


def name_of(path):
    return str(path.relative_to(INVALID)).removesuffix(SUFFIX)


@pytest.mark.parametrize("expected_path", EXPECTED, ids=name_of)
def test_a_file_with_one_fault_gives_exactly_that_problem(expected_path, monkeypatch):
    monkeypatch.chdir(INVALID)
    target = Path(name_of(expected_path))
    expected = json.loads(expected_path.read_text(encoding="utf-8"))
    expected["file"] = str(target.parent / expected.get("file", target.name))

    problems = check([target]).problems

    assert [{key: asdict(problem)[key] for key in expected} for problem in problems] == [expected]


def test_every_rule_has_a_file_that_breaks_it():
    beside_an_agent = (INVALID.parent / "invalid_for_agent").glob(f"*{SUFFIX}")
    broken = {json.loads(path.read_text(encoding="utf-8"))["rule"] for path in (*EXPECTED, *beside_an_agent)}
    elsewhere = {
        "unreadable-file": "formats/test_files.py",
        "too-many-faults": "formats/test_validation.py",
        "unlisted-tool": "agent_lint/test_calls.py",
        "misfit-toolset": "agent_lint/test_mocked.py",
        "no-own-model": "agent_lint/test_agents.py",
    }
    assert set(RULES) - broken == set(elsewhere)


def test_every_faulty_file_has_its_problem_beside_it():
    files = {path for path in INVALID.rglob("*") if path.is_file() and not path.name.endswith(SUFFIX)}
    with_problem = {path.with_name(path.name.removesuffix(SUFFIX)) for path in EXPECTED}
    with_problem = {path for path in with_problem if not path.is_dir()}
    helpers = {path for path in files if path.parent.name == "replies" or path.parent.parent.name == "together"}
    assert files - helpers == with_problem - helpers
