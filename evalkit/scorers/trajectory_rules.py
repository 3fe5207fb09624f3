"""`trajectory`: did the agent go one of the paths that the case accepts?

Required are the turn's own calls or another path of `expect[].trajectory.any_of`; `order`, `args`, `args_match` and
`optional` say how the calls that were made are compared with them (see `paths`). A turn scores 1 or 0, the case the
average of its turns. Where no config names the metric, it judges the turns that say something of the kind.

Without such a word it equals ADK's `tool_trajectory_avg_score`, but for what a trace knows and ADK does not: the calls
of one model turn are a set, calls inside agent tools may be listed too, and ADK's own tools count only where listed.

In golden mode the case makes its own calls, so comparing them with it holds by construction.
"""

from collections.abc import Iterator, Sequence

from evalkit.cases import Case, Criterion, Turn
from evalkit.formats.orders import ORDERS
from evalkit.matching import show
from evalkit.models.known import tree_of
from evalkit.results import Score, TurnScore
from evalkit.scorers.alignment import count, render
from evalkit.scorers.calls import show_call
from evalkit.scorers.golden_calls import made_by_the_case
from evalkit.scorers.misses import first_with_a_miss, up_to_a_miss
from evalkit.scorers.nesting import inner_events
from evalkit.scorers.paths import Accepted, Attempt, accepted, nearest
from evalkit.scorers.per_turn import combine, expected_at, played
from evalkit.traces import Trace, TurnTrace

_PATTERNS_LIMIT = 400
"""Characters of a proposed pattern that the reason shows."""

_NOTHING = "no turn says which calls are expected: neither intermediate_data nor trajectory.any_of"


def score(case: Case, trace: Trace, criterion: Criterion) -> Score:
    """Compare the calls of each turn with the paths that it accepts."""
    tree = tree_of(trace.agents)
    last = first_with_a_miss(trace.turns)
    turns: list[TurnScore] = []
    wrong: list[str] = []
    for turn, happened in played(case, trace):
        if not _is_judged(turn, criterion):
            continue
        accepts = accepted(case, turn, criterion)
        turns.append(_turn_score(case, turn, happened, accepts, accepts.attempts(happened, tree)))
        failed = turns[-1].value == 0.0 and turn.index <= last
        if failed and (turn.index < last or not accepts.can_still_hold(up_to_a_miss(happened), tree)):
            wrong.append(turns[-1].reason.partition("\n")[0])
    return combine(turns, _NOTHING, wrong_calls=wrong, by_construction=made_by_the_case(case, trace))


def _is_judged(turn: Turn, criterion: Criterion) -> bool:
    """Tell whether a turn is judged: all are if a config has given the metric a threshold."""
    rule = turn.expect.trajectory
    return criterion.threshold is not None or (rule is not None and rule.compares)


def _turn_score(case: Case, turn: Turn, happened: TurnTrace, accepts: Accepted, tries: Sequence[Attempt]) -> TurnScore:
    if not tries:
        reason = "not applicable: neither intermediate_data nor trajectory.any_of says which calls are expected"
        return TurnScore(turn=turn.index, value=None, reason=reason)
    best = nearest(tries)
    if best.holds:
        return TurnScore(turn=turn.index, value=1.0)
    where = expected_at(case, turn, "trajectory.args")
    lines = (*explain(best, happened, len(accepts.paths)), *_hints(best, happened, where))
    return TurnScore(turn=turn.index, value=0.0, reason="\n".join(lines))


def explain(attempt: Attempt, happened: TurnTrace, paths: int) -> Iterator[str]:
    """Say how far the calls are from a path, and show both aligned.

    Args:
        attempt: The path that they are nearest to.
        happened: The turn, for calls inside agent tools.
        paths: How many paths the turn accepts.
    """
    first = attempt.missing[0].where if attempt.missing else ""
    one_of = f" (the nearest of {paths} accepted paths)" if paths > 1 else ""
    yield f"{first or attempt.path.place}: {_found(attempt)}{one_of}"
    shown = {row.made.id for row in attempt.rows if row.made}
    yield from render(attempt.rows, inner_events(happened, shown))


def _found(attempt: Attempt) -> str:
    counts, required, order = count(attempt.rows), len(attempt.path.calls), attempt.order
    others = counts["+"] if attempt.path.steps and not order.extra else 0
    if order.missing:
        return f"{counts['=']} of the calls are among the {required} that may be made, {others + counts['~']} are not"
    found = f"{counts['=']} of {required} required calls were made as {order.name} demands"
    return f"{found}, and {others} that it does not allow" if others else found


def _hints(attempt: Attempt, happened: TurnTrace, where: str) -> Iterator[str]:
    missing = [row.required for row in attempt.rows if row.mark == "-" and row.required]
    extra = [row.made for row in attempt.rows if row.mark == "+" and row.made]
    if not attempt.path.steps:
        yield "no call is required here, so none may be made"
    if any(wanted.accepts(other) for wanted in missing for other in extra):
        free = ORDERS["any_order" if attempt.order.extra else "unordered"]
        yield f'the same calls were made in another order: "order": "{free.name}" accepts that'
    for call in dict.fromkeys(show_call(event.name, event.args) for event in extra if event.added):
        yield f"golden mode added {call}: write it into tool_uses, where it happens"
    asked = _asked_otherwise(attempt, happened)
    if asked:
        patterns = show({agent: {"request": {"$any": True}} for agent in asked}, _PATTERNS_LIMIT)
        yield f"only what an agent was asked differs: write {where}: {patterns}"


def _asked_otherwise(attempt: Attempt, happened: TurnTrace) -> list[str]:
    """Name the agent tools that were asked in other words, if nothing else differs: those words are the model's own."""
    agents = {event.name for event in happened.tools if event.status == "agent"}
    differing = [row for row in attempt.rows if row.mark not in "=o"]
    asked = []
    for row in differing:
        if not (row.mark == "~" and row.required and row.made and row.made.name in agents):
            return []
        if [name for name, right in row.required.arguments(row.made).items() if not right] != ["request"]:
            return []
        asked.append(row.made.name)
    return list(dict.fromkeys(asked))
