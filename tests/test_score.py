"""From an outcome to a verdict: DESIGN's verdict rules, each by its number."""

from dataclasses import replace

import pytest

from evalkit.cases import (
    Budget,
    CallPattern,
    Case,
    Config,
    Criterion,
    Expectation,
    Message,
    ResponseRule,
    Step,
    ToolCall,
    ToolReply,
    TrajectoryRule,
    Turn,
)
from evalkit.expectations import RubricRule
from evalkit.prices import Price
from evalkit.results import Score
from evalkit.score import JudgeOptions, judge
from evalkit.traces import Failure, GoldenReport, KnownAgent, Miss, Outcome, ToolEvent, Trace, TurnTrace, Usage

LAG = ToolCall(name="get_lag", args={"group": "orders"}, where="$.tool_uses[0]")
USER = Message(role="user", parts=({"text": "How far is orders behind?"},))
ANSWER = "It is 75 behind."

TRAJECTORY = Criterion(name="tool_trajectory_avg_score", threshold=1.0)
ROUGE = Criterion(name="response_match_score", threshold=0.8)
JUDGED = Criterion(name="final_response_match_v2", threshold=0.8)


def said(text):
    return Message(role="model", parts=({"text": text},))


def turn(**fields):
    fields = {"index": 0, "steps": (Step(calls=(LAG,)),), "final": said(ANSWER), **fields}
    return Turn(user=USER, **fields)


def event(name="get_lag", status="answered", **fields):
    fields = {"golden": LAG.where, "reply": {"lag": 75}, **fields}
    return ToolEvent(id="c1", name=name, args=LAG.args, agent="root", status=status, **fields)


def happened(*tools, answer=ANSWER, calls=(LAG,), report=None):
    report = report or GoldenReport(final_given=True)
    tools = tools or (event(),)
    return TurnTrace(user=USER, tools=tools, adk_calls=calls, final=said(answer), golden=report)


def golden(*turns, **fields):
    return Trace(mode="golden", turns=turns or (happened(),), **fields)


def live(*turns, **fields):
    return Trace(mode="live", turns=turns or (happened(),), **fields)


def miss():
    message = "root called get_lag: no route matches"
    return Miss(turn=0, tool="get_lag", agent="root", args=LAG.args, closest=None, differences=(), message=message)


def verdict(trace=None, *criteria, case=None, optional=(), **fields):
    """Judge one outcome under these criteria of a config."""
    case = case or Case(eval_id="lag", turns=(turn(),))
    outcome = Outcome(file="a.evalset.json", eval_id="lag", run=2, trace=trace, seconds=1.5, **fields)
    config = Config(criteria=criteria, origin="test_config.json")
    return judge(case, outcome, config, JudgeOptions(optional_offline=frozenset(optional)))


def result_of(judged, name):
    return next(result for result in judged.criteria if result.criterion.name == name)


def crash(case, trace, criterion):
    raise KeyError("no such thing")


def load_crash(name):
    return crash


# Rule 1: a case passes when a gating criterion was judged and all passed.


def test_a_golden_case_passes_through_replay_alone():
    judged = verdict(golden())
    assert (judged.verdict, judged.reasons) == ("passed", ())
    assert [(result.criterion.name, result.origin) for result in judged.criteria] == [("replay", "built-in")]


def test_the_result_knows_its_outcome():
    judged = verdict(golden())
    assert (judged.file, judged.eval_id, judged.run, judged.seconds) == ("a.evalset.json", "lag", 2, 1.5)


def test_a_failed_gating_criterion_fails_the_case_and_says_why():
    judged = verdict(live(happened(calls=())), TRAJECTORY, Criterion(name="grounding", threshold=1.0))
    assert judged.verdict == "failed"
    assert judged.reasons == (
        "tool_trajectory_avg_score is 0, below 1: $.tool_uses[0]: 0 of 1 expected calls were made as EXACT demands",
    )


