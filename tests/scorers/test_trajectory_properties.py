"""What holds for all calls: parity of the three orders that ADK has, and the laws of F1."""

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from evalkit.cases import Case, Criterion, Message, Step, ToolCall, Turn
from evalkit.scorers import load
from evalkit.traces import ToolEvent, Trace, TurnTrace

ADK, RULES, F1 = "tool_trajectory_avg_score", "trajectory", "trajectory_f1"
USER = Message(role="user", parts=({"text": "Hello"},))
OPTIONS = settings(derandomize=True, deadline=None, max_examples=100, suppress_health_check=[HealthCheck.too_slow])

VALUES = st.sampled_from([0, 1, 1.0, True, None, "1", "orders", [1, 2], {"a": {"b": []}}, {}])
CALLS = st.tuples(st.sampled_from("abc"), st.dictionaries(st.sampled_from("xy"), VALUES, max_size=2))
LISTS = st.lists(CALLS, max_size=5)


@st.composite
def pairs(draw):
    """Required calls and what became of them: some dropped, some added, moved or with other arguments."""
    required = draw(LISTS)
    kept = [call for call in required if draw(st.integers(0, 4))]
    made = draw(st.permutations(kept)) if draw(st.booleans()) else kept
    return required, [*made, *draw(st.lists(CALLS, max_size=2))]


def case_of(required):
    steps = tuple(Step(calls=(ToolCall(name=name, args=args),)) for name, args in required)
    return Case(eval_id="one", turns=(Turn(index=0, user=USER, steps=steps),))


def trace_of(made):
    """The calls in both views, each in a model turn of its own."""
    tools = tuple(
        ToolEvent(id=f"c{index}", name=name, args=args, agent="root", status="answered", group=index)
        for index, (name, args) in enumerate(made, start=1)
    )
    calls = tuple(ToolCall(name=name, args=args) for name, args in made)
    return Trace(mode="live", turns=(TurnTrace(user=USER, tools=tools, adk_calls=calls),))


def value(metric, required, made, **options):
    return load(metric)(case_of(required), trace_of(made), Criterion(name=metric, threshold=1.0, options=options)).value


def same_calls(one, other):
    left = list(other)
    for call in one:
        if call not in left:
            return False
        left.remove(call)
    return not left


@pytest.mark.parametrize("order", ["EXACT", "IN_ORDER", "ANY_ORDER"])
@OPTIONS
@given(calls=pairs(), ignore_args=st.booleans())
def test_the_orders_of_adk_give_adks_verdict(order, calls, ignore_args):
    mine = value(RULES, *calls, order=order, args_match="ignore" if ignore_args else "exact")
    assert mine == value(ADK, *calls, match_type=order, ignore_args=ignore_args)


@OPTIONS
@given(pairs())
def test_f1_is_one_exactly_where_the_same_calls_were_made(calls):
    required, made = calls
    assert (value(F1, required, made) == 1.0) is same_calls(required, made)


@OPTIONS
@given(pairs())
def test_f1_lies_between_nothing_and_all(calls):
    assert 0.0 <= value(F1, *calls) <= 1.0


@OPTIONS
@given(pairs())
def test_f1_does_not_hang_on_names(calls):
    required, made = calls

    def renamed(calls):
        return [(f"{name}_renamed", {f"{key}_too": item for key, item in args.items()}) for name, args in calls]

    assert value(F1, renamed(required), renamed(made)) == value(F1, required, made)


@OPTIONS
@given(pairs(), CALLS, st.integers(0, 6))
def test_a_right_call_more_never_lowers_f1(calls, call, place):
    required, made = calls
    made_too = [*made[:place], call, *made[place:]]
    assert value(F1, [*required, call], made_too) >= value(F1, required, made)
    missing = [one for one in required if one not in made]
    for one in missing[:1]:
        assert value(F1, required, [*made, one]) >= value(F1, required, made)


@OPTIONS
@given(pairs())
def test_f1_does_not_hang_on_the_order(calls):
    required, made = calls
    assert value(F1, required, made) == value(F1, [*reversed(required)], made) == value(F1, required, [*reversed(made)])


@OPTIONS
@given(pairs())
def test_what_is_exact_is_in_order_and_what_is_in_order_is_there_in_any_order(calls):
    found = {
        order: value(RULES, *calls, order=order) for order in ("exact", "in_order", "any_order", "unordered", "subset")
    }
    if calls[0]:  # an empty expectation allows no call in any order
        assert found["exact"] <= found["in_order"] <= found["any_order"]
    assert found["exact"] <= found["unordered"] <= min(found["any_order"], found["subset"])
    assert found["unordered"] == (value(F1, *calls) == 1.0)
