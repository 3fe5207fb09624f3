"""Opening an agent in a worker: its environment, the world below its tools, both edges, and the agent itself.

Loads ADK, so a worker loads this module only once it has something to play.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from evalkit.adk.access import load_clients, models_in_use, out_of_reach, simulated_users, why_unplayable
from evalkit.adk.edges import edges
from evalkit.adk.environment import agent_environment
from evalkit.adk.load import LoadedAgent, loaded_agent
from evalkit.adk.lookups import noted_lookups
from evalkit.adk.naming import models_named
from evalkit.adk.origins import Origins
from evalkit.adk.target import AdkTarget
from evalkit.adk.toolset_checks import Mocks
from evalkit.errors import AgentLoadError
from evalkit.mocks.below.world import World
from evalkit.protocol import AgentReady, Assignment
from evalkit.targets.base import LiveOptions


@contextmanager
def opened_agent(assignment: Assignment, in_environment: Callable[[], None]) -> Iterator[tuple[AdkTarget, AgentReady]]:
    """Have an agent ready to be played, until the assignment is done.

    Args:
        assignment: What is to be played.
        in_environment: Called once the agent's environment is in place, before anything of the agent runs.

    Raises:
        AgentLoadError: The agent cannot be loaded, or must not be played with the models that it would ask.
    """
    pairs = {
        (id(job.case_mocks), id(job.folder_mocks)): Mocks(job.case_mocks, job.folder_mocks) for job in assignment.jobs
    }
    world = _world(assignment, pairs.values())
    folder = Path(assignment.agent)
    with (
        _environment(folder, assignment, in_environment),
        world,
        models_named(assignment.model),
        edges(live_tools=assignment.live_tools),  # before the import: some toolsets connect when they are made
        noted_lookups() as lookups,
        loaded_agent(assignment.agent) as agent,
    ):
        live = None if assignment.golden else _live(assignment)
        target = AdkTarget(
            agent,
            live=live,
            passthrough=assignment.passthrough,
            live_tools=assignment.live_tools,
            mocks=() if assignment.live_tools else pairs.values(),
            world=world,
        )
        ready = AgentReady(assignment.agent, target.tools())
        if live:
            origins = Origins(folder=folder, lookups=tuple(lookups), named=assignment.model)
            ready = _with_models(ready, assignment, agent, origins)
        if ready.unplayable and assignment.jobs and not assignment.look_only:
            raise AgentLoadError(f"{folder.name}: {'; '.join(ready.unplayable)}")
        yield target, ready


@contextmanager
def _environment(folder: Path, assignment: Assignment, in_place: Callable[[], None]) -> Iterator[None]:
    with agent_environment(folder, assignment.environment):
        in_place()
        yield


def _world(assignment: Assignment, mocks: Iterable[Mocks]) -> World:
    if assignment.live_tools:  # what is below the tools is real
        return World((), root=Path(assignment.root), closed="nobody", passthrough=True)
    files = {id(file): file for pair in mocks for file in (pair.own, pair.folder) if file is not None}
    return World(
        [fake for file in files.values() for fake in file.fakes],
        root=Path(assignment.root),
        closed="all" if assignment.golden else "tools",
        passthrough=assignment.passthrough,
    )


def _live(assignment: Assignment) -> LiveOptions:
    return LiveOptions(streaming=assignment.streaming, timeout=assignment.options.timeout)


def _with_models(ready: AgentReady, assignment: Assignment, agent: LoadedAgent, origins: Origins) -> AgentReady:
    """Add what is to be known of the models that a live run asks, before it does."""
    models = models_in_use(agent.root, origins)
    users = simulated_users(job.simulator for job in assignment.jobs if job.case.turns is None)
    missing = out_of_reach(models, origins.folder)
    unplayable = why_unplayable(models, made=missing is None)
    if not missing and not unplayable:
        load_clients(models)
    return replace(
        ready,
        models=(*models, *users),
        out_of_reach=missing,
        user_out_of_reach=out_of_reach(users, origins.folder),
        unplayable=unplayable,
    )
