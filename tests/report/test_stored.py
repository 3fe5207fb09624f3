"""Results and reports read back from `results.json`: equal to what was written."""

import json
from dataclasses import replace
from datetime import date

import pytest

from evalkit.errors import InputError
from evalkit.quarantine import Quarantine
from evalkit.repeats import Terms
from evalkit.report import render
from evalkit.report.stored import read_results
from evalkit.results import Effort, TurnScore


@pytest.fixture
def rich_report(report, case, criterion):
    """A report with repeats, a quarantine, efforts and scores of turns."""
    scored = criterion("grounding", 0.5, threshold=0.8, passed=False, turns=(TurnScore(turn=0, value=0.5, reason="x"),))
    runs = [
        case("a", "failed", "no", run=run, criteria=(scored,), effort=Effort(tool_calls=2, tokens=9, usd=0.5))
        for run in range(2)
    ]
    entry = Quarantine(case="a", owner="me", reason="flaky", expires=date(2999, 1, 31))
    held = Terms(quarantine={(runs[0].file, "b"): entry})
    return report(*runs, case("b", "error", "crash", fault="agent"), case("c", "skipped", "later"), terms=held)


def test_results_come_back_as_they_were(rich_report, mixed_report):
    for written in (rich_report, mixed_report):
        read = read_results(json.loads(render("json", written)), "results.json")
        assert read == tuple(_as_stored(result) for result in written.results)


def _as_stored(result):
    criteria = tuple(_stored(item) for item in result.criteria)
    repeats = result.repeats
    if repeats:
        repeats = replace(repeats, runs=tuple(_as_stored(run) for run in repeats.runs))
    return replace(result, criteria=criteria, repeats=repeats)


def _stored(item):
    return replace(item, criterion=replace(item.criterion, gate=item.gates or item.score.by_construction))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], "r.json: has the schema None, but this evalkit reads 'evalkit.results/1'"),
        ({"schema": "evalkit.results/9"}, "r.json: has the schema 'evalkit.results/9', but this evalkit reads"),
        ({"schema": "evalkit.results/1", "files": [{}]}, r"r.json: is not what evalkit wrote \(KeyError\('cases'\)\)"),
    ],
)
def test_what_is_something_else_is_refused(data, message):
    with pytest.raises(InputError, match=f"^{message}"):
        read_results(data, "r.json")
