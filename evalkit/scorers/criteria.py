"""Which criteria a case brings itself, and whether a criterion has something to judge."""

from collections.abc import Callable, Iterable, Iterator, Mapping

from evalkit.cases import Case, Criterion, Expectation, TrajectoryRule, Turn
from evalkit.formats.metrics import METRICS, Reference
from evalkit.results import CriterionOrigin

MODEL_CHOICES = frozenset({"trajectory", "budget"})
"""What these judge is the model's choice; in golden mode there is none, since the case itself chooses."""

Holds = Callable[[Case], bool]


def own_criteria(case: Case, mode: str) -> Iterator[tuple[Criterion, CriterionOrigin]]:
    """Yield the criteria that apply to a case without being named in a config."""
    if mode == "golden":
        yield Criterion(name="replay"), "built-in"
    for name, asked_for in _FROM_EXPECT.items():
        if asked_for(case):
            yield Criterion(name=name), "expect"
    for name, recorded in _FROM_RECORDING.items():
        if recorded(case):
            yield Criterion(name=name, gate=False), "expect"


def lacking(criterion: Criterion, cases: Iterable[Case]) -> Reference | None:
    """Name what the criterion compares with if none of the cases has it; None if one has, or it needs nothing."""
    metric = METRICS.get(criterion.name)
    if metric is None or metric.reference is None or criterion.options.get("rubrics"):
        return None
    holds = _REFERENCES[metric.reference]
    return None if any(holds(case) for case in cases) else metric.reference


def _any_turn(holds: Callable[[Turn], object]) -> Holds:
    return lambda case: any(holds(turn) for turn in case.turns or ())


def _any_expect(holds: Callable[[Expectation], object]) -> Holds:
    return _any_turn(lambda turn: holds(turn.expect))


def _any_rule(holds: Callable[[TrajectoryRule], object]) -> Holds:
    return _any_expect(lambda expect: expect.trajectory is not None and holds(expect.trajectory))


def _has_state(case: Case) -> bool:
    return bool(case.final_state) or _any_expect(lambda expect: expect.state)(case)


def _has_rubrics(case: Case) -> bool:
    return bool(case.rubrics) or _any_turn(lambda turn: turn.rubrics)(case)


_FROM_EXPECT: Mapping[str, Holds] = {
    "forbid": _any_rule(lambda rule: rule.forbid),
    "blocked": _any_rule(lambda rule: rule.blocked),
    "response": _any_expect(lambda expect: expect.response is not None),
    "state": _has_state,
    "trajectory": _any_rule(lambda rule: rule.args or rule.optional or rule.any_of),
    "route": _any_expect(lambda expect: expect.route is not None),
    "budget": _any_expect(lambda expect: expect.budget is not None),
}
"""The metrics that gate because a case asks for them."""

_FROM_RECORDING: Mapping[str, Holds] = {
    "intermediate_responses": _any_turn(lambda turn: any(step.message for step in turn.steps or ())),
    "tool_responses": _any_turn(lambda turn: turn.replies),
}
"""The metrics that are shown where a case has what ADK records and never compares; a config makes them gate."""

_REFERENCES: Mapping[Reference, Holds] = {
    "intermediate_data": _any_turn(lambda turn: turn.steps is not None),
    "final_response": _any_turn(lambda turn: turn.final is not None),
    "conversation_scenario": lambda case: case.scenario is not None,
    "rubrics": _has_rubrics,
    "evalkit.expect[].trajectory.forbid": _FROM_EXPECT["forbid"],
    "evalkit.expect[].trajectory.blocked": _FROM_EXPECT["blocked"],
    "evalkit.expect[].response": _FROM_EXPECT["response"],
    "evalkit.expect[].state or final_session_state": _FROM_EXPECT["state"],
    "evalkit.expect[].route or intermediate_data": _any_turn(
        lambda turn: turn.expect.route is not None or turn.steps is not None
    ),
    "intermediate_responses": _FROM_RECORDING["intermediate_responses"],
    "tool_responses": _FROM_RECORDING["tool_responses"],
    "evalkit.expect[].budget": _FROM_EXPECT["budget"],
}
