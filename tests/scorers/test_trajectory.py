"""`tool_trajectory_avg_score` from hand-made calls; parity with ADK's own evaluator is tested under adk_eval."""

import pytest

from evalkit.cases import ToolCall

METRIC = "tool_trajectory_avg_score"


@pytest.fixture
def compare(make, score):
    """Score one turn with these expected and actual calls."""

    def compare(expected, actual, **options):
        return score(METRIC, make.case(make.turn(expected)), make.trace(make.happened(actual)), **options)

    return compare


@pytest.mark.parametrize(
    ("actual", "exact", "in_order", "any_order"),
    [
        ("ab", 1.0, 1.0, 1.0),
        ("a", 0.0, 0.0, 0.0),
        ("", 0.0, 0.0, 0.0),
        ("axb", 0.0, 1.0, 1.0),
        ("ba", 0.0, 0.0, 1.0),
        ("xbya", 0.0, 0.0, 1.0),
        ("abb", 0.0, 1.0, 1.0),
        ("aa", 0.0, 0.0, 0.0),
    ],
)
def test_the_match_type_says_what_may_come_between(compare, make, actual, exact, in_order, any_order):
    expected = [make.call("a"), make.call("b")]
    calls = [make.call(name) for name in actual]
    values = [compare(expected, calls, match_type=kind).value for kind in ("EXACT", "IN_ORDER", "ANY_ORDER")]
    assert values == [exact, in_order, any_order]


def test_any_order_counts_how_often_a_call_is_expected(compare, make):
    eu, us = make.call("ping", region="eu"), make.call("ping", region="us")
    assert compare([eu, us, eu], [us, eu, eu], match_type="ANY_ORDER").value == 1.0
    assert compare([eu, us, eu], [us, eu], match_type="ANY_ORDER").value == 0.0


@pytest.mark.parametrize("spelling", ["IN_ORDER", "in_order", "In-Order", " in order ", 1, 1.0])
def test_match_types_are_spelt_as_adk_takes_them(compare, make, spelling):
    assert compare([make.call("a")], [make.call("x"), make.call("a")], match_type=spelling).value == 1.0


@pytest.mark.parametrize("spelling", ["INORDER", "1", None, 3, [], 2.5])
def test_a_match_type_that_adk_refuses_is_refused(compare, make, spelling):
    with pytest.raises(ValueError, match=r"match_type is .*; write one of EXACT, IN_ORDER, ANY_ORDER"):
        compare([make.call("a")], [make.call("a")], match_type=spelling)


@pytest.mark.parametrize(("spelling", "value"), [(True, 1.0), ("yes", 1.0), ("TRUE", 1.0), (0, 0.0), ("off", 0.0)])
def test_ignore_args_is_spelt_as_adk_takes_it(compare, make, spelling, value):
    assert compare([make.call("a", n=1)], [make.call("a", n=2)], ignore_args=spelling).value == value


def test_an_ignore_args_that_adk_refuses_is_refused(compare, make):
    with pytest.raises(ValueError, match=r"ignore_args is 'maybe'; write true or false"):
        compare([make.call("a")], [make.call("a")], ignore_args="maybe")


def test_the_case_scores_the_average_of_its_turns(make, score):
    expected = [make.turn([make.call("a")], index=0), make.turn([make.call("b")], index=1)]
    found = score(METRIC, make.case(*expected), make.trace(make.happened([make.call("a")]), make.happened()))
    assert (found.value, [turn.value for turn in found.turns]) == (0.5, [1.0, 0.0])


def test_absent_arguments_equal_empty_ones(compare, make):
    absent = ToolCall(name="whoami", where="$.tool_uses[0]", extra={"args": None})
    found = compare([absent], [make.call("whoami")])
    assert found.value == 1.0
    assert found.reason == '$.tool_uses[0]: absent args are taken as {}; ADK would score 0, so write "args": {}'
    assert compare([absent], [make.call("whoami")], ignore_args=True).reason == ""


@pytest.mark.parametrize("kind", ["EXACT", "IN_ORDER", "ANY_ORDER"])
def test_an_explicit_empty_list_means_no_calls(compare, make, kind):
    found = compare([], [make.call("a")], match_type=kind)
    assert found.value == 0.0
    assert compare([], [], match_type=kind).value == 1.0
    assert ("ADK's IN_ORDER would accept any" in found.reason) is (kind == "IN_ORDER")


def test_a_turn_without_intermediate_data_expects_nothing(make, score):
    turns = (make.turn([make.call("a")], index=0), make.turn(recorded=False, index=1))
    actual = make.trace(make.happened([make.call("a")]), make.happened([make.call("b")]))
    found = score(METRIC, make.case(*turns), actual)
    assert found.value == 1.0
    assert "turn 2: no intermediate_data: not applicable (ADK would take it as expecting no call)" in found.reason