def test_the_threshold_itself_passes():
    half = Criterion(name="tool_trajectory_avg_score", threshold=0.5)
    case = Case(eval_id="lag", turns=(turn(), turn(index=1)))
    assert verdict(live(happened(), happened(calls=())), half, case=case).verdict == "passed"
    assert verdict(live(happened(), happened(calls=())), TRAJECTORY, case=case).verdict == "failed"


def test_failed_comes_before_not_judged():
    judged = verdict(live(happened(calls=())), JUDGED, TRAJECTORY)
    assert judged.verdict == "failed"


def test_a_threshold_that_nothing_reaches_fails_with_the_figures():
    judged = verdict(live(), Criterion(name="grounding", threshold=1.5))
    assert judged.reasons == ("grounding is 1, below 1.5",)


def test_without_any_criterion_nothing_is_judged():
    judged = verdict(live())
    assert (judged.verdict, judged.reasons) == ("inconclusive", ("nothing was judged (no criteria)",))


def test_an_informative_criterion_neither_fails_nor_passes_a_case():
    informative = Criterion(name="tool_trajectory_avg_score", threshold=1.0, gate=False)
    failing = verdict(golden(happened(calls=())), informative)
    assert failing.verdict == "passed"
    assert (result_of(failing, informative.name).passed, result_of(failing, informative.name).gates) == (False, False)
    alone = verdict(live(), informative)
    assert alone.reasons == ("nothing was judged (tool_trajectory_avg_score: informative)",)


@pytest.mark.parametrize(
    "name", ["tool_call_count_v1", "inference_call_count_v1", "token_usage_v1", "invocation_duration_v1"]
)
def test_metrics_that_adk_only_reports_never_gate(name):
    judged = verdict(golden(), Criterion(name=name, threshold=1.0))
    assert judged.verdict == "passed"
    assert not result_of(judged, name).gates


def test_a_skipped_case_stands_apart():
    judged = verdict(skipped="needs a cluster")
    assert (judged.verdict, judged.reasons, judged.criteria) == ("skipped", ("needs a cluster",), ())


# Rule 2: what could not run makes the case inconclusive.


def test_a_metric_that_needs_a_judge_makes_the_case_inconclusive_and_says_what_to_do():
    judged = verdict(golden(), JUDGED)
    assert judged.verdict == "inconclusive"
    (reason,) = judged.reasons
    assert reason.startswith("final_response_match_v2 was not judged: it needs a judge: write `judge = ")
    assert 'write `optional_offline = ["final_response_match_v2"]` under [tool.evalkit]' in reason


def test_a_metric_that_may_be_absent_offline_is_shown_and_does_not_gate():
    judged = verdict(golden(), JUDGED, optional=[JUDGED.name])
    found = result_of(judged, JUDGED.name)
    assert (judged.verdict, found.score.state, found.passed, found.gates) == ("passed", "not_judged", None, False)


def test_a_metric_that_may_be_absent_offline_is_missed_in_a_live_run():
    judged = verdict(live(), JUDGED, TRAJECTORY, optional=[JUDGED.name])
    assert judged.verdict == "inconclusive"
    assert '"gate": false' in judged.reasons[0]


def test_a_crashed_scorer_is_not_judged_and_names_the_place(monkeypatch):
    monkeypatch.setattr("evalkit.score.load", load_crash)
    judged = verdict(golden(), optional=["replay"])
    assert judged.verdict == "inconclusive"
    assert judged.reasons[0].startswith(
        "replay was not judged: its scorer crashed: KeyError: 'no such thing' (test_score.py:"
    )
    assert judged.reasons[0].endswith(" in crash)")


def test_an_option_that_makes_no_sense_is_not_judged():
    judged = verdict(live(), Criterion(name="tool_trajectory_avg_score", threshold=1.0, options={"match_type": "X"}))
    assert judged.verdict == "inconclusive"
    assert "ValueError: match_type is 'X'; write one of EXACT, IN_ORDER, ANY_ORDER" in judged.reasons[0]


