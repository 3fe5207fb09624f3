"""The tools and arguments that `expect[].trajectory` names: one that does not exist never matches anything."""

from collections.abc import Iterable, Iterator, Mapping

from evalkit.agent_lint.calls import lacking
from evalkit.agent_lint.problems import below, listed, nearest, problem
from evalkit.agent_lint.scene import OwnedTurn, Scene
from evalkit.cases import CallPattern, TrajectoryRule
from evalkit.errors import Problem
from evalkit.models.facts import AgentFacts
from evalkit.models.tree import CONTROL_TOOLS


def unknown_in_expectations(scene: Scene) -> Iterator[Problem]:
    """Report tools and arguments that do not exist, wherever a trajectory rule names them."""
    for owned in scene.turns:
        rule = owned.turn.expect.trajectory
        if rule is None:
            continue
        base = below(scene.expect(owned.turn), "trajectory")
        for tool, path, names in _named(rule, base):
            if not (path.startswith(below(base, "args")) and _means_another(owned, tool, names, scene.facts)):
                yield from _faults(scene, tool, path, names)


def _means_another(owned: OwnedTurn, tool: str, names: Iterable[str], facts: AgentFacts) -> bool:
    """Tell whether patterns are for a call that is not made, and would fit one that is: they stand at a wrong tool."""
    made = {call.name for call in owned.turn.calls}
    if tool in made or lacking(tool, facts):
        return False
    return any(facts.tools(other) and not [*unknown_arguments(other, names, facts)] for other in made)


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


def _named(rule: TrajectoryRule, base: str) -> Iterator[tuple[str, str, Mapping[str, str]]]:
    """Yield each tool that is named, its JSON path, and that of each argument which is named with it."""
    for tool, given in rule.args.items():
        place = below(base, "args", tool)
        names: dict[str, str] = {}
        for index, patterns in enumerate(rule.patterns(tool)):
            around = place if isinstance(given, Mapping) else below(place, index)
            names = {**{name: below(around, name) for name in patterns}, **names}
        yield tool, place, names
    groups: list[tuple[str, tuple[CallPattern, ...]]] = [
        (below(base, "optional"), rule.optional),
        (below(base, "forbid"), rule.forbid),
        (below(base, "blocked"), rule.blocked),
        (below(base, "worked"), rule.worked),
    ]
    groups += [(below(base, "any_of", index), path) for index, path in enumerate(rule.any_of)]
    for start, calls in groups:
        for index, call in enumerate(calls):
            path = below(start, index)
            yield call.name, path, {name: below(path, "args", name) for name in call.args or ()}


def _faults(scene: Scene, tool: str, path: str, names: Mapping[str, str]) -> Iterator[Problem]:
    lack = lacking(tool, scene.facts)
    if lack:
        yield problem(lack.rule, scene.file, path, lack.message, lack.hint)
        return
    for name, message, hint in unknown_arguments(tool, names, scene.facts):
        yield problem("misfit-arguments", scene.file, names[name], message, hint)
