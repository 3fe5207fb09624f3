"""What can be known of an agent without running it or connecting anything, for `check --agent`."""

import asyncio
import contextlib
import io
import logging
import sys
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from google.adk.agents import LlmAgent
from google.genai import types

from evalkit.adk import bare, private
from evalkit.adk.environment import agent_environment
from evalkit.adk.load import LoadedAgent, loaded_agent
from evalkit.adk.pairing import Pairing
from evalkit.adk.patches import Patches
from evalkit.adk.speech import json_schema
from evalkit.adk.survey import llm_agents, survey
from evalkit.adk.tool_facts import facts_of_tool, facts_of_toolset, told_by_own_code
from evalkit.adk.toolset_checks import AgentToolsets, Mocks
from evalkit.adk.toolset_edge import offline_toolsets
from evalkit.models.facts import AgentFacts, Profile, ToolFacts
from evalkit.models.provision import provision, with_given
from evalkit.models.tree import AgentTree


@contextlib.contextmanager
def open_agent(reference: str) -> Iterator["AgentView"]:
    """Load an agent to look at, with its environment; what it prints goes to standard error, and it finds no input.

    Args:
        reference: The agent's folder, or a dotted module name.

    Raises:
        AgentLoadError: The agent cannot be loaded.
        AdkVersionError: This google-adk lacks a name that evalkit relies on.
    """
    private.check()
    with (
        contextlib.chdir(Path.cwd()),
        quiet(),
        Patches() as patches,
        offline_toolsets(patches),
        agent_environment(Path(reference)),
        contextlib.ExitStack() as agents,
    ):
        patches.set(LlmAgent, private.DEFAULT_MODEL, getattr(LlmAgent, private.DEFAULT_MODEL))  # the agent may set it
        with contextlib.redirect_stdout(sys.stderr), _without_input():
            view = AgentView(agents.enter_context(loaded_agent(reference)), reference)
        yield view


@contextlib.contextmanager
def _without_input() -> Iterator[None]:
    before, sys.stdin = sys.stdin, io.StringIO()
    try:
        yield
    finally:
        sys.stdin = before


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Keep ADK's own warnings and logs out of what is printed."""
    logger = logging.getLogger("google_adk")
    level = logger.level
    with warnings.catch_warnings():
        if not sys.warnoptions:
            warnings.simplefilter("ignore")
        logger.setLevel(logging.CRITICAL + 1)
        try:
            yield
        finally:
            logger.setLevel(level)


class AgentView:
    """A loaded agent, looked at once; what its toolsets list depends on the mocks files.

    Args:
        agent: The agent.
        reference: What to call it.

    Raises:
        AgentLoadError: A tool cannot be declared to a model, so that ADK could not run the agent either.
    """

    def __init__(self, agent: LoadedAgent, reference: str | None = None) -> None:
        self._reference = reference or agent.name
        self.app_name = agent.app.name if agent.app else None
        """What the agent's own `App` is called; None if it has none."""
        self._tree = survey(agent.root)
        self._toolsets = AgentToolsets(agent.root)
        root = agent.root
        said_to_all = root.global_instruction if isinstance(root, LlmAgent) else ""
        self._profiles = {one.name: _profile(one, said_to_all) for one in llm_agents(root)}
        if reference == bare.__name__:  # it has no model of its own on purpose
            self._profiles = {name: replace(one, fallback=None) for name, one in self._profiles.items()}
        self._told: dict[int, dict[str, ToolFacts]] = {}

    def ask_own_toolsets(self, timeout: float) -> None:
        """Let toolsets list their tools that no server does it for, but only their own code, as in any run.

        Those of which that code fails, or takes longer than so many seconds, stay unlisted.
        """
        nothing = Pairing()
        unknown = (one for one in self._toolsets.found if not one.connects and facts_of_toolset(one, nothing) is None)
        self._told = asyncio.run(told_by_own_code([*unknown], timeout))

    @property
    def servers(self) -> tuple[str, ...]:
        """The toolsets that have to ask a server for their tools, each with where the server is."""
        return tuple(found.label for found in self._toolsets.found if found.connects)

    def facts(self, mocks: Mocks | None = None) -> AgentFacts:
        """Return what is known, with the tools that mocks files list under `toolsets:`, or provide."""
        mocks = mocks or Mocks()
        pairing = self._toolsets.paired(mocks.toolsets, mocks.file)
        listed = {
            id(found): self._told.get(id(found.toolset), facts_of_toolset(found, pairing))
            for found in self._toolsets.found
        }
        profiles = dict(self._profiles)
        for found in self._toolsets.found:
            for name in found.agents:
                if name in profiles:
                    tools = {**profiles[name].tools, **(listed[id(found)] or {})}
                    profiles[name] = replace(profiles[name], tools=tools)
        given = provision(_with_tools(self._tree, profiles), mocks.provided)
        return AgentFacts(
            reference=self._reference,
            tree=given.tree,
            profiles=with_given(profiles, given),
            unlisted=(
                *(found.label for found in self._toolsets.found if listed[id(found)] is None),
                *(f"the code of {agent.name}" for agent in self._tree.agents.values() if agent.kind == "custom"),
            ),
            toolset_faults=pairing.faults if mocks.toolsets else (),
        )


def _with_tools(tree: AgentTree, profiles: Mapping[str, Profile]) -> AgentTree:
    agents = {
        name: replace(agent, tools=tuple(dict.fromkeys((*agent.tools, *profiles[name].tools))))
        if name in profiles
        else agent
        for name, agent in tree.agents.items()
    }
    return replace(tree, agents=agents)


def _profile(agent: LlmAgent, said_to_all: Any) -> Profile:
    parts = (said_to_all, agent.static_instruction, agent.instruction)
    inherits = any(isinstance(ancestor, LlmAgent) and ancestor.model for ancestor in _ancestors(agent))
    default = private.default_model()
    return Profile(
        name=agent.name,
        tools={facts.name: facts for tool in agent.tools if (facts := facts_of_tool(tool))},
        instruction="\n\n".join(text for part in parts if (text := _text_of(part))),
        told_at_run_time=any(callable(part) for part in parts),
        model=_name_of_model(agent.model) if agent.model else None,
        fallback=default if not agent.model and not inherits and default == LlmAgent.DEFAULT_MODEL else None,
        output_schema=None if agent.output_schema is None else json_schema(agent.output_schema),
    )


def _ancestors(agent: LlmAgent) -> Iterator[object]:
    """Yield the agents above, from which ADK lets an agent inherit its model; an agent tool's agent has none."""
    above = agent.parent_agent
    while above is not None:
        yield above
        above = above.parent_agent


def _name_of_model(model: Any) -> str:
    return model if isinstance(model, str) else str(model.model)


def _text_of(instruction: Any) -> str:
    """Return what an instruction says as text; nothing of one that a function makes."""
    if isinstance(instruction, types.Content):
        return "\n".join(part.text for part in instruction.parts or () if part.text)
    return instruction if isinstance(instruction, str) else ""