def test_a_users_own_function_is_never_replaced_by_ours():
    custom = Criterion(name="tool_trajectory_avg_score", threshold=1.0, custom_function="mine.score")
    judged = verdict(live(), custom)
    assert judged.verdict == "inconclusive"
    assert "it needs the function mine.score" in judged.reasons[0]


def test_a_metric_of_evalkits_own_is_scored_here_although_adk_needs_its_function():
    custom = Criterion(name="grounding", threshold=1.0, custom_function="evalkit.adk.metrics.grounding")
    assert verdict(live(), custom).verdict == "passed"


def test_a_function_of_ours_is_its_metric_under_any_name():
    named = Criterion(name="numbers", threshold=1.0, custom_function="evalkit.adk.metrics.grounding")
    judged = verdict(live(happened(answer="It is 80 behind.")), named)
    assert (judged.verdict, judged.reasons[0].split(":")[0]) == ("failed", "numbers is 0, below 1")


def test_options_of_a_criterion_demand_of_every_turn_what_expect_does():
    loud = Criterion(name="response", threshold=1.0, options={"contains": ["!"]})
    assert verdict(live(), loud).reasons == (
        'response is 0, below 1: $.criteria.response.contains: "!" is not in the answer',
    )


@pytest.mark.parametrize(("value", "expected"), [(0.9, "passed"), (0.1, "failed")])
def test_what_somebody_else_found_is_judged_by_the_threshold_too(value, expected):
    case, outcome = Case(eval_id="lag", turns=(turn(),)), Outcome(file="a", eval_id="lag", trace=live())
    config = Config(criteria=(JUDGED, TRAJECTORY), origin="test_config.json")
    by_leave = JudgeOptions(optional_offline=frozenset({JUDGED.name}))
    elsewhere = {JUDGED.name: Score(value=value, reason="said the judge"), TRAJECTORY.name: Score(value=0.0)}
    judged = judge(case, outcome, config, by_leave, elsewhere)
    assert judged.verdict == expected
    assert result_of(judged, TRAJECTORY.name).score.value == 1.0  # evalkit's own number is not replaced


def test_where_no_judge_was_asked_checks_still_decide():
    check = Expectation(response=ResponseRule(contains=("76",)))
    case = Case(eval_id="lag", turns=(turn(expect=Expectation(rubrics=(RubricRule(rubric_id="r", check=check),))),))
    outcome = Outcome(file="a", eval_id="lag", trace=live())
    named = Criterion(name="rubric", threshold=1.0)
    withheld = {"rubric": Score(state="not_judged", reason="nobody was asked")}
    judged = judge(case, outcome, Config(criteria=(named,), origin="c"), JudgeOptions(), withheld)
    assert (judged.verdict, result_of(judged, "rubric").score.value) == ("failed", 0.0)


@pytest.mark.parametrize(
    ("expect", "name"),
    [
        (Expectation(budget=Budget(tool_calls=4)), "budget"),
        (Expectation(trajectory=TrajectoryRule(optional=(CallPattern(name="x"),))), "trajectory"),
    ],
)
def test_what_the_model_chose_gates_in_live_mode_and_holds_by_construction_in_golden_mode(expect, name):
    case = Case(eval_id="lag", turns=(turn(expect=expect),))
    chosen = result_of(verdict(live(), case=case), name)
    assert (chosen.score.value, chosen.gates, chosen.origin) == (1.0, True, "expect")
    in_golden = verdict(golden(), case=case)
    played = result_of(in_golden, name)
    assert (in_golden.verdict, played.score.by_construction, played.gates) == ("passed", True, False)


