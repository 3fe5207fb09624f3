"""The report as plain lines."""

import re

from evalkit.report.layout import RECAP_ABOVE
from evalkit.report.text import render

MIXED = """\
evalsets/kafka/topics.evalset.json  (criteria: evalsets/kafka/test_config.json)
  + passed        list_topics      0.12 s  replay 1.00, grounding 1.00, tool_trajectory_avg_score 1.00 (by construction)
  x failed        lag_of_group     0.31 s  \
replay 0.50 (failed), style 0.25 (needs 0.50; informative), response_match_score not applicable
      replay: a golden call was never asked for
      replay 0.50 (failed):
        expected  get_lag(group="pay")
        actual    (nothing)
      style 0.25 (needs 0.50; informative):
        too long
  ! error         broker_down     61.20 s
      agent_error: KeyError: 'x'
  ? inconclusive  rubric#2         1.50 s  rubric not judged
      rubric could not run
      rubric not judged:
        there is no judge
  - skipped       chat             0.00 s  conversation_scenario is played live only
  response_match_score is not applicable to 1 of 5 cases

evalsets/kafka/groups.test.json
  + passed        fixed     0.00 s  known failing: bug 12, replay 1.00
  x failed        open      0.00 s  known failing: bug 13
      replay: no

Tools that no case called
  kafka: create_topic, delete_topic

Slowest
    1 min 01 s  evalsets/kafka/topics.evalset.json:broker_down
         1.5 s  evalsets/kafka/topics.evalset.json:rubric#2

note: ADK's defaults apply to one file
note: get_lag takes a tool context: its own state writes did not run (list_topics)

Known failing, not gating: 1 passed, 1 failed, 0 errors, 0 inconclusive, 0 skipped
  evalsets/kafka/groups.test.json:fixed passed although it is known to fail

1 passed, 1 failed, 1 error, 1 inconclusive, 1 skipped, 2 known failing in 1.9 s \
(exit 1: cases failed or had errors; golden replay: the model was not exercised)
"""

HOSTILE = "a|b`c\x1b[2J\x9b1m\r\u202e\nnext \ud800"


def test_a_run_with_every_verdict_reads_like_this(mixed_report):
    assert render(mixed_report) == MIXED


def test_a_green_run_is_short(report, case, criterion):
    assert render(report(case("a", criteria=(criterion("replay"),)), case("longer"))) == (
        "evalsets/kafka/topics.evalset.json\n"
        "  + passed        a          0.00 s  replay 1.00\n"
        "  + passed        longer     0.00 s\n"
        "\n"
        "2 passed, 0 failed, 0 errors, 0 inconclusive, 0 skipped in 1.9 s "
        "(golden replay: the model was not exercised)\n"
    )


def test_a_run_of_nothing_still_has_its_last_line(report):
    assert render(report()) == (
        "0 passed, 0 failed, 0 errors, 0 inconclusive, 0 skipped in 1.9 s "
        "(exit 2: no case was selected; golden replay: the model was not exercised)\n"
    )


def test_hostile_text_stays_text(report, case, criterion):
    shown = render(
        report(
            case(
                HOSTILE,
                "failed",
                HOSTILE,
                file=HOSTILE,
                notes=(HOSTILE,),
                criteria=(criterion(HOSTILE, 0.0, passed=False, reason="x\x1b]0;title\x07"),),
                known_failing=HOSTILE,
            ),
            uncalled_tools={HOSTILE: (HOSTILE,)},
        )
    )

    shown.encode()
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", shown)
    assert "  x failed        a|b`c\\x1b[2J\\x9b1m\\x0d\\u202e\\nnext \\ud800     0.00 s  known failing: a|b`c" in shown
    assert "        x\\x1b]0;title\\x07\n" in shown


def test_a_reason_of_ten_kilobytes_is_cut_with_a_mark(report, case):
    shown = render(report(case("a", "failed", "y" * 10_240)))

    assert "y" * 2_000 + "... (truncated: 8,240 more characters in results.json)\n" in shown
    assert len(shown) < 3_000


def test_columns_align_for_wide_characters(report, case):
    lines = render(report(case("消费者", seconds=1), case("abcdef", seconds=1))).splitlines()

    assert lines[1:3] == ["  + passed        消费者     1.00 s", "  + passed        abcdef     1.00 s"]


def test_one_very_long_name_does_not_widen_the_column_of_the_others(report, case):
    lines = render(report(case("n" * 100), case("short"))).splitlines()

    assert lines[1:3] == [f"  + passed        {'n' * 100}     0.00 s", "  + passed        short     0.00 s"]


def test_after_a_long_table_the_cases_that_did_not_pass_are_named_again(report, case):
    cases = [case(f"case_{number}") for number in range(RECAP_ABOVE)]

    assert "Not passed" not in render(report(*cases[1:], case("bad", "failed", "first\nsecond")))
    assert render(report(*cases, case("bad", "failed", "first\nsecond"))).splitlines()[-4:-1] == [
        "Not passed",
        "  x failed        evalsets/kafka/topics.evalset.json:bad  first",
        "",
    ]


def test_a_note_for_many_cases_names_some_and_counts_the_rest(report, case):
    shown = render(report(*(case(name, notes=("unused route",)) for name in "abcde")))

    assert "note: unused route (a, b, c and 2 more)\n" in shown
