"""`worked`: calls that must be made and do what they were asked for."""

import pytest

METRIC = "worked"
PLACE = "evalkit.expect[0].trajectory.worked[0]"


@pytest.fixture
def one_turn(make, score):
    """Score one turn in which `get` must work, by the calls that were made."""

    def one_turn(*made, mode="live", **args):
        turn = make.turn(expect=make.expecting(worked=(make.pattern("get", **args),)))
        golden = make.report() if mode == "golden" else None
        return score(METRIC, make.case(turn), make.trace(make.happened(tools=made, golden=golden), mode=mode))

    return one_turn


def test_a_call_that_worked_is_enough(one_turn, make):
    failed, worked = make.event("get", reply={"error": "busy"}), make.event("get", reply={"ready": True})
    assert one_turn(failed, worked).value == 1.0
    assert one_turn(worked, failed).value == 1.0


@pytest.mark.parametrize(
    ("status", "fields", "told"),
    [
        ("answered", {"reply": {"status": "error", "error": "503 busy"}}, "503 busy"),
        ("raised", {"error": "TimeoutError: broker unreachable"}, "TimeoutError: broker unreachable"),
        ("blocked", {"reply": {"ok": True}}, "it was blocked"),
        ("unknown", {}, "it was unknown"),
    ],
)
def test_a_call_that_never_worked_is_told_with_its_error(one_turn, make, status, fields, told):
    found = one_turn(make.event("get", status, args={"n": 1}, **fields), n=1)
    assert (found.value, found.reason) == (0.0, f"{PLACE}: get(n=1) never worked (get(n=1): {told})")


def test_a_call_that_was_never_made_did_not_work(one_turn, make):
    assert one_turn(make.event("put")).reason == f"{PLACE}: get(…) was never called, so nothing worked"


def test_only_calls_with_the_named_arguments_count(one_turn, make):
    assert one_turn(make.event("get", args={"n": 2}), n=1).value == 0.0


def test_a_call_inside_an_agent_tool_counts(one_turn, make):
    assert one_turn(make.event("ask", "agent"), make.event("get", parent="ask")).value == 1.0


def test_it_is_judged_in_golden_mode_since_no_model_makes_a_call_work(one_turn, make):
    found = one_turn(make.event("get", reply={"success": False}), mode="golden")
    assert (found.value, found.by_construction) == (0.0, False)


def test_a_case_that_names_no_such_call_is_not_applicable(make, score):
    assert score(METRIC, make.case(make.turn()), make.trace(make.happened())).state == "not_applicable"