def test_a_budget_knows_the_prices_of_the_settings():
    case = Case(eval_id="lag", turns=(turn(expect=Expectation(budget=Budget(usd=0.5))),))
    used = Usage(model_calls=1, input_tokens=1_000_000, output_tokens=0, total_tokens=1_000_000)
    trace = replace(live(replace(happened(), usage_by_agent={"root": used})), models={"root": "flash"})
    outcome = Outcome(file="f", eval_id="lag", trace=trace)
    config = Config(criteria=(), origin="c")
    dear = JudgeOptions(prices={"flash": Price(input=0.75, output=2.0)})
    assert judge(case, outcome, config, dear).verdict == "failed"
    assert judge(case, outcome, config, dear).effort.usd == 0.75
    unknown = judge(case, outcome, config, JudgeOptions())
    assert (unknown.verdict, unknown.effort.usd) == ("inconclusive", None)
    assert "the price of flash is unknown" in unknown.reasons[0]


# Rule 3: what a case cannot be compared with is not applicable there, and an error where that holds for all.


def test_a_criterion_without_its_reference_is_listed_and_decides_nothing():
    case = Case(eval_id="lag", turns=(turn(final=None),))
    judged = verdict(live(), TRAJECTORY, ROUGE, case=case)
    assert judged.verdict == "passed"
    assert (result_of(judged, ROUGE.name).score.state, result_of(judged, ROUGE.name).passed) == ("not_applicable", None)


def test_a_case_in_which_nothing_is_applicable_is_inconclusive():
    case = Case(eval_id="lag", turns=(turn(steps=None, final=None),))
    judged = verdict(live(), ROUGE, case=case)
    reason = "response_match_score: not applicable, no turn has a final_response to compare with"
    assert (judged.verdict, judged.reasons) == ("inconclusive", (f"nothing was judged ({reason})",))


# Rule 4: misses, failures, and what is left of a case that ended early.


def test_a_miss_alone_is_inconclusive_and_tells_its_place_and_story():
    judged = verdict(golden(happened(event(status="missed", reply=None)), misses=(miss(),)), TRAJECTORY, ROUGE)
    assert judged.verdict == "inconclusive"
    assert judged.reasons == ("$.tool_uses[0]: root called get_lag: no route matches",)
    assert result_of(judged, "replay").passed is False


def test_what_fails_through_the_miss_does_not_fail_the_case():
    """The answer cites a number that no tool gave, and a call was never made: both may come of the miss."""
    case = Case(eval_id="lag", turns=(turn(steps=(Step(calls=(LAG, ToolCall(name="more"))),)),))
    trace = live(happened(event(status="missed", reply=None)), misses=(miss(),))
    judged = verdict(trace, Criterion(name="grounding", threshold=1.0), TRAJECTORY, ROUGE, case=case)
    assert [result.passed for result in judged.criteria] == [False, False, True]
    assert judged.verdict == "inconclusive"


def test_a_wrong_call_fails_the_case_although_it_also_missed():
    wrong = ToolCall(name="get_lag", args={"group": "payments"})
    missed = ToolEvent(id="c1", name="get_lag", args=wrong.args, agent="root", status="missed")
    judged = verdict(live(happened(missed, calls=(wrong,)), misses=(miss(),)), TRAJECTORY)
    assert judged.verdict == "failed"
    assert judged.reasons[0].startswith("tool_trajectory_avg_score is 0, below 1: $.tool_uses[0]: 0 of 1")
    assert judged.reasons[-1] == "root called get_lag: no route matches"


def test_a_fault_of_the_replay_fails_the_case_although_it_also_missed():
    report = GoldenReport(final_given=True, misfits=("$.tool_uses[0]: `get_lag` takes no argument `grp`",))
    trace = golden(happened(event(status="missed"), report=report), misses=(miss(),))
    judged = verdict(trace)
    assert judged.verdict == "failed"
    assert judged.reasons[0] == "replay: $.tool_uses[0]: `get_lag` takes no argument `grp`"


