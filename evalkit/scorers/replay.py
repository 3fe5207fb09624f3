"""`replay`: did the golden turn go through the real agent as it is written?

In golden mode the case plays the model, so comparing its calls and answer with themselves would prove nothing. What
can go wrong, and is judged here, is everything between: each golden call was asked for by the agent meant, its
arguments fit the tool's declaration, it reached the tool, a mock answered; no call was left over or added, and the turn
ended with the golden answer. A turn scores 1 or 0. Calls without a mock are kept apart from the faults in `details`,
because a missing mock says nothing about the agent.
"""

from collections.abc import Iterator, Mapping, Sequence

from evalkit.cases import Case, Criterion, Turn, same_answer
from evalkit.matching import show
from evalkit.results import Score, TurnScore
from evalkit.scorers.calls import fits_any, show_call
from evalkit.scorers.golden_calls import plays
from evalkit.scorers.per_turn import combine, place_of, played
from evalkit.traces import CallStatus, GoldenReport, ToolEvent, Trace, TurnTrace

_ADK_ASKS_USER = "adk_request_"
"""ADK's own calls, by which it asks the user for a confirmation, a credential or input."""

_STOPPED: Mapping[CallStatus, str] = {
    "refused": "was turned away by ADK before the tool ran",
    "unknown": "names a tool that the agent does not have",
    "unanswered": "got no reply before the turn ended",
}
_ANSWER_LIMIT = 200


def score(case: Case, trace: Trace, criterion: Criterion) -> Score:  # noqa: ARG001 - this metric has no options
    """Check how each golden turn was played."""
    if trace.mode != "golden":
        return Score(state="not_applicable", reason="only golden mode replays the case's own calls")
    turns: list[TurnScore] = []
    faults: list[str] = []
    for turn, happened in played(case, trace):
        wrong, missed = tuple(_faults(turn, happened)), tuple(_missed(turn, happened))
        faults += wrong
        turns.append(_turn_score(turn, happened, (*wrong, *missed)))
    nothing = "nothing to play: no turn has intermediate_data or a final_response"
    return combine(turns, nothing, wrong_calls=faults)


def _turn_score(turn: Turn, happened: TurnTrace, faults: Sequence[str]) -> TurnScore:
    if turn.steps is None and turn.final is None and not faults:
        reason = "nothing to play: the turn has neither intermediate_data nor a final_response"
        return TurnScore(turn=turn.index, value=None, reason=reason)
    added = [f"  golden mode added: {transfer}" for transfer in (happened.golden or GoldenReport()).added]
    return TurnScore(turn=turn.index, value=0.0 if faults else 1.0, reason="\n".join((*faults, *added)))


def _faults(turn: Turn, happened: TurnTrace) -> Iterator[str]:
    report = happened.golden or GoldenReport()
    yield from (f"{place_of(turn)}: {fault}" for fault in report.faults)
    yield from report.misfits
    yield from report.leftover
    yield from _never_made(turn, happened, report.leftover)
    for event in happened.tools:
        yield from _call_faults(turn, happened, event)
    yield from _answer_faults(turn, happened, report)


def _missed(turn: Turn, happened: TurnTrace) -> Iterator[str]:
    for event in happened.tools:
        if event.status == "missed":
            yield f"{_place(turn, event)}: {show_call(event.name, event.args)} missed: no mock answered"


def _never_made(turn: Turn, happened: TurnTrace, leftover: Sequence[str]) -> Iterator[str]:
    for call in turn.calls:
        if call.name.startswith(_ADK_ASKS_USER):
            continue  # ADK makes it, not the model; one that ADK did not make is in `leftover`
        made = any(plays(event, call) for event in happened.tools)
        if not made and not any(call.where in sentence for sentence in leftover):
            shown = show_call(call.name, call.args)
            yield f"{call.where or place_of(turn)}: {shown} was given to the agent but never made"


def _call_faults(turn: Turn, happened: TurnTrace, event: ToolEvent) -> Iterator[str]:
    call = f"{_place(turn, event)}: {show_call(event.name, event.args)}"
    if event.golden is None and not (event.added or event.resumed or event.name.startswith(_ADK_ASKS_USER)):
        yield f"{call} was called by {event.agent}, though the case does not list it"
    meant = next((wanted.agent for wanted in turn.calls if plays(event, wanted)), None)
    if meant not in (None, event.agent):
        yield f"{call} was called by {event.agent}, but is meant for {meant}"
    if event.status in _STOPPED:
        yield f"{call} {_STOPPED[event.status]}{_told(event)}"
    if event.status == "raised" and not _went_on(turn, happened, event):
        yield f"{call} raised {event.error or 'an exception'}, and nothing handled it"
    must_block = turn.expect.trajectory is not None and fits_any(turn.expect.trajectory.blocked, event)
    if event.status == "blocked" and not must_block:
        yield (
            f"{call} was answered by a callback before it reached the tool{_told(event)}; if that is right, list it in"
            f" evalkit.expect[{turn.index}].trajectory.blocked"
        )
    if must_block and event.status != "blocked":
        yield f"{call} is listed as blocked, but no callback blocked it: it was {event.status}"


def _answer_faults(turn: Turn, happened: TurnTrace, report: GoldenReport) -> Iterator[str]:
    if turn.final is None:
        return
    wanted, said = turn.final.text, happened.final.text if happened.final else ""
    if same_answer(said, wanted):
        return
    spoken = f"ended with {show(said, _ANSWER_LIMIT)}" if happened.final else "ended without an answer"
    why = "a callback changed it" if report.final_given else "no agent was asked for it"
    yield f"{place_of(turn)}.final_response: the turn {spoken} instead of the golden answer ({why})"


def _went_on(turn: Turn, happened: TurnTrace, event: ToolEvent) -> bool:
    """Tell whether a callback handled the exception, or the case itself recorded an error there."""
    recorded = any(reply.name == event.name and "error" in reply.response for reply in turn.replies)
    return event.reply is not None or happened.final is not None or recorded


def _told(event: ToolEvent) -> str:
    return "" if event.reply is None else f" (the model was told {show(event.reply)})"


def _place(turn: Turn, event: ToolEvent) -> str:
    return event.golden or place_of(turn)
