"""What one run of a case took: calls, tokens, money."""

from collections.abc import Mapping

from evalkit.costs import cost_of_trace
from evalkit.prices import Price
from evalkit.results import Effort
from evalkit.scorers.made import of_tools
from evalkit.traces import Trace


def effort_of(trace: Trace | None, prices: Mapping[str, Price]) -> Effort:
    """Sum up a trace. Tools count wherever they were called, inside agent tools too; ADK's control tools do not."""
    if trace is None:
        return Effort()
    return Effort(
        tool_calls=sum(len(of_tools(turn)) for turn in trace.turns),
        model_calls=sum(turn.usage.model_calls for turn in trace.turns),
        tokens=sum(turn.usage.total_tokens for turn in trace.turns),
        usd=cost_of_trace(trace, prices).usd if trace.mode == "live" else None,
    )