def test_a_forbidden_call_fails_the_case_although_it_also_missed():
    expect = Expectation(trajectory=TrajectoryRule(forbid=(CallPattern(name="get_lag"),)))
    case = Case(eval_id="lag", turns=(turn(expect=expect),))
    judged = verdict(golden(happened(event(status="missed")), misses=(miss(),)), case=case)
    assert judged.verdict == "failed"
    assert judged.reasons[0].startswith("forbid: evalkit.expect[0].trajectory.forbid: root called get_lag")


def test_a_call_that_was_not_let_through_to_the_real_tool_is_a_miss():
    judged = verdict(golden(happened(event(status="missed")), notes=("a route passes through",)))
    assert (judged.verdict, judged.reasons) == ("inconclusive", ("$.tool_uses[0]: no mock answered get_lag",))


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("timeout_exceeded", "failed"),
        ("agent_error", "error"),
        ("tool_error", "error"),
        ("model_error", "error"),
        ("case_error", "error"),
        ("setup_failed", "error"),
        ("worker_died", "error"),
        ("interrupted", "inconclusive"),
    ],
)
def test_a_case_that_ended_early_has_the_verdict_of_its_failure(kind, expected):
    failure = Failure(kind=kind, message="broke", where="agent.py:3 in reply")
    judged = verdict(golden(), TRAJECTORY, failure=failure)
    assert (judged.verdict, judged.reasons) == (expected, (f"{kind}: broke (agent.py:3 in reply)",))
    assert not any(result.gates for result in judged.criteria)


def test_a_failure_needs_no_trace():
    judged = verdict(failure=Failure(kind="worker_died", message="exit code -9"))
    assert (judged.verdict, judged.reasons, judged.criteria) == ("error", ("worker_died: exit code -9",), ())


def test_a_case_whose_turns_were_not_all_played_does_not_pass():
    case = Case(eval_id="lag", turns=(turn(), turn(index=1)))
    judged = verdict(golden(), case=case)
    assert (judged.verdict, judged.reasons) == ("inconclusive", ("only 1 of 2 turns were played",))


def test_an_outcome_without_a_trace_or_a_reason_does_not_pass():
    assert verdict().verdict == "inconclusive"


# Rule 5: known failures keep their verdict.


def test_a_known_failure_keeps_its_verdict_and_its_mark():
    case = Case(eval_id="lag", turns=(turn(),), known_failing="issue 7")
    judged = verdict(golden(happened(answer="no")), case=case)
    assert (judged.verdict, judged.known_failing, judged.notes) == ("failed", "issue 7", ())


def test_a_known_failure_that_passes_is_news():
    judged = verdict(golden(), case=Case(eval_id="lag", turns=(turn(),), known_failing="issue 7"))
    assert judged.verdict == "passed"
    assert judged.notes == ("known to fail, but it passes now: take `known_failing` out",)


# Rule 8: what holds by construction does not count.


def test_a_golden_turn_compared_with_itself_does_not_count():
    judged = verdict(golden(), TRAJECTORY, ROUGE, Criterion(name="replay", threshold=1.0, gate=False))
    assert judged.verdict == "inconclusive"
    itself = [f"{name}: holds by construction" for name in ("tool_trajectory_avg_score", "response_match_score")]
    assert judged.reasons == (f"nothing was judged ({'; '.join(itself)}; replay: informative)",)
    assert [(result.passed, result.gates) for result in judged.criteria[:2]] == [(True, False), (True, False)]


@pytest.mark.parametrize(
    ("expect", "reason"),
    [
        (Expectation(budget=Budget(tool_calls=0)), "budget: the case contradicts itself: "),
        (
            Expectation(trajectory=TrajectoryRule(args={"get_lag": {"reason": {"$any": True}}})),
            "trajectory: the case contradicts itself: ",
        ),
    ],
)
def test_what_the_golden_turn_itself_fails_counts_since_no_run_can_do_right_by_such_a_case(expect, reason):
    judged = verdict(golden(), case=Case(eval_id="lag", turns=(turn(expect=expect),)))
    assert judged.verdict == "failed"
    assert judged.reasons[0].startswith(reason)
    (failed,) = (result for result in judged.criteria if result.passed is False)
    assert (failed.gates, failed.score.by_construction) == (True, False)


