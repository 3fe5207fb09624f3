"""Golden turns: the case's own expected calls and answer, played back to whoever is asked.

The rule: an agent that is asked takes the earliest unplayed step that is its own. Order holds per agent; an agent waits
for a later entry (being called as a tool again, or transferred to again) before it takes the steps behind that entry.
If the owner of the next step is reached only by transfer, golden mode transfers, and reports that it did. An agent
with nothing left speaks: the golden answer if it owes it, else its recorded text, else its agent tool's recorded
reply, else a neutral line. One that owes the answer but will run again, in a loop, says its recorded text first.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from evalkit.cases import Message, ToolCall, ToolReply, Turn
from evalkit.errors import EvalkitError
from evalkit.models.owners import Owned, did_you_mean, entered_by, own_steps
from evalkit.models.tree import EXIT_LOOP, TRANSFER, AgentTree

SPARE_TURNS = 20
"""How many more model turns than golden calls a turn may take before it is cut."""


class GoldenOverrunError(EvalkitError):
    """The agent keeps asking for model turns although the case has nothing left to say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptedCall:
    """A call that the model makes: `golden` is the case's own call, None if golden mode added it."""

    name: str
    args: Mapping[str, Any]
    golden: ToolCall | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelTurn:
    """What a model answers: calls, or speech.

    Attributes:
        calls: Calls made together.
        message: What is said beside or instead of calls.
        neutral: True for a line without content, to be given in whatever shape the agent's output must have.
    """

    calls: tuple[ScriptedCall, ...] = ()
    message: Message | None = None
    neutral: bool = False


@dataclass(slots=True)
class _Slot:
    owned: Owned
    played: bool = False


@dataclass(slots=True)
class _Ledger:
    """What happened while the turn was played."""

    asked: list[str] = field(default_factory=list)
    added: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    final_given: bool = False


