"""Whose call is it? The owner of each expected call, decided from the case and the agent tree before anything runs."""

import difflib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from evalkit.cases import Step, ToolCall, Turn
from evalkit.errors import EvalkitError
from evalkit.models.tree import ADK_ASKS, TRANSFER, AgentTree


class UnplayableCaseError(EvalkitError):
    """The case cannot be played as it is written; the message says what to write."""


@dataclass(frozen=True, slots=True)
class Owned:
    """A step with the agent that takes it.

    A step without calls is an agent's turn to speak, kept where recorded events order the members of a loop.

    Attributes:
        owner: None if no agent known beforehand has its tool.
        guided: True if several agents could take it, and the recorded author or `expect.route` had to say who does.
    """

    step: Step
    owner: str | None
    guided: bool = False


def own_steps(turn: Turn, tree: AgentTree, active: str | None = None) -> tuple[Owned, ...]:
    """Give each step of the turn to the agent that takes it.

    A recorded author owns its event. Otherwise the only agent that has the tool owns the call; where several have it,
    the agent entered last (by a transfer, or by calling it as a tool) decides, then `expect.route`. What ADK itself
    calls, to ask the user something, is nobody's model turn and is left out.

    Args:
        turn: The turn to be played.
        tree: The agents.
        active: The agent that an earlier turn of the case transferred to, if one did.

    Raises:
        UnplayableCaseError: Several agents have the tool and nothing says which of them is meant.
    """
    return tuple(_Walk(turn, tree, active).steps())


def entered_by(call: ToolCall, owner: str | None, tree: AgentTree) -> str | None:
    """Name the agent that this call brings into play, if it is an entry."""
    if call.name == TRANSFER:
        target = call.args.get("agent_name")
        return target if isinstance(target, str) else None
    return tree.get(owner).agent_tools.get(call.name) if owner else None


def asked_by_adk(call: ToolCall, tree: AgentTree) -> bool:
    """Tell whether a call is one that ADK makes, not a model; the tool `request_input` lets a model make one too."""
    return call.name in ADK_ASKS and not tree.holders(call.name)


class _Walk:
    """Walks a turn's steps in order, remembering who was entered last."""

    def __init__(self, turn: Turn, tree: AgentTree, active: str | None) -> None:
        self.turn = turn
        self.tree = tree
        self.active = active
        self.entered = active
        self.guided = False

    def steps(self) -> Iterator[Owned]:
        for step in self.turn.steps or ():
            made = tuple(call for call in step.calls if not asked_by_adk(call, self.tree))
            if made:
                self.guided = False
                owner = self._own(step.agent, made)
                yield Owned(replace(step, calls=made), owner, guided=self.guided)
            elif step.agent and self._speaks_in_a_loop(step.agent, step):
                yield Owned(replace(step, calls=()), step.agent)

    def _speaks_in_a_loop(self, agent: str, step: Step) -> bool:
        ordered = self.turn.layout == "events" and not step.replies
        return ordered and self.tree.take_turns(agent, agent)

    def _own(self, author: str | None, calls: Sequence[ToolCall]) -> str | None:
        owner = author
        for call in calls:
            owner = author or self._owner_of(call)
            self.guided |= author is not None and len(self.tree.holders(call.name)) > 1
            self._enter(call, owner)
        return owner

    def _enter(self, call: ToolCall, owner: str | None) -> None:
        target = entered_by(call, owner, self.tree)
        if target:
            self.entered = target
            if call.name == TRANSFER:
                self.active = target

    def _owner_of(self, call: ToolCall) -> str | None:
        if call.name == TRANSFER:
            target = str(call.args.get("agent_name"))
            holders = self.tree.able_to_transfer(target)
            if not holders:
                raise UnplayableCaseError(f"{call.where or call.name}: {self._no_way_to(target)}")
            return self._decide(call, holders, self.active or self.tree.root)
        return self._decide(call, self.tree.holders(call.name), self.entered)

    def _decide(self, call: ToolCall, holders: Sequence[str], entered: str | None) -> str | None:
        if len(holders) <= 1:
            return holders[0] if holders else None
        inside = self.tree.scope(entered) if entered else frozenset()
        route = frozenset(self.turn.expect.route or ())
        for accepted in (inside, route):
            left = [holder for holder in holders if holder in accepted]
            if len(left) == 1:
                self.guided |= accepted is route
                return left[0]
        raise UnplayableCaseError(
            f"{call.where or call.name}: `{call.name}` can be called by {_listed(holders)}; say who does it: write"
            f' `evalkit.expect[{self.turn.index}].route: ["{holders[0]}"]`,'
            " or put the transfer_to_agent call before it, or record the turn as invocation_events with authors"
        )

    def _no_way_to(self, target: str) -> str:
        if target not in self.tree.agents:
            return f"no agent is named {target}{did_you_mean(target, self.tree.agents)}"
        entry = self.tree.entry_as_tool(target)
        remedy = f"; {entry[0]} runs it by calling its agent tool `{entry[1]}`" if entry else ""
        return f"no agent can transfer to {target}{remedy}"


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Name the nearest of the known names, in brackets, if one is near."""
    close = difflib.get_close_matches(name, sorted(known), n=1)
    return f" (did you mean {close[0]}?)" if close else ""


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:-1]) + f" and {names[-1]}"
