"""A report read back from a run folder: every renderer shows what it showed when the run ended."""

import pytest

from evalkit.cases import Gate
from evalkit.repeats import Terms
from evalkit.report import RENDERERS, render, render_run_files
from evalkit.report.merging import merge_reports
from evalkit.report.stored_report import stored_report
from evalkit.runs import RunFolder

RENDERED = [name for name in RENDERERS if name != "html"]


@pytest.fixture
def read_back(tmp_path):
    """Store a report in a run folder and read it back."""

    def call(written):
        folder = RunFolder.create_at(tmp_path / "run", written.info)
        folder.finish(written.info, render_run_files(written))
        return stored_report(RunFolder.open(tmp_path / "run"))

    return call


@pytest.mark.parametrize("name", [*RENDERED, "html"])
def test_a_report_of_everything_is_shown_as_it_was(read_back, mixed_report, name):
    assert render(name, read_back(mixed_report)) == render(name, mixed_report)


@pytest.mark.parametrize("name", RENDERED)
def test_repeats_gates_and_routes_are_shown_as_they_were(read_back, report, case, criterion, name):
    routes = {"routes": [{"turn": 0, "expected": ["a"], "actual": ["b"], "by_construction": False}]}
    runs = [case("a", "failed", "no", run=run, criteria=(criterion("route", 0.0, details=routes),)) for run in range(2)]
    written = report(*runs, case("b", line=12), terms=Terms(suite=Gate(min_pass_rate=0.5), require_judged=True))

    assert render(name, read_back(written)) == render(name, written)


@pytest.mark.parametrize("name", RENDERED)
def test_models_side_by_side_are_shown_as_they_were(read_back, report, case, info, name):
    reports = {model: report(case("a", verdict)) for model, verdict in (("small", "failed"), ("large", "passed"))}
    written = merge_reports(reports, info(mode="live", parts={"small": "small", "large": "large"}))

    assert render(name, read_back(written)) == render(name, written)


def test_a_secret_that_the_run_did_not_know_of_is_hidden(read_back, report, case, monkeypatch):
    written = report(case("a", "failed", "the password is kR8wq2Zt7pLx"))
    monkeypatch.setenv("DB_PASSWORD", "kR8wq2Zt7pLx")

    assert "kR8wq2Zt7pLx" not in render("markdown", read_back(written))
