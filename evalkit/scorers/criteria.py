"""Which criteria a case brings itself."""

from collections.abc import Callable, Iterator, Mapping

from evalkit.cases import Case, Criterion, Expectation, TrajectoryRule, Turn
from evalkit.results import CriterionOrigin

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


def _any_turn(holds: Callable[[Turn], object]) -> Holds:
    return lambda case: any(holds(turn) for turn in case.turns or ())


def _any_expect(holds: Callable[[Expectation], object]) -> Holds:
    return _any_turn(lambda turn: holds(turn.expect))


def _any_rule(holds: Callable[[TrajectoryRule], object]) -> Holds:
    return _any_expect(lambda expect: expect.trajectory is not None and holds(expect.trajectory))


def _has_state(case: Case) -> bool:
    return bool(case.final_state) or _any_expect(lambda expect: expect.state)(case)


_FROM_EXPECT: Mapping[str, Holds] = {
    "forbid": _any_rule(lambda rule: rule.forbid),
    "blocked": _any_rule(lambda rule: rule.blocked),
    "worked": _any_rule(lambda rule: rule.worked),
    "response": _any_expect(lambda expect: expect.response is not None),
    "state": _has_state,
    "trajectory": _any_rule(lambda rule: rule.compares),
    "route": _any_expect(lambda expect: expect.route is not None),
    "budget": _any_expect(lambda expect: expect.budget is not None),
    "rubric": _any_expect(lambda expect: expect.rubrics),
}
"""The metrics that gate because a case asks for them."""

_FROM_RECORDING: Mapping[str, Holds] = {
    "intermediate_responses": _any_turn(lambda turn: any(step.message for step in turn.steps or ())),
    "tool_responses": _any_turn(lambda turn: turn.replies),
}
"""The metrics that are shown where a case has what ADK records and never compares; a config makes them gate."""
