"""Comparisons as people and programs read them."""

import json
from dataclasses import replace

import pytest
from jsonschema import Draft202012Validator
from markdown_it import MarkdownIt

from evalkit.compare import compare
from evalkit.compare.model import Side
from evalkit.repeats import Terms, settle
from evalkit.report import render as render_report
from evalkit.report.comparison import render
from evalkit.report.comparison.text import render as as_text
from evalkit.report.comparison.wording import p_value
from evalkit.report.merging import with_comparison
from evalkit.results import Effort

HOSTILE = "a|b`c\x1b[2J <b>@octocat"


@pytest.fixture
def side(case, criterion):
    """Make a live side: a case for each id with the verdicts of its runs; a score of 0 for what did not pass."""

    def make(label, cases, *, replayed=False, usd=None, **fields):
        runs = [
            case(
                eval_id,
                verdict,
                run=run,
                seconds=0.5,
                effort=Effort(tool_calls=2, model_calls=3, tokens=0 if replayed else 1200, usd=usd),
                criteria=(criterion("grounding", float(verdict == "passed"), threshold=0.8),),
                fault="mock" if verdict == "inconclusive" else None,
            )
            for eval_id, verdicts in cases.items()
            for run, verdict in enumerate(verdicts)
        ]
        made = {"name": f"runs/{label}", "models": ("gemini-2.5-flash",), **fields}
        return Side(label=label, replayed=replayed, results=tuple(settle(runs, Terms())), **made)

    return make


def compared(*sides):
    return compare(sides, lambda side: None if side is sides[0] else sides[0])


P, F, U = "passed", "failed", "inconclusive"

LIVE = """\
A  runs/A
B  runs/B

                         A                   B
  model                  gemini-2.5-flash    gemini-2.5-flash
  cases                  3 passed, 1 failed  1 failed, 2 inconclusive
  pass rate              93% (69% to 99%)    20% (6% to 51%)
  tool calls a run       2.0                 2.0
  tokens a run           1,200               1,200
  $ a run, estimated     0.0123              -
  seconds a run, median  0.50                0.50

B against A: 2 cases judged on both sides: 1 worse, 0 better; 100% of runs passed, now 40% (exact test, p = 0.14)
  Not judged on one side
    evalsets/kafka/topics.evalset.json:away  2 of 2 runs passed, now 0 of 2 runs passed (broken, 2 undecided)
  Different, but not enough runs to tell
    evalsets/kafka/topics.evalset.json:lost  4 of 4 runs passed, now 1 of 4 runs passed (flaky); \
grounding 1.00, now 0.25
  Not judged in every run any more
    evalsets/kafka/topics.evalset.json:lag  4 of 4 runs passed, now 1 of 4 runs passed (flaky, 3 undecided)
  Played in A alone: evalsets/kafka/topics.evalset.json:gone
  Scores
    grounding 1.00, now 0.62: not enough runs to tell

B against A: no change shown; what differs may be noise, there are not enough runs to tell, \
1 case was judged before and not any more
"""

REPLAY = """\
A  runs/A
B  runs/B

                         A                 B
  model                  gemini-2.5-flash  gemini-2.5-flash
  cases                  2 passed          1 passed, 1 failed
  pass rate              100%              50%
  tool calls a run       2.0               2.0
  seconds a run, median  0.50              0.50

B against A: 2 cases judged on both sides: 1 worse, 0 better; 100% of runs passed, now 50% \
(each a fact: replays are deterministic)
  Regressions
    evalsets/kafka/topics.evalset.json:lag  passed, now failed; grounding 1.00, now 0.00
  Scores
    grounding 1.00, now 0.50: regression

B against A: regression (1 case worse; 1 score lower)
"""


@pytest.fixture
def replay(side):
    return compared(
        side("A", {"lag": [P], "fine": [P]}, replayed=True), side("B", {"lag": [F], "fine": [P]}, replayed=True)
    )


def test_a_replay_that_got_worse_reads_like_this(replay):
    assert as_text(replay) == REPLAY


def test_live_runs_show_intervals_costs_and_what_cannot_be_told(side):
    first = side("A", {"lag": [P] * 4, "lost": [P] * 4, "gone": [P, P, P, F], "away": [P, P]}, usd=0.01234)
    second = side("B", {"lag": [P, U, U, U], "lost": [P, F, F, F], "away": [U, U]})
    assert as_text(compared(first, second)) == LIVE


def test_markdown_of_live_runs_has_the_same_sections(side):
    first = side("A", {"lag": [P] * 4, "lost": [P] * 4, "gone": [P]})
    second = side("B", {"lag": [P, U, U, U], "lost": [P, F, F, F]})
    headings = [line for line in render("markdown", compared(first, second)).splitlines() if line.startswith("#")]
    assert headings == [
        "# Comparison",
        "## B against A",
        "### Different, but not enough runs to tell",
        "### Not judged in every run any more",
        "### Scores",
    ]
    assert "Played in A alone: `evalsets/kafka/topics.evalset.json:gone`" in render("markdown", compared(first, second))


