"""`trajectory`: the language of `expect[].trajectory`, from hand-made turns."""

import pytest

from evalkit.cases import Criterion, Step, TrajectoryRule
from evalkit.matching import PatternError
from evalkit.scorers import load

METRIC = "trajectory"


@pytest.fixture
def judge_turn(make, score):
    """Score one turn: required calls, the calls that were made, each in a model turn of its own, and a rule."""

    def judge_turn(required, made, *, recorded=True, **rule):
        expected = make.turn(required, recorded=recorded, expect=make.expecting(**rule))
        return score(METRIC, make.case(expected), make.trace(make.happened(tools=made)))

    return judge_turn


@pytest.fixture
def calls(make):
    """Make required calls out of letters, and calls that were made."""

    def calls(letters):
        return [make.call(letter) for letter in letters]

    def events(letters, **fields):
        return [make.event(letter, id=f"c{index}", **fields) for index, letter in enumerate(letters)]

    calls.made = events
    return calls


ORDERS = ("exact", "in_order", "any_order", "unordered", "subset")


@pytest.mark.parametrize(
    ("made", "accepting"),
    [
        ("ab", {*ORDERS}),
        ("ba", {"any_order", "unordered", "subset"}),
        ("axb", {"in_order", "any_order"}),
        ("bxa", {"any_order"}),
        ("abb", {"in_order", "any_order"}),
        ("a", {"subset"}),
        ("", {"subset"}),
        ("ax", set()),
        ("aa", set()),
    ],
)
def test_an_order_says_what_may_be_missing_what_may_be_too_much_and_whether_the_sequence_counts(
    judge_turn, calls, made, accepting
):
    found = {order for order in ORDERS if judge_turn(calls("ab"), calls.made(made), order=order).value == 1.0}
    assert found == accepting


@pytest.mark.parametrize(
    ("alias", "order"),
    [
        ("EXACT", "exact"),
        ("IN_ORDER", "in_order"),
        ("ANY_ORDER", "any_order"),
        ("strict", "exact"),
        ("superset", "any_order"),
    ],
)
@pytest.mark.parametrize("made", ["ab", "ba", "axb", "bxa", "a"])
def test_names_of_others_mean_the_same(judge_turn, calls, alias, order, made):
    values = [judge_turn(calls("ab"), calls.made(made), order=name).value for name in (alias, order)]
    assert values[0] == values[1]


def test_an_order_that_is_none_is_refused(judge_turn, calls):
    with pytest.raises(ValueError, match=r"order is 'sorted'; write one of exact, in_order"):
        judge_turn(calls("a"), calls.made("a"), order="sorted")


def test_where_no_call_is_required_none_may_be_made(judge_turn, calls):
    for order in ORDERS:
        found = judge_turn([], calls.made("a"), order=order)
        assert (found.value, found.reason.splitlines()[-1]) == (0.0, "no call is required here, so none may be made")
        assert judge_turn([], [], order=order).value == 1.0


def test_patterns_take_the_place_of_recorded_arguments(judge_turn, make):
    required = [make.call("run_sql", database="billing", query="<any>", as_of="2026-01-01")]
    rule = {"args": {"run_sql": {"query": {"$any": True}, "as_of": {"$regex": "^20"}}}}
    right = make.event("run_sql", args={"database": "billing", "query": "SELECT 1", "as_of": "2026-07-21"})
    wrong = make.event("run_sql", args={"database": "prod", "query": "SELECT 1", "as_of": "yesterday", "limit": 3})
    assert judge_turn(required, [right], **rule).value == 1.0
    assert judge_turn(required, [wrong], **rule).reason.splitlines()[1:] == [
        '  ~ run_sql(database="billing", query={"$any": true}, as_of={"$regex": "^20"})',
        '      database: expected "billing", actual "prod"',
        '      as_of: expected a value matching /^20/, actual "yesterday"',
        "      limit: expected nothing, actual 3",
    ]