class GoldenTurn:
    """The script of one turn. Not a pure value: it remembers what has been played.

    Args:
        turn: The turn to play.
        tree: The agents.
        active: The agent that an earlier turn transferred to, if one did.

    Raises:
        UnplayableCaseError: Nothing says which of several agents makes a call.
    """

    def __init__(self, turn: Turn, tree: AgentTree, active: str | None = None) -> None:
        self._turn = turn
        self._tree = tree
        self._slots = [_Slot(owned) for owned in own_steps(turn, tree, active)]
        self._leaving = self._makers_of(EXIT_LOOP)
        self._handing_over = self._makers_of(TRANSFER)
        self._limit = len(turn.calls) + SPARE_TURNS
        ordered = {id(slot.owned.step.message) for slot in self._slots}
        self._texts = [step for step in turn.steps or () if step.message and id(step.message) not in ordered]
        self._replies = list(turn.replies)
        self._ledger = _Ledger()

    def ask(
        self, agent: str, offered: frozenset[str], *, nested: bool = False, inside: ToolCall | None = None
    ) -> ModelTurn:
        """Return the model turn of the agent that is asked.

        Args:
            agent: Who is asked.
            offered: Names of the tools that its request lists.
            nested: Whether it runs within a call of an agent tool, so that its answer goes to the caller.
            inside: The golden call of that agent tool, if the case has it.

        Raises:
            GoldenOverrunError: More turns were asked for than the case can have.
        """
        self._count(agent)
        slot = self._next(agent, offered)
        if slot:
            slot.played = True
            step = slot.owned.step
            calls = tuple(ScriptedCall(name=call.name, args=call.args, golden=call) for call in step.calls)
            if calls or step.message:
                return ModelTurn(calls=calls, message=step.message or self._said_beside(agent, nested=nested))
            return self._speech(agent, inside, nested=nested)  # the recorded event held the answer
        hop = self._hop(agent)
        if hop:
            self._ledger.added.append(f"{agent} transfers to {hop}")
            call = ScriptedCall(name=TRANSFER, args={"agent_name": hop})
            return ModelTurn(calls=(call,), message=self._said_beside(agent, nested=nested))
        return self._speech(agent, inside, nested=nested)

    def _makers_of(self, tool: str) -> frozenset[str]:
        """Name the agents that call a tool in this turn."""
        owned = (slot.owned for slot in self._slots)
        return frozenset(one.owner for one in owned if one.owner and any(call.name == tool for call in one.step.calls))

    def _count(self, agent: str) -> None:
        self._ledger.asked.append(agent)
        if len(self._ledger.asked) > self._limit:
            names = ", ".join(dict.fromkeys(self._ledger.asked[-SPARE_TURNS:]))
            fault = (
                f"the agents asked for more than {self._limit} model turns ({len(self._turn.calls)} golden calls and"
                f" {SPARE_TURNS} to spare), lately {names}; a loop ends with an `exit_loop` call or `max_iterations`"
            )
            self._ledger.faults = self._ledger.faults or [fault]
            raise GoldenOverrunError(fault)

    def _next(self, agent: str, offered: frozenset[str]) -> _Slot | None:
        for slot in self._slots:
            if slot.played:
                continue
            owner = slot.owned.owner
            if owner == agent or (owner is None and self._fits(slot, offered)):
                return slot
            if owner and (self._tree.hop(agent, owner) or self._tree.take_turns(agent, owner)):
                return None  # these two run one after the other, so the order of the case holds between them
            if self._enters(slot, agent):
                return None
        return None

    @staticmethod
    def _fits(slot: _Slot, offered: frozenset[str]) -> bool:
        return all(call.name in offered for call in slot.owned.step.calls)

    def _enters(self, slot: _Slot, agent: str) -> bool:
        targets = (entered_by(call, slot.owned.owner, self._tree) for call in slot.owned.step.calls)
        return any(agent in self._tree.scope(target) for target in targets if target)

    def _hop(self, agent: str) -> str | None:
        unplayed = (slot.owned for slot in self._slots if not slot.played and slot.owned.step.calls)
        first = next((owned.owner for owned in unplayed if owned.owner), None)
        return self._tree.hop(agent, first) if first else None

    def _speech(self, agent: str, inside: ToolCall | None, *, nested: bool) -> ModelTurn:
        answers = self._owes_the_answer(agent, nested=nested)
        if not answers or self._runs_again(agent):
            said = self._recorded_text(agent)
            if said is None and nested and self._speaks_last(agent) and inside is not None:
                said = self._reply_to(inside)
            if said is not None:
                return ModelTurn(message=said)
        if answers:
            self._ledger.final_given = True
            return ModelTurn(message=self._turn.final)
        return ModelTurn(neutral=True)

    def _speaks_last(self, agent: str) -> bool:
        return agent in self._tree.speakers(self._tree.head(agent), self._leaving)

    def _owes_the_answer(self, agent: str, *, nested: bool) -> bool:
        return self._speaks_last(agent) and not nested and self._turn.final is not None

    def _said_beside(self, agent: str, *, nested: bool) -> Message | None:
        """Return recorded text to go with a call: a flat list does not tell with which, so with the earliest.

        An agent that ends with words of its own, not with the golden answer or a transfer, keeps its last text for it.
        """
        if self._turn.layout != "flat" or self._tree.take_turns(agent, agent):
            return None
        own_end = not self._owes_the_answer(agent, nested=nested) and agent not in self._handing_over
        texts = sum(step.agent == agent for step in self._texts)
        return self._recorded_text(agent) if texts > own_end else None

    def _runs_again(self, agent: str) -> bool:
        owners = (slot.owned.owner for slot in self._slots if not slot.played)
        return any(owner is not None and self._tree.take_turns(agent, owner) for owner in owners)

    def _recorded_text(self, agent: str) -> Message | None:
        step = next((step for step in self._texts if step.agent == agent), None)
        if step is None:
            return None
        self._texts.remove(step)
        return step.message

    def _reply_to(self, call: ToolCall) -> Message | None:
        reply = next((r for r in self._replies if _answers(r, call)), None)
        if reply is None:
            return None
        self._replies.remove(reply)
        said = reply.response.get("result", reply.response)
        return Message(role="model", parts=({"text": said if isinstance(said, str) else _as_json(said)},))

    @property
    def final_given(self) -> bool:
        """Whether the golden answer was handed to the agent that owes it."""
        return self._ledger.final_given

    @property
    def guided(self) -> bool:
        """Whether the case had to say who makes a call, because several agents could."""
        return any(slot.owned.guided for slot in self._slots)

    @property
    def added(self) -> tuple[str, ...]:
        """The transfers that golden mode made on its own."""
        return tuple(self._ledger.added)

    @property
    def faults(self) -> tuple[str, ...]:
        """Why the turn was cut, if it was."""
        return tuple(self._ledger.faults)

    def leftover(self) -> tuple[str, ...]:
        """Tell for each golden call that nobody asked for: where it stands, who owns it, who was asked."""
        left = [slot.owned for slot in self._slots if not slot.played]
        return tuple(self._untaken(call, owned.owner) for owned in left for call in owned.step.calls)

    def _untaken(self, call: ToolCall, owner: str | None) -> str:
        asked = ", ".join(dict.fromkeys(self._ledger.asked)) or "nobody"
        place = f"{call.where}: " if call.where else ""
        if owner is not None and owner in self._tree.agents:
            why = f"it belongs to {owner}{self._entry_needed(owner)}"
        elif owner:
            why = f"no agent is named {owner}{did_you_mean(owner, self._tree.agents)}"
        else:
            known = {tool for agent in self._tree.agents.values() for tool in agent.tools}
            hint = did_you_mean(call.name, known)
            return f"{place}no agent has a tool named `{call.name}`{hint}; asked were {asked}"
        return f"{place}`{call.name}` was not asked for: {why}; asked were {asked}"

    def _entry_needed(self, owner: str) -> str:
        """Say which call has to come first, for an agent that runs only as somebody's tool and was never asked."""
        if owner in self._ledger.asked:
            return ""
        entry = self._tree.entry_as_tool(owner)
        return f", which runs when {entry[0]} calls its agent tool `{entry[1]}`: list that call before" if entry else ""


def _answers(reply: ToolReply, call: ToolCall) -> bool:
    if reply.id and call.id:
        return reply.id == call.id
    return reply.name == call.name


def _as_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