@pytest.mark.parametrize("fields", [{"steps": None}, {"any_of": ((),)}], ids=["no calls listed", "another path"])
def test_a_case_that_leaves_a_run_another_way_does_not_contradict_itself(fields):
    rule = TrajectoryRule(any_of=fields.pop("any_of", ()))
    own = turn(expect=Expectation(budget=Budget(tool_calls=0), trajectory=rule), **fields)
    judged = verdict(golden(), case=Case(eval_id="lag", turns=(own,)))
    assert not any("contradicts itself" in reason for reason in judged.reasons)


def test_what_the_golden_turn_itself_fails_decides_nothing_where_it_is_informative():
    rouge = Criterion(name="response_match_score", threshold=1.5, gate=False)
    judged = verdict(golden(), rouge)
    assert (judged.verdict, result_of(judged, rouge.name).passed) == ("passed", False)


def test_what_a_callback_changed_counts():
    changed = happened(answer="It is redacted.", report=GoldenReport(final_given=True, changed=True))
    judged = verdict(golden(changed), ROUGE)
    assert judged.verdict == "failed"
    assert {reason.partition(":")[0] for reason in judged.reasons} == {
        "replay",
        "response_match_score is 0.571429, below 0.8",
    }


# Which criteria apply.


def test_a_case_brings_the_criteria_that_its_expectations_ask_for():
    rule = TrajectoryRule(forbid=(CallPattern(name="x"),), blocked=(CallPattern(name="get_lag"),))
    expect = Expectation(trajectory=rule, response=ResponseRule(contains=("75",)), state={"n": 1})
    judged = verdict(golden(), TRAJECTORY, case=Case(eval_id="lag", turns=(turn(expect=expect),)))
    assert [(result.criterion.name, result.origin) for result in judged.criteria] == [
        ("replay", "built-in"),
        ("forbid", "expect"),
        ("blocked", "expect"),
        ("response", "expect"),
        ("state", "expect"),
        ("tool_trajectory_avg_score", "config"),
    ]


def test_a_final_state_gates_without_being_named():
    case = Case(eval_id="lag", turns=(turn(),), final_state={"deleted": True})
    judged = verdict(golden(states=({},), state={"deleted": False}), case=case)
    assert judged.reasons == ("state: final_session_state: $.deleted: wanted true, found false",)


def test_a_config_that_names_such_a_criterion_decides_about_it():
    case = Case(eval_id="lag", turns=(turn(),), final_state={"deleted": True})
    informative = Criterion(name="state", threshold=1.0, gate=False)
    judged = verdict(golden(states=({},), state={}), informative, case=case)
    assert judged.verdict == "passed"
    assert [result.criterion.name for result in judged.criteria] == ["replay", "state"]


def routed(*entries, status="answered", **fields):
    """A turn in which root called these agents; the last call of all is one of the last agent."""
    tools = [ToolEvent(id=name, name=name, args={}, agent="root", status="agent", golden=LAG.where) for name in entries]
    tools.append(event(status=status, parent=entries[-1] if entries else None))
    return happened(*tools, **fields)


def wants(*route):
    return Case(eval_id="lag", turns=(turn(expect=Expectation(route=route)),))


SPECIALISTS = ("kafka", "k8s")
ROOT = KnownAgent(name="root", agent_tools=dict(zip(SPECIALISTS, SPECIALISTS, strict=True)))
CREW = {"agents": (ROOT, *(KnownAgent(name=name) for name in SPECIALISTS))}


