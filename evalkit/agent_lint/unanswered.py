"""Expected calls that no mock answers, though their tool has mocks: in a run, each is a miss.

Whether a mock answers is decided by what answers in a run. Nothing is said of a case in which the user is asked to
confirm, since a call may then never reach its tool, nor of tools whose real code may run.
"""

from collections.abc import Iterator

from evalkit.agent_lint.problems import below, problem
from evalkit.agent_lint.scene import OwnedCall, Scene
from evalkit.cases import TrajectoryRule, Turn
from evalkit.errors import Problem
from evalkit.matching import match_args
from evalkit.mocks.backend import Backend
from evalkit.mocks.recordings import recorded_replies
from evalkit.models.tree import ADK_ASKS


def unanswered_calls(scene: Scene) -> Iterator[Problem]:
    """Report each expected call that differs from all mocks of its tool."""
    turns = [one.turn for one in scene.turns]
    if not scene.mocks or any(mocks.fakes for mocks in scene.mocks) or any(map(_asks_user, turns)):
        return
    own, folder = scene.mocks[0] if len(scene.mocks) > 1 else None, scene.mocks[-1]
    backend = Backend(own, folder, recorded_replies(scene.case))
    for owned_turn in scene.turns:
        for owned in owned_turn.calls:
            if owned.owner and _comes_to_its_routes(scene, backend, owned, owned.owner, owned_turn.turn):
                yield from _miss(scene, backend, owned, owned.owner)


def _asks_user(turn: Turn) -> bool:
    return bool(turn.user.function_responses) or any(call.name in ADK_ASKS for call in turn.calls)


def _comes_to_its_routes(scene: Scene, backend: Backend, owned: OwnedCall, owner: str, turn: Turn) -> bool:
    """Tell whether a call surely reaches its tool, and the tool is answered by routes alone."""
    name, rule = owned.call.name, turn.expect.trajectory or TrajectoryRule()
    blocked = any(one.name == name and not match_args(one.args, owned.call.args) for one in rule.blocked)
    runs = name in scene.facts.tree.get(owner).agent_tools or any(
        route.passthrough for mocks in scene.mocks for route in mocks.routes if route.tool == name
    )
    return bool(scene.fitting(owned)) and not blocked and not runs and backend.has_routes(owner, name, recorded=False)


def _miss(scene: Scene, backend: Backend, owned: OwnedCall, owner: str) -> Iterator[Problem]:
    miss = backend.unmatched(owner, owned.call.name, owned.call.args)
    if miss is not None:
        message = f"no mock answers this call: the closest is {miss.closest} ({'; '.join(miss.differences)})"
        hint = "write the arguments that the mock wants, let it want these, or add a mock for this call"
        yield problem("unanswered-call", scene.file, below(owned.call.where, "args"), message, hint)