def test_patterns_may_be_for_one_call_of_a_tool_alone(judge_turn, make):
    required = [make.call("ping", region="eu", at=1), make.call("ping", region="us", at=2)]
    rule = {"args": {"ping": [{}, {"at": {"$gt": 1}}]}}
    first, second = make.event("ping", args={"region": "eu", "at": 1}), {"region": "us", "at": 9}
    assert judge_turn(required, [first, make.event("ping", id="2", args=second)], **rule).value == 1.0
    late = make.event("ping", args={"region": "eu", "at": 9})
    assert judge_turn(required, [late, make.event("ping", id="2", args=second)], **rule).value == 0.0


@pytest.mark.parametrize(
    ("mode", "accepted"),
    [
        ("exact", {"as recorded"}),
        ("ignore", {"as recorded", "fewer", "more", "other"}),
        ("subset", {"as recorded", "fewer"}),
        ("superset", {"as recorded", "more"}),
    ],
)
def test_arguments_may_be_left_out_added_or_ignored(judge_turn, make, mode, accepted):
    made = {"as recorded": {"a": 1, "b": 2}, "fewer": {"a": 1}, "more": {"a": 1, "b": 2, "c": 3}, "other": {"a": 2}}
    required = [make.call("get", a=1, b=2)]
    for rule in ({"args_match": mode}, {"args": {"get": mode}}, {"args": {"get": mode}, "args_match": "exact"}):
        found = {
            name for name, args in made.items() if judge_turn(required, [make.event("get", args=args)], **rule).value
        }
        assert found == accepted


def test_patterns_hold_also_where_other_arguments_are_ignored(judge_turn, make):
    required = [make.call("get", a=1, b=2)]
    rule = {"args_match": "ignore", "args": {"get": {"a": {"$lt": 5}}}}
    assert judge_turn(required, [make.event("get", args={"a": 4, "z": 0})], **rule).value == 1.0
    assert judge_turn(required, [make.event("get", args={"a": 5})], **rule).value == 0.0


def test_a_way_to_match_arguments_that_is_none_is_refused(judge_turn, make):
    with pytest.raises(
        ValueError, match=r"args_match for get is 'loose'; write one of exact, ignore, subset, superset"
    ):
        judge_turn([make.call("get")], [make.event("get")], args_match="loose")


def test_a_broken_pattern_is_not_taken_for_one_that_matches_nothing(judge_turn, make):
    with pytest.raises(PatternError):
        judge_turn([make.call("get", a="x")], [make.event("get")], args={"get": {"a": {"$regex": "("}}})


def test_optional_calls_neither_help_nor_hurt(judge_turn, calls, make):
    optional = (make.pattern("x"),)
    assert judge_turn(calls("ab"), calls.made("xaxb"), optional=optional).value == 1.0
    assert judge_turn(calls("ab"), calls.made("xa"), optional=optional).value == 0.0
    assert judge_turn(calls("ab"), calls.made("ayb"), optional=optional).value == 0.0


def test_a_required_call_takes_the_one_that_may_not_be_left_over(judge_turn, make):
    """Both calls are as required; the first is optional too, the second is not."""
    made = [make.event("get", id="1", args={"n": 1}), make.event("get", id="2", args={"n": 2})]
    rule = {"args": {"get": {"n": {"$any": True}}}, "optional": (make.pattern("get", n=1),)}
    assert judge_turn([make.call("get", n=0)], made, **rule).value == 1.0


def test_an_optional_call_is_marked_in_the_diff(judge_turn, calls, make):
    found = judge_turn(calls("ab"), calls.made("xa"), optional=(make.pattern("x"),))
    assert found.reason.splitlines()[1:] == ["  o x()", "  = a()", "  - b()"]


def test_another_accepted_path_will_do(judge_turn, calls, make):
    any_of = ((make.pattern("c"), make.pattern("d")), (make.pattern("e", n={"$gt": 1}),))
    assert judge_turn(calls("ab"), calls.made("ab"), any_of=any_of).value == 1.0
    assert judge_turn(calls("ab"), calls.made("cd"), any_of=any_of).value == 1.0
    assert judge_turn(calls("ab"), calls.made("e", args={"n": 2, "free": 0}), any_of=any_of).value == 1.0
    assert judge_turn(calls("ab"), calls.made("ad"), any_of=any_of).value == 0.0