def test_a_case_without_intermediate_data_is_not_applicable(make, score):
    found = score(METRIC, make.case(make.turn(recorded=False)), make.trace(make.happened([make.call("a")])))
    assert (found.state, found.value) == ("not_applicable", None)


def test_the_reason_aligns_expected_and_actual_calls(compare, make):
    expected = [
        make.call("list_pods", ns="prod"),
        make.call("describe", where="$.tool_uses[1]", pod="api-1"),
        make.call("get_logs", pod="api-1"),
        make.call("get_events", ns="prod"),
    ]
    actual = [
        make.call("list_pods", ns="prod"),
        make.call("describe", pod="api-2", wide=True),
        make.call("top_pods"),
        make.call("get_logs", pod="api-1"),
    ]
    assert compare(expected, actual).reason.splitlines() == [
        "$.tool_uses[1]: 2 of 4 expected calls were made as EXACT demands",
        '  = list_pods(ns="prod")',
        '  ~ describe(pod="api-1")',
        '      pod: expected "api-1", actual "api-2"',
        "      wide: expected nothing, actual true",
        "  + top_pods()",
        '  = get_logs(pod="api-1")',
        '  - get_events(ns="prod")',
    ]


def test_calls_in_another_order_are_told_from_missing_ones(compare, make):
    found = compare([make.call("a"), make.call("b")], [make.call("b"), make.call("a")], match_type="IN_ORDER")
    assert (
        found.reason.splitlines()[-1]
        == 'the same calls were made in another order: "match_type": "ANY_ORDER" accepts that'
    )


def test_a_transfer_that_golden_mode_added_is_to_be_written_down(make, score):
    transfer = {"agent_name": "k8s"}
    tools = [make.event("transfer_to_agent", "control", args=transfer, golden=None, added=True)]
    actual = make.happened([make.call("transfer_to_agent", **transfer), make.call("a")], tools=tools)
    found = score(METRIC, make.case(make.turn([make.call("a")])), make.trace(actual))
    assert 'golden mode added transfer_to_agent(agent_name="k8s"): write it into tool_uses' in found.reason


def test_a_confirmation_that_adk_counts_is_explained(compare, make):
    found = compare([make.call("drop")], [make.call("drop"), make.call("adk_request_confirmation")])
    assert 'list it, or use "match_type": "IN_ORDER"' in found.reason


def test_a_call_inside_an_agent_tool_is_explained(make, score):
    tools = [make.event("billing"), make.event("run_sql", parent="billing", args={"q": 1})]
    expected = [make.call("billing"), make.call("run_sql", q=1)]
    actual = make.happened([make.call("billing")], tools=tools)
    found = score(METRIC, make.case(make.turn(expected)), make.trace(actual))
    assert found.value == 0.0
    assert "run_sql was called inside billing, where ADK does not look: leave it out of tool_uses" in found.reason


@pytest.mark.parametrize(
    ("mode", "actual", "changed", "by_construction"),
    [
        ("golden", "ab", False, True),
        ("golden", "ab", True, False),
        ("golden", "axb", False, False),
        ("live", "ab", False, False),
    ],
)
def test_a_golden_turn_compared_with_itself_holds_by_construction(make, score, mode, actual, changed, by_construction):
    expected = make.turn([make.call("a"), make.call("b")])
    golden = make.report(changed=changed) if mode == "golden" else None
    turn = make.happened([make.call(name) for name in actual], golden=golden)
    found = score(METRIC, make.case(expected), make.trace(turn, mode=mode), match_type="IN_ORDER")
    assert (found.value, found.by_construction) == (1.0, by_construction)


def test_a_turn_that_expects_nothing_leaves_the_others_by_construction(make, score):
    case = make.case(make.turn(recorded=False, index=0), make.turn([make.call("a")], index=1))
    turns = [make.happened(golden=make.report()), make.happened([make.call("a")], golden=make.report())]
    assert score(METRIC, case, make.trace(*turns, mode="golden")).by_construction


@pytest.mark.parametrize(
    ("kind", "expected", "statuses", "wrong"),
    [
        ("EXACT", "ab", "x!", ["x()"]),  # the missed call itself is wrong
        ("EXACT", "ab", "x a!", ["x()"]),  # an earlier call is wrong
        ("EXACT", "ab", "a! x", []),  # what follows a miss may come of it
        ("EXACT", "ab", "a!", []),  # nothing wrong yet, only missing
        ("IN_ORDER", "ab", "x!", []),  # could still become right
        ("IN_ORDER", "", "x!", ["x()"]),  # no call was allowed
    ],
)
def test_calls_that_were_wrong_before_a_miss_are_told_apart(make, score, kind, expected, statuses, wrong):
    names = statuses.split()
    tools = [make.event(name.rstrip("!"), "missed" if name.endswith("!") else "answered") for name in names]
    turn = make.turn([make.call(name) for name in expected])
    actual = make.happened([make.call(name.rstrip("!")) for name in names], tools=tools)
    found = score(METRIC, make.case(turn), make.trace(actual), match_type=kind)
    assert found.details.get("wrong_calls", []) == wrong


