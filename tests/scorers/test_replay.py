"""`replay`: whether a golden turn went through the agent as it is written."""

import pytest

from evalkit.cases import Step, ToolReply, same_answer

METRIC = "replay"
PLACE = "$.eval_cases[0].conversation[0].intermediate_data.tool_uses[0]"
TURN = "$.eval_cases[0].conversation[0]"


@pytest.fixture
def replay(make, score):
    """Score one golden turn that expects `get_lag` and the answer `It lags 75.`."""

    def replay(*tools, final="It lags 75.", report=None, expect=None, agent=None, **fields):
        wanted = make.call("get_lag", where=PLACE, agent=agent, group="orders")
        fields = {"where": TURN, "expect": expect or make.expecting(), **fields}
        turn = make.turn([wanted], "It lags 75.", **fields)
        golden = report or make.report(final_given=True)
        happened = make.happened(tools=tools, final=final, golden=golden)
        return score(METRIC, make.case(turn), make.trace(happened, mode="golden"))

    return replay


@pytest.fixture
def lag(make):
    """The event of the golden call."""

    def lag(status="answered", **fields):
        return make.event("get_lag", status, args={"group": "orders"}, **{"golden": PLACE, **fields})

    return lag


@pytest.mark.parametrize("status", ["answered", "control", "agent", "real", "waiting", "rejected"])
def test_a_call_that_went_as_written_passes(replay, lag, status):
    found = replay(lag(status))
    assert (found.value, found.reason, dict(found.details)) == (1.0, "", {})


@pytest.mark.parametrize(
    ("event", "reason"),
    [
        (
            {"status": "refused", "reply": {"error": "group is missing"}},
            'was turned away by ADK before the tool ran (the model was told {"error": "group is missing"})',
        ),
        ({"status": "unknown"}, "names a tool that the agent does not have"),
        ({"status": "unanswered"}, "got no reply before the turn ended"),
        (
            {"status": "blocked", "reply": {"error": "no"}},
            (
                'was answered by a callback before it reached the tool (the model was told {"error": "no"}); if that is'
                " right, list it in evalkit.expect[0].trajectory.blocked"
            ),
        ),
    ],
    ids=lambda value: value["status"] if isinstance(value, dict) else "",
)
def test_a_call_that_did_not_reach_its_tool_fails_and_names_the_place(replay, lag, event, reason):
    found = replay(lag(**event))
    assert found.value == 0.0
    assert found.reason == f'{PLACE}: get_lag(group="orders") {reason}'
    assert found.details["wrong_calls"] == [found.reason]


def test_a_call_without_a_mock_fails_but_is_nobodys_fault(replay, lag):
    found = replay(lag("missed"))
    assert (found.value, dict(found.details)) == (0.0, {})
    assert found.reason == f'{PLACE}: get_lag(group="orders") missed: no mock answered'


def test_an_exception_that_nothing_handled_fails(replay, lag):
    found = replay(lag("raised", error="TimeoutError: broker unreachable"), final=None)
    assert 'get_lag(group="orders") raised TimeoutError: broker unreachable, and nothing handled it' in found.reason


def test_an_exception_after_which_the_turn_went_on_passes(replay, lag):
    assert replay(lag("raised", error="TimeoutError: broker unreachable")).value == 1.0


def test_an_exception_that_the_case_recorded_passes(make, score, lag):
    step = Step(
        calls=(make.call("get_lag", where=PLACE, group="orders"),),
        replies=(ToolReply(name="get_lag", response={"error": "broker unreachable"}),),
    )
    turn = make.turn()
    turn = type(turn)(index=0, user=turn.user, steps=(step,))
    happened = make.happened(tools=[lag("raised")], golden=make.report())
    assert score(METRIC, make.case(turn), make.trace(happened, mode="golden")).value == 1.0


def test_a_call_listed_as_blocked_must_be_blocked(replay, lag, make):
    expect = make.expecting(blocked=(make.pattern("get_lag", group="orders"),))
    assert replay(lag("blocked"), expect=expect).value == 1.0
    reason = "is listed as blocked, but no callback blocked it: it was answered"
    assert reason in replay(lag("answered"), expect=expect).reason


def test_a_call_by_another_agent_than_meant_fails(replay, lag):
    assert replay(lag(agent="kafka"), agent="kafka").value == 1.0
    assert "was called by root, but is meant for kafka" in replay(lag(agent="root"), agent="kafka").reason