def test_the_nearest_path_is_the_one_that_is_told(judge_turn, calls, make):
    any_of = ((make.pattern("c"), make.pattern("d"), make.pattern("e")),)
    headline, *diff = judge_turn(calls("ab"), calls.made("cd"), any_of=any_of).reason.splitlines()
    assert headline == (
        "evalkit.expect[0].trajectory.any_of[0][2]: 2 of 3 required calls were made as exact demands (the nearest of 2"
        " accepted paths)"
    )
    assert diff == ["  = c(…)", "  = d(…)", "  - e(…)"]


def test_a_turn_without_calls_of_its_own_may_have_paths(judge_turn, calls, make):
    any_of = ((make.pattern("a"),), ())
    assert judge_turn([], calls.made("a"), recorded=False, any_of=any_of).value == 1.0
    assert judge_turn([], [], recorded=False, any_of=any_of).value == 1.0
    assert judge_turn([], calls.made("b"), recorded=False, any_of=any_of).value == 0.0


def test_a_turn_that_says_not_which_calls_are_expected_is_not_applicable(judge_turn, calls):
    assert judge_turn([], calls.made("a"), recorded=False, order="subset").state == "not_applicable"


@pytest.mark.parametrize(
    ("status", "reply", "outcome"),
    [
        ("answered", {"lag": 75}, "success"),
        ("answered", {"status": "error", "message": "down"}, "error"),
        ("raised", None, "error"),
        ("missed", {"error": "no mock"}, "error"),
        ("blocked", {"lag": 75}, "error"),
        ("unanswered", None, "error"),
        ("real", {"isError": True}, "error"),
    ],
)
def test_a_call_on_a_path_can_be_required_to_have_worked_or_failed(judge_turn, make, status, reply, outcome):
    made = [make.event("get", status, reply=reply)]
    for wanted in ("success", "error"):
        any_of = ((make.pattern("get", status=wanted),),)
        assert judge_turn([], made, recorded=False, any_of=any_of).value == float(wanted == outcome)


def test_a_call_that_did_not_work_is_told_with_its_error(judge_turn, make):
    made = [make.event("get", reply={"error": "503 busy"})]
    found = judge_turn([], made, recorded=False, any_of=((make.pattern("get", status="success"),),))
    assert found.reason.splitlines()[1:] == [
        "  ~ get(…) with status success",
        "      expected status success, actual error: 503 busy",
    ]


def test_failed_attempts_may_be_optional(judge_turn, make):
    failed, worked = make.event("get", id="1", reply={"error": "busy"}), make.event("get", id="2", reply={"ok": True})
    optional = (make.pattern("get", status="error"),)
    assert judge_turn([make.call("get")], [failed, failed, worked], optional=optional).value == 1.0
    assert judge_turn([make.call("get")], [worked, worked], optional=optional).value == 0.0


# What is a call, and in which order they were made.


def test_calls_of_one_model_turn_are_a_set(judge_turn, make):
    required = [make.call("ping", region=region) for region in ("eu", "us", "eu")]
    regions = [("c1", "us"), ("c2", "eu"), ("c3", "eu")]
    together = [make.event("ping", id=call_id, args={"region": region}, group=1) for call_id, region in regions]
    one_by_one = [make.event("ping", id=call_id, args={"region": region}) for call_id, region in regions]
    assert judge_turn(required, together, order="exact").value == 1.0
    assert judge_turn(required, together[:2], order="in_order").value == 0.0
    assert judge_turn(required, one_by_one, order="exact").value == 0.0


def test_calls_of_one_recorded_event_are_a_set(make, score, calls):
    steps = (Step(calls=tuple(calls("ab"))), Step(calls=tuple(calls("c"))))
    turn = make.turn(expect=make.expecting(order="exact"))
    case = make.case(type(turn)(index=0, user=turn.user, steps=steps, expect=turn.expect))
    values = [score(METRIC, case, make.trace(make.happened(tools=calls.made(made)))).value for made in ("bac", "bca")]
    assert values == [1.0, 0.0]


def test_calls_inside_an_agent_tool_may_be_left_out_or_listed_as_a_whole(judge_turn, make):
    made = [make.event("ask", "agent"), make.event("df", agent="ask", parent="ask"), make.event("du", parent="ask")]
    for required, value in ((["ask"], 1.0), (["ask", "df", "du"], 1.0), (["ask", "df"], 0.0), (["df", "du"], 0.0)):
        assert judge_turn([make.call(name) for name in required], made, order="exact").value == value


