"""`efficiency`: repeats, repeated errors, and calls beyond the shortest path."""

import pytest

METRIC = "efficiency"


@pytest.fixture
def one_turn(make, score):
    """Score one turn by the calls that were made; `required` are those that the case lists, None for none at all."""

    def one_turn(*made, required=None, mode="live", options=None, **rule):
        listed = [make.call(name, **args) for name, args in required or ()]
        turn = make.turn(listed, recorded=required is not None, expect=make.expecting(**rule))
        golden = make.report() if mode == "golden" else None
        trace = make.trace(make.happened(tools=made, golden=golden), mode=mode)
        return score(METRIC, make.case(turn), trace, **(options or {}))

    return one_turn


@pytest.fixture
def call(make):
    """Make a call with an id of its own."""
    numbers = iter(range(1000))

    def call(name, reply=None, **fields):
        return make.event(name, id=f"c{next(numbers)}", reply=reply, **fields)

    return call


def figures(found):
    (turn,) = found.details["turns"]
    return {key: turn[key] for key in ("calls", "shortest", "repeated", "repeated_after_error")}


def test_a_call_made_again_for_the_same_reply_is_a_repeat(one_turn, call):
    found = one_turn(call("lag", {"lag": 75}), call("other"), call("lag", {"lag": 75}))
    assert found.value == pytest.approx(2 / 3)
    assert figures(found) == {"calls": 3, "shortest": None, "repeated": 1, "repeated_after_error": 0}
    assert found.reason.splitlines() == [
        "conversation[0]: 1 of 3 calls were made before, and brought the same again",
        "  lag(): the same reply",
    ]


def test_polling_until_something_has_changed_is_no_repeat(one_turn, call):
    assert one_turn(call("status", {"ready": False}), call("status", {"ready": True})).value == 1.0


def test_other_arguments_or_another_agent_make_another_call(one_turn, call):
    assert one_turn(call("lag", args={"n": 1}), call("lag", args={"n": 2}), call("lag", agent="kafka")).value == 1.0


def test_the_same_error_again_is_a_repeat_after_an_error(one_turn, call):
    busy = {"error": "503 busy"}
    found = one_turn(call("get", busy), call("get", busy), call("get", busy))
    assert figures(found) == {"calls": 3, "shortest": None, "repeated": 0, "repeated_after_error": 2}
    assert found.reason.splitlines()[1] == "  get(): the same error, 503 busy"


def test_a_retry_that_works_or_fails_otherwise_is_none(one_turn, call):
    assert one_turn(call("get", {"error": "busy"}), call("get", {"error": "gone"}), call("get", {"n": 1})).value == 1.0


def test_what_the_path_lists_twice_may_be_made_twice(one_turn, call):
    made = (call("get", {"n": 1}), call("get", {"n": 1}), call("get", {"n": 1}))
    assert one_turn(*made[:2], required=[("get", {}), ("get", {})]).value == 1.0
    assert figures(one_turn(*made, required=[("get", {}), ("get", {})]))["repeated"] == 1


def test_calls_are_held_against_the_shortest_accepted_path(one_turn, call, make):
    any_of = ((make.pattern("a"),),)
    found = one_turn(call("a"), call("b"), call("c"), call("d"), required=[("a", {}), ("b", {})], any_of=any_of)
    assert (found.value, figures(found)["shortest"]) == (0.25, 1)
    assert found.reason == "conversation[0]: 4 calls were made, where the shortest accepted path has 1"


def test_fewer_calls_than_the_path_has_are_no_waste(one_turn, call):
    assert one_turn(call("a"), required=[("a", {}), ("b", {})]).value == 1.0


def test_adks_own_tools_and_optional_calls_are_no_waste(one_turn, call, make):
    transfer = call("transfer_to_agent", args={"agent_name": "k8s"})
    required = [("transfer_to_agent", {"agent_name": "k8s"}), ("a", {})]
    found = one_turn(transfer, call("whoami"), call("a"), required=required, optional=(make.pattern("whoami"),))
    assert (found.value, figures(found)["calls"]) == (1.0, 1)
    assert (
        one_turn(transfer, call("whoami"), call("a"), required=required, options={"optional": ["whoami"]}).value == 1.0
    )


def test_calls_inside_agent_tools_count_where_the_case_lists_them(one_turn, make):
    made = [make.event("ask", "agent"), make.event("df", parent="ask"), make.event("du", parent="ask")]
    assert one_turn(*made, required=[("ask", {})]).value == 1.0
    assert one_turn(*made, required=[("ask", {}), ("df", {}), ("du", {})]).value == 1.0


def test_a_turn_that_should_make_no_call_and_does_is_all_waste(one_turn, call):
    assert one_turn(call("a"), required=[]).value == 0.0


def test_a_turn_without_calls_is_not_applicable(one_turn):
    assert one_turn(required=[("a", {})]).state == "not_applicable"


@pytest.mark.parametrize(("golden", "by_construction"), [("", True), (None, False)])
def test_a_golden_turn_as_it_is_written_holds_by_construction(one_turn, call, golden, by_construction):
    found = one_turn(call("a"), call("b", golden=golden), required=[("a", {}), ("b", {})], mode="golden")
    assert found.by_construction is by_construction
