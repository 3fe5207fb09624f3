"""The arguments of expected calls against what the tool declares, and placeholders among them."""

import contextlib
import copy
import json
import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from evalkit.agent_lint.problems import below, leaves, listed, nearest, problem
from evalkit.agent_lint.scene import OwnedCall, Scene
from evalkit.errors import Problem
from evalkit.formats.likeness import opposed
from evalkit.formats.paths import JsonPath
from evalkit.models.declarations import Declaration, Misfit

RULE = "misfit-arguments"
_NAME = re.compile(r"[\w.@:/-]+")
"""An item of a list that somebody wrote as one text."""


def misfit_arguments(scene: Scene) -> Iterator[Problem]:
    """Report arguments that the tool does not declare, needs and lacks, or declares with another type."""
    for owned in scene.calls():
        declarations = [tool.declaration for tool in scene.tools(owned) if tool.declaration]
        args = owned.call.args
        verdicts = [(declaration, declaration.examine(args)) for declaration in declarations]
        if not verdicts:
            continue
        declaration, misfits = min(verdicts, key=lambda verdict: len(verdict[1]))
        yield from _misfit_problems(scene, owned, declaration, misfits)


def _misfit_problems(
    scene: Scene, owned: OwnedCall, declaration: Declaration, misfits: tuple[Misfit, ...]
) -> Iterator[Problem]:
    """Explain missing arguments by misspelt ones where possible; a placeholder is the business of its own rule."""
    args, base = owned.call.args, f"{owned.call.where}.args"
    missing = {misfit.names[0] for misfit in misfits if misfit.kind == "missing" and not misfit.path}
    for misfit in misfits:
        for name in misfit.names if misfit.kind == "unknown" else ():
            free = [other for other in declaration.parameters if other not in args]
            meant = None if misfit.path else (nearest(name, missing) or nearest(name, free))
            message = f"`{declaration.name}` takes no argument `{name}`"
            hint = f"did you mean `{meant}`?" if meant else f"its arguments: {listed(declaration.parameters)}"
            if meant is None and not misfit.path and (only := _by_elimination(name, args, missing, declaration)):
                meant, hint = only, f"write `{only}` for `{name}`"
            missing.discard(meant or "")
            yield problem(RULE, scene.file, below(base, *misfit.path, name), message, hint)
    for misfit in misfits:
        path = below(base, *misfit.path)
        if misfit.kind == "wrong" and not is_placeholder(_value_at(args, misfit.path)):
            yield problem(RULE, scene.file, path, misfit.message, _retyped(args, misfit.path, declaration))
        elif misfit.kind == "missing" and (misfit.path or misfit.names[0] in missing):
            yield problem(RULE, scene.file, path, misfit.message, f'add "{misfit.names[0]}": …')


def _by_elimination(
    name: str, args: Mapping[str, Any], missing: Collection[str], declaration: Declaration
) -> str | None:
    """Tell which argument is meant by an unknown one: the only one that is missing, if that is all that is wrong."""
    if len(missing) != 1:
        return None
    (needed,) = missing
    renamed = {needed if key == name else key: value for key, value in args.items()}
    return None if declaration.examine(renamed) or opposed(name, needed) else needed


def placeholders(scene: Scene) -> Iterator[Problem]:
    """Report arguments that are a literal `...`, which no model passes."""
    for owned in scene.calls():
        for path, value in leaves(owned.call.args):
            if is_placeholder(value):
                message = f'`{owned.call.name}` is expected with the literal text "{value}" as `{path[0]}`'
                hint = (
                    "write the value that the prompt states; where any value will do, write a likely one and"
                    f' "evalkit": {{"expect": [{{"trajectory": {{"args": {{"{owned.call.name}":'
                    f' {{"{path[0]}": {{"$any": true}}}}}}}}}}]}}'
                )
                yield problem(
                    "placeholder-argument", scene.file, below(f"{owned.call.where}.args", *path), message, hint
                )


def is_placeholder(value: Any) -> bool:
    """Tell whether a value is dots that stand for something."""
    return isinstance(value, str) and value.strip("<>[]{} ") in {"...", "…"}


def _retyped(args: Mapping[str, Any], path: JsonPath, declaration: Declaration) -> str | None:
    """Say how to write a value so that it has the declared type: 30 for "30", or the other way round."""
    value = _value_at(args, path)
    for other in _written_otherwise(value):
        changed = copy.deepcopy(dict(args))
        _value_at(changed, path[:-1])[path[-1]] = other
        if not any(misfit.path == path for misfit in declaration.examine(changed)):
            return f"write {json.dumps(other, ensure_ascii=False)}"
    return None


def _written_otherwise(value: Any) -> Iterator[Any]:
    if isinstance(value, str):
        with contextlib.suppress(ValueError):
            yield json.loads(value.lower())
        names = [name.strip() for name in value.split(",")]
        if len(names) > 1 and all(map(_NAME.fullmatch, names)):
            yield names
    else:
        yield json.dumps(value, ensure_ascii=False)
    yield [value]


def _value_at(args: Mapping[str, Any], path: JsonPath) -> Any:
    value: Any = args
    for step in path:
        value = value[step]
    return value
