"""The calls that a turn made, as `trajectory` and its relatives look at them: in sets, and from two views.

Calls that a model asked for in one turn are a set: they have no order among themselves. Neither have those of agents
that ran side by side, as members of a parallel workflow or as agent tools called together.

A case may list the calls at the top, as ADK counts them, or all of them, those inside agent tools included; so there
are two views. Left out of both is a call of an earlier turn that went on in this one.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, pairwise

from evalkit.models.tree import CONTROL_TOOLS, AgentTree
from evalkit.traces import ToolEvent, TurnTrace

Set = tuple[ToolEvent, ...]
View = tuple[Set, ...]
"""Sets of calls, in order."""


def views(happened: TurnTrace, tree: AgentTree) -> tuple[View, ...]:
    """Return the calls at the top and, if some were made inside agent tools, all calls."""
    calls = [event for event in _events(happened) if not event.resumed]
    top = [event for event in calls if event.parent is None]
    if len(top) == len(calls):
        return (_in_sets(calls, tree),)
    return _in_sets(top, tree), _in_sets(calls, tree)


def of_tools(happened: TurnTrace) -> list[ToolEvent]:
    """Return every call of a tool, at any depth; ADK's own, such as transfers, are none."""
    return [event for event in _events(happened) if not event.resumed and event.name not in CONTROL_TOOLS]


def _events(happened: TurnTrace) -> Sequence[ToolEvent]:
    """Return the calls; where nothing but ADK's view is known, made out of that, each in a model turn of its own."""
    if happened.tools or not happened.adk_calls:
        return happened.tools
    return [
        ToolEvent(
            id=str(index), name=call.name, args=call.args, agent=call.agent or "", status="answered", group=index + 1
        )
        for index, call in enumerate(happened.adk_calls)
    ]


def _in_sets(calls: Sequence[ToolEvent], tree: AgentTree) -> View:
    by_id = {event.id: event for event in calls}
    turns = [tuple(group) for _, group in groupby(calls, key=lambda event: event.group or id(event))]
    branches = [_around(turn[0], by_id) or _branch(turn[0].agent, tree) for turn in turns]
    return tuple(_joined(turns, branches))


Branch = tuple[object, object]
"""What agents run side by side within, and by which of them a call was made."""


def _around(event: ToolEvent, by_id: Mapping[str, ToolEvent]) -> Branch | None:
    """Return the model turn, and the call in it, inside which a call was made; None for one at the top."""
    outermost = event
    while outermost.parent is not None and outermost.parent in by_id:
        outermost = by_id[outermost.parent]
    return None if outermost is event else (outermost.group or outermost.id, outermost.id)


def _branch(agent: str, tree: AgentTree) -> Branch | None:
    """Return the outermost parallel workflow around an agent, and which of its members the agent is part of."""
    found = None
    for member, workflow in pairwise([agent, *tree.workflows_around(agent)]):
        if tree.get(workflow).kind == "parallel":
            found = workflow, member
    return found


def _joined(turns: Sequence[Set], branches: Sequence[Branch | None]) -> Iterator[Set]:
    """Join the model turns of agents that ran side by side; of an agent that ran alone, each stays as it is."""
    for within, group in groupby(zip(turns, branches, strict=True), key=lambda pair: pair[1] and pair[1][0]):
        several = [*group]
        if within is None or len({branch for _, branch in several}) == 1:
            yield from (turn for turn, _ in several)
        else:
            yield tuple(event for turn, _ in several for event in turn)
