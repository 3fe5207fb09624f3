"""The patterns in `evalkit.expect`, wherever they stand, each with its JSON path."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from evalkit.cases import CallPattern, Case, CaseSet, Expectation, Json, TrajectoryRule, Turn
from evalkit.formats.paths import write_step


class CallPatterns(NamedTuple):
    """Patterns for the arguments of one tool's calls.

    Attributes:
        tool: The tool.
        place: JSON path of what names it.
        path: JSON path of the object that has the patterns by argument.
        patterns: They; empty where the tool alone is named.
        needed: Whether a call must fit them; other calls may, or must not.
    """

    tool: str
    place: str
    path: str
    patterns: Mapping[str, Json]
    needed: bool


def call_patterns(rule: TrajectoryRule, base: str) -> Iterator[CallPatterns]:
    """Yield every tool that a trajectory rule names, with the patterns for its arguments.

    Args:
        rule: The rule.
        base: JSON path of the rule.
    """
    for tool, given in rule.args.items():
        place = f"{base}.args{write_step(tool)}"
        for index, patterns in enumerate(rule.patterns(tool) or ({},)):
            path = place if isinstance(given, Mapping) else f"{place}[{index}]"
            yield CallPatterns(tool, place, path, patterns, needed=True)
    groups: list[tuple[str, tuple[CallPattern, ...], bool]] = [
        (f"{base}.optional", rule.optional, False),
        (f"{base}.forbid", rule.forbid, False),
        (f"{base}.blocked", rule.blocked, True),
        (f"{base}.worked", rule.worked, True),
        *((f"{base}.any_of[{index}]", path, True) for index, path in enumerate(rule.any_of)),
    ]
    for start, calls, needed in groups:
        for index, call in enumerate(calls):
            place = f"{start}[{index}]"
            yield CallPatterns(call.name, place, f"{place}.args", call.args or {}, needed)


def expectations(case: Case, turn: Turn) -> Iterator[tuple[str, Expectation]]:
    """Yield what is expected of a turn, the checks of its rubrics included, each with its JSON path."""
    yield from _with_checks(f"{case.where}.evalkit.expect[{turn.index}]", turn.expect)


def states(cases: CaseSet) -> Iterator[tuple[str, Mapping[str, Json]]]:
    """Yield every expected state with its JSON path."""
    for case in cases.cases:
        if case.final_state:
            yield f"{case.where}.final_session_state", case.final_state
        for turn in case.turns or ():
            for place, expectation in expectations(case, turn):
                if expectation.state:
                    yield f"{place}.state", expectation.state


def _with_checks(place: str, expectation: Expectation) -> Iterator[tuple[str, Expectation]]:
    yield place, expectation
    for index, rubric in enumerate(expectation.rubrics):
        if rubric.check:
            yield from _with_checks(f"{place}.rubrics[{index}].check", rubric.check)