def test_the_evidence_stands_beside_what_it_shows(side):
    first = side("A", {f"case {place}": [P] * 4 for place in range(7)})
    second = side("B", {f"case {place}": [F] * 4 for place in range(7)})
    shown = as_text(compared(first, second))
    assert (
        "7 cases judged on both sides: 7 worse, 0 better; 100% of runs passed, now 0% (exact test, p < 0.001)" in shown
    )
    assert "case 0  4 of 4 runs passed, now 0 of 4 runs passed; grounding 1.00, now 0.00; p = 0.20" in shown
    assert "    grounding 1.00, now 0.00 (-1.00, 95% interval -1.00 to -1.00, p < 0.001): regression" in shown


def test_cases_that_do_not_gate_say_so(side, case):
    known = case("known", F, known_failing="bug 7")
    first, second = (
        replace(found, results=(*found.results, replace(known, verdict=verdict)))
        for found, verdict in ((side("A", {"a": [P]}, replayed=True), P), (side("B", {"a": [P]}, replayed=True), F))
    )
    assert "evalsets/kafka/topics.evalset.json:known  passed, now failed; does not gate" in as_text(
        compared(first, second)
    )


def test_on_a_terminal_findings_are_coloured(replay, monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    shown = render("terminal", replay)
    assert "\x1b[1;31m  Regressions\x1b[0m" in shown


@pytest.mark.parametrize(
    ("value", "shown"), [(0.0004, "p < 0.001"), (0.0312, "p = 0.031"), (0.0999, "p = 0.100"), (0.4, "p = 0.40")]
)
def test_p_values_have_as_many_digits_as_matter(value, shown):
    assert p_value(value) == shown


def test_several_models_stand_side_by_side(side):
    models = ("flash", "pro", "lite")
    sides = [side(label, {"lag": [P]}, models=(model,)) for label, model in zip("ABC", models, strict=True)]
    shown = as_text(compared(*sides))
    assert "  model                  flash               pro                 lite" in shown
    assert "C against A: no change" in shown


def test_markdown_says_the_same(replay):
    shown = render("markdown", replay)
    assert "**B against A: regression (1 case worse; 1 score lower)**" in shown
    assert "- `evalsets/kafka/topics.evalset.json:lag`: passed, now failed; `grounding` 1.00, now 0.00" in shown
    assert "- `grounding` 1.00, now 0.50: regression" in shown
    assert "| pass rate | 100% | 50% |" in shown


def test_text_from_outside_stands_in_code_only(side):
    first = side("A", {HOSTILE: [P]}, replayed=True, name=HOSTILE, models=(HOSTILE,))
    second = side("B", {HOSTILE: [F]}, replayed=True, name=HOSTILE)
    tokens = MarkdownIt().enable("table").parse(render("markdown", compared(first, second)))
    outside = [
        child.content for token in tokens for child in token.children or () if child.type in ("text", "html_inline")
    ]
    assert not any("octocat" in text for text in outside)
    assert "\x1b" not in as_text(compared(first, second))


def test_many_cases_are_cut_and_counted(side):
    before = {f"case {number}": [P] for number in range(25)}
    after = {eval_id: [F] for eval_id in before}
    shown = as_text(compared(side("A", before, replayed=True), side("B", after, replayed=True)))
    assert shown.count("passed, now failed") == 20
    assert "    and 5 more\n" in shown


@pytest.fixture(scope="module")
def validator(repo_root):
    schema = json.loads((repo_root / "evalkit/report/schemas/comparison.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    objects = [part for part in (schema, *schema["$defs"].values()) if "properties" in part]
    assert all(part["additionalProperties"] is False for part in objects)
    assert all(set(part["required"]) == set(part["properties"]) for part in objects)
    return Draft202012Validator(schema)


def test_json_fits_its_schema_and_has_every_case(replay, validator, side):
    data = json.loads(render("json", replay))
    assert [error.message for error in validator.iter_errors(data)] == []
    (difference,) = data["differences"]
    assert [(case["eval_id"], case["finding"]) for case in difference["cases"]] == [
        ("lag", "regression"),
        ("fine", "unchanged"),
    ]
    assert (data["exit_code"], difference["verdicts"]["p"]) == (1, None)
    live = compared(*(side(label, {f"case {place}": [P, F] for place in range(7)}) for label in "AB"))
    assert [error.message for error in validator.iter_errors(json.loads(render("json", live)))] == []


def test_a_report_has_the_comparison_in_every_format_and_a_regression_makes_it_red(replay, report, case):
    whole = with_comparison(report(case("a")), replay)
    assert (whole.exit_code, report(case("a")).exit_code) == (1, 0)
    assert "B against A: regression (1 case worse; 1 score lower)" in whole.closing
    assert "  Regressions\n    evalsets/kafka/topics.evalset.json:lag  passed, now failed" in render_report(
        "text", whole
    )
    assert "### B against A" in render_report("markdown", whole)
    assert json.loads(render_report("json", whole))["comparison"]["exit_code"] == 1
    assert json.loads(render_report("json", report(case("a"))))["comparison"] is None


def test_a_report_that_is_red_stays_red_whatever_the_comparison_says(replay, report, case, side):
    fine = compared(side("A", {"a": [P]}), side("B", {"a": [P]}))
    assert with_comparison(report(case("a", "failed")), fine).exit_code == 1
    assert with_comparison(report(case("a", "inconclusive")), fine).exit_code == 2
