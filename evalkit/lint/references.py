"""What a criterion compares with, and whether a case has it."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from evalkit.cases import Case, CaseSet, Criterion, Expectation, TrajectoryRule, Turn
from evalkit.formats.metrics import METRICS, Reference
from evalkit.formats.own_metrics import demanded, metric_of

Rubrics = Iterable[Mapping[str, Any]]

RUBRIC_TYPES: Mapping[str, str] = {
    "rubric_based_final_response_quality_v1": "FINAL_RESPONSE_QUALITY",
    "rubric_based_tool_use_quality_v1": "TOOL_USE_QUALITY",
    "rubric_based_multi_turn_trajectory_quality_v1": "TRAJECTORY_QUALITY",
}
"""The `type` that rubrics of cases and turns must have for a metric of ADK's to take them."""


def reference_of(criterion: Criterion) -> Reference | None:
    """What a criterion compares with; the user's own functions are theirs to know.

    A criterion that demands something itself, of every turn, needs nothing in the cases; one that only says how calls
    compare still needs calls.
    """
    name = metric_of(criterion)
    metric = METRICS.get(name) if name else None
    if metric is None:
        return None
    if not criterion.options:
        return metric.reference
    demands = demanded(name, criterion.options)
    itself = demands != Expectation() and not (demands.trajectory and demands.trajectory.compares)
    return None if itself else metric.reference


def _any_turn(has: Callable[[Turn], object]) -> Callable[[Case], bool]:
    return lambda case: any(has(turn) for turn in case.turns or ())


def _any_expectation(has: Callable[[Expectation], object]) -> Callable[[Case], bool]:
    return _any_turn(lambda turn: has(turn.expect))


def _any_rule(has: Callable[[TrajectoryRule], object]) -> Callable[[Case], bool]:
    return _any_expectation(lambda expect: expect.trajectory and has(expect.trajectory))


PRESENT: Mapping[Reference, Callable[[Case], bool]] = {
    "intermediate_data": _any_turn(lambda turn: turn.steps is not None),
    "final_response": _any_turn(lambda turn: turn.final is not None),
    "conversation_scenario": lambda case: case.scenario is not None,
    "rubrics": lambda case: bool(case.rubrics) or _any_turn(lambda turn: turn.rubrics or turn.expect.rubrics)(case),
    "evalkit.expect[].trajectory.forbid": _any_rule(lambda rule: rule.forbid),
    "evalkit.expect[].trajectory.blocked": _any_rule(lambda rule: rule.blocked),
    "evalkit.expect[].trajectory.worked": _any_rule(lambda rule: rule.worked),
    "evalkit.expect[].trajectory.any_of or intermediate_data": _any_turn(
        lambda turn: turn.steps is not None or (turn.expect.trajectory and turn.expect.trajectory.any_of)
    ),
    "evalkit.expect[].response": _any_expectation(lambda expect: expect.response),
    "evalkit.expect[].state or final_session_state": lambda case: (
        bool(case.final_state) or _any_expectation(lambda expect: expect.state)(case)
    ),
    "evalkit.expect[].route or intermediate_data": _any_turn(
        lambda turn: turn.expect.route is not None or turn.steps is not None
    ),
    "intermediate_responses": _any_turn(lambda turn: any(step.message for step in turn.steps or ())),
    "tool_responses": _any_turn(lambda turn: turn.replies),
    "evalkit.expect[].budget": _any_expectation(lambda expect: expect.budget),
    "evalkit.gold": lambda case: case.gold is not None,
}
"""How to tell that a case has what a metric compares with."""


def rubrics_of(cases: CaseSet) -> Iterator[tuple[str, Rubrics]]:
    """Yield the JSON path of each case and turn that has rubrics, and these."""
    for case in cases.cases:
        yield case.where, case.rubrics or ()
        yield from ((turn.where, turn.rubrics or ()) for turn in case.turns or ())


def rubric_ids(rubrics: Rubrics | None) -> tuple[str, ...]:
    """The ids of rubrics, in order."""
    return tuple(rubric["rubric_id"] for rubric in rubrics or ())
