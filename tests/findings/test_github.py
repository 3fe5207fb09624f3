import pytest

from evalkit.check import CheckReport
from evalkit.errors import Problem
from evalkit.findings import render


def annotated(problem, refusal=None):
    return render("github", CheckReport(files=("a.json",), problems=(problem,) if problem else ()), refusal)


@pytest.mark.parametrize(("severity", "command"), [("error", "error"), ("warning", "warning"), ("note", "notice")])
def test_a_problem_is_an_annotation_at_its_place(severity, command):
    problem = Problem(
        file="evals/a.json", rule="no-cases", message="x", path="$.a", line=3, column=5, hint="y", severity=severity
    )
    assert annotated(problem) == f"::{command} file=evals/a.json,line=3,col=5,title=evalkit no-cases::$.a: x (y)"


def test_a_problem_without_a_place_names_its_file():
    problem = Problem(file="a.json", rule="unreadable-file", message="x")
    assert annotated(problem) == "::error file=a.json,title=evalkit unreadable-file::$: x"


def test_what_a_file_says_cannot_write_commands_of_its_own():
    problem = Problem(file="a,line=1:b%.json", rule="no-cases", message="100%\n::warning::no", line=3, column=5)
    assert annotated(problem) == (
        "::error file=a%2Cline=1%3Ab%25.json,line=3,col=5,title=evalkit no-cases::$: 100%25%0A::warning::no"
    )


def test_what_could_not_be_checked_is_an_annotation_too():
    assert annotated(None, "nope: no such file") == "::error title=evalkit::nope: no such file"


def test_files_are_named_from_the_top_of_the_repository(tmp_path, monkeypatch):
    (tmp_path / "agents").mkdir()
    monkeypatch.chdir(tmp_path / "agents")
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path))
    problem = Problem(file="a.json", rule="no-cases", message="x")

    assert annotated(problem) == "::error file=agents/a.json,title=evalkit no-cases::$: x"
