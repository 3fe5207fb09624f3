"""Which models an agent's team asks, and whether each can be asked from here; nothing is connected to."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from google.adk.agents import LlmAgent
from google.adk.models.base_llm import BaseLlm
from google.adk.workflow import BaseNode

from evalkit.adk import private
from evalkit.adk.environment import DISABLED, env_file
from evalkit.adk.survey import llm_agents
from evalkit.credentials import ModelInUse, lacking

_OWN_ACCESS = ("client", "api_key", "credentials", "service_account")
"""What a model may be given as a field of its own, so that it reads no variable."""

_KEYS = frozenset({"api_key", "credentials", "azure_ad_token", "vertex_credentials", "aws_access_key_id"})
"""What does the same among the arguments that a model hands on to its client."""


_MOST_NAMED = 3
"""So many agents that need the same model are named; the rest is counted."""


def models_in_use(root: BaseNode) -> tuple[ModelInUse, ...]:
    """Tell the model of each agent that asks one, those that it may fall back to left out."""
    return tuple(_in_use(agent.name, _model_of(agent)) for agent in llm_agents(root))


def out_of_reach(root: BaseNode, folder: Path, environment: Mapping[str, str] = os.environ) -> str | None:
    """Say why an agent cannot be played with its own models, None if nothing that is known stands in the way.

    Args:
        root: The agent; its own environment must be in place.
        folder: Its folder, for where its `.env` would lie.
        environment: The variables.
    """
    needed: dict[str, list[str]] = {}
    for model in models_in_use(root):
        missing = lacking(model, environment)
        if missing:
            agents = needed.setdefault(f"{model.model} needs {missing}", [])
            agents.append(model.agent)
    if not needed:
        return None
    wanted = "; ".join(f"{_named(agents)}: {need}" for need, agents in needed.items())
    return f"{wanted} (looked in the environment and {_looked_in(folder)})"


def _named(agents: Sequence[str]) -> str:
    rest = len(agents) - _MOST_NAMED
    return ", ".join(agents[:_MOST_NAMED]) + (f" and {rest} more" if rest > 0 else "")


def _looked_in(folder: Path) -> str:
    found = env_file(folder)
    if found is not None:
        return f"in {os.path.relpath(found)}"
    if os.environ.get(DISABLED):
        return f"in no .env, since {DISABLED} is set"
    return f"for a .env in {os.path.relpath(folder)} and above it, where there is none"


def _model_of(agent: LlmAgent) -> str | BaseLlm:
    """Return the model as the agent, or the nearest one above it, was given it; else ADK's default."""
    above: Any = agent
    while above is not None:
        if isinstance(above, LlmAgent) and above.model:
            return above.model
        above = above.parent_agent
    return agent.canonical_model


def _in_use(agent: str, model: str | BaseLlm) -> ModelInUse:
    if isinstance(model, str):
        return ModelInUse(agent=agent, model=model)
    first = next(iter(getattr(model, "models", ())), None)  # of a model that falls back to others
    if first is not None:
        return _in_use(agent, first)
    kind = type(model).__name__
    return ModelInUse(agent=agent, model=model.model, kind=kind, settled=not _is_adks(model) or _brings_access(model))


def _is_adks(model: BaseLlm) -> bool:
    return type(model).__module__.startswith("google.adk.")


def _brings_access(model: BaseLlm) -> bool:
    handed_on: dict[str, Any] = {**private.litellm_arguments(model), **(getattr(model, "client_kwargs", None) or {})}
    given = any(getattr(model, name, None) for name in _OWN_ACCESS)
    return given or not _KEYS.isdisjoint(name for name, value in handed_on.items() if value)
