"""The turns of one session: the script of each, what happened in it, and what it leaves to the next."""

from collections import Counter
from collections.abc import Iterator

from google.genai import types

from evalkit.adk.events import OpenCall, TurnRecorder, to_message
from evalkit.adk.playing import Playing
from evalkit.cases import Turn, same_answer
from evalkit.models.golden import GoldenTurn
from evalkit.models.owners import asked_by_adk
from evalkit.models.tree import TRANSFER
from evalkit.traces import GoldenReport, TurnTrace


class Conversation:
    """Follows a session from turn to turn.

    Args:
        playing: The case in play.
        active: The agent that the conversation has come to before its first turn; None for the root.

    Attributes:
        turns: The turns that have ended.
        open: Calls that may go on in a later turn, by id.
    """

    def __init__(self, playing: Playing, active: str | None = None) -> None:
        self._playing = playing
        self.turns: list[TurnTrace] = []
        self.open: dict[str, OpenCall] = {}
        self._active = active
        self._script: Turn | None = None
        self._recorder: TurnRecorder | None = None

    def begin(self, index: int, message: types.Content, script: Turn | None = None) -> TurnRecorder:
        """Begin a turn; the recorder is to be given each of its events.

        Args:
            index: 0-based turn.
            message: What the user says.
            script: The golden turn that models play; None if they speak for themselves.
        """
        playing = self._playing
        playing.turn = index
        playing.misfits = []
        playing.golden = GoldenTurn(script, playing.tree, self._active) if script else None
        self._script = script
        recorder = self._recorder = TurnRecorder(playing, to_message(message), self.open)
        playing.observe = recorder.take
        return recorder

    def end(self) -> None:
        """End the turn in play, if there is one."""
        recorder = self._recorder
        if recorder is None:
            return
        self._recorder = None
        trace = recorder.trace(self._report(recorder))
        self.turns.append(trace)
        answered = {reply.get("id") for reply in trace.user.function_responses}
        waiting = {**self.open, **recorder.still_open()}
        self.open = {call_id: call for call_id, call in waiting.items() if call_id not in answered}
        self._active = self._goes_on_with(trace) or self._active

    def _goes_on_with(self, trace: TurnTrace) -> str | None:
        """Name the agent that the next turn starts with, by ADK's rule: a workflow is entered anew each time."""
        made = (event for event in trace.tools if event.name == TRANSFER and not event.parent)
        transfers = (event.args.get("agent_name") for event in made)
        agents = [agent for name in transfers if (agent := self._playing.tree.agents.get(str(name)))]
        return next((agent.name for agent in reversed(agents) if agent.kind == "llm"), None)

    def _report(self, recorder: TurnRecorder) -> GoldenReport | None:
        golden, turn = self._playing.golden, self._script
        if golden is None or turn is None:
            return None
        said = to_message(recorder.final) if recorder.final else None
        return GoldenReport(
            leftover=(*golden.leftover(), *self._never_asked(turn, recorder)),
            added=golden.added,
            faults=golden.faults,
            misfits=tuple(self._playing.misfits),
            changed=turn.final is not None and (said is None or not same_answer(said.text, turn.final.text)),
            final_given=golden.final_given,
            guided=golden.guided,
        )

    def _never_asked(self, turn: Turn, recorder: TurnRecorder) -> Iterator[str]:
        """Tell of each question to the user that the case records and ADK did not ask."""
        asked = Counter(seen.name for seen in recorder.seen.values())
        for call in turn.calls:
            if asked_by_adk(call, self._playing.tree):
                asked[call.name] -= 1
                if asked[call.name] < 0:
                    yield f"{call.where or call.name}: ADK did not ask the user by `{call.name}`, as the case records"
