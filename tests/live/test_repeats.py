"""Live repeats: a model's own choices several times, its rates and costs, and what changed between runs."""

import json

import pytest

from evalkit.report.comparison.text import render
from evalkit.sides import compare_runs

GOOD, BAD, BUSY = "gemini-2.5-pro", "gemini-2.5-flash-lite", "gemini-2.5-flash"

PRICES = """
[tool.evalkit.prices]
"gemini-2.5-pro" = { input = 1000.0, output = 10000.0 }
"""


@pytest.fixture
def server(serve, answers):
    """A good model, a bad one that asks for the wrong group every other time, and one whose quota is used up."""
    asked = {GOOD: 0, BAD: 0, BUSY: 0}

    def answer(request):
        if request.replies:
            return answers.Say("The lag is 75.")
        if request.model == BUSY:
            return answers.Refuse(403)  # an error that no client tries again
        asked[request.model] += 1
        wrong = request.model == BAD and asked[BAD] % 2
        return answers.call("get_lag", group="payments" if wrong else "orders")

    return serve(answer)


def test_repeats_of_several_models_show_rates_classes_costs_and_what_can_be_told(project, make_case, server):
    project.write("pyproject.toml", f"[tool.evalkit]\n{PRICES}")
    project.evalset(make_case("lag"))
    done = project.run(server, models=(GOOD, BAD, BUSY), runs=4)
    again = project.run(server, models=(GOOD,), runs=4, report_dir=project.root / "again")

    assert {result.model: (result.verdict, result.standing) for result in done.report.results} == {
        GOOD: ("passed", "passed"),
        BAD: ("failed", "flaky"),
        BUSY: ("error", "infrastructure"),
    }
    good = json.loads((done.folder.path / GOOD / "results.json").read_text())
    assert good["suite"]["pass_hat_k"] == [1.0, 1.0, 1.0, 1.0]
    assert good["files"][0]["cases"][0]["effort"] == {
        "tool_calls": 4,
        "model_calls": 8,
        "tokens": 120,
        "usd": pytest.approx(0.48),  # eight answers of 10 tokens in and 5 out
    }

    comparison = compare_runs([done.folder])
    assert [(one.second, one.finding) for one in comparison.differences] == [("B", "unclear"), ("C", "unchanged")]
    assert comparison.exit_code == 2  # nothing of the third was judged
    shown = " ".join(render(comparison).split())
    assert "pass rate 100% (51% to 100%) 50% (15% to 85%) 0% (0% to 49%)" in shown
    assert "$ a run, estimated 0.1200 - 0.0000" in shown  # a refused request costs nothing

    same = compare_runs([done.folder, again.folder])
    assert same.differences[-1].first == "A"
    assert same.differences[-1].finding == "unchanged"
