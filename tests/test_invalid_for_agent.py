"""Every file in `invalid_for_agent/` has one fault that shows beside the agent `desk` in there.

The problem that `check --agent` must find stands beside it in `*.problem.json`; a new case is two new files.
"""

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from evalkit.agent_check import check_with_agents
from evalkit.check import check
from evalkit.settings import Settings

INVALID = Path(__file__).parent / "invalid_for_agent"
SUFFIX = ".problem.json"
EXPECTED = sorted(INVALID.glob(f"*{SUFFIX}"))


def name_of(path):
    return path.name.removesuffix(SUFFIX)


@pytest.mark.parametrize("expected_path", EXPECTED, ids=name_of)
def test_a_file_with_one_fault_gives_exactly_that_problem(expected_path, monkeypatch):
    monkeypatch.chdir(INVALID)
    expected = json.loads(expected_path.read_text(encoding="utf-8")) | {"file": name_of(expected_path)}

    report, refusals = check_with_agents([name_of(expected_path)], Settings(), agent="desk")

    assert refusals == ()
    assert [{key: asdict(problem)[key] for key in expected} for problem in report.problems] == [expected]


@pytest.mark.parametrize("expected_path", EXPECTED, ids=name_of)
def test_without_the_agent_nothing_is_wrong_with_it(expected_path, monkeypatch):
    monkeypatch.chdir(INVALID)
    assert check([name_of(expected_path)]).problems == ()


def test_every_faulty_file_has_its_problem_beside_it():
    files = {path for path in INVALID.iterdir() if path.is_file() and not path.name.endswith(SUFFIX)}
    assert files == {path.with_name(name_of(path)) for path in EXPECTED}