def test_a_call_that_the_case_does_not_list_fails(replay, lag, make):
    found = replay(lag(), make.event("list_topics", golden=None))
    assert found.reason == f"{TURN}: list_topics() was called by root, though the case does not list it"


def test_what_adk_asks_the_user_is_no_call_of_the_agents(replay, lag, make):
    assert replay(lag("waiting"), make.event("adk_request_confirmation", "control", golden=None)).value == 1.0


def test_a_call_of_an_earlier_turn_that_goes_on_is_not_added(replay, lag, make):
    assert replay(lag(), make.event("delete_topic", golden=None, resumed=True)).value == 1.0
    assert replay(lag(), make.event("delete_topic", "missed", golden=None, resumed=True)).value == 0.0


def test_a_transfer_that_golden_mode_added_is_reported_and_passes(replay, lag, make):
    report = make.report(added=("root transfers to kafka",), final_given=True)
    found = replay(lag(), make.event("transfer_to_agent", "control", golden=None, added=True), report=report)
    assert (found.value, found.reason) == (1.0, "  golden mode added: root transfers to kafka")


def test_leftover_calls_misfits_and_faults_fail_with_their_own_words(replay, make):
    leftover = f"{PLACE}: `get_lag` was not asked for: it belongs to kafka; asked were root"
    misfit = f"{PLACE}: `get_lag` takes no argument `grp`"
    report = make.report(leftover=(leftover,), misfits=(misfit,), faults=("a loop",), final_given=True)
    found = replay(report=report)
    assert found.reason.splitlines() == [f"{TURN}: a loop", misfit, leftover]


def test_a_call_that_was_replaced_before_it_was_made_fails(replay):
    assert replay().reason == f'{PLACE}: get_lag(group="orders") was given to the agent but never made'


@pytest.mark.parametrize(
    ("final", "given", "reason"),
    [
        (
            "It lags [redacted].",
            True,
            'ended with "It lags [redacted]." instead of the golden answer (a callback changed it)',
        ),
        ("Done.", False, 'ended with "Done." instead of the golden answer (no agent was asked for it)'),
        (None, False, "ended without an answer instead of the golden answer (no agent was asked for it)"),
    ],
)
def test_a_turn_that_ends_otherwise_fails_and_says_how(replay, lag, make, final, given, reason):
    found = replay(lag(), final=final, report=make.report(changed=True, final_given=given))
    assert found.reason == f"{TURN}.final_response: the turn {reason}"


def test_a_turn_without_a_final_response_may_end_in_any_way(make, score):
    happened = make.happened(final="Done.", golden=make.report())
    assert score(METRIC, make.case(make.turn()), make.trace(happened, mode="golden")).value == 1.0


def test_a_turn_with_nothing_to_play_is_not_applicable(make, score):
    happened = make.happened(final="Done.", golden=make.report())
    found = score(METRIC, make.case(make.turn(recorded=False)), make.trace(happened, mode="golden"))
    assert (found.state, found.value) == ("not_applicable", None)
    assert found.reason == "nothing to play: no turn has intermediate_data or a final_response"


def test_outside_golden_mode_there_is_nothing_to_replay(make, score):
    found = score(METRIC, make.case(make.turn()), make.trace(make.happened(), mode="live"))
    assert (found.state, found.reason) == ("not_applicable", "only golden mode replays the case's own calls")


def test_each_turn_is_judged_and_named(make, score):
    turns = [make.turn(final="Hello.", index=0, where="$.c[0]"), make.turn(final="Bye.", index=1, where="$.c[1]")]
    happened = [
        make.happened(final="Hello.", golden=make.report(final_given=True)),
        make.happened(final="So long.", golden=make.report(final_given=True, changed=True)),
    ]
    found = score(METRIC, make.case(*turns), make.trace(*happened, mode="golden"))
    assert found.value == 0.5
    assert found.reason.startswith('turn 2: $.c[1].final_response: the turn ended with "So long."')


def test_an_answer_that_adk_wrote_with_other_spaces_is_the_same_json():
    assert same_answer('{"a":1}', '{"a": 1}')
    assert not same_answer('{"a":1}', '{"a": 2}')
    assert not same_answer("lag 75", "lag  75")
