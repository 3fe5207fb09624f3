"""`tool_responses`: did the tools reply what the case has recorded?

Each recorded reply is compared, as plain JSON, with what the model was told for the call that it belongs to: the golden
call in golden mode, else the call of that name with equal arguments, else the next call of that name. The value of a
turn is the share of replies that are equal. Left out are the replies of agent tools and of ADK's control tools, which
are words of a model, and what ADK itself said around a confirmation.

ADK keeps these replies and compares them with nothing, and where no mock of another kind answers, evalkit plays them
back: so the metric applies wherever a case has some, but decides about the case only if a config names it. A reply that
was itself the mock is equal by construction. What can be learned is whether a callback changed a reply, whether a mocks
file agrees with the recording, and, where the tool's own code ran over a fake below it, whether it still replies so.
"""

from collections.abc import Iterator, Sequence

from evalkit.cases import Case, Criterion, ToolCall, ToolReply, Turn
from evalkit.matching import match
from evalkit.mocks.recordings import Recorded, recorded_replies, recordings
from evalkit.models.known import tree_of
from evalkit.models.tree import CONTROL_TOOLS
from evalkit.results import Score, TurnScore
from evalkit.scorers.calls import show_call
from evalkit.scorers.per_turn import combine, place_of, played
from evalkit.scorers.visits import target_of
from evalkit.traces import ToolEvent, Trace


def score(case: Case, trace: Trace, criterion: Criterion) -> Score:  # noqa: ARG001 - this metric has no options
    """Compare each recorded reply with the one that came."""
    recorded = _of_tools(case, trace)
    played_back = {recording.label for recording in recordings(recorded)}
    turns: list[TurnScore] = []
    itself = True
    for turn, happened in played(case, trace):
        own = [(call, reply) for call, reply in recorded if any(reply is one for one in turn.replies)]
        if own:
            events = list(_events([call for call, _ in own], happened.tools))
            turns.append(_turn_score(turn, own, events))
            itself &= all(event is not None and event.route in played_back for event in events)
    whole = all(turn.value == 1.0 for turn in turns)
    return combine(turns, "no turn has tool_responses of its tools to compare with", by_construction=itself and whole)


def _of_tools(case: Case, trace: Trace) -> list[Recorded]:
    """List the recorded replies, each with its call, that came from tools."""
    tree = tree_of(trace.agents)
    return [
        (call, reply)
        for call, reply in recorded_replies(case)
        if call.name not in CONTROL_TOOLS and target_of(call.name, call.args, call.agent, tree) is None
    ]


def _events(calls: Sequence[ToolCall], made: Sequence[ToolEvent]) -> Iterator[ToolEvent | None]:
    """Find for each recorded call the one that was really made."""
    left = list(made)
    for call in calls:
        same = [event for event in left if event.name == call.name]
        golden = [event for event in same if event.golden and event.golden == call.where]
        equal = [event for event in same if event.args == call.args]
        found = next(iter((*golden, *equal, *same)), None)
        if found:
            left.remove(found)
        yield found


def _turn_score(turn: Turn, own: Sequence[Recorded], events: Sequence[ToolEvent | None]) -> TurnScore:
    faults = [_fault(turn, call, reply, event) for (call, reply), event in zip(own, events, strict=True)]
    wrong = [fault for fault in faults if fault]
    return TurnScore(turn=turn.index, value=1 - len(wrong) / len(own), reason="\n".join(wrong))


def _fault(turn: Turn, call: ToolCall, reply: ToolReply, event: ToolEvent | None) -> str:
    """Say how the reply that came differs from the recorded one; empty if it does not."""
    place = f"{reply.where or place_of(turn)}: {show_call(call.name, call.args)}"
    if event is None:
        return f"{place} was not called, so it replied nothing"
    if event.reply is None:
        return f"{place} got no reply: it was {event.status}"
    differences = match({"$eq": dict(reply.response)}, event.reply)
    if not differences:
        return ""
    by = f" (answered by {event.route})" if event.route else ""
    return "\n".join((f"{place} did not reply as recorded{by}", *(f"  {difference}" for difference in differences)))
