"""The metrics that gate because a case asks for them: forbid, blocked, response, state."""

import pytest

from evalkit.cases import Case, NumberRule, ResponseRule
from evalkit.matching import PatternError
from evalkit.traces import KnownAgent


@pytest.fixture
def one_turn(make, score):
    """Score one turn with this expectation, under this metric."""

    def one_turn(metric, *, tools=(), final="Done.", state=None, **expect):
        turn = make.turn(expect=make.expecting(**expect))
        states = (state,) if state is not None else ()
        trace = make.trace(make.happened(tools=tools, final=final), states=states, state=state or {})
        return score(metric, make.case(turn), trace)

    return one_turn


@pytest.mark.parametrize("status", ["answered", "blocked", "missed", "unknown", "waiting"])
def test_a_forbidden_call_fails_whatever_came_of_it(one_turn, make, status):
    found = one_turn("forbid", tools=[make.event("delete_topic", status)], forbid=(make.pattern("delete_topic"),))
    assert found.value == 0.0
    assert (
        found.reason == "evalkit.expect[0].trajectory.forbid: root called delete_topic(); forbidden is delete_topic(…)"
    )
    assert found.details["wrong_calls"] == [found.reason]


def test_a_forbidden_call_is_found_inside_an_agent_tool(one_turn, make):
    tools = [make.event("ops", "agent"), make.event("delete_topic", agent="ops", parent="ops")]
    found = one_turn("forbid", tools=tools, forbid=(make.pattern("delete_topic"),))
    assert "ops called delete_topic()" in found.reason


def test_only_calls_with_the_forbidden_arguments_are_forbidden(one_turn, make):
    forbid = (make.pattern("delete_topic", name={"$glob": "prod-*"}),)
    allowed = make.event("delete_topic", args={"name": "test-1"})
    forbidden = make.event("delete_topic", args={"name": "prod-1"})
    assert one_turn("forbid", tools=[allowed], forbid=forbid).value == 1.0
    assert one_turn("forbid", tools=[allowed, forbidden], forbid=forbid).value == 0.0


@pytest.fixture
def forbid(make, score):
    """Forbid a tool to an agent that has some of its own and calls `read_topic`."""

    def forbid(name):
        turn = make.turn(expect=make.expecting(forbid=(make.pattern(name),)))
        happened = make.happened(tools=[make.event("read_topic")])
        agents = (KnownAgent(name="root", tools=("read_topic", "restart_service")),)
        return score("forbid", make.case(turn), make.trace(happened, agents=agents))

    return forbid


@pytest.mark.parametrize("name", ["restart_servcie", "Restart_Service", "restart_srvice"])
def test_a_name_that_is_surely_misspelt_forbids_nothing_so_nothing_is_judged(forbid, name):
    found = forbid(name)
    assert (found.state, found.value) == ("not_judged", None)
    assert found.reason == (
        f"evalkit.expect[0].trajectory.forbid: no agent has a tool named `{name}`; did you mean `restart_service`?"
    )


@pytest.mark.parametrize("name", ["start_service", "delete_topic", "restart", "stop_service", "restart_services"])
def test_a_tool_that_no_agent_has_may_be_forbidden_to_come(forbid, name):
    assert forbid(name).value == 1.0


def test_a_forbidden_call_that_was_made_fails_beside_a_misspelt_one(make, score):
    patterns = (make.pattern("read_topic"), make.pattern("restart_servcie"))
    turn = make.turn(expect=make.expecting(forbid=patterns))
    agents = (KnownAgent(name="root", tools=("read_topic", "restart_service")),)
    trace = make.trace(make.happened(tools=[make.event("read_topic")]), agents=agents)
    assert score("forbid", make.case(turn), trace).value == 0.0


def test_a_case_that_forbids_nothing_is_not_applicable(one_turn):
    assert one_turn("forbid").state == "not_applicable"


