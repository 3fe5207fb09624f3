"""Several runs of a case into one verdict: DESIGN's rules with repeats, gates, quarantine, and the suite's figures."""

import json
from datetime import date

import pytest

from evalkit.cases import Gate
from evalkit.quarantine import Quarantine
from evalkit.repeats import Terms, hopeless, settle
from evalkit.results import CaseResult, Effort
from evalkit.suites import suite_figures

FILE = "lag.test.json"
TODAY = date(2027, 1, 15)
WORDS = {"p": "passed", "f": "failed", "e": "error", "m": "inconclusive", "i": "error", "u": "inconclusive"}
FAULTS = {"e": "agent", "m": "mock", "i": "infrastructure"}


def played(runs, eval_id="a", **fields):
    """Make the runs of a case: p passed, f failed, e error, m without a mock, i without a model, u not judged."""
    return [
        CaseResult(
            file=FILE,
            eval_id=eval_id,
            run=number,
            verdict=WORDS[sign],
            fault=FAULTS.get(sign),
            reasons=() if sign == "p" else (f"because of {sign}",),
            seconds=1.0,
            **fields,
        )
        for number, sign in enumerate(runs)
    ]


def settled(runs, gate=None, **terms):
    (result,) = settle(played(runs), Terms(gate=gate or Gate(), today=TODAY, **terms))
    return result


def entry(expires):
    return {(FILE, "a"): Quarantine(case=FILE, owner="team-kafka", reason="mixes up topics", expires=expires)}


def test_a_case_that_passes_fails_and_passes_is_flaky_and_fails(shared):
    """The shared case 37: three runs with the scores 1, 0 and 1."""
    given = json.loads((shared / "cases" / "37_repeat_runs_and_flaky.json").read_text(encoding="utf-8"))
    wanted = given["expect"]
    result = settled("".join("p" if score == 1.0 else "f" for score in given["input"]["scripted_scores"]))

    assert len(result.repeats.runs) == wanted["runs"] == given["input"]["run"]["num_runs"]
    assert result.repeats.passed == wanted["passed_runs"]
    assert result.standing.upper() == wanted["label"]
    assert {"failed": 1}[result.verdict] == wanted["exit_code"]
    assert [run.verdict for run in result.repeats.runs] == ["passed", "failed", "passed"]


@pytest.mark.parametrize(
    ("runs", "verdict", "standing"),
    [
        ("ppp", "passed", "passed"),
        ("fff", "failed", "failed"),
        ("pfp", "failed", "flaky"),
        ("pep", "error", "flaky"),
        ("pmp", "inconclusive", "flaky"),
        ("fep", "failed", "flaky"),
        ("eee", "error", "broken"),
        ("mmm", "inconclusive", "broken"),
        ("eem", "error", "broken"),
        ("fee", "failed", "failed"),
        ("pip", "error", "infrastructure"),
        ("iii", "error", "infrastructure"),
        ("pui", "error", "infrastructure"),
        ("ppu", "inconclusive", "inconclusive"),
        ("fi", "failed", "failed"),
    ],
)
def test_without_a_gate_the_worst_run_decides_and_the_standing_says_what_it_is(runs, verdict, standing):
    result = settled(runs)
    assert (result.verdict, result.standing) == (verdict, standing)


@pytest.mark.parametrize(
    ("runs", "gate", "verdict"),
    [
        pytest.param("ppf", Gate(min_pass_rate=0.6), "passed", id="enough passed"),
        pytest.param("ppf", Gate(min_pass_rate=2 / 3), "passed", id="exactly enough, whatever the rounding"),
        pytest.param("pff", Gate(min_pass_rate=0.6), "failed", id="too few passed"),
        pytest.param("ppe", Gate(min_pass_rate=0.6), "passed", id="an error is a run that did not pass, no more"),
        pytest.param("pee", Gate(min_pass_rate=0.6), "error", id="errors broke it"),
        pytest.param("puu", Gate(min_pass_rate=0.6), "inconclusive", id="what was not judged could have made it"),
        pytest.param("ffu", Gate(min_pass_rate=0.6), "failed", id="what was not judged could not have made it"),
        pytest.param("fep", Gate(min_pass_rate=0.6), "error", id="one failure is allowed, the error broke it"),
        pytest.param("p" * 10, Gate(min_lower_bound=0.7), "passed", id="the bound of ten of ten is 0.722"),
        pytest.param("p" * 9 + "f", Gate(min_lower_bound=0.7), "failed", id="the bound of nine of ten is 0.596"),
        pytest.param("ppp", Gate(min_lower_bound=0.7), "inconclusive", id="three runs cannot show 0.7"),
        pytest.param("ppf", Gate(min_lower_bound=0.7), "failed", id="so few runs tolerate no failure"),
        pytest.param("eup", Gate(min_lower_bound=0.7), "error", id="and no error"),
        pytest.param("p" * 19 + "f", Gate(min_pass_rate=0.9, min_lower_bound=0.7), "passed", id="both hold"),
        pytest.param("p" * 19 + "f", Gate(min_pass_rate=1, min_lower_bound=0.7), "failed", id="one does not"),
    ],
)
def test_a_gate_says_how_many_runs_must_pass_and_the_verdict_what_broke_it(runs, gate, verdict):
    assert settled(runs, gate).verdict == verdict


def test_the_reasons_say_how_many_passed_and_what_the_others_did():
    assert settled("pfpef").reasons == (
        "2 of 5 runs passed; all must",
        "runs 2, 5 (failed): because of f",
        "run 4 (error): because of e",
    )
    assert settled("pf", Gate(min_pass_rate=0.9)).reasons[0] == "1 of 2 runs passed; a share of 0.9 must"


