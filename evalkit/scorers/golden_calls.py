"""Whether golden mode made just the calls that the case lists, so that comparing them with the case says nothing."""

from evalkit.cases import Case, ToolCall, Turn
from evalkit.models.tree import CONTROL_TOOLS
from evalkit.scorers.per_turn import played
from evalkit.traces import ToolEvent, Trace, TurnTrace


def made_by_the_case(case: Case, trace: Trace) -> bool:
    """Tell whether all calls of a trace are those of the golden case, so that none of them was a choice."""
    return trace.mode == "golden" and all(made_as_written(*pair) for pair in played(case, trace))


def made_as_written(turn: Turn, happened: TurnTrace) -> bool:
    """Tell whether a golden turn went as the case writes it; a callback or the agent's own code may have changed it."""
    if turn.steps is None:
        return True
    if happened.golden is None or happened.golden.changed:
        return False
    if not happened.tools:
        return [(call.name, call.args) for call in turn.calls] == [
            (call.name, call.args) for call in happened.adk_calls
        ]
    return all(_is_expected(event) for event in happened.tools) and all(
        any(plays(event, call) for event in happened.tools) for call in turn.calls
    )


def plays(event: ToolEvent, call: ToolCall) -> bool:
    """Tell whether a call that was made is this golden call, unchanged."""
    return event.golden == call.where and event.name == call.name and event.args == call.args


def _is_expected(event: ToolEvent) -> bool:
    return event.golden is not None or event.added or event.resumed or event.name in CONTROL_TOOLS
