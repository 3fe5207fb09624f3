"""One case beside the agent that it is for: whose call is each, and what the case is played with."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evalkit.cases import Case, Criterion, ToolCall, Turn
from evalkit.models.facts import AgentFacts, ToolFacts
from evalkit.models.owners import Owned, UnplayableCaseError, asked_by_adk, own_steps
from evalkit.models.tree import CONTROL_TOOLS, TRANSFER, AgentTree
from evalkit.routes import MockSet


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnedCall:
    """An expected call.

    Attributes:
        owner: Who makes it, None if nobody can tell.
        moment: Counts the model turns of the conversation; calls that are made together share it.
        after: Whom golden mode transfers to before it, since the case does not.
    """

    call: ToolCall
    owner: str | None
    moment: int
    after: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnedTurn:
    """A turn with the owners of its calls; those that ADK itself makes are left out.

    Attributes:
        unplayable: Why golden mode cannot play the turn, as it says itself; None if it can.
    """

    turn: Turn
    calls: tuple[OwnedCall, ...] = ()
    unplayable: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """What a rule looks at.

    Attributes:
        file: The evalset, as the user named it.
        mocks: The mocks files that the case is played with, its own first.
        criteria: The criteria that judge it.
    """

    file: str
    case: Case
    facts: AgentFacts
    mocks: tuple[MockSet, ...] = ()
    criteria: tuple[Criterion, ...] = ()
    turns: tuple[OwnedTurn, ...] = ()

    def calls(self) -> Iterator[OwnedCall]:
        """Yield every expected call of the case, in order."""
        return (owned for owned_turn in self.turns for owned in owned_turn.calls)

    def expect(self, turn: Turn) -> str:
        """Return the JSON path of the entry in `evalkit.expect` that belongs to a turn."""
        return f"{self.case.where}.evalkit.expect[{turn.index}]"

    def tools(self, owned: OwnedCall) -> tuple[ToolFacts, ...]:
        """Return what is known of the tool that is called; nothing for ADK's control tools."""
        name = owned.call.name
        return () if name in CONTROL_TOOLS else self.facts.tools(name, owned.owner) or self.facts.tools(name)

    def fitting(self, owned: OwnedCall) -> tuple[ToolFacts, ...]:
        """Return what is known of the tool, as far as the expected arguments fit: those that do not are an error."""
        args = owned.call.args
        return tuple(tool for tool in self.tools(owned) if not (tool.declaration and tool.declaration.examine(args)))


def scene_of(
    file: str, case: Case, mocks: Sequence[MockSet], facts: AgentFacts, criteria: Sequence[Criterion] = ()
) -> Scene:
    """Find the owner of each call of a case."""
    walk = _Walk(facts.tree)
    turns = tuple(walk.turn(turn) for turn in case.turns or ())
    return Scene(file=file, case=case, facts=facts, mocks=tuple(mocks), criteria=tuple(criteria), turns=turns)


class _Walk:
    """Goes through a conversation, remembering which agent is in charge."""

    def __init__(self, tree: AgentTree) -> None:
        self._tree = tree
        self._active: str | None = None
        self._moment = 0

    def turn(self, turn: Turn) -> OwnedTurn:
        try:
            steps = own_steps(turn, self._tree, self._active)
        except UnplayableCaseError as error:
            guessed = tuple(self._guess(call) for call in turn.calls if not asked_by_adk(call, self._tree))
            return OwnedTurn(turn=turn, calls=guessed, unplayable=str(error))
        return OwnedTurn(turn=turn, calls=tuple(call for owned in steps for call in self._made(owned)))

    def _made(self, owned: Owned) -> list[OwnedCall]:
        self._moment += 1
        after = self._follow(owned)
        return [OwnedCall(call=call, owner=owned.owner, moment=self._moment, after=after) for call in owned.step.calls]

    def _guess(self, call: ToolCall) -> OwnedCall:
        self._moment += 1
        holders = self._tree.holders(call.name)
        return OwnedCall(
            call=call, owner=call.agent or (holders[0] if len(holders) == 1 else None), moment=self._moment
        )

    def _follow(self, owned: Owned) -> tuple[str, ...]:
        """Remember whom a step leaves in charge, and return the transfers to its agent that golden mode adds."""
        here, added = self._active or self._tree.root, list[str]()
        while owned.owner and (hop := self._tree.hop(here, owned.owner)):
            here = hop
            added.append(hop)
        targets = [str(call.args.get("agent_name")) for call in owned.step.calls if call.name == TRANSFER]
        for name in (here, *targets):
            if name in self._tree.agents and self._tree.get(name).kind == "llm":
                self._active = name
        return tuple(added)
