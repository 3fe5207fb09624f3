"""How well agents are routed to: a confusion matrix over every route that was judged, with precision and recall.

Each agent of an expected route is paired with one of the actual route: with itself if it came, else with whoever came
in its place, else with `NOBODY`. An agent that came although all expected ones have their pair stands against `NOBODY`
too, and so do two empty routes against each other. The order is not counted here: it is the criterion's business.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from evalkit.results import CaseResult
from evalkit.scorers.routing import ROUTES

NOBODY = "none"
"""Stands for no specialist, in rows and columns; it comes last."""

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class RoutingFigures:
    """What came of the routes of some cases.

    Attributes:
        pairs: How often each expected agent met each actual one; pairs that never met are left out.
        routes: How many routes are counted: one a turn, of cases that passed or failed.
        by_construction: How many are not, because the golden case itself made them.
        undecided: How many are not, because their case ended in an error or could not be judged.
    """

    pairs: Mapping[Pair, int]
    routes: int = 0
    by_construction: int = 0
    undecided: int = 0

    @property
    def agents(self) -> tuple[str, ...]:
        """Everybody who was expected or came, by name."""
        names = {name for pair in self.pairs for name in pair}
        return (*sorted(names - {NOBODY}), *names & {NOBODY})

    def expected(self, agent: str) -> int:
        """How often the agent should have come."""
        return sum(count for (wanted, _), count in self.pairs.items() if wanted == agent)

    def actual(self, agent: str) -> int:
        """How often it came."""
        return sum(count for (_, came), count in self.pairs.items() if came == agent)

    def precision(self, agent: str) -> float | None:
        """How often it was right that the agent came, of the times it did; None if it never came."""
        came = self.actual(agent)
        return self.pairs.get((agent, agent), 0) / came if came else None

    def recall(self, agent: str) -> float | None:
        """How often the agent came, of the times it should have; None if it never should have."""
        wanted = self.expected(agent)
        return self.pairs.get((agent, agent), 0) / wanted if wanted else None


def routing_figures(results: Iterable[CaseResult]) -> RoutingFigures | None:
    """Count the routes of cases; None if no route was looked at in any of them."""
    pairs: Counter[Pair] = Counter()
    routes = by_construction = undecided = 0
    for result, route in _routes(results):
        if route["by_construction"]:
            by_construction += 1
        elif result.verdict not in ("passed", "failed"):
            undecided += 1
        else:
            routes += 1
            pairs.update(_paired(route["expected"], route["actual"]))
    if not routes + by_construction + undecided:
        return None
    return RoutingFigures(pairs=pairs, routes=routes, by_construction=by_construction, undecided=undecided)


def _routes(results: Iterable[CaseResult]) -> Iterator[tuple[CaseResult, Mapping[str, Any]]]:
    for result in results:
        judged = (item.score.details for item in result.criteria if item.score.state == "judged")
        details = next((details for details in judged if ROUTES in details), {})
        yield from ((result, route) for route in details.get(ROUTES, ()))


def _paired(expected: Sequence[str], actual: Sequence[str]) -> Iterator[Pair]:
    """Pair who should have come with who did; nobody with nobody if both are empty."""
    right = Counter(expected) & Counter(actual)
    yield from ((agent, agent) for agent in right.elements())
    missing, extra = Counter(expected) - right, Counter(actual) - right
    yield from zip_longest(missing.elements(), extra.elements(), fillvalue=NOBODY)
    if not expected and not actual:
        yield NOBODY, NOBODY