def test_a_broken_pattern_is_not_taken_for_one_that_matches_nothing(one_turn, make):
    with pytest.raises(PatternError):
        one_turn("forbid", tools=[make.event("a", args={"n": "x"})], forbid=(make.pattern("a", n={"$regex": "("}),))


def test_the_reason_names_the_place_in_the_file(make, score):
    turn = make.turn(expect=make.expecting(forbid=(make.pattern("delete_topic"),), state={"n": 1}))
    case = Case(eval_id="one", turns=(turn,), final_state={"m": 2}, where="$.eval_cases[3]")
    trace = make.trace(make.happened(tools=[make.event("delete_topic")]), states=({},))
    assert score("forbid", case, trace).reason.startswith("$.eval_cases[3].evalkit.expect[0].trajectory.forbid: ")
    places = [turn.reason.partition(": ")[0] for turn in score("state", case, trace).turns]
    assert places == ["$.eval_cases[3].evalkit.expect[0].state", "$.eval_cases[3].final_session_state"]


def test_a_call_that_a_callback_answered_is_blocked(one_turn, make):
    found = one_turn("blocked", tools=[make.event("delete", "blocked")], blocked=(make.pattern("delete"),))
    assert (found.value, found.reason) == (1.0, "")


def test_a_call_that_was_let_through_fails(one_turn, make):
    found = one_turn("blocked", tools=[make.event("delete", "waiting")], blocked=(make.pattern("delete"),))
    assert found.value == 0.0
    assert found.reason == "evalkit.expect[0].trajectory.blocked: delete() was waiting; no callback blocked it"
    assert found.details["wrong_calls"] == [found.reason]


def test_a_call_that_was_never_made_was_not_blocked(one_turn, make):
    found = one_turn("blocked", blocked=(make.pattern("delete", name="orders"),))
    reason = 'evalkit.expect[0].trajectory.blocked: delete(name="orders") was never called, so nothing was blocked'
    assert (found.value, found.reason, dict(found.details)) == (0.0, reason, {})


def test_a_case_that_names_no_blocked_call_is_not_applicable(one_turn):
    assert one_turn("blocked").state == "not_applicable"


@pytest.mark.parametrize(
    ("rule", "answer"),
    [
        ({"contains": ("75", "order")}, "order-processor lags 75"),
        ({"not_contains": ("Healthy",)}, "It is healthy."),  # case counts
        ({"regex": ("^Lag: .*75$", "order|payment")}, "Group order\nLag: is 75\nBye"),
        ({"json_schema": {"type": "object", "required": ["lag"]}}, '{"lag": 75}'),
        ({"json_schema": {}}, "[1, 2]"),
    ],
)
def test_an_answer_that_meets_every_demand_passes(one_turn, rule, answer):
    found = one_turn("response", final=answer, response=ResponseRule(**rule))
    assert (found.value, found.reason) == (1.0, "")


@pytest.mark.parametrize(
    ("rule", "fault"),
    [
        ({"contains": ("76",)}, 'contains: "76" is not in the answer'),
        ({"not_contains": ("75",)}, 'not_contains: "75" is in the answer'),
        ({"regex": ("^75",)}, 'regex: "^75" is not found in the answer'),
        ({"equals": ("It lags 76.",)}, 'equals: the answer is not "It lags 76."'),
        ({"number": (NumberRule(value=76),)}, "number: 76 is not in the answer, which has 75"),
        ({"number": (NumberRule(value=80, tolerance=4.9),)}, "number: 80 ± 4.9 is not in the answer, which has 75"),
        ({"number": (NumberRule(value=80, tolerance="5%"),)}, "number: 80 ± 4 is not in the answer, which has 75"),
        ({"json_schema": {}}, "json_schema: the answer is not JSON: Expecting value: line 1 column 1 (char 0)"),
    ],
)
def test_a_demand_that_is_not_met_is_named(one_turn, rule, fault):
    found = one_turn("response", final="It lags 75.", response=ResponseRule(**rule))
    assert found.value == 0.0
    assert found.reason.splitlines() == [f"evalkit.expect[0].response.{fault}", '  the answer: "It lags 75."']


