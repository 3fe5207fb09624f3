"""`trajectory` in the orders that ADK has gives the verdict of ADK's own evaluator, on any calls."""

import pytest

pytest.importorskip("pandas", reason="needs google-adk's eval extra: run `make test-adk`")

from google.adk.evaluation.eval_case import IntermediateData, Invocation
from google.adk.evaluation.eval_metrics import EvalMetric, ToolTrajectoryCriterion
from google.adk.evaluation.trajectory_evaluator import TrajectoryEvaluator
from google.genai import types
from hypothesis import HealthCheck, given, settings, strategies as st

from evalkit.cases import Case, Criterion, Message, Step, ToolCall, Turn
from evalkit.scorers import load
from evalkit.traces import ToolEvent, Trace, TurnTrace

pytestmark = pytest.mark.adk_eval

USER = Message(role="user", parts=({"text": "Hello"},))
VALUES = st.sampled_from([0, 1, 1.0, True, None, "1", "orders", "заказы", [1, 2], {"a": {"b": []}}, {}])
CALLS = st.tuples(st.sampled_from("abc"), st.dictionaries(st.sampled_from("xy"), VALUES, max_size=2))


@st.composite
def pairs(draw):
    """Required calls, at least one, and what became of them."""
    required = draw(st.lists(CALLS, min_size=1, max_size=6))
    kept = [call for call in required if draw(st.integers(0, 4))]
    made = draw(st.permutations(kept)) if draw(st.booleans()) else kept
    return required, [*made, *draw(st.lists(CALLS, max_size=2))]


def invocation(calls):
    functions = [types.FunctionCall(name=name, args=args) for name, args in calls]
    content = types.Content(role="user", parts=[types.Part(text="Hello")])
    return Invocation(user_content=content, intermediate_data=IntermediateData(tool_uses=functions))


def adks(required, made, **options):
    criterion = ToolTrajectoryCriterion(threshold=1.0, **options)
    evaluator = TrajectoryEvaluator(eval_metric=EvalMetric(metric_name="trajectory", criterion=criterion))
    return evaluator.evaluate_invocations([invocation(made)], [invocation(required)]).overall_score


def ours(required, made, **options):
    steps = tuple(Step(calls=(ToolCall(name=name, args=args),)) for name, args in required)
    case = Case(eval_id="one", turns=(Turn(index=0, user=USER, steps=steps),))
    tools = tuple(
        ToolEvent(id=f"c{index}", name=name, args=args, agent="root", status="real", group=index)
        for index, (name, args) in enumerate(made, start=1)
    )
    trace = Trace(mode="live", turns=(TurnTrace(user=USER, tools=tools),))
    return load("trajectory")(case, trace, Criterion(name="trajectory", threshold=1.0, options=options)).value


@pytest.mark.parametrize("order", ["EXACT", "IN_ORDER", "ANY_ORDER"])
@settings(derandomize=True, deadline=None, max_examples=80, suppress_health_check=[HealthCheck.too_slow])
@given(calls=pairs(), ignore_args=st.booleans())
def test_the_orders_of_adk_give_adks_verdict(order, calls, ignore_args):
    args_match = "ignore" if ignore_args else "exact"
    assert ours(*calls, order=order, args_match=args_match) == adks(*calls, match_type=order, ignore_args=ignore_args)
