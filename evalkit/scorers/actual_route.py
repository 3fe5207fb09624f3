"""What happened in a turn, written as a route in the terms of the expected one, so that the two can be compared.

A workflow may be named by itself or by its members, the root and whoever only hands over may be left out, and agents
called together have no order: which of these ways to write a route is meant, only the expected route can tell.
"""

from collections.abc import Sequence

from evalkit.cases import CallPattern
from evalkit.models.tree import AgentTree
from evalkit.scorers.calls import fits_any
from evalkit.scorers.expected_route import Route, plain
from evalkit.scorers.visits import Visit, visits
from evalkit.traces import TurnTrace


class RouteReader:
    """Reads turns in the terms of one expected route.

    Args:
        expected: The route as the case gives it.
        optional: Calls that neither help nor hurt.
        tree: The agents that are known.
    """

    def __init__(self, expected: Route, optional: tuple[CallPattern, ...], tree: AgentTree) -> None:
        self.expected = plain(expected, tree)
        self._named = expected
        self._optional = optional
        self._tree = tree

    def visits(self, happened: TurnTrace) -> list[Visit]:
        """Read a turn as visits; those of agents called together stand in the expected order."""
        return visits(happened, self._tree, self._rank)

    def route(self, made: Sequence[Visit]) -> Route:
        """Write visits as a route in plain form."""
        return plain(tuple(name for visit in made if self._counts(visit) for name in self._names_of(visit)), self._tree)

    def made_by_choice_of_code(self, visit: Visit) -> bool:
        """Tell whether code may have chosen the members that the route names."""
        return self._chooses(visit.agent) and any(member in self._named for member in visit.members)

    def _rank(self, agent: str) -> int:
        reached = self._tree.scope(agent)
        return next((index for index, name in enumerate(self._named) if name in reached), len(self._named))

    def _counts(self, visit: Visit) -> bool:
        if visit.entry:
            return visit.agent in self._named or not fits_any(self._optional, visit.entry)
        return visit.worked or self.expected[:1] == (visit.agent,)

    def _names_of(self, visit: Visit) -> Sequence[str]:
        """Name what a visit brought into play: the agent or workflow, or members of it."""
        inside = self._tree.scope(visit.agent) - {visit.agent}
        itself = [visit.agent] if visit.agent in self._named else []
        may_stand_for_all = itself or visit.agent != self._tree.root or not self._chooses(visit.agent)
        if inside.isdisjoint(self._named) and may_stand_for_all:
            return [visit.agent]
        acted = [name for name in visit.members if name in self._named or self._acts_by_choice(name, visit)]
        return itself + sorted(acted, key=self._rank)

    def _acts_by_choice(self, member: str, visit: Visit) -> bool:
        return self._chooses(visit.agent) and not self._tree.get(member).members

    def _chooses(self, workflow: str) -> bool:
        """Tell whether code may choose among the members of a workflow, or of one inside it."""
        inside = (self._tree.get(name) for name in self._tree.scope(workflow))
        return any(agent.kind in ("graph", "custom") and agent.members for agent in inside)
