"""A run with several models: their results side by side, in every rendering."""

import json

import pytest

from evalkit.report import render
from evalkit.report.merging import merge_reports

FILE = "evalsets/kafka/topics.evalset.json"
PRO, LITE = "gemini-2.5-pro", "openai/gpt-4o"


@pytest.fixture
def whole(report, case, info):
    """A run in which one model fails a case that the other passes; a third case is known to fail."""
    cases = (case("chat"), case("bug", "failed", "no", known_failing="bug 12"))
    return merge_reports(
        {
            PRO: report(case("lag"), *cases, info=info(mode="live", model=PRO)),
            LITE: report(case("lag", "failed", "wrong call"), *cases, info=info(mode="live", model=LITE)),
        },
        info(mode="live", parts={PRO: PRO, LITE: "openai-gpt-4o"}),
    )


def test_the_whole_counts_every_case_once_per_model_and_names_the_model(whole):
    assert (whole.counts.passed, whole.counts.failed, whole.known_failing.failed) == (3, 1, 2)
    assert whole.exit_code == 1
    assert [(group.model, group.file) for group in whole.files] == [(PRO, FILE), (LITE, FILE)]
    assert [row.verdicts for row in whole.models.rows] == [
        ("passed", "failed"),
        ("passed", "passed"),
        ("failed", "failed"),
    ]
    assert [row.differs for row in whole.models.rows] == [True, False, False]


def test_text_shows_each_models_counts_and_the_cases_on_which_they_disagree(whole):
    lines = render("text", whole).splitlines()
    start = lines.index("Models")
    assert lines[start : start + 5] == [
        "Models",
        "  1 gemini-2.5-pro  2 passed, 0 failed, 0 errors, 0 inconclusive, 0 skipped, 1 known failing",
        "  2 openai/gpt-4o   1 passed, 1 failed, 0 errors, 0 inconclusive, 0 skipped, 1 known failing",
        "  1             2             cases with different verdicts",
        f"  + passed      x failed      {FILE}:lag",
    ]
    assert f"{FILE}  with {LITE}" in lines


def test_text_says_so_where_all_models_agree(report, case, info):
    reports = {model: report(case("lag"), info=info(mode="live")) for model in (PRO, LITE)}
    text = render("text", merge_reports(reports, info(mode="live", parts={PRO: "a", LITE: "b"})))
    assert "  every case has the same verdict with all of them\n" in text


def test_a_model_whose_run_ended_early_has_no_verdict_for_the_rest(report, case, info):
    reports = {PRO: report(case("lag"), case("chat")), LITE: report(case("lag"))}
    whole = merge_reports(reports, info(mode="live", interrupted=True, parts={PRO: "a", LITE: "b"}))
    assert [row.verdicts for row in whole.models.rows] == [("passed", "passed"), ("passed", None)]
    assert "| `chat` in " in render("markdown", whole)
    assert "| passed | **not played** |" in render("markdown", whole)
    assert json.loads(render("json", whole))["models"]["rows"][1]["verdicts"] == {PRO: "passed", LITE: None}


def test_markdown_has_a_column_per_model(whole):
    text = render("markdown", whole)
    assert "| Case | `gemini-2.5-pro` | `openai/gpt-4o` |" in text
    assert f"| `lag` in `{FILE}` | passed | **failed** |" in text
    assert f"## `{FILE}` with `{LITE}`" in text


def test_json_names_each_models_folder(whole):
    columns = json.loads(render("json", whole))["models"]["columns"]
    assert [(one["model"], one["folder"], one["counts"]["failed"]) for one in columns] == [
        (PRO, PRO, 0),
        (LITE, "openai-gpt-4o", 1),
    ]


def test_junit_tells_the_same_case_of_two_models_apart(whole):
    assert 'name="lag [gemini-2.5-pro]"' in render("junit", whole)
    assert 'name="lag [openai/gpt-4o]"' in render("junit", whole)
