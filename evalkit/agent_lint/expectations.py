"""The tools and arguments that `expect[].trajectory` names: one that does not exist never matches anything."""

from collections.abc import Iterable, Iterator

from evalkit.agent_lint.calls import lacking
from evalkit.agent_lint.problems import below, listed, nearest, problem
from evalkit.agent_lint.scene import Scene
from evalkit.cases import CallPattern, TrajectoryRule
from evalkit.errors import Problem
from evalkit.models.facts import AgentFacts
from evalkit.models.tree import CONTROL_TOOLS


def unknown_in_expectations(scene: Scene) -> Iterator[Problem]:
    """Report tools and arguments in `args`, `optional`, `forbid`, `any_of` and `blocked` that do not exist."""
    for owned in scene.turns:
        rule = owned.turn.expect.trajectory
        if rule is None:
            continue
        base = below(scene.expect(owned.turn), "trajectory")
        for tool, names, path, args in _named(rule, base):
            yield from _faults(scene, tool, names, path, args)


def unknown_arguments(tool: str, names: Iterable[str], facts: AgentFacts) -> Iterator[tuple[str, str, str]]:
    """Yield each argument that no tool of this name takes, with a message and a hint."""
    declarations = [one.declaration for one in facts.tools(tool)]
    if tool in CONTROL_TOOLS or not declarations or not all(one and one.closed for one in declarations):
        return
    known = {name: None for one in declarations if one for name in one.parameters}
    for name in names:
        if name not in known:
            near = nearest(name, known)
            hint = f"did you mean `{near}`?" if near else f"its arguments: {listed(known)}"
            yield name, f"`{tool}` takes no argument `{name}`", hint


def _named(rule: TrajectoryRule, base: str) -> Iterator[tuple[str, Iterable[str], str, str]]:
    """Yield each tool that is named, the arguments named with it, and the JSON paths of both."""
    for tool, patterns in rule.args.items():
        yield tool, patterns, below(base, "args", tool), below(base, "args", tool)
    groups: list[tuple[str, tuple[CallPattern, ...]]] = [
        (below(base, "optional"), rule.optional),
        (below(base, "forbid"), rule.forbid),
        (below(base, "blocked"), rule.blocked),
    ]
    groups += [(below(base, "any_of", index), path) for index, path in enumerate(rule.any_of)]
    for start, calls in groups:
        for index, call in enumerate(calls):
            path = below(start, index)
            yield call.name, call.args or (), path, below(path, "args")


def _faults(scene: Scene, tool: str, names: Iterable[str], path: str, args: str) -> Iterator[Problem]:
    lack = lacking(tool, scene.facts)
    if lack:
        yield problem(lack.rule, scene.file, path, lack.message, lack.hint)
        return
    for name, message, hint in unknown_arguments(tool, names, scene.facts):
        yield problem("misfit-arguments", scene.file, below(args, name), message, hint)
