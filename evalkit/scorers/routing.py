"""`route`: were the right agents brought into play, in the right order, and nobody else?

What is expected is `expect[].route`; a turn without one wants the agents that its `tool_uses` name (`expected_route`).
What happened is read off agent-tool calls, transfers, calls of `single_turn` and `task` agents, and the authors of
calls and words (`visits`). What an agent is asked in free text does not matter. A turn scores 1 or 0.

- A route names who does the work. The root may be listed or left out, and so may an agent that was in charge from an
  earlier turn and only hands over. An empty route wants nobody but the root.
- An agent that is brought in again at once counts once. Agents called together, in one model turn, have no order.
- A workflow's work is that of its members: name the workflow, or those of its members that matter. A graph or a custom
  workflow may choose among its members, so where some of them are named, no other may act.
- A call that `trajectory.optional` names brings in nobody who counts.

In golden mode a route holds by construction where the case itself made it. It is judged where something else did: a
callback or code, or a transfer that golden mode added because the tree leaves no choice who makes a call.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from evalkit.cases import Case, Criterion, Json, Turn
from evalkit.models.known import tree_of
from evalkit.models.owners import did_you_mean
from evalkit.models.tree import AgentTree
from evalkit.results import Score, TurnScore
from evalkit.scorers.actual_route import RouteReader
from evalkit.scorers.expected_route import Route, accepted_routes
from evalkit.scorers.misses import first_with_a_miss, up_to_a_miss
from evalkit.scorers.per_turn import combine, expected_at, place_of, played
from evalkit.scorers.visits import Visit, tell
from evalkit.traces import GoldenReport, Trace, TurnTrace

ROUTES = "routes"
"""Key of `Score.details`: for each judged turn its number, the expected and the actual route, and `by_construction`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Judged:
    """One turn, judged: both routes in plain form, and what was wrong before any miss."""

    turn: Turn
    expected: Route
    actual: Route
    by_construction: bool
    wrong: str = ""

    @property
    def right(self) -> bool:
        return self.expected == self.actual


def score(case: Case, trace: Trace, criterion: Criterion) -> Score:  # noqa: ARG001 - this metric has no options
    """Compare who was brought into play with who should be."""
    tree = tree_of(trace.agents)
    turns: list[TurnScore] = []
    found: list[_Judged] = []
    for turn, happened in played(case, trace):
        accepted = accepted_routes(case, turn, tree)
        if not accepted:
            turns.append(TurnScore(turn=turn.index, value=None, reason="the case does not say which agents are to act"))
            continue
        tries = [_judge(turn, happened, route, tree) for route in accepted]
        judged = next((one for one in tries if one.right), tries[0])
        found.append(judged)
        turns.append(_turn_score(case, judged, happened, tree))
    whole = combine(
        turns,
        "no turn says which agents are to act: write evalkit.expect[].route, or tool_uses that name agents",
        wrong_calls=_before_a_miss(found, trace),
        by_construction=trace.mode == "golden" and all(judged.by_construction for judged in found),
    )
    return replace(whole, details={**whole.details, ROUTES: [_as_json(judged) for judged in found]}) if found else whole


def _judge(turn: Turn, happened: TurnTrace, route: Route, tree: AgentTree) -> _Judged:
    optional = turn.expect.trajectory.optional if turn.expect.trajectory else ()
    reader = RouteReader(route, optional, tree)
    made = reader.visits(happened)
    actual, before_miss = reader.route(made), reader.route(reader.visits(up_to_a_miss(happened)))
    report = happened.golden
    learned = report is None or any(
        _made_otherwise(visit, report) or reader.made_by_choice_of_code(visit) for visit in made
    )
    return _Judged(
        turn=turn,
        expected=reader.expected,
        actual=actual,
        by_construction=reader.expected == actual and not learned,
        wrong=_wrong(reader.expected, before_miss),
    )


def _made_otherwise(visit: Visit, report: GoldenReport) -> bool:
    """Tell whether something else than the golden case brought an agent into play."""
    entry = visit.entry
    return entry is not None and entry.golden is None and not (entry.added and report.guided)


def _before_a_miss(found: Sequence[_Judged], trace: Trace) -> list[str]:
    last = first_with_a_miss(trace.turns)
    return [judged.wrong for judged in found if judged.wrong and judged.turn.index <= last]


def _wrong(expected: Route, actual: Route) -> str:
    """Say which agent should not have come when it did; empty if the route may still become right."""
    at = _parting(expected, actual)
    return _how_they_part(expected, actual) if at < len(actual) else ""


def _turn_score(case: Case, judged: _Judged, happened: TurnTrace, tree: AgentTree) -> TurnScore:
    turn, expected, actual = judged.turn, judged.expected, judged.actual
    if judged.right:
        return TurnScore(turn=turn.index, value=1.0)
    place = place_of(turn) if turn.expect.route is None else expected_at(case, turn, "route")
    headline = f"{place}: expected {_shown(expected)}, actual {_shown(actual)}: {_how_they_part(expected, actual)}"
    unknown = [name for name in expected if tree.agents and name not in tree.agents]
    hints = [f"no agent is named {name}{did_you_mean(name, tree.agents)}" for name in unknown if name not in actual]
    return TurnScore(turn=turn.index, value=0.0, reason="\n".join((headline, *tell(happened), *hints)))


def _shown(route: Route) -> str:
    return " → ".join(route) or "nobody but the root"


def _how_they_part(expected: Route, actual: Route) -> str:
    at = _parting(expected, actual)
    wanted, found = expected[at:], actual[at:]
    missing = next((name for name in wanted[:1] if name not in found), None)
    extra = next((name for name in found[:1] if name not in wanted), None)
    if missing and extra:
        return f"{extra} came in place of {missing}"
    if missing:
        return f"{missing} was not brought into play{' again' if missing in actual else ''}"
    if extra:
        how = "too" if extra not in expected else "again"
        return f"{extra} came {how}" if expected else f"{extra} came, though no specialist should"
    return f"{found[0]} came before {wanted[0]}"


def _parting(expected: Route, actual: Route) -> int:
    """Return the first index at which two different routes differ; the shorter one's length if it begins the other."""
    pairs = zip(expected, actual, strict=False)
    return next((index for index, (want, got) in enumerate(pairs) if want != got), min(len(expected), len(actual)))


def _as_json(judged: _Judged) -> Json:
    return {
        "turn": judged.turn.index,
        "expected": [*judged.expected],
        "actual": [*judged.actual],
        "by_construction": judged.by_construction,
    }