def test_turns_after_a_miss_are_not_held_against_the_agent(make, score):
    turns = (make.turn([make.call("a")], index=0), make.turn([make.call("b")], index=1))
    missed = make.happened([make.call("a")], tools=[make.event("a", "missed")])
    found = score(METRIC, make.case(*turns), make.trace(missed, make.happened([make.call("x")])))
    assert (found.value, dict(found.details)) == (0.5, {})


def test_a_miss_inside_an_agent_tool_counts_at_the_call_of_the_agent_tool(make, score):
    tools = [make.event("billing", "agent"), make.event("run_sql", "missed", parent="billing")]
    actual = make.happened([make.call("billing"), make.call("x")], tools=tools)
    found = score(METRIC, make.case(make.turn([make.call("billing"), make.call("b")])), make.trace(actual))
    assert (found.value, dict(found.details)) == (0.0, {})


REQUEST_HINT = (
    'only what an agent was asked differs: write evalkit.expect[0].trajectory.args: {"kafka": {"request": {"$any":'
    ' true}}}, and "gate": false for this metric'
)


@pytest.mark.parametrize("kind", ["EXACT", "IN_ORDER", "ANY_ORDER"])
def test_other_words_to_an_agent_tool_are_told_how_to_be_left_free(make, score, kind):
    made = [make.call("kafka", request="How is the lag?"), make.call("whoami")]
    actual = make.happened(made, tools=[make.event("kafka", "agent"), make.event("whoami")])
    case = make.case(make.turn([make.call("kafka", request="lag?"), make.call("whoami")]))
    found = score(METRIC, case, make.trace(actual), match_type=kind)
    assert (found.value, found.reason.splitlines()[-1]) == (0.0, REQUEST_HINT)


@pytest.mark.parametrize(
    ("made", "status"),
    [
        ([("kafka", {"request": "x"}), ("extra", {})], "agent"),
        ([("kafka", {"request": "x", "urgent": True})], "agent"),
        ([("kafka", {"request": "x"})], "answered"),
        ([("docker", {"request": "lag?"})], "agent"),
    ],
    ids=["a call too many", "another argument too", "a plain tool", "another agent"],
)
def test_where_more_than_an_agents_request_differs_that_is_not_the_remedy(make, score, made, status):
    calls = [make.call(name, **args) for name, args in made]
    actual = make.happened(calls, tools=[make.event(name, status) for name, _ in made])
    found = score(METRIC, make.case(make.turn([make.call("kafka", request="lag?")])), make.trace(actual))
    assert "$any" not in found.reason


def test_calls_inside_an_agent_tool_stand_beneath_it(make, score):
    ask = make.call("kafka", agent="root", request="lag?")
    tools = [
        make.event("kafka", "agent", args=ask.args),
        make.event("dns", "agent", "kafka", parent="kafka"),
        make.event("lookup", "answered", "dns", parent="dns", args={"name": "b1"}),
        make.event("get_lag", "answered", "kafka", parent="kafka"),
        make.event("extra"),
    ]
    actual = make.happened([ask, make.call("extra", agent="root")], tools=tools)
    found = score(METRIC, make.case(make.turn([ask])), make.trace(actual))
    assert found.reason.splitlines()[1:] == [
        '  = kafka(request="lag?")',
        "      inside: dns()",
        '          inside: lookup(name="b1")',
        "      inside: get_lag()",
        "  + extra()",
    ]


def test_a_nested_call_that_adk_sees_stands_as_a_call_of_its_own(make, score):
    """A `single_turn` agent runs in its caller's session, so ADK counts its calls."""
    tools = [make.event("once", "agent"), make.event("df", "answered", "once", parent="once")]
    actual = make.happened([make.call("once", agent="root"), make.call("df", agent="once")], tools=tools)
    found = score(METRIC, make.case(make.turn([make.call("once")])), make.trace(actual))
    assert found.reason.splitlines()[1:] == ["  = once()", "  + df()"]


def test_a_nested_call_is_told_from_an_equal_one_outside_by_its_agent(make, score):
    tools = [
        make.event("kafka", "agent"),
        make.event("whoami", "answered", "kafka", parent="kafka", id="inner"),
        make.event("whoami", id="outer"),
    ]
    actual = make.happened([make.call("kafka", agent="root"), make.call("whoami", agent="root")], tools=tools)
    found = score(METRIC, make.case(make.turn([make.call("kafka")])), make.trace(actual))
    assert found.reason.splitlines()[1:] == ["  = kafka()", "      inside: whoami()", "  + whoami()"]
