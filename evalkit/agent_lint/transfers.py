"""Transfers that golden mode has to add, though an exact trajectory counts them.

A call of another agent's tool takes a transfer to that agent, in golden mode as in life. Where a criterion wants
exactly the expected calls, a turn that leaves it out fails whatever the agent does.
"""

from collections.abc import Iterator

from evalkit.agent_lint.problems import listed, problem
from evalkit.agent_lint.scene import OwnedCall, OwnedTurn, Scene
from evalkit.cases import Criterion
from evalkit.errors import Problem
from evalkit.models.tree import TRANSFER

METRIC = "tool_trajectory_avg_score"


def missing_transfers(scene: Scene) -> Iterator[Problem]:
    """Report the first call of each turn that a transfer must come before which the turn does not list."""
    if not any(map(_counts_all_calls, scene.criteria)) or scene.case.prior_events:
        return  # earlier events may have left another agent in charge
    for owned_turn in scene.turns:
        late = next((owned for owned in owned_turn.calls if owned.after), None)
        if late and late.owner and _is_plain(scene, owned_turn):
            yield _problem(scene, late)


def _counts_all_calls(criterion: Criterion) -> bool:
    """Tell whether a criterion fails once a call is made that is not expected."""
    exact = str(criterion.options.get("match_type", 0)).upper() in ("0", "EXACT")
    strict = criterion.threshold is not None and criterion.threshold >= 1
    return criterion.name == METRIC and criterion.gate and exact and strict and not criterion.custom_function


def _is_plain(scene: Scene, owned_turn: OwnedTurn) -> bool:
    """Tell whether each call of a turn is that of an agent which runs by itself: in no workflow, and not as a tool."""
    tree = scene.facts.tree
    names = {tree.root, *(owned.owner for owned in owned_turn.calls if owned.owner)}
    entered = any(owned.call.name in tree.get(owned.owner).agent_tools for owned in owned_turn.calls if owned.owner)
    plain = all(tree.get(name).kind == "llm" and not tree.workflows_around(name) for name in names)
    return plain and not entered and all(owned.owner for owned in owned_turn.calls)


def _problem(scene: Scene, owned: OwnedCall) -> Problem:
    message = (
        f"`{owned.call.name}` is called by {owned.owner}, and the turn lists no transfer to {listed(owned.after)},"
        f" which `{METRIC}` counts as a call that is not expected"
    )
    calls = ", ".join(f'{{"name": "{TRANSFER}", "args": {{"agent_name": "{name}"}}}}' for name in owned.after)
    hint = f'write {calls} before it, or "match_type": "IN_ORDER"'
    return problem("missing-transfer", scene.file, owned.call.where, message, hint)
