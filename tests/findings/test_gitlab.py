import json
from dataclasses import replace

import pytest

from evalkit.check import CheckReport
from evalkit.errors import Problem
from evalkit.findings import render

PROBLEM = Problem(file="evals/a.json", rule="no-cases", message="x", path="$.a", line=3, column=5, hint="y")


def entries(*problems, refusal=None):
    return json.loads(render("gitlab", CheckReport(files=("a.json",), problems=problems), refusal))


@pytest.mark.parametrize(("severity", "shown"), [("error", "major"), ("warning", "minor"), ("note", "info")])
def test_a_problem_is_an_entry_with_its_place(severity, shown):
    (entry,) = entries(replace(PROBLEM, severity=severity))

    assert len(entry.pop("fingerprint")) == 64
    assert entry == {
        "description": "$.a: x (y)",
        "check_name": "no-cases",
        "severity": shown,
        "location": {"path": "evals/a.json", "lines": {"begin": 3}},
    }


def test_a_problem_keeps_its_fingerprint_when_it_moves():
    before, after = entries(PROBLEM) + entries(replace(PROBLEM, line=30))

    assert before["fingerprint"] == after["fingerprint"]


def test_no_fingerprint_comes_twice():
    found = entries(PROBLEM, PROBLEM, replace(PROBLEM, path="$.b"), replace(PROBLEM, file="b.json"))

    assert len({entry["fingerprint"] for entry in found}) == 4


def test_a_problem_without_a_line_stands_at_the_first():
    assert entries(replace(PROBLEM, line=None))[0]["location"]["lines"] == {"begin": 1}


def test_what_could_not_be_checked_is_an_entry_too():
    (entry,) = entries(refusal="nope: no such file")

    assert (entry["description"], entry["severity"]) == ("$: nope: no such file", "major")


def test_files_are_named_from_the_top_of_the_project(tmp_path, monkeypatch):
    (tmp_path / "agents").mkdir()
    monkeypatch.chdir(tmp_path / "agents")
    monkeypatch.setenv("CI_PROJECT_DIR", str(tmp_path))

    assert entries(PROBLEM)[0]["location"]["path"] == "agents/evals/a.json"
