import pytest

from evalkit.cli.publishing import PROBLEMS_SHOWN, UNFINISHED, Publisher
from evalkit.errors import InputError, Problem
from evalkit.report.github import SUMMARY_LIMIT
from evalkit.report.model import build_report
from evalkit.results import CaseResult
from evalkit.runs import RunInfo


@pytest.fixture
def report():
    results = [CaseResult(file="a.test.json", eval_id="lag", run=0, verdict="failed", reasons=("no",))]
    return build_report(results, RunInfo.begin("golden"), configs={})


@pytest.fixture
def summary_file(tmp_path, monkeypatch):
    path = tmp_path / "summary.md"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(path))
    monkeypatch.delenv("GITHUB_WORKSPACE", raising=False)
    return path


def begun(path):
    publisher = Publisher(path, on_github=False)
    publisher.begin()
    return publisher


@pytest.mark.parametrize("earlier", [None, "", "<?xml version='1.0'?>\n<testsuites><testsuite/></testsuites>"])
def test_until_a_run_has_ended_its_junit_file_says_that_it_has_not(tmp_path, earlier):
    path = tmp_path / "out/junit.xml"
    if earlier is not None:
        path.parent.mkdir()
        path.write_text(earlier, encoding="utf-8")
    begun(path)

    assert f'<error type="refused" message="{UNFINISHED}">' in path.read_text(encoding="utf-8")


def test_a_run_replaces_that(tmp_path, report):
    path = tmp_path / "junit.xml"

    assert begun(path).report(report) is True
    assert '<failure type="failed" message="no">' in path.read_text(encoding="utf-8")


def test_a_file_that_is_no_junit_report_is_left_alone(tmp_path):
    path = tmp_path / "lag.test.json"
    path.write_text("{}", encoding="utf-8")

    with pytest.raises(InputError, match=r"lag\.test\.json: is there and is no JUnit report; name another file"):
        begun(path)
    assert path.read_text(encoding="utf-8") == "{}"


def test_a_junit_file_that_can_no_longer_be_written_is_told_and_loses_nothing_else(tmp_path, report, capsys):
    path = tmp_path / "out/junit.xml"
    publisher = begun(path)
    path.unlink()
    path.parent.rmdir()

    assert publisher.report(report) is False
    assert capsys.readouterr().err.startswith(f"evalkit: {path}: cannot write: ")


def test_a_refusal_lists_so_many_problems_and_counts_the_rest(tmp_path):
    path = tmp_path / "junit.xml"
    problems = [Problem(file="a.json", rule="no-cases", message=f"fault {number}") for number in range(60)]
    begun(path).refusal("60 errors", problems)
    text = path.read_text(encoding="utf-8")

    assert f"fault {PROBLEMS_SHOWN - 1}" in text
    assert f"fault {PROBLEMS_SHOWN}" not in text
    assert "and 10 more" in text


def test_on_github_annotations_go_where_no_program_reads_the_report(summary_file, report, capsys):
    Publisher(None, on_github=True).report(report)
    shown = capsys.readouterr()

    assert (shown.out, shown.err) == ("", "::error file=a.test.json,title=failed%3A lag::no\n")
    assert summary_file.read_text(encoding="utf-8").startswith("# Evaluation of ")


def test_a_summary_is_added_to_what_the_step_has_said(summary_file, report):
    summary_file.write_text("# Before\n", encoding="utf-8")
    Publisher(None, on_github=True).report(report)

    assert summary_file.read_text(encoding="utf-8").startswith("# Before\n# Evaluation of ")


def test_a_summary_that_is_full_is_left_as_it_is(summary_file, report, capsys):
    summary_file.write_text("y" * (SUMMARY_LIMIT - 100), encoding="utf-8")
    Publisher(None, on_github=True).report(report)

    assert summary_file.stat().st_size == SUMMARY_LIMIT - 100
    assert "evalkit: the summary of this step is full; see report.md\n" in capsys.readouterr().err


def test_a_summary_that_cannot_be_written_is_told(summary_file, report, capsys):
    summary_file.mkdir()

    assert Publisher(None, on_github=True).report(report) is True
    assert f"evalkit: {summary_file}: cannot write the summary of this step: " in capsys.readouterr().err


def test_elsewhere_nothing_is_said_to_github(summary_file, report, capsys):
    Publisher(None, on_github=False).report(report)

    assert capsys.readouterr() == ("", "")
    assert not summary_file.exists()


def test_only_on_github_text_is_disarmed():
    assert Publisher(None, on_github=True).shown("::error::x") == "\\u003a:error::x"
    assert Publisher(None, on_github=False).shown("::error::x") == "::error::x"
