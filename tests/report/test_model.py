"""What a run comes to."""

from dataclasses import replace

import pytest

from evalkit.cases import Config
from evalkit.repeats import Terms
from evalkit.report.counts import Counts
from evalkit.report.model import Note


def test_cases_stand_under_their_file_in_the_order_of_the_run(report, case):
    summed = report(case("b", file="z.json"), case("a", file="a.json"), case("a", file="z.json"))

    assert [(group.file, [result.eval_id for result in group.results]) for group in summed.files] == [
        ("z.json", ["b", "a"]),
        ("a.json", ["a"]),
    ]


def test_each_file_tells_where_its_criteria_come_from(report, case):
    summed = report(
        case("a", file="a.json"),
        case("b", file="b.json"),
        configs={"a.json": Config(criteria=(), origin="ADK's defaults")},
    )

    assert [group.config for group in summed.files] == ["ADK's defaults", ""]


def test_every_selected_case_stands_in_exactly_one_count(mixed_report):
    assert mixed_report.counts == Counts(passed=1, failed=1, error=1, inconclusive=1, skipped=1)
    assert mixed_report.known_failing == Counts(passed=1, failed=1)
    assert [group.counts.total + group.known_failing.total for group in mixed_report.files] == [5, 2]
    assert mixed_report.counts.total + mixed_report.known_failing.total == len(mixed_report.results)


def test_a_known_failing_case_that_passed_is_news(mixed_report):
    assert [result.eval_id for result in mixed_report.news] == ["fixed"]


def test_criteria_that_apply_to_no_case_are_counted_by_file_and_metric(report, case, criterion):
    absent = criterion("rouge", None, passed=None, state="not_applicable")
    summed = report(
        case("a", file="a.json", criteria=(absent, criterion("replay"))),
        case("b", file="a.json", criteria=(absent,)),
        case("c", file="b.json", criteria=(criterion("rouge"),)),
    )

    assert [group.not_applicable for group in summed.files] == [{"rouge": 2}, {}]


def test_agents_whose_tools_were_all_called_are_left_out(mixed_report):
    assert mixed_report.uncalled_tools == {"kafka": ("create_topic", "delete_topic")}


def test_the_slowest_cases_are_few_and_really_slow(report, case):
    seconds = {"quick": 0.99, "slow": 1.0, "slower": 3.0, "slowest": 9.0, "middle": 2.0}
    summed = report(*(case(name, seconds=value) for name, value in seconds.items()))

    assert [result.eval_id for result in summed.slowest] == ["slowest", "slower", "middle"]


def test_a_note_is_told_once_with_all_its_cases(report, case):
    summed = report(
        case("a", notes=("unused route",)), case("b", run=1, notes=("unused route", "other")), notes=("of the run",)
    )

    assert summed.notes == (
        Note(text="of the run"),
        Note(text="unused route", cases=("a", "b#2")),
        Note(text="other", cases=("b#2",)),
    )


def test_a_run_that_never_ended_is_as_long_as_its_cases(report, case, info):
    summed = report(case("a", seconds=1.5), case("b", seconds=2.0), info=info(finished=None))

    assert summed.seconds == 3.5


@pytest.mark.parametrize(
    ("mode", "exercised", "closing"),
    [
        ("golden", False, " in 1.9 s (golden replay: the model was not exercised)"),
        (
            "cassette",
            False,
            " in 1.9 s (cassette replay: recorded turns were played, the model was not exercised)",
        ),
        ("live", True, " in 1.9 s"),
    ],
)
def test_the_last_line_says_whether_the_model_was_exercised(report, case, info, mode, exercised, closing):
    summed = report(case("a"), info=info(mode=mode))

    assert summed.model_exercised is exercised
    assert summed.closing == "1 passed, 0 failed, 0 errors, 0 inconclusive, 0 skipped" + closing


def test_the_last_line_has_counts_duration_and_the_meaning_of_the_exit_code(mixed_report):
    assert mixed_report.exit_code == 1
    assert mixed_report.closing == (
        "1 passed, 1 failed, 1 error, 1 inconclusive, 1 skipped, 2 known failing in 1.9 s "
        "(exit 1: cases failed or had errors; golden replay: the model was not exercised)"
    )


def test_the_last_line_says_when_everything_was_skipped(report, case, info):
    summed = report(case("a", "skipped", "later"), info=info(mode="live"))

    assert summed.exit_code == 0
    assert summed.closing == (
        "0 passed, 0 failed, 0 errors, 0 inconclusive, 1 skipped in 1.9 s (every case was skipped, nothing was judged)"
    )


def test_requiring_a_judgement_makes_that_2(report, case):
    assert report(case("a", "skipped"), terms=Terms(require_judged=True)).exit_code == 2


def test_an_interrupted_run_says_so_whatever_else_it_says(report, case, info):
    summed = report(case("a", "failed"), info=replace(info(mode="live"), interrupted=True))

    assert summed.closing.endswith("(exit 1: cases failed or had errors; the run was interrupted)")


def test_a_run_of_nothing_is_2(report, info):
    summed = report(info=info(mode="live"))

    assert summed.exit_code == 2
    assert summed.closing == (
        "0 passed, 0 failed, 0 errors, 0 inconclusive, 0 skipped in 1.9 s (exit 2: no case was selected)"
    )
