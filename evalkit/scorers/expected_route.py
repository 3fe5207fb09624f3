"""Which agents a case wants in play: its `expect[].route`, else the agents that its expected calls name."""

from collections.abc import Sequence
from itertools import groupby

from evalkit.cases import Case, ToolCall, Turn
from evalkit.models.tree import TRANSFER, AgentTree
from evalkit.scorers.visits import target_of

Route = tuple[str, ...]


def accepted_routes(case: Case, turn: Turn, tree: AgentTree) -> tuple[Route, ...]:
    """Return the routes of which any will do; none if the case does not say who is to act.

    Without a route of its own, a turn wants the agents that its `tool_uses` name, or those of another accepted path of
    `trajectory.any_of`: targets of transfers, agent tools, and recorded authors. A turn that lists no call wants
    nobody, or the agent that an earlier turn handed over to. Calls that name no agent do not say who is to make them.
    """
    if turn.expect.route is not None:
        return (turn.expect.route,)
    if turn.steps is None:
        return ()
    start = _in_charge(case, turn, tree)
    others = turn.expect.trajectory.any_of if turn.expect.trajectory else ()
    paths = [tuple(ToolCall(name=call.name, args=call.args or {}) for call in path) for path in others]
    routes = [_named(path, start, tree) for path in (turn.calls, *paths)]
    return () if None in routes else tuple(route for route in routes if route is not None)


def plain(route: Route, tree: AgentTree) -> Route:
    """Write a route in its plain form: without the root, and each agent once where it is named again at once.

    So are the members of a workflow: how often it runs them is not the business of a route.
    """
    named = (name for name in route if name != tree.root)
    return tuple(name for _, names in groupby(named, key=tree.head) for name in dict.fromkeys(names))


def _in_charge(case: Case, turn: Turn, tree: AgentTree) -> str:
    """Name the agent that the turn starts with, by ADK's rule: whom an earlier turn handed over to, but no workflow."""
    earlier = (call for one in (case.turns or ())[: turn.index] for call in one.calls if call.name == TRANSFER)
    targets = [str(call.args.get("agent_name")) for call in earlier]
    agents = [name for name in targets if name in tree.agents and tree.get(name).kind == "llm"]
    return agents[-1] if agents else tree.root


def _named(calls: Sequence[ToolCall], start: str, tree: AgentTree) -> Route | None:
    """Return the agents that calls name, in order; None if they tell nothing of who acts."""
    if not calls:
        return (start,)
    told = all(call.agent for call in calls)
    current, inside, found = start, set[str](), list[str]()
    for call in calls:
        if call.agent and call.agent not in tree.scope(current) | inside:
            current = tree.head(call.agent)
            found.append(current)
        elif not found and call.name != TRANSFER:
            found.append(current)  # it works itself before anybody else does
        target = target_of(call.name, call.args, call.agent, tree)
        if target is None:
            continue
        told = True
        found.append(target)
        if call.name == TRANSFER:
            current = target
        else:
            inside |= tree.scope(target)
    return tuple(found) if told else None