@pytest.mark.parametrize(
    ("answer", "rule"),
    [
        ("It lags 75.", {"equals": (" It lags 75.\n",)}),
        ('{"lag": 75}', {"equals": ('{ "lag" : 75 }',)}),
        ("It lags 75.", {"number": (NumberRule(value=75),)}),
        ("It lags 75.4 of 1,240 records.", {"number": (NumberRule(value=75, tolerance=0.5), NumberRule(value=1240))}),
        ("Es sind 1.240 oder 12,5 %.", {"number": (NumberRule(value=1240),)}),
        ("It is -3 now, 98 % done.", {"number": (NumberRule(value=-3), NumberRule(value=100, tolerance="2 %"))}),
    ],
)
def test_a_demand_for_the_whole_answer_or_a_number_is_met(one_turn, answer, rule):
    assert one_turn("response", final=answer, response=ResponseRule(**rule)).value == 1.0


def test_an_answer_without_numbers_says_so(one_turn):
    found = one_turn("response", final="None.", response=ResponseRule(number=(NumberRule(value=0),)))
    assert "number: 0 is not in the answer, which has no number" in found.reason


def test_json_that_is_not_valid_is_told_at_its_leaf(one_turn):
    schema = {"properties": {"lags": {"items": {"type": "integer"}}}}
    found = one_turn("response", final='{"lags": [1, "x"]}', response=ResponseRule(json_schema=schema))
    assert 'json_schema: $.lags[1]: "x" is not of type "integer"' in found.reason


def test_the_value_is_the_share_of_demands_that_are_met(one_turn):
    rule = ResponseRule(contains=("75", "76"), not_contains=("80", "90"))
    assert one_turn("response", final="It lags 75.", response=rule).value == 0.75


def test_silence_meets_no_demand_for_words(one_turn):
    found = one_turn("response", final=None, response=ResponseRule(contains=("75",)))
    assert found.reason.splitlines()[-1] == "  the agent said nothing"


def test_an_expectation_without_a_demand_is_not_applicable(one_turn):
    assert one_turn("response", response=ResponseRule()).state == "not_applicable"


def test_the_state_after_each_turn_is_compared(make, score):
    turns = [
        make.turn(index=0, expect=make.expecting(state={"n": 1})),
        make.turn(index=1, expect=make.expecting(state={"n": {"$gt": 1}})),
    ]
    trace = make.trace(make.happened(), make.happened(), states=({"n": 1}, {"n": 1}), state={"n": 1})
    found = score("state", make.case(*turns), trace)
    assert (found.value, [turn.value for turn in found.turns]) == (0.5, [1.0, 0.0])
    assert found.reason == "turn 2: evalkit.expect[1].state: $.n: wanted a value greater than 1, found 1"


def test_the_state_at_the_end_is_compared(make, score):
    case = make.case(make.turn(), final_state={"topic": None, "deleted": True, "gone": {"$absent": True}})
    trace = make.trace(make.happened(), states=({},), state={"topic": None, "deleted": False, "other": 1})
    found = score("state", case, trace)
    assert found.value == pytest.approx(2 / 3)
    assert found.reason == "final_session_state: $.deleted: wanted true, found false"


def test_a_key_that_the_state_lacks_is_named(make, score):
    trace = make.trace(make.happened(), states=({},), state={})
    found = score("state", make.case(make.turn(), final_state={"topic": "orders"}), trace)
    assert found.reason == 'final_session_state: $.topic: missing, wanted "orders"'


def test_a_case_that_expects_nothing_of_the_state_is_not_applicable(make, score):
    found = score("state", make.case(make.turn(), final_state={}), make.trace(make.happened(), state={"n": 1}))
    assert found.state == "not_applicable"
