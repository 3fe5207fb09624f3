"""What a criterion demands of every turn, added to what the turns of a case demand themselves."""

from dataclasses import replace

from evalkit.cases import Case, Criterion, Expectation, ResponseRule, TrajectoryRule, Turn
from evalkit.formats.own_metrics import demanded, metric_of
from evalkit.formats.paths import write_step
from evalkit.scorers.per_turn import expected_at

_NOTHING = Expectation()
_KEYS = {"response": "response", "forbid": "trajectory.forbid", "worked": "trajectory.worked", "route": "route"}
"""Where in `expect` a metric's demands stand."""


def with_demands(case: Case, criterion: Criterion) -> Case:
    """Return the case with the options of a criterion in the `expect` of each turn.

    Demands on the answer and forbidden calls come on top of the turn's own; a route of the turn's own wins.
    """
    if not criterion.options:
        return case
    metric = metric_of(criterion)
    demands = demanded(metric, criterion.options)
    if metric not in _KEYS or demands == _NOTHING:
        return case
    place = f"$.criteria{write_step(criterion.name)}"
    origin = place if metric == "response" else f"{place}.{metric}"
    turns = tuple(_demanding(case, turn, demands, _KEYS[metric], origin) for turn in case.turns or ())
    return replace(case, turns=turns)


def _demanding(case: Case, turn: Turn, demands: Expectation, key: str, origin: str) -> Turn:
    own = turn.expect
    if demands.route is not None and own.route is not None:
        return turn
    demands_itself = own.response if demands.response else getattr(own.trajectory, key.rpartition(".")[2], None)
    both = replace(
        own,
        route=demands.route if own.route is None else own.route,
        response=_both_responses(own.response, demands.response),
        trajectory=_both_trajectories(own.trajectory, demands.trajectory),
        origin=f"{origin} or {expected_at(case, turn, key)}" if demands_itself else origin,
    )
    return replace(turn, expect=both)


def _both_responses(own: ResponseRule | None, more: ResponseRule | None) -> ResponseRule | None:
    if own is None or more is None:
        return own or more
    schemas = [rule.json_schema for rule in (own, more) if rule.json_schema is not None]
    return ResponseRule(
        contains=(*own.contains, *more.contains),
        not_contains=(*own.not_contains, *more.not_contains),
        regex=(*own.regex, *more.regex),
        equals=(*own.equals, *more.equals),
        number=(*own.number, *more.number),
        json_schema={"allOf": schemas} if len(schemas) > 1 else next(iter(schemas), None),
    )


def _both_trajectories(own: TrajectoryRule | None, more: TrajectoryRule | None) -> TrajectoryRule | None:
    if own is None or more is None:
        return own or more
    return replace(own, forbid=(*own.forbid, *more.forbid), worked=(*own.worked, *more.worked))
