"""The rules for patterns: what a pattern surely wants otherwise than it says."""

from collections.abc import Iterator, Mapping, Set as AbstractSet

from evalkit.cases import CaseSet, Json, Turn
from evalkit.errors import Problem
from evalkit.formats.paths import write_step
from evalkit.lint.expected import CallPatterns, call_patterns, expectations, states
from evalkit.lint.problems import fault
from evalkit.matching.differences import show
from evalkit.matching.slips import ANYWHERE, IN_ROUTES, IN_STATES, bare_operators
from evalkit.routes import MockSet


def bare_in_expectations(cases: CaseSet) -> Iterator[Problem]:
    """Find matchers without their `$` in what cases expect."""
    for case in cases.cases:
        for turn in case.turns or ():
            for place, expectation in expectations(case, turn):
                rule = expectation.trajectory
                for one in call_patterns(rule, f"{place}.trajectory") if rule else ():
                    yield from _bare(cases.file, one.path, _unrecorded(turn, one))
    for path, state in states(cases):
        yield from _bare(cases.file, path, state, IN_STATES)


def bare_in_routes(mocks: MockSet) -> Iterator[Problem]:
    """Find matchers without their `$` in the arguments of routes."""
    for route in mocks.routes:
        yield from _bare(mocks.file, f"{route.where}.args", route.args or {}, IN_ROUTES)


def as_matcher(bare: Mapping[str, Json]) -> str:
    """Say how a matcher without its `$` is written."""
    return f"write {show({f'${key}': operand for key, operand in bare.items()})}"


def _bare(file: str, path: str, patterns: Mapping[str, Json], words: AbstractSet[str] = ANYWHERE) -> Iterator[Problem]:
    for name, pattern in patterns.items():
        for slip in bare_operators(name, pattern, words):
            keys = ", ".join(f"`{key}`" for key in slip.found)
            one = len(slip.found) == 1
            message = (
                f"{keys} {'is no operator' if one else 'are no operators'} without {'its' if one else 'their'} `$`,"
                f" so this wants an object with {'that key' if one else 'these keys'}"
            )
            hint = f'{as_matcher(slip.found)}, or {{"$eq": {show(slip.found)}}} where that object is meant'
            yield fault("bare-operator", file, f"{path}{write_step(name)}{slip.path}", message, hint)


def _unrecorded(turn: Turn, one: CallPatterns) -> dict[str, Json]:
    """Leave out values that a call of the turn has itself, which are then meant as they stand."""
    made = [call.args for call in turn.calls if call.name == one.tool]
    return {
        name: pattern
        for name, pattern in one.patterns.items()
        if not any(name in args and args[name] == pattern for args in made)
    }
