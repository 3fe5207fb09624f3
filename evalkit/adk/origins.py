"""Where the model of an agent comes from, in words, and what is wrong with one that nobody chose."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from dotenv import dotenv_values
from google.adk.agents import LlmAgent

from evalkit.adk import bare
from evalkit.adk.environment import env_file
from evalkit.adk.lookups import Lookup
from evalkit.adk.naming import Given, given_model, renamed


@dataclass(frozen=True, slots=True)
class Chosen:
    """The model that an agent asks.

    Attributes:
        given: The model, by its name or made.
        origin: Where that comes from.
        unchosen: If it is a default that nobody chose, what makes it so and what to do.
    """

    given: Given
    origin: str
    unchosen: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Origins:
    """Tells where models come from.

    Attributes:
        folder: The agent's folder, or dotted module.
        lookups: What the agent's code looked up in its environment while it was imported.
        named: The model that the command line names for all agents.
    """

    folder: Path
    lookups: Sequence[Lookup] = field(default=())
    named: str | None = None

    def of(self, agent: LlmAgent) -> Chosen:
        """Find out about one agent."""
        given, owner = given_model(agent)
        if self.named is not None:
            return Chosen(renamed(given, self.named), "--model")
        name = name_of(given)
        if owner is None and name == LlmAgent.DEFAULT_MODEL:
            return Chosen(given, "ADK's default", _nobody_named_one(name, str(self.folder)))
        found = self._by_lookup(given, name)
        if owner not in (agent, None):
            return Chosen(given, f"from {owner.name}, {found.origin}", found.unchosen)
        return found if owner else Chosen(given, f"the default that code sets, {found.origin}", found.unchosen)

    def _by_lookup(self, given: Given, name: str) -> Chosen:
        """Find the variable that a name comes from, or that it stands in for; without either it is the code's own."""
        for lookup in self.lookups:
            if lookup.value == name:
                return Chosen(given, f"{lookup.name} in {self._source(lookup)}")
        for lookup in sorted(self.lookups, key=self._is_elsewhere):
            if name in lookup.instead and not lookup.value:
                return Chosen(given, f"a default, since {lookup.name} is not set", self._not_set(lookup, name))
        return Chosen(given, "in code")

    def _source(self, lookup: Lookup) -> str:
        file = env_file(self.folder)
        by_file = file is not None and dotenv_values(file).get(lookup.name) == lookup.value
        return os.path.relpath(file) if file and by_file else "the environment"

    def _is_elsewhere(self, lookup: Lookup) -> bool:
        return not Path(lookup.place).is_relative_to(self.folder.resolve())

    def _not_set(self, lookup: Lookup, name: str) -> str:
        file = env_file(self.folder)
        looked_in = f"nor in {os.path.relpath(file)}" if file else "nor in a .env, since there is none"
        home = os.path.relpath(file or (self.folder if self.folder.is_dir() else Path()) / ".env")
        return (
            f"{lookup.name} is set neither in the environment {looked_in}, so the model would be {name}, a default at"
            f" {os.path.relpath(lookup.place)}; set {lookup.name} in {home}, or name a model by `evalkit run --model`"
        )


def name_of(given: Given) -> str:
    """Return a model's name."""
    return given if isinstance(given, str) else given.model


def _nobody_named_one(name: str, agent: str) -> str:
    own_way = "name one in the agent's code, which may read it from a variable in its .env"
    remedy = f"name one in {bare.MODEL_VARIABLE}" if agent == bare.__name__ else own_way
    return (
        f"no model is named or inherited, so it would be ADK's default, {name}; {remedy}, or by `evalkit run --model`"
    )
