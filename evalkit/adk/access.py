"""Which models an agent's team asks, and whether each can be asked from here; nothing is connected to."""

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from google.adk.models.base_llm import BaseLlm
from google.adk.models.registry import LLMRegistry
from google.adk.workflow import BaseNode

from evalkit.adk import private
from evalkit.adk.environment import DISABLED, env_file
from evalkit.adk.naming import Given
from evalkit.adk.origins import Origins
from evalkit.adk.simulated_user import Config, model_of
from evalkit.adk.survey import llm_agents
from evalkit.credentials import ModelInUse, lacking

_OWN_ACCESS = ("client", "api_key", "credentials", "service_account")
"""What a model may be given as a field of its own, so that it reads no variable."""

_KEYS = frozenset({"api_key", "credentials", "azure_ad_token", "vertex_credentials", "aws_access_key_id"})
"""What does the same among the arguments that a model hands on to its client."""

_MOST_NAMED = 3
"""So many agents that need the same model are named; the rest is counted."""


def models_in_use(root: BaseNode, origins: Origins | None = None) -> tuple[ModelInUse, ...]:
    """Tell the model of each agent that asks one, those that it may fall back to left out."""
    origins = origins or Origins(folder=Path())
    chosen = ((agent.name, origins.of(agent)) for agent in llm_agents(root))
    return tuple(_in_use(name, one.given, one.origin, one.unchosen) for name, one in chosen)


def simulated_users(configs: Iterable[Config | None]) -> tuple[ModelInUse, ...]:
    """Tell the models that play the users of scenarios, by the configs of their files."""
    named = {model_of(config): bool(config and config.get("model")) for config in configs}
    return tuple(
        ModelInUse(
            agent="the simulated user", model=model, origin="user_simulator_config" if given else "ADK's default"
        )
        for model, given in named.items()
    )


def out_of_reach(models: Iterable[ModelInUse], folder: Path, environment: Mapping[str, str] = os.environ) -> str | None:
    """Say why models cannot be asked, None if nothing that is known stands in the way.

    Args:
        models: The models; the agent's own environment must be in place.
        folder: The agent's folder, for where its `.env` would lie.
        environment: The variables.
    """
    needed: dict[str, list[str]] = {}
    for model in models:
        missing = lacking(model, environment)
        if missing:
            agents = needed.setdefault(f"{model.model} needs {missing}", [])
            agents.append(model.agent)
    if not needed:
        return None
    wanted = "; ".join(f"{_named(agents)}: {need}" for need, agents in needed.items())
    return f"{wanted} (looked in the environment and {_looked_in(folder)})"


def why_unplayable(models: Iterable[ModelInUse], *, made: bool = True) -> tuple[str, ...]:
    """Say why a run must not begin with these models: nobody chose them, or, if `made` is asked for, ADK lacks them."""
    why: dict[str, list[str]] = {}
    for model in models:
        reason = model.unchosen or (_unmade(model) if made else None)
        if reason:
            why.setdefault(reason, []).append(model.agent)
    return tuple(f"{_named(agents)}: {reason}" for reason, agents in why.items())


def load_clients(models: Iterable[ModelInUse]) -> None:
    """Load what models are asked with, if that takes long: it must not be taken out of the time of the first case."""
    for model in models:
        kind = model.kind or LLMRegistry.resolve(model.model).__name__
        if kind == "LiteLlm":
            private.load_litellm()


def _unmade(model: ModelInUse) -> str | None:
    """Say why ADK makes no model of a name, which it finds out when it is first asked."""
    if model.kind is not None:
        return None
    try:
        LLMRegistry.resolve(model.model)
    except (ImportError, ValueError) as error:
        return " ".join(str(error).split("\n\nSupported")[0].split())
    return None


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


def _in_use(agent: str, model: Given, origin: str, unchosen: str | None) -> ModelInUse:
    told = {"origin": origin, "unchosen": unchosen}
    if isinstance(model, str):
        return ModelInUse(agent=agent, model=model, **told)  # type: ignore[arg-type]  # both are texts
    first = next(iter(getattr(model, "models", ())), None)  # of a model that falls back to others
    if first is not None:
        return _in_use(agent, first, origin, unchosen)
    settled = not _is_adks(model) or _brings_access(model)
    kind = type(model).__name__
    return ModelInUse(agent=agent, model=model.model, kind=kind, settled=settled, origin=origin, unchosen=unchosen)


def _is_adks(model: BaseLlm) -> bool:
    return type(model).__module__.startswith("google.adk.")


def _brings_access(model: BaseLlm) -> bool:
    handed_on: dict[str, Any] = {**private.litellm_arguments(model), **(getattr(model, "client_kwargs", None) or {})}
    given = any(getattr(model, name, None) for name in _OWN_ACCESS)
    return given or not _KEYS.isdisjoint(name for name, value in handed_on.items() if value)
