"""What GitHub Actions shows of a run: annotations, and the summary of the step."""

import pytest
from markdown_it import MarkdownIt

from evalkit.cases import Gate
from evalkit.repeats import Terms
from evalkit.report.github import FILES_SHOWN, SUMMARY_LIMIT, annotations, refusal, summary
from evalkit.workflow_commands import ANNOTATIONS_SHOWN

TOPICS = "evalsets/kafka/topics.evalset.json"


def titles(report):
    return [line.partition("title=")[2].partition("::")[0] for line in annotations(report, None)]


def test_a_case_that_did_not_pass_is_annotated_at_its_line_with_its_reasons(report, case, criterion):
    failed = criterion("replay", 0.5, passed=False, reason="expected  a: 1\nactual    (nothing), 50%")
    run = report(case("lag", "failed", "replay: never asked for", line=7, criteria=(failed,)))

    (line,) = annotations(run, None)

    assert line == (
        f"::error file={TOPICS},line=7,title=failed%3A lag::replay: never asked for%0A"
        "replay 0.50 (failed):%0A  expected  a: 1%0A  actual    (nothing), 50%25"
    )


def test_files_are_named_from_the_top_of_the_repository(report, case, tmp_path, monkeypatch):
    (tmp_path / "agents").mkdir()
    monkeypatch.chdir(tmp_path / "agents")
    (line,) = annotations(report(case("lag", "failed", "no")), str(tmp_path))

    assert line == f"::error file=agents/{TOPICS},title=failed%3A lag::no"


def test_what_does_not_gate_is_not_annotated_but_news_is_a_warning(mixed_report):
    kinds = [line.partition(" ")[0] for line in annotations(mixed_report, None)]

    assert list(zip(kinds, titles(mixed_report), strict=True)) == [
        ("::error", "failed%3A lag_of_group"),
        ("::error", "error%3A broker_down"),
        ("::error", "inconclusive%3A rubric#2"),
        ("::warning", "passed%3A fixed"),
    ]


def test_a_green_run_annotates_nothing(report, case):
    assert [*annotations(report(case("a"), case("b", "skipped", "later")), None)] == []


def test_a_run_that_is_not_green_though_no_case_is_to_blame_is_annotated_itself(report):
    assert [*annotations(report(), None)] == ["::error title=evalkit::exit 2: no case was selected"]


def test_cases_that_a_gate_of_the_suite_tolerates_are_warnings(report, case):
    terms = Terms(suite=Gate(min_pass_rate=0.5))
    run = report(case("fine"), case("wrong", "failed", "no"), terms=terms)

    assert run.exit_code == 0
    assert [*annotations(run, None)] == [f"::warning file={TOPICS},title=failed%3A wrong::no"]


def test_github_shows_ten_so_the_worst_come_first_and_the_rest_is_counted(report, case):
    verdicts = ("inconclusive", "error", "failed")
    run = report(*(case(f"{verdict} {number}", verdict, "no") for number in range(5) for verdict in verdicts))
    *shown, more = annotations(run, None)

    assert len(shown) == ANNOTATIONS_SHOWN == 10
    assert [title.partition("%3A")[0] for title in titles(run)[:10]] == ["failed"] * 5 + ["error"] * 5
    assert more == "::notice title=evalkit::5 more did not pass; the summary of this step has them too"


def test_hostile_text_writes_one_command_and_steers_nothing(report, case):
    hostile = "a,line=1::b%\x1b[2J\r\n::add-mask::x"
    (line,) = annotations(report(case(hostile, "failed", hostile, file=hostile)), None)

    assert "\n" not in line
    assert "\x1b" not in line
    assert line.startswith("::error file=a%2Cline=1%3A%3Ab%25\\x1b[2J\\n%3A%3Aadd-mask%3A%3Ax,title=failed%3A a%2Cline")


SUMMARY = """\
# Evaluation of 2025-11-29 21:12:00 UTC

- Result: 1 passed, 1 failed, 0 errors, 0 inconclusive, 0 skipped, 1 known failing in 1.9 s \
(exit 1: cases failed or had errors; golden replay: the model was not exercised)
- Mode: `golden`
- Versions: evalkit 0.1.0, google-adk 2.13.0, Python 3.11.7
- Known failing, not gating: 0 passed, 1 failed, 0 errors, 0 inconclusive, 0 skipped

| File | passed | failed | error | inconclusive | skipped | not gating |
| --- | ---: | ---: | ---: | ---: | ---: | ---: |
| `evalsets/kafka/topics.evalset.json` | 1 | 1 |  |  |  |  |
| `b.test.json` |  |  |  |  |  | 1 |

### failed: `lag`

In `evalsets/kafka/topics.evalset.json`.

```text
replay: no
```

### failed: `open`

In `b.test.json`, known failing.

```text
replay: not yet
```

"""


def test_the_summary_counts_by_file_and_tells_of_what_did_not_pass(report, case):
    run = report(
        case("fine"),
        case("lag", "failed", "replay: no"),
        case("open", "failed", "replay: not yet", file="b.test.json", known_failing="bug 13"),
    )

    assert summary(run) == SUMMARY


def test_several_summaries_of_a_step_do_not_run_into_one_another(report, case):
    run = report(case("lag", "failed", "no"))
    headings = [token.tag for token in MarkdownIt().parse(summary(run) * 2) if token.type == "heading_open"]

    assert headings == ["h1", "h3", "h1", "h3"]


@pytest.mark.parametrize("sign", ["y", "\u20ac", "\U0001f600", "\x00"])
def test_a_summary_that_is_too_long_is_cut_between_cases_and_says_so(report, case, sign):
    run = report(*(case(f"case {number}", "failed", sign * 2000) for number in range(100)))
    text = summary(run, 100_000)

    assert len(text.encode()) <= 100_000
    shown = text.count("### failed")
    assert 5 < shown < 100
    assert text.endswith(f"```\n\n{100 - shown} more did not pass; the run's `report.md` has them too.\n\n")


def test_github_takes_a_mebibyte(report, case):
    run = report(*(case(f"case {number}", "failed", "y" * 2000) for number in range(600)))

    assert SUMMARY_LIMIT - 3000 < len(summary(run).encode()) <= SUMMARY_LIMIT == 2**20


def test_the_worst_are_told_of_first(report, case):
    run = report(
        case("unsure", "inconclusive", "no judge"),
        case("wrong", "failed", "no"),
        case("known", "failed", known_failing="x"),
    )
    headings = [line for line in summary(run).splitlines() if line.startswith("###")]

    assert headings == ["### failed: `wrong`", "### inconclusive: `unsure`", "### failed: `known`"]


def test_a_summary_fits_into_what_the_step_has_left(report, case):
    run = report(*(case(f"case {number}", "failed", "y" * 2000) for number in range(100)))

    assert len(summary(run, 20_000).encode()) <= 20_000
    assert summary(run, 20_000).count("### failed") == 9
    assert summary(run, 100) == ""


def test_a_table_of_very_many_files_is_cut_too(report, case):
    run = report(*(case("a", file=f"{number}.test.json") for number in range(FILES_SHOWN + 7)))

    assert "| `199.test.json` | 1 |  |  |  |  |  |\n\nand 7 more files" in summary(run)


def test_a_step_that_evaluated_nothing_says_why():
    text = refusal(["1 error in the files; nothing was played", "a.json: error[bad-json] $: ```\n<img>"])

    assert text == (
        "# Nothing was evaluated\n\n````text\n1 error in the files; nothing was played\n"
        "a.json: error[bad-json] $: ```\n<img>\n````\n\n"
    )
