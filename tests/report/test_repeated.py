"""Repeats in every report: each run's verdict is kept, and what the runs come to together is said once."""

import json
from datetime import date

import pytest
from jsonschema import Draft202012Validator

from evalkit.cases import Gate
from evalkit.quarantine import Quarantine
from evalkit.repeats import Terms
from evalkit.report import render
from evalkit.report.repeated import columns_of_k, verdicts_by_run
from evalkit.report.text import render as as_text

FILE = "evalsets/kafka/topics.evalset.json"
LIVE = "live"


@pytest.fixture
def repeated(report, case, criterion, info):
    """Three live runs: a case that passes, one that is flaky, one that has no model, and one in quarantine."""

    def make(mode=LIVE, **terms):
        lag = [
            case("lag", criteria=(criterion("grounding", threshold=0.8),), seconds=0.5),
            case(
                "lag",
                "failed",
                "grounding is 0.5, below 0.8",
                run=1,
                criteria=(criterion("grounding", 0.5, threshold=0.8, passed=False, reason="no source for 75"),),
                seconds=1.0,
            ),
            case("lag", run=2, criteria=(criterion("grounding", threshold=0.8),), seconds=0.5),
        ]
        others = [case("fine", run=run, seconds=0.1) for run in range(3)]
        away = [case("away", "error", "model_error: 429", run=run, fault="infrastructure") for run in range(3)]
        kept = [case("kept", "failed", "replay: no", run=run) for run in range(3)]
        entry = Quarantine(case=f"{FILE}:kept", owner="team-kafka", reason="mixes up", expires=date(2027, 1, 31))
        held = Terms(quarantine={(FILE, "kept"): entry}, replayed=mode != LIVE, today=date(2027, 1, 1), **terms)
        return report(*lag, *others, *away, *kept, info=info(mode=mode), terms=held)

    return make


TEXT = """\
evalsets/kafka/topics.evalset.json
  x failed        lag      2.00 s  flaky: 2 of 3 runs passed (95% interval 21% to 94%), \
grounding 0.83 (0.50 to 1.00; 2 of 3 pass)
      runs: passed 1, 3; failed 2
      2 of 3 runs passed; all must
      run 2 (failed): grounding is 0.5, below 0.8
      grounding 0.50 (needs 0.80):
        no source for 75
  + passed        fine     0.30 s  passed: 3 of 3 runs passed (95% interval 44% to 100%)
  ! error         away     0.00 s  infrastructure: 0 of 3 runs passed (95% interval 0% to 56%)
      0 of 3 runs passed; all must
      runs 1-3 (error): model_error: 429
  x failed        kept     0.00 s  in quarantine until 2027-01-31 (team-kafka): mixes up, \
failed: 0 of 3 runs passed (95% interval 0% to 56%)
      0 of 3 runs passed; all must
      runs 1-3 (failed): replay: no

Slowest
         1.0 s  evalsets/kafka/topics.evalset.json:lag#2

In quarantine, not gating: 0 passed, 1 failed, 0 errors, 0 inconclusive, 0 skipped

Repeats: 9 runs of 3 cases, 5 passed (56%, 95% interval 27% to 81%)
  cases: 1 passed, 1 flaky, 1 infrastructure
  k            1     2     3
  pass@k    0.56  0.67  0.67
  pass^k    0.56  0.44  0.33

1 passed, 1 failed, 1 error, 0 inconclusive, 0 skipped, 1 in quarantine in 1.9 s (exit 1: cases failed or had errors)
"""


def test_the_text_has_each_runs_verdict_and_the_figures_of_all(repeated):
    assert as_text(repeated()) == TEXT


def test_markdown_has_each_runs_verdict_and_the_figures_of_all(repeated):
    shown = render("markdown", repeated())
    assert (
        "| failed | `lag` | 2.00 | flaky: 2 of 3 runs passed (95% interval 21% to 94%); runs: passed 1, 3; failed 2; "
        "`grounding` 0.83 (0.50 to 1.00; 2 of 3 pass) |"
    ) in shown
    assert "in quarantine until 2027-01-31 (`team-kafka`): `mixes up`" in shown
    assert "| pass^k | 0.56 | 0.44 | 0.33 |" in shown
    assert "run 2 (failed): grounding is 0.5, below 0.8" in shown


