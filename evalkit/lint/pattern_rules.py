"""The rules for patterns: what a pattern surely wants otherwise than it says."""

from collections.abc import Iterator, Mapping

from evalkit.cases import CaseSet, Json, Turn
from evalkit.errors import Problem
from evalkit.formats.paths import write_step
from evalkit.lint.expected import call_patterns, expectations, states
from evalkit.lint.problems import fault
from evalkit.matching.differences import show
from evalkit.matching.slips import Slip, bare_operators
from evalkit.routes import MockSet


def bare_in_expectations(cases: CaseSet) -> Iterator[Problem]:
    """Find matchers without their `$` in what cases expect."""
    for case in cases.cases:
        for turn in case.turns or ():
            for place, expectation in expectations(case, turn):
                rule = expectation.trajectory
                for tool, _, path, patterns in call_patterns(rule, f"{place}.trajectory") if rule else ():
                    unlike = {name: value for name, value in patterns.items() if not _recorded(turn, tool, name, value)}
                    yield from _bare(cases.file, path, unlike)
    for path, state in states(cases):
        yield from _bare(cases.file, path, state, deep=True)


def bare_in_routes(mocks: MockSet) -> Iterator[Problem]:
    """Find matchers without their `$` in the arguments of routes."""
    for route in mocks.routes:
        yield from _bare(mocks.file, f"{route.where}.args", route.args or {})


def how_to_write(slip: Slip) -> str:
    """Say how a matcher without its `$` is written, and how the object where it is meant."""
    return f'write {show(slip.meant)}, or {{"$eq": {show(slip.found)}}} where that object is meant'


def _bare(file: str, path: str, patterns: Mapping[str, Json], *, deep: bool = False) -> Iterator[Problem]:
    for name, pattern in patterns.items():
        for slip in bare_operators(name, pattern, deep=deep):
            keys = ", ".join(f"`{key}`" for key in slip.found)
            one = len(slip.found) == 1
            message = (
                f"{keys} {'is no operator' if one else 'are no operators'} without {'its' if one else 'their'} `$`,"
                f" so this wants an object with {'that key' if one else 'these keys'}"
            )
            yield fault("bare-operator", file, f"{path}{write_step(name)}{slip.path}", message, how_to_write(slip))


def _recorded(turn: Turn, tool: str, name: str, value: Json) -> bool:
    """Tell whether a call of the turn has this very value, which is then meant as it stands."""
    return any(call.name == tool and name in call.args and call.args[name] == value for call in turn.calls)
