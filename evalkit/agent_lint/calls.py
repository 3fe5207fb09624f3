"""Expected calls against what the agent has: its tools, and the agents below it."""

from collections.abc import Iterator
from dataclasses import dataclass

from evalkit.agent_lint.problems import below, have, is_misspelt, listed, problem, remedy
from evalkit.agent_lint.scene import OwnedCall, OwnedTurn, Scene
from evalkit.cases import Turn
from evalkit.errors import Problem
from evalkit.models.facts import AgentFacts
from evalkit.models.tree import CONTROL_TOOLS, TRANSFER

USER = "user"
"""The author of what the user says in recorded events."""


def unknown_tools(scene: Scene) -> Iterator[Problem]:
    """Report calls of tools that no agent has, or that the recorded author does not have."""
    for owned in scene.calls():
        path = f"{owned.call.where}.name"
        found = lacking(owned.call.name, scene.facts)
        if found:
            yield problem(found.rule, scene.file, path, found.message, found.hint)
        elif holders := _others_tool(owned, scene.facts):
            message = f"{owned.owner} has no tool named `{owned.call.name}`; {have(holders)}"
            hint = f'write "author": "{holders[0]}", or a tool of {owned.owner}'
            yield problem("unknown-tool", scene.file, path, message, hint)


@dataclass(frozen=True, slots=True)
class Lack:
    """What there is to say of a tool that no agent is known to have."""

    rule: str
    message: str
    hint: str


def lacking(name: str, facts: AgentFacts) -> Lack | None:
    """Return what to say of a tool; None if an agent has it.

    It is an error, or a note where it may be one of those that could not be listed, and no slip in a known one.
    """
    if name in CONTROL_TOOLS or name in facts.tool_names:
        return None
    if not facts.unlisted or is_misspelt(name, facts.tool_names):
        return Lack("unknown-tool", f"no agent has a tool named `{name}`", _instead(name, facts))
    message = f"no agent is known to have a tool named `{name}`; {facts.unlisted[0]} may bring it in"
    hint = "describe what a server lists under `toolsets:` in mocks.yaml, so that it can be checked"
    return Lack("unlisted-tool", message, hint)


def _instead(name: str, facts: AgentFacts) -> str:
    if name in facts.tree.agents:
        return f'`{name}` is an agent: write {{"name": "{TRANSFER}", "args": {{"agent_name": "{name}"}}}}'
    return remedy(name, facts.tool_names, "its tools")


def _others_tool(owned: OwnedCall, facts: AgentFacts) -> list[str]:
    """Name the agents that have a tool which the recorded author of its call lacks."""
    name, author = owned.call.name, owned.call.agent
    if name in CONTROL_TOOLS or author is None or facts.unlisted or facts.tree.get(author).kind != "llm":
        return []
    holders = facts.tree.holders(name)
    return [] if author in holders or author not in facts.tree.agents else list(holders)


def unknown_agents(scene: Scene) -> Iterator[Problem]:
    """Report agents that do not exist: in routes, in transfers, and as authors."""
    for owned_turn in scene.turns:
        turn = owned_turn.turn
        for index, name in enumerate(turn.expect.route or ()):
            yield from _unknown_agent(scene, name, below(scene.expect(turn), "route", index))
        for owned in owned_turn.calls:
            if owned.call.name == TRANSFER:
                yield from _unknown_target(scene, owned)
        for name, path in _authors(turn):
            if name != USER:
                yield from _unknown_agent(scene, name, path)


def unplayable_turns(scene: Scene) -> Iterator[Problem]:
    """Report turns of which golden mode cannot tell who makes a call, or how that agent gets its turn."""
    for owned_turn in scene.turns:
        message = owned_turn.unplayable
        if message is None or _has_unknown_targets(owned_turn, scene.facts):
            continue
        at = next((call.where for call in owned_turn.turn.calls if message.startswith(f"{call.where}: ")), "")
        said, _, hint = message.removeprefix(f"{at}: ").partition("; ")
        yield problem("unplayable-turn", scene.file, at or owned_turn.turn.where, said, hint or None)


def _unknown_target(scene: Scene, owned: OwnedCall) -> Iterator[Problem]:
    path, target = f"{owned.call.where}.args", owned.call.args.get("agent_name")
    if isinstance(target, str):
        yield from _unknown_agent(scene, target, f"{path}.agent_name")
    else:
        agents = scene.facts.tree.agents
        named = next((key for key, value in owned.call.args.items() if value in list(agents)), None)
        message = f"`{TRANSFER}` needs the argument `agent_name`"
        if named is not None and "agent_name" not in owned.call.args:
            hint = f"write `agent_name` for `{named}`"
            yield problem("misfit-arguments", scene.file, below(path, named), message, hint)
        else:
            hint = f'add "agent_name": "…", one of {listed(agents)}'
            yield problem("misfit-arguments", scene.file, path, message, hint)


def _unknown_agent(scene: Scene, name: str, path: str) -> Iterator[Problem]:
    agents = scene.facts.tree.agents
    if name in agents:
        return
    if scene.facts.unlisted and not is_misspelt(name, agents):
        message = f"no agent is known by the name {name}; {scene.facts.unlisted[0]} may bring it in"
        yield problem("unlisted-tool", scene.file, path, message)
        return
    is_tool = name in scene.facts.tool_names
    hint = f"`{name}` is a tool, here stands an agent" if is_tool else remedy(name, agents, "its agents")
    yield problem("unknown-agent", scene.file, path, f"no agent is named {name}", hint)


def _has_unknown_targets(owned_turn: OwnedTurn, facts: AgentFacts) -> bool:
    targets = [owned.call.args.get("agent_name") for owned in owned_turn.calls if owned.call.name == TRANSFER]
    return not all(isinstance(target, str) and target in facts.tree.agents for target in targets)


def _authors(turn: Turn) -> Iterator[tuple[str, str]]:
    """Yield who is recorded to have acted, with the JSON path of the name."""
    data, said = f"{turn.where}.intermediate_data", 0
    for index, step in enumerate(turn.steps or ()):
        if turn.layout == "events":
            wheres = (*(call.where for call in step.calls), *(reply.where for reply in step.replies))
            inside = next(iter(wheres), "").partition(".content.")[0]
            path = f"{inside or f'{data}.invocation_events[{index}]'}.author"
        else:
            path, said = f"{data}.intermediate_responses[{said}][0]", said + (step.message is not None)
        if step.agent:
            yield step.agent, path