def test_json_keeps_every_run_and_fits_its_schema(repeated, repo_root):
    schema = json.loads((repo_root / "evalkit/report/schemas/results.schema.json").read_text(encoding="utf-8"))
    data = json.loads(render("json", repeated(suite=Gate(min_pass_rate=0.5))))
    validator = Draft202012Validator(schema, format_checker=Draft202012Validator.FORMAT_CHECKER)
    assert [error.message for error in validator.iter_errors(data)] == []

    lag, _, _, kept = data["files"][0]["cases"]
    assert [(run["run"], run["verdict"]) for run in lag["repeats"]["runs"]] == [
        (0, "passed"),
        (1, "failed"),
        (2, "passed"),
    ]
    assert (lag["verdict"], lag["standing"], lag["repeats"]["passed"]) == ("failed", "flaky", 2)
    assert kept["quarantine"]["owner"] == "team-kafka"
    suite = data["suite"]
    assert (suite["runs"], suite["passed"], suite["verdict"], suite["min_pass_rate"]) == (9, 5, "passed", 0.5)


def test_a_gate_of_the_suite_decides_instead_of_the_cases(repeated):
    held, broken = (repeated(suite=Gate(min_pass_rate=share)) for share in (0.5, 0.9))
    assert held.exit_code == 0
    assert "(5 of 9 runs of the suite passed; a share of 0.5 must)" in held.closing
    assert broken.exit_code == 1
    assert "5 of 9 runs of the suite passed; a share of 0.9 must" in broken.closing


def test_a_case_with_a_gate_of_its_own_decides_also_beside_a_gate_of_the_suite(repeated):
    terms = {"suite": Gate(min_pass_rate=0.5), "own": {(FILE, "lag"): Gate(min_pass_rate=1)}}
    assert repeated(**terms).exit_code == 1
    terms["own"] = {(FILE, "lag"): Gate(min_pass_rate=0.6)}
    assert repeated(**terms).exit_code == 0


def test_a_run_within_its_gate_is_green_and_its_failures_stay_visible(repeated):
    passed = repeated(own={(FILE, "lag"): Gate(min_pass_rate=0.6)})
    shown = as_text(passed)
    assert "  + passed        lag      2.00 s  flaky: 2 of 3 runs passed" in shown
    assert "      run 2 (failed): grounding is 0.5, below 0.8" in shown
    assert "## Passed, though not in every run\n\n### passed: `lag`" in render("markdown", passed)


def test_junit_has_a_case_once_with_its_runs(repeated):
    shown = render("junit", repeated())
    assert shown.count('name="lag"') == 1
    assert '<property name="evalkit_runs_passed" value="2" />' in shown
    assert "flaky: 2 of 3 runs passed (95% interval 21% to 94%); runs: passed 1, 3; failed 2" in shown
    assert '<skipped type="quarantine"' in shown


def test_of_replays_is_said_that_repeats_tell_nothing_about_the_model(repeated):
    assert "golden replays are deterministic: repeats show" in as_text(repeated(mode="golden"))
    assert "deterministic" not in as_text(repeated())


def test_a_suite_that_was_skipped_says_so_whatever_its_gate(report, case, info):
    summed = report(
        case("a", "skipped", "later"), info=info(mode=LIVE), terms=Terms(suite=Gate(min_pass_rate=1), replayed=False)
    )
    assert (summed.exit_code, summed.exit_meaning) == (0, "every case was skipped, nothing was judged")


def test_runs_in_a_row_are_written_as_one(report, case):
    results = [case("a", "failed" if run == 3 else "passed", run=run) for run in range(6)]
    (result,) = report(*results).results
    assert verdicts_by_run(result) == "passed 1-3, 5-6; failed 4"


@pytest.mark.parametrize(("runs", "columns"), [(3, (1, 2, 3)), (6, (1, 2, 3, 4, 5, 6)), (12, (1, 2, 3, 5, 10, 12))])
def test_of_many_runs_some_k_are_shown(runs, columns, report, case):
    assert columns_of_k(report(*(case("a", run=run) for run in range(runs))).suite) == columns