def test_calls_inside_an_agent_tool_stand_beneath_it(judge_turn, make, calls):
    made = [make.event("a", "agent"), make.event("df", agent="a", parent="a")]
    found = judge_turn(calls("ab"), made, order="exact")
    assert found.reason.splitlines()[1:] == ["  = a()", "      inside: df()", "  - b()"]


def test_agents_that_were_asked_together_have_no_order(judge_turn, make):
    made = [
        make.event("kafka", "agent", group=1),
        make.event("docker", "agent", group=1),
        make.event("ps", agent="docker", parent="docker", group=2),
        make.event("lag", agent="kafka", parent="kafka", group=3),
    ]
    required = [make.call(name) for name in ("kafka", "docker", "lag", "ps")]
    assert judge_turn(required, made, order="exact").value == 1.0
    alone = [made[0], make.event("ps", parent="kafka", group=2), make.event("lag", parent="kafka", group=3)]
    assert judge_turn([make.call(name) for name in ("kafka", "lag", "ps")], alone, order="exact").value == 0.0


def test_members_of_a_parallel_workflow_have_no_order(make, score, crew):
    expect = make.expecting(order="exact")
    case = make.case(make.turn([make.call("lag"), make.call("df")], expect=expect))

    def value(*agents):
        made = [make.event(name, agent=agent, group=index) for index, (name, agent) in enumerate(agents, start=1)]
        return score(METRIC, case, make.trace(make.happened(tools=made), agents=crew)).value

    assert value(("df", "check_disk"), ("lag", "check_lag")) == 1.0
    assert value(("df", "check_lag"), ("lag", "check_lag")) == 0.0
    assert value(("df", "summary"), ("lag", "check_lag")) == 0.0


def test_adks_own_tools_count_only_where_they_are_listed(judge_turn, make):
    transfer = make.event("transfer_to_agent", "control", args={"agent_name": "k8s"})
    made = [transfer, make.event("drop"), make.event("adk_request_confirmation", "control")]
    assert judge_turn([make.call("drop")], made, order="exact").value == 1.0
    listed = [make.call("transfer_to_agent", agent_name="db"), make.call("drop")]
    assert judge_turn(listed, made, order="exact").value == 0.0
    assert judge_turn([make.call("transfer_to_agent", agent_name="k8s"), make.call("drop")], made).value == 1.0


def test_a_call_that_went_on_from_an_earlier_turn_was_made_there(judge_turn, make):
    assert judge_turn([], [make.event("drop", resumed=True)], order="exact").value == 1.0


def test_adks_view_will_do_where_nothing_else_is_known(make, score, calls):
    case = make.case(make.turn(calls("ab"), expect=make.expecting(order="in_order")))
    values = [score(METRIC, case, make.trace(make.happened(calls(made)))).value for made in ("axb", "ba")]
    assert values == [1.0, 0.0]


# Which turns are judged, and what the criterion says of all of them.


def test_only_turns_that_say_something_of_the_kind_are_judged_where_no_config_names_it(make):
    turns = [
        make.turn([make.call("a")], index=0),
        make.turn([make.call("b")], index=1, expect=make.expecting(order="exact")),
    ]
    trace = make.trace(make.happened(), make.happened(tools=[make.event("b")]))
    own = load(METRIC)(make.case(*turns), trace, Criterion(name=METRIC))
    assert [(turn.turn, turn.value) for turn in own.turns] == [(1, 1.0)]
    named = load(METRIC)(make.case(*turns), trace, Criterion(name=METRIC, threshold=1.0))
    assert (named.value, [turn.value for turn in named.turns]) == (0.5, [0.0, 1.0])


def test_a_criterion_speaks_for_every_turn_and_the_turn_itself_first(make, score, calls):
    turns = [make.turn(calls("a"), index=0), make.turn(calls("a"), index=1, expect=make.expecting(order="exact"))]
    made = make.happened(tools=calls.made("xa"))
    found = score(METRIC, make.case(*turns), make.trace(made, made), order="in_order")
    assert [turn.value for turn in found.turns] == [1.0, 0.0]


