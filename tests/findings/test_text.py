import pytest

from evalkit.check import CheckReport
from evalkit.errors import Problem
from evalkit.findings import RENDERERS, render
from evalkit.findings.text import visible

PROBLEM = Problem(file="a.json", rule="no-cases", message="x", line=3, column=5, hint="y")


def test_a_problem_is_a_line():
    report = CheckReport(files=("a.json",), problems=(PROBLEM, PROBLEM))
    line = "a.json:3:5: error[no-cases] $: x (y)"
    assert render("text", report) == f"{line}\n{line}"


def test_a_line_break_in_a_message_does_not_make_two():
    problem = Problem(file="a\nb.json", rule="no-cases", message="x\r\ny")
    assert render("text", CheckReport(files=(), problems=(problem,))) == (
        "a\\u000ab.json: error[no-cases] $: x\r\\u000ay"
    )


@pytest.mark.parametrize(
    ("text", "shown"), [("\x1b[2J", "\\u001b[2J"), ("a\u202eb", "a\\u202eb"), ("\ta\r\n", "\ta\r\n")]
)
def test_what_steers_a_terminal_is_spelled_out(text, shown):
    assert visible(text) == shown


@pytest.mark.parametrize("name", RENDERERS)
def test_nothing_found_is_fine_in_every_format(name):
    assert "no-cases" not in render(name, CheckReport(files=(), problems=()))
