"""Evalsets and mocks beside the agent that they are for: what does not exist, and what a model would not do.

Errors are what golden mode would turn red: tools, agents and arguments that are not there. Warnings are lessons of
teams whose evaluations failed for no fault of the agent; each heuristic rather misses a case than warns of a good one.
A rule looks at values and yields problems that name a JSON path; `evalkit.check` finds the lines.
"""

from collections.abc import Callable, Iterator, Sequence

from evalkit.agent_lint.agents import agents_without_model
from evalkit.agent_lint.arguments import misfit_arguments, placeholders
from evalkit.agent_lint.calls import unknown_agents, unknown_tools, unplayable_turns
from evalkit.agent_lint.defaults import stated_defaults
from evalkit.agent_lint.expectations import misfit_patterns, unknown_in_expectations
from evalkit.agent_lint.foreign import foreign_file
from evalkit.agent_lint.instructions import ordered_tools_missing
from evalkit.agent_lint.left_out import left_out_arguments
from evalkit.agent_lint.mocked import dead_routes, misfit_replies, toolset_faults
from evalkit.agent_lint.scene import Scene, scene_of
from evalkit.agent_lint.sessions import misspelt_apps
from evalkit.agent_lint.subjects import prompts_between_tools
from evalkit.agent_lint.transfers import missing_transfers
from evalkit.agent_lint.unanswered import unanswered_calls
from evalkit.agent_lint.values import values_from_nowhere
from evalkit.cases import CaseSet, Criterion
from evalkit.errors import Problem
from evalkit.models.facts import AgentFacts
from evalkit.routes import MockSet

CASE_RULES: tuple[Callable[[Scene], Iterator[Problem]], ...] = (
    unknown_tools,
    unknown_agents,
    misfit_arguments,
    unplayable_turns,
    missing_transfers,
    unknown_in_expectations,
    misfit_patterns,
    placeholders,
    values_from_nowhere,
    stated_defaults,
    left_out_arguments,
    ordered_tools_missing,
    prompts_between_tools,
    unanswered_calls,
)
"""The rules for a case, its mocks and its agent."""

MOCKS_RULES: tuple[Callable[[MockSet, AgentFacts], Iterator[Problem]], ...] = (
    toolset_faults,
    dead_routes,
    misfit_replies,
)
"""The rules for a mocks file and its agent."""

AGENT_RULES: tuple[Callable[[AgentFacts], Iterator[Problem]], ...] = (agents_without_model,)
"""The rules for an agent alone."""


def lint_cases(
    cases: CaseSet, mocks: Sequence[MockSet], facts: AgentFacts, criteria: Sequence[Criterion] = ()
) -> tuple[Problem, ...]:
    """Compare cases with their agent; those that are skipped wait for something and are left alone.

    Args:
        cases: Cases that are played with the same mocks.
        mocks: These mocks files: the cases' own first, then the folder's.
        facts: The agent.
        criteria: The criteria that judge the cases.
    """
    played = [case for case in cases.cases if case.skip is None]
    names = [call.name for case in played for turn in case.turns or () for call in turn.calls]
    if foreign := foreign_file(cases.file, names, facts):
        return (foreign,)
    scenes = [scene_of(cases.file, case, mocks, facts, criteria) for case in played]
    return tuple(problem for scene in scenes for rule in CASE_RULES for problem in rule(scene))


def lint_sessions(cases: CaseSet, names: Sequence[str]) -> tuple[Problem, ...]:
    """Compare the sessions of cases with the names of their agent, its folder's first."""
    return tuple(misspelt_apps(cases, names))


def lint_mocks(mocks: MockSet, facts: AgentFacts) -> tuple[Problem, ...]:
    """Compare a mocks file with the agent whose cases are played with it."""
    if foreign := foreign_file(mocks.file, [route.tool for route in mocks.routes], facts):
        return (foreign,)
    return tuple(problem for rule in MOCKS_RULES for problem in rule(mocks, facts))


def lint_agent(facts: AgentFacts) -> tuple[Problem, ...]:
    """Look at the agent itself; the problems name it in place of a file."""
    return tuple(problem for rule in AGENT_RULES for problem in rule(facts))
