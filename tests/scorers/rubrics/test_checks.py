"""Rubrics with a check: decided without a judge, in golden mode too."""

import pytest

from evalkit.cases import Case, Config, Criterion, Expectation, ResponseRule, TrajectoryRule
from evalkit.expectations import RubricRule
from evalkit.score import JudgeOptions, judge
from evalkit.scorers import load
from evalkit.traces import Outcome


def checked(name="r0", **check):
    return RubricRule(rubric_id=name, check=Expectation(**check))


def expecting(*rubrics, **fields):
    return Expectation(rubrics=rubrics, **fields)


def contains(*texts):
    return ResponseRule(contains=texts)


@pytest.fixture
def scored(crew):
    """Score a case by the checks of its own rubrics, as where no config names the metric."""

    def scored(case, trace, criterion=None):
        return load("rubric")(case, trace, criterion or Criterion(name="rubric"))

    return scored


def call_of(make, name, **args):
    return make.event(name, args=args)


@pytest.mark.parametrize(
    ("check", "value"),
    [
        ({"response": contains("75")}, 1.0),
        ({"response": contains("75", "76")}, 0.0),
        ({"response": ResponseRule(regex=("lag.*75",))}, 0.0),
        ({"trajectory": TrajectoryRule(forbid=())}, None),
        ({"state": {"group": "orders"}}, 1.0),
        ({"state": {"group": "orders"}, "response": contains("76")}, 0.0),
    ],
)
def test_a_rubric_holds_where_all_that_its_check_says_does(make, scored, check, value):
    case = make.case(make.turn(expect=expecting(checked(**check))))
    trace = make.trace(make.happened(final="It is 75 behind."), states=({"group": "orders"},))
    found = scored(case, trace)
    assert found.value == value
    assert found.state == ("not_judged" if value is None else "judged")


def test_calls_may_be_forbidden_or_demanded(make, scored):
    rule = TrajectoryRule(forbid=(make.pattern("delete_topic"),), worked=(make.pattern("get_lag"),))
    case = make.case(make.turn(expect=expecting(checked(trajectory=rule))))
    good, bad = make.event("get_lag", reply={"lag": 75}), make.event("delete_topic")
    assert scored(case, make.trace(make.happened(tools=(good,)))).value == 1.0
    found = scored(case, make.trace(make.happened(tools=(good, bad))))
    assert found.value == 0.0
    assert "evalkit.expect[0].rubrics[0].check" in found.reason


def test_each_turn_has_its_own_checks_and_the_score_is_the_mean(make, scored):
    turns = [
        make.turn(index=0, expect=expecting(checked(response=contains("a")))),
        make.turn(index=1, expect=expecting(checked("r1", response=contains("b")), checked(response=contains("x")))),
    ]
    found = scored(make.case(*turns), make.trace(make.happened(final="a"), make.happened(final="b")))
    assert found.value == pytest.approx(2 / 3)
    assert [turn.value for turn in found.turns] == [1.0, 0.5]
    assert [(one["turn"], one["rubric_id"], one["value"]) for one in found.details["rubrics"]] == [
        (0, "r0", 1.0),
        (1, "r1", 1.0),
        (1, "r0", 0.0),
    ]


def test_the_state_of_a_later_turn_is_looked_at_there(make, scored):
    turns = [make.turn(index=0), make.turn(index=1, expect=expecting(checked(state={"n": 2})))]
    trace = make.trace(make.happened(final="a"), make.happened(final="b"), states=({"n": 1}, {"n": 2}))
    assert scored(make.case(*turns), trace).value == 1.0


def test_a_route_is_checked_and_holds_by_construction_where_golden_mode_made_it(make, scored, crew):
    kafka = make.event("kafka", "agent", agent="crew", golden="$.tool_uses[0]")

    def found(route, mode):
        case = make.case(make.turn([make.call("kafka", "$.tool_uses[0]")], expect=expecting(checked(route=route))))
        golden = make.report() if mode == "golden" else None
        return scored(case, make.trace(make.happened(tools=(kafka,), golden=golden), mode=mode, agents=crew))

    live, golden = found(("kafka",), "live"), found(("kafka",), "golden")
    assert (live.value, live.by_construction) == (1.0, False)
    assert (golden.value, golden.by_construction) == (1.0, True)
    wrong = found(("docker",), "golden")
    assert (wrong.value, wrong.by_construction) == (0.0, False)
    assert "expected docker, actual kafka" in wrong.reason


@pytest.mark.parametrize(("text", "expected"), [("75", "passed"), ("76", "failed")])
def test_a_case_with_checks_is_judged_though_no_config_names_the_metric(make, text, expected):
    case = make.case(make.turn(expect=expecting(checked(response=contains("75")))))
    outcome = Outcome(file="f", eval_id="one", trace=make.trace(make.happened(final=text)))
    judged = judge(case, outcome, Config(criteria=(), origin="c"), JudgeOptions())
    assert (judged.verdict, [(one.criterion.name, one.origin) for one in judged.criteria]) == (
        expected,
        [("rubric", "expect")],
    )


def adks(name, kind=None):
    return {"rubric_id": name, "rubric_content": {"text_property": f"{name} holds"}, "type": kind}


def test_a_check_of_the_same_id_decides_about_a_rubric_of_adks(make, scored):
    name = "rubric_based_tool_use_quality_v1"
    case = make.case(
        make.turn(rubrics=(adks("r0", "TOOL_USE_QUALITY"),), expect=expecting(checked(response=contains("75"))))
    )
    found = scored(case, make.trace(make.happened(final="75")), Criterion(name=name, threshold=1.0))
    assert (found.state, found.value) == ("judged", 1.0)


def test_a_case_that_asks_only_for_its_checks_needs_no_judge_for_its_other_rubrics(make, scored):
    case = make.case(make.turn(rubrics=(adks("other"),), expect=expecting(checked(response=contains("75")))))
    trace = make.trace(make.happened(final="75"))
    assert scored(case, trace).value == 1.0
    named = scored(case, trace, Criterion(name="rubric", threshold=1.0))
    assert named.state == "not_judged"
    assert named.reason.startswith("1 of 2 verdicts are missing: other: it needs a judge: write `judge = ")


def test_a_criterion_may_bring_rubrics_with_checks_for_every_turn(make, scored):
    rubrics = [
        {
            "rubric_id": "short",
            "rubricContent": {"textProperty": "Short."},
            "check": {"response": {"regex": "^.{1,9}$"}},
        }
    ]
    criterion = Criterion(name="rubric", threshold=0.5, options={"rubrics": rubrics})
    case = make.case(make.turn(index=0), make.turn(index=1))
    found = scored(case, make.trace(make.happened(final="short"), make.happened(final="much too long")), criterion)
    assert found.value == 0.5
    assert "the rubric `short` (Short.) does not hold, by check" in found.reason


def test_two_checks_with_one_id_are_not_judged(make, scored):
    both = expecting(checked(response=contains("75")), checked(response=contains("76")))
    found = scored(make.case(make.turn(expect=both)), make.trace(make.happened(final="75")))
    assert found.state == "not_judged"
    assert found.reason == "evalkit.expect[0].rubrics[1]: another check is about the rubric `r0` too"


def test_a_case_without_rubrics_gives_nothing_to_judge(make, scored):
    found = scored(Case(eval_id="one", turns=()), make.trace(), Criterion(name="rubric", threshold=1.0))
    assert (found.state, found.reason) == ("not_applicable", "no rubric applies to a turn of this case")
