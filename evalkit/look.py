"""Before a live run: which models it would ask, and whether it can and should. No model is asked here.

A model that nobody chose stops the run, since its results would be about something else than meant. Cases whose models
need credentials that are not there are skipped, with the names of the variables.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from evalkit.credentials import ModelInUse
from evalkit.errors import AgentLoadError
from evalkit.locate import as_typed
from evalkit.plan import Plan, Planned
from evalkit.pool import Pool
from evalkit.protocol import AgentReady, Assignment

_MOST_NAMED = 3
"""So many agents of a team are named; the rest is counted."""


def look(planned: Plan, assignments: Sequence[Assignment], pool: Pool, tell: Callable[[str], None]) -> Plan:
    """Load each agent of a live run, tell which models it asks, and skip what cannot be played.

    Args:
        planned: What would be played.
        assignments: The same, agent by agent.
        pool: Where agents are loaded; it is idle again afterwards.
        tell: Takes each line for the user.

    Raises:
        AgentLoadError: An agent cannot be loaded, or would ask a model that nobody chose or that cannot be made here.
    """
    for assignment in assignments:
        pool.add(replace(assignment, look_only=True))
    for _ in pool.outcomes():
        raise AssertionError("nothing is played where agents are only looked at")
    found = {assignment.agent: pool.agents[assignment.agent] for assignment in assignments}
    for agent, ready in found.items():
        for line in told_models(ready.models):
            tell(f"model of {as_typed(agent)}: {line}")
        if ready.out_of_reach:
            tell(f"{as_typed(agent)} cannot be asked, its cases are skipped: {ready.out_of_reach}")
    stops = [f"{as_typed(agent)}: {reason}" for agent, ready in found.items() for reason in ready.unplayable]
    if stops:
        raise AgentLoadError("nothing was played, because of the models:\n" + "\n".join(stops))
    return replace(
        planned,
        cases=tuple(reachable(case, found.get(case.agent)) for case in planned.cases),
        origins={as_typed(agent): {one.agent: one.origin for one in ready.models} for agent, ready in found.items()},
    )


def told_models(models: Sequence[ModelInUse]) -> Iterator[str]:
    """Say each model once, with the agents that ask it if they are not all of them."""
    asked: dict[tuple[str, str], list[str]] = {}
    for one in models:
        asked.setdefault((one.model, one.origin), []).append(one.agent)
    for (model, origin), agents in asked.items():
        rest = len(agents) - _MOST_NAMED
        named = ", ".join(agents[:_MOST_NAMED]) + (f" and {rest} more" if rest > 0 else "")
        yield f"{model} ({origin})" + (f", for {named}" if len(asked) > 1 else "")


def reachable(case: Planned, ready: AgentReady | None) -> Planned:
    """Return the case, to be skipped if its agent's models, or its simulated user's, cannot be asked from here."""
    if ready is None or case.skipped is not None:
        return case
    reasons = [ready.out_of_reach, ready.user_out_of_reach if case.case.turns is None else None]
    missing = "; ".join(reason for reason in reasons if reason)
    return replace(case, skipped=missing) if missing else case
