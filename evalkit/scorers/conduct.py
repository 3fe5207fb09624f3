"""What an agent's own model did that no metric asks about: it fell silent, or called what is not there.

Also the turns of a conversation that nobody wrote down, which a simulated user made up as it went on.
"""

from collections.abc import Iterator
from dataclasses import replace

from evalkit.cases import Case, Message, Turn
from evalkit.scorers.per_turn import place_of, played
from evalkit.traces import Trace


def as_played(case: Case, trace: Trace | None) -> Case:
    """Return a case of a scenario with the turns that it came to, of which nothing is expected; any other as it is."""
    if case.turns is not None or trace is None:
        return case
    turns = (
        Turn(index=index, user=happened.user, where=f"{case.where}.conversation_scenario, turn {index + 1}")
        for index, happened in enumerate(trace.turns)
    )
    return replace(case, turns=tuple(turns))


def silent_turns(case: Case, trace: Trace) -> Iterator[str]:
    """Tell each turn of a live run in which an agent that owes an answer gives none, and nothing else to go on with.

    No metric need ask about that, and ADK gives up on a whole evaluation where nothing at all happened in a turn.
    """
    if trace.mode != "live":
        return
    for turn, happened in played(case, trace):
        owed = case.scenario is not None or (turn.final is not None and turn.final.text)
        if owed and not _shows(happened.final):
            done = "only called tools" if happened.tools else "neither said nor called anything"
            yield f"{place_of(turn)}: no response: the agent {done}"


def vain_calls(trace: Trace) -> Iterator[str]:
    """Tell calls of a live model that came to nothing, whatever its agent made of that."""
    if trace.mode != "live":
        return
    for turn in trace.turns:
        for event in turn.tools:
            if event.status == "unknown":
                yield f"{event.agent} called `{event.name}`, a tool that it does not have"
            elif event.status == "refused":
                yield f"{event.agent} called `{event.name}` with arguments that ADK turned away before the tool"


def _shows(message: Message | None) -> bool:
    """Tell whether there is anything in a message for its reader, who sees no thoughts."""
    return message is not None and any(not part.get("thought") and part != {"text": ""} for part in message.parts)
