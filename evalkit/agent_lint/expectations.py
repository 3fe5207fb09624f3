"""The tools and arguments that `expect[].trajectory` names, and the values that it wants: do they exist at all?"""

from collections.abc import Iterable, Iterator, Mapping

from evalkit.agent_lint.calls import lacking
from evalkit.agent_lint.misfit_patterns import PatternMisfit, pattern_misfits
from evalkit.agent_lint.problems import below, listed, nearest, problem
from evalkit.agent_lint.scene import OwnedTurn, Scene
from evalkit.agent_lint.slots import slot_of
from evalkit.cases import Json, TrajectoryRule
from evalkit.errors import Problem
from evalkit.lint.expected import call_patterns, expectations
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


def misfit_patterns(scene: Scene) -> Iterator[Problem]:
    """Report values in patterns for arguments that no call of the tool can have."""
    for owned in scene.turns:
        for place, expectation in expectations(scene.case, owned.turn):
            rule = expectation.trajectory
            for one in call_patterns(rule, below(place, "trajectory")) if rule else ():
                for misfit in misfits_of_args(one.tool, one.patterns, one.path, scene.facts):
                    if misfit.fatal or one.needed:
                        yield problem("misfit-pattern", scene.file, misfit.path, misfit.message, misfit.hint)


def misfits_of_args(
    tool: str, patterns: Mapping[str, Json], path: str, facts: AgentFacts, owner: str | None = None
) -> Iterator[PatternMisfit]:
    """Find what in the patterns for arguments fits no call, whichever tool of the name is called.

    Args:
        tool: The tool's name.
        patterns: The patterns by argument.
        path: JSON path of the patterns.
        facts: The agent.
        owner: The agent whose tool it is; None for any.
    """
    declarations = [one.declaration for one in facts.tools(tool, owner)]
    for name, pattern in patterns.items():
        slots = [slot_of(declaration, name) if declaration else None for declaration in declarations]
        each = [list(pattern_misfits(pattern, slot, below(path, name))) if slot else [] for slot in slots]
        if each and all(each):
            yield from each[0]


def _named(rule: TrajectoryRule, base: str) -> Iterator[tuple[str, str, Mapping[str, str]]]:
    """Yield each tool that is named, its JSON path, and that of each argument which is named with it."""
    found: dict[str, tuple[str, dict[str, str]]] = {}
    for one in call_patterns(rule, base):
        _, names = found.setdefault(one.place, (one.tool, {}))
        for name in one.patterns:
            names.setdefault(name, below(one.path, name))
    yield from ((tool, place, names) for place, (tool, names) in found.items())


def _faults(scene: Scene, tool: str, path: str, names: Mapping[str, str]) -> Iterator[Problem]:
    lack = lacking(tool, scene.facts)
    if lack:
        yield problem(lack.rule, scene.file, path, lack.message, lack.hint)
        return
    for name, message, hint in unknown_arguments(tool, names, scene.facts):
        yield problem("misfit-arguments", scene.file, names[name], message, hint)