def test_a_criterion_may_have_patterns_and_optional_calls_for_every_turn(make, score):
    case = make.case(make.turn([make.call("get", at="now")]))
    made = make.happened(tools=[make.event("whoami"), make.event("get", args={"at": "then"})])
    options = {"args": {"get": {"at": {"$any": True}}}, "optional": ["whoami"]}
    assert score(METRIC, case, make.trace(made), **options).value == 1.0


def test_what_compares_calls_is_told_from_what_does_not():
    assert not TrajectoryRule(forbid=(), blocked=(), worked=()).compares
    assert TrajectoryRule(order="subset").compares


# Golden mode, misses, and hints.


@pytest.mark.parametrize(
    ("event", "by_construction"),
    [
        ({}, True),
        ({"args": {"n": 2}}, False),  # a callback changed it
        ({"golden": None}, False),  # code made it
    ],
)
def test_a_golden_turn_compared_with_itself_holds_by_construction(make, score, event, by_construction):
    case = make.case(make.turn([make.call("a", n=1)], expect=make.expecting(args={"a": {"n": {"$gt": 0}}})))
    made = make.happened(tools=[make.event("a", **{"args": {"n": 1}, **event})], golden=make.report())
    found = score(METRIC, case, make.trace(made, mode="golden"))
    assert (found.value, found.by_construction) == (1.0, by_construction)


@pytest.mark.parametrize(
    ("order", "made", "wrong"),
    [
        ("exact", "x!", True),  # the missed call itself is wrong
        ("exact", "a b!", False),  # c may still follow
        ("exact", "b!", True),  # a should have come first
        ("exact", "a! x", False),  # what follows a miss may come of it
        ("unordered", "b!", False),
        ("unordered", "b x!", True),
        ("subset", "x!", True),
        ("in_order", "x!", False),  # could still become right
        ("any_order", "x!", False),
    ],
)
def test_calls_that_no_later_call_can_mend_are_wrong_whatever_missed(judge_turn, make, calls, order, made, wrong):
    tools = [
        make.event(name[0], "missed" if name.endswith("!") else "answered", id=f"c{index}")
        for index, name in enumerate(made.split())
    ]
    found = judge_turn(calls("abc"), tools, order=order)
    assert (found.value, bool(found.details.get("wrong_calls"))) == (0.0, wrong)


def test_what_was_wrong_before_the_turn_with_a_miss_is_wrong(make, score, calls):
    turns = [make.turn(calls("a"), index=index, expect=make.expecting(order="any_order")) for index in (0, 1, 2)]
    missed = make.happened(tools=[make.event("a", "missed")])
    found = score(METRIC, make.case(*turns), make.trace(make.happened(), missed, make.happened()))
    assert len(found.details["wrong_calls"]) == 1


def test_another_order_that_would_accept_the_calls_is_named(judge_turn, calls):
    assert judge_turn(calls("ab"), calls.made("ba")).reason.splitlines()[-1] == (
        'the same calls were made in another order: "order": "unordered" accepts that'
    )
    assert judge_turn(calls("ab"), calls.made("ba"), order="in_order").reason.endswith(
        '"order": "any_order" accepts that'
    )


def test_other_words_to_an_agent_tool_are_told_how_to_be_left_free(judge_turn, make):
    found = judge_turn(
        [make.call("kafka", request="lag?")], [make.event("kafka", "agent", args={"request": "How far?"})]
    )
    assert found.reason.splitlines()[-1] == (
        'only what an agent was asked differs: write evalkit.expect[0].trajectory.args: {"kafka": {"request": {"$any":'
        " true}}}"
    )


def test_calls_beyond_the_accepted_ones_are_counted(judge_turn, calls):
    assert judge_turn(calls("ab"), calls.made("axb")).reason.splitlines()[0] == (
        "conversation[0]: 2 of 2 required calls were made as exact demands, and 1 that it does not allow"
    )
    assert judge_turn(calls("ab"), calls.made("ax"), order="subset").reason.splitlines()[0] == (
        "conversation[0]: 1 of the calls are among the 2 that may be made, 1 are not"
    )
