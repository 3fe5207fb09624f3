"""What a run of a case took."""

from evalkit.cases import Message
from evalkit.effort import effort_of
from evalkit.prices import Price
from evalkit.results import Effort
from evalkit.traces import ToolEvent, Trace, TurnTrace, Usage

USER = Message(role="user", parts=({"text": "How far is orders behind?"},))
PRICES = {"flash": Price(input=1.0, output=2.0)}


def event(name, status, **fields):
    return ToolEvent(id=name, name=name, args={}, agent="root", status=status, **fields)


def turn(*tools, **usage):
    return TurnTrace(user=USER, tools=tools, usage=Usage(**usage))


def test_tools_count_wherever_they_were_called_but_adks_control_tools_do_not():
    trace = Trace(
        mode="golden",
        turns=(
            turn(event("transfer_to_agent", "control"), event("get_lag", "answered")),
            turn(event("ask", "agent"), event("get_topics", "missed", parent="ask")),
        ),
    )
    assert effort_of(trace, {}) == Effort(tool_calls=3)


def test_tokens_and_model_calls_are_summed_and_priced():
    asked = {"model_calls": 2, "input_tokens": 1_000_000, "output_tokens": 500_000, "total_tokens": 1_500_000}
    trace = Trace(mode="live", turns=(turn(**asked), turn(**asked)), models={"root": "flash"})
    assert effort_of(trace, PRICES) == Effort(model_calls=4, tokens=3_000_000, usd=4.0)
    assert effort_of(trace, {}).usd is None


def test_a_replay_costs_nothing_that_could_be_told():
    assert effort_of(Trace(mode="golden", turns=(turn(model_calls=1),)), PRICES) == Effort(model_calls=1)


def test_a_run_without_a_trace_took_nothing_that_is_known():
    assert effort_of(None, PRICES) == Effort()
