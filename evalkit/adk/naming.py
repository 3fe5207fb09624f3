"""Other models than the agents' own, as `--model` asks for them."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from google.adk.agents import LlmAgent
from google.adk.models.base_llm import BaseLlm
from google.adk.models.registry import LLMRegistry

from evalkit.adk import private
from evalkit.adk.patches import Patches

Given = str | BaseLlm
"""A model as an agent is given it: by its name, or made."""


def given_model(agent: LlmAgent) -> tuple[Given, LlmAgent | None]:
    """Return the model of an agent, and which agent it was given to: itself, the nearest above, or none of them."""
    above: Any = agent
    while above is not None:
        if isinstance(above, LlmAgent) and above.model:
            return above.model, above
        above = above.parent_agent
    return getattr(LlmAgent, private.DEFAULT_MODEL), None


def renamed(given: Given, name: str) -> Given:
    """Return a model of another name.

    One that was made keeps its class, and with it its address, key and settings, if ADK has that class for the name
    too, or none at all: then the class knows best.
    """
    if isinstance(given, str) or hasattr(given, "models"):  # the latter falls back to others, so it is not one model
        return name
    try:
        kind = LLMRegistry.resolve(name)
    except (ImportError, ValueError):
        kind = type(given)
    return given.model_copy(update={"model": name}) if kind is type(given) else name


@contextmanager
def models_named(name: str | None) -> Iterator[None]:
    """Let every agent, also one that is made at run time, ask the model of this name while the block lasts.

    Without a name they ask their own. Either way ADK's default is as before afterwards, whatever an agent made of it.
    """
    with Patches() as patches:
        patches.set(LlmAgent, private.DEFAULT_MODEL, getattr(LlmAgent, private.DEFAULT_MODEL))
        if name is not None:
            patches.set(LlmAgent, "canonical_model", property(_naming(name)))
        yield


def _naming(name: str) -> Callable[[LlmAgent], BaseLlm]:
    made: dict[int, tuple[Given, BaseLlm]] = {}  # what was given is kept too, so that its id stays its own

    def canonical_model(self: LlmAgent) -> BaseLlm:
        given, _ = given_model(self)
        key = 0 if isinstance(given, str) else id(given)
        if key not in made:
            model = renamed(given, name)
            made[key] = given, LLMRegistry.new_llm(model) if isinstance(model, str) else model
        return made[key][1]

    return canonical_model