@pytest.mark.parametrize(
    ("route", "came", "expected"), [(("kafka",), ("kafka",), "passed"), ((), ("kafka",), "failed")]
)
def test_a_route_gates_in_a_live_run_an_empty_one_too(route, came, expected):
    judged = verdict(live(routed(*came), **CREW), case=wants(*route))
    assert (judged.verdict, result_of(judged, "route").origin) == (expected, "expect")


def test_a_golden_run_judges_the_route_but_passes_no_case_by_it_alone():
    replay = Criterion(name="replay", threshold=1.0, gate=False)
    judged = verdict(golden(routed("kafka"), **CREW), replay, case=wants("kafka"))
    assert judged.reasons == ("nothing was judged (route: holds by construction; replay: informative)",)
    failed = verdict(golden(routed("kafka"), **CREW), replay, case=wants("k8s"))
    assert failed.verdict == "failed"
    assert failed.reasons[-1].endswith("expected k8s, actual kafka: kafka came in place of k8s")


def test_a_wrong_agent_fails_the_case_although_a_call_also_missed():
    wrong = verdict(live(routed("kafka", status="missed"), misses=(miss(),), **CREW), case=wants("k8s"))
    right = verdict(live(routed("kafka", status="missed"), misses=(miss(),), **CREW), case=wants("kafka", "k8s"))
    assert (wrong.verdict, right.verdict) == ("failed", "inconclusive")


def test_what_adk_records_and_never_compares_is_shown_and_gates_only_if_a_config_says_so():
    reply = ToolReply(name="get_lag", response={"lag": 76})
    steps = (Step(calls=(LAG,)), Step(replies=(reply,)), Step(agent="root", message=said("Let me look.")))
    case = Case(eval_id="lag", turns=(turn(steps=steps),))
    shown = verdict(live(), TRAJECTORY, case=case)
    recorded = ["intermediate_responses", "tool_responses"]
    assert [(result.criterion.name, result.passed, result.gates) for result in shown.criteria] == [
        *((name, False, False) for name in recorded),
        (TRAJECTORY.name, True, True),
    ]
    named = [verdict(live(), Criterion(name=name, threshold=1.0), case=case).verdict for name in recorded]
    assert (shown.verdict, named) == ("passed", ["failed", "failed"])


# Notes.


def test_a_live_run_that_gates_on_rouge_is_warned():
    (note,) = verdict(live(), ROUGE).notes
    assert note.startswith("response_match_score gates in a live run, where wording varies")
    informative = Criterion(name="response_match_score", threshold=0.8, gate=False)
    assert verdict(live(), informative, TRAJECTORY).notes == ()
    assert verdict(golden(), ROUGE).notes == ()


def test_notes_and_unused_routes_of_the_trace_are_passed_on():
    judged = verdict(golden(notes=("`a` takes a tool context",), unused_routes=("mocks.yaml:3 get_lag",)))
    assert judged.notes == ("`a` takes a tool context", "unused route: mocks.yaml:3 get_lag answered nothing")


# What kept a run from being judged.


@pytest.mark.parametrize(
    ("kind", "trace", "fault"),
    [
        ("agent_error", live(), "agent"),
        ("tool_error", live(), "agent"),
        ("worker_died", None, "agent"),
        ("setup_failed", None, "infrastructure"),
        ("model_error", live(), "infrastructure"),
        ("model_error", golden(), "agent"),
        ("timeout_exceeded", live(), None),
        ("case_error", golden(), None),
        ("interrupted", None, None),
    ],
)
def test_a_run_that_ended_early_says_whose_fault_it_is_where_that_is_known(kind, trace, fault):
    assert verdict(trace, failure=Failure(kind=kind, message="no")).fault == fault


def test_a_miss_is_the_fault_of_the_mocks_and_a_judged_run_nobodys():
    assert verdict(golden(misses=(miss(),))).fault == "mock"
    assert verdict(golden()).fault is None
    assert verdict(live(happened(calls=())), TRAJECTORY).fault is None