def test_too_few_runs_say_how_many_it_takes():
    assert settled("ppp", Gate(min_lower_bound=0.7)).reasons == (
        "3 of 3 runs passed; the rate's lower bound is 0.439 and must be 0.7, which takes 9 runs (--runs 9)",
    )
    assert settled("ppp", Gate(min_lower_bound=1)).reasons[0].endswith("must be 1, which no number of runs can show")


def test_a_tolerated_run_stays_visible():
    result = settled("ppf", Gate(min_pass_rate=0.5))
    assert (result.verdict, result.standing) == ("passed", "flaky")
    assert result.reasons == ("run 3 (failed): because of f",)


def test_a_single_live_run_cannot_show_a_lower_bound_and_a_single_replay_need_not():
    gate = Gate(min_lower_bound=0.5)
    live = settled("p", gate, replayed=False)
    assert live.verdict == "inconclusive"
    assert live.reasons[0].startswith("1 of 1 runs passed; the rate's lower bound is 0.207 and must be 0.5")
    assert settled("p", gate, replayed=True).verdict == "passed"
    assert settled("f", gate, replayed=False).verdict == "failed"


def test_a_gate_of_the_cases_own_replaces_that_of_all():
    (result,) = settle(played("ppf"), Terms(gate=Gate(min_pass_rate=0.5), own={(FILE, "a"): Gate(min_pass_rate=1)}))
    assert result.verdict == "failed"


def test_all_that_the_runs_took_and_noted_is_summed_up():
    runs = played("pp", notes=("odd",), effort=Effort(tool_calls=2, model_calls=3, tokens=100, usd=0.25))
    (result,) = settle(runs, Terms())
    assert (result.seconds, result.notes) == (2.0, ("odd",))
    assert result.effort == Effort(tool_calls=4, model_calls=6, tokens=200, usd=0.5)
    (result,) = settle([*runs, *played("ppp")[2:]], Terms())
    assert result.effort.usd is None


def test_the_figures_of_a_case_are_those_of_its_runs():
    repeats = settled("pfp").repeats
    assert repeats.pass_rate == pytest.approx(2 / 3)
    assert (repeats.low, repeats.high) == pytest.approx((0.20765960080204782, 0.9385080552796038), abs=1e-9)
    assert repeats.pass_at_k == pytest.approx((2 / 3, 1, 1))
    assert repeats.pass_hat_k == pytest.approx((2 / 3, 1 / 3, 0))


def test_a_case_in_quarantine_does_not_gate_and_that_it_passes_is_news():
    failing = settled("pf", quarantine=entry(TODAY))
    assert (failing.verdict, failing.aside) == (
        "failed",
        "in quarantine until 2027-01-15 (team-kafka): mixes up topics",
    )
    passing = settled("pp", quarantine=entry(TODAY))
    assert passing.notes == ("in quarantine, but it passes now: take it off the list",)


@pytest.mark.parametrize("runs", ["pp", "pf", "p"])
def test_an_expired_quarantine_fails_its_case_whatever_it_does(runs):
    result = settled(runs, quarantine=entry(date(2027, 1, 14)))
    assert (result.verdict, result.aside) == ("failed", None)
    assert result.reasons[0] == (
        "its quarantine ended on 2027-01-14 (team-kafka: mixes up topics): mend the case, then take it off the list, "
        "or give it another date"
    )


def test_runs_are_put_in_order_and_cases_stay_in_theirs():
    first, second, third = played("pfp")
    other = played("p", "b")
    result = settle([third, *other, first, second], Terms())
    assert [(case.eval_id, [run.run for run in case.plays]) for case in result] == [("a", [0, 1, 2]), ("b", [0])]


def test_a_skipped_case_stays_skipped():
    skipped = CaseResult(file=FILE, eval_id="a", run=0, verdict="skipped", reasons=("later",))
    (result,) = settle([skipped], Terms(gate=Gate(min_lower_bound=0.9), replayed=False))
    assert (result.verdict, result.standing, result.reasons) == ("skipped", "skipped", ("later",))


@pytest.mark.parametrize(
    ("runs", "gate", "lost"),
    [
        ("pf", Gate(), True),
        ("pp", Gate(), False),
        ("pf", Gate(min_pass_rate=0.6), False),
        ("ff", Gate(min_pass_rate=0.6), True),
        ("pp", Gate(min_lower_bound=0.9), False),
    ],
)
def test_a_case_is_lost_once_no_further_run_can_save_it(runs, gate, lost):
    assert hopeless(played(runs), 4, gate) is lost


def test_the_suite_is_all_runs_of_the_cases_that_gate():
    cases = settle(
        [
            *played("ppf", "a"),
            *played("ppp", "b"),
            *played("eee", "c", known_failing="bug"),
            CaseResult(file=FILE, eval_id="d", run=0, verdict="skipped"),
        ],
        Terms(),
    )
    figures = suite_figures(cases, Terms(suite=Gate(min_pass_rate=0.8)))
    assert (figures.cases, figures.runs, figures.passed) == (2, 6, 5)
    assert figures.pass_at_k == pytest.approx((5 / 6, 1, 1))
    assert figures.pass_hat_k == pytest.approx((5 / 6, 2 / 3, 1 / 2))
    assert (figures.verdict, figures.reason) == ("passed", "5 of 6 runs of the suite passed; a share of 0.8 must")
    assert suite_figures(cases, Terms(suite=Gate(min_pass_rate=0.9))).verdict == "failed"
    assert suite_figures(cases, Terms()).verdict is None


def test_a_suite_without_runs_has_no_verdict():
    figures = suite_figures([], Terms(suite=Gate(min_pass_rate=0.9)))
    assert (figures.runs, figures.verdict, figures.low, figures.high) == (0, None, 0.0, 1.0)
