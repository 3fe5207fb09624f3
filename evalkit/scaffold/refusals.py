"""Cases that a callback stops before they come to their subject: many tools behind one closed door make one case."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from evalkit.cases import Json
from evalkit.matching import show
from evalkit.scaffold.drafts import Draft, Exchange

_LONGEST = 200
"""Characters of a refusal that are quoted."""


def without_repeats(drafts: Sequence[Draft]) -> tuple[tuple[Draft, ...], dict[str, str]]:
    """Keep one case for each call by which a callback keeps several tools out of reach.

    Returns:
        The drafts, and the tools without a case (`agent.tool`), each with why.
    """
    unreached: dict[str, str] = {}
    doors: dict[tuple[str, str], Draft] = {}
    kept: list[Draft] = []
    for draft in drafts:
        if not _stopped_on_the_way(draft):
            kept.append(draft)
            continue
        refused = draft.exchanges[-1]
        target = _target(refused)
        unreached[f"{draft.agent}.{draft.subject}"] = f'a callback refused {_door(refused)}: "{refusal_of(draft)}"'
        if (refused.agent, target) not in doors:
            one = replace(draft, eval_id=f"{refused.agent}_may_not_call_{target}", subject=target, agent=refused.agent)
            doors[refused.agent, target] = one
            kept.append(one)
    return tuple(kept), unreached


def refusal_of(draft: Draft) -> str:
    """Return what a callback said, in a line: in its own words, if there are any."""
    words = _words(draft.refusal)
    return words if words is not None and len(words) <= _LONGEST else show(draft.refusal, _LONGEST)


def _stopped_on_the_way(draft: Draft) -> bool:
    return draft.ending == "blocked" and _target(draft.exchanges[-1]) != draft.subject


def _target(exchange: Exchange) -> str:
    """Name what a call leads to: the agent of a transfer, else the tool itself."""
    return str(exchange.args.get("agent_name", exchange.tool.name))


def _door(exchange: Exchange) -> str:
    target = _target(exchange)
    return target if target == exchange.tool.name else f"{exchange.tool.name} to {target}"


def _words(value: Json) -> str | None:
    """Find the first sentence in a reply: a text with a space in it."""
    if isinstance(value, str):
        return " ".join(value.split()) if " " in value.strip() else None
    items: Sequence[Any] = [*value.values()] if isinstance(value, Mapping) else value if isinstance(value, list) else []
    return next((words for item in items if (words := _words(item))), None)
