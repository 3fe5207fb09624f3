"""Keeping what looks like a secret out of files that are going to be committed.

What an agent says of itself is cleaned before anything is made of it, so that examples, which are made up, stay whole.
"""

import os
from collections.abc import Mapping
from dataclasses import replace

from evalkit.cases import Json
from evalkit.models.declarations import Declaration
from evalkit.models.facts import AgentFacts, Profile, ToolFacts
from evalkit.redaction.redactor import Redactor

Schema = Mapping[str, Json]

_VALUES = ("default", "const", "example")
"""The keys of a schema under which a value of the argument itself stands."""


class Cleaner:
    """Hides what has the shape of a secret, and whatever a variable of the environment with a telling name holds.

    Args:
        environment: The environment, the agent's own `.env` included; by default that of this process.
    """

    def __init__(self, environment: Mapping[str, str] | None = None) -> None:
        self._redactor = Redactor(os.environ if environment is None else environment)

    def text(self, text: str) -> str:
        """Return a text without secrets."""
        return self._redactor.text(text)

    def reply(self, value: Json) -> Json:
        """Return what a tool or callback answered without secrets, those too that stand under a telling name."""
        return self._redactor.value(value)

    def schemas(self, value: Json) -> Json:
        """Return a value that has schemas in it without secrets.

        In a schema a telling name is that of an argument, and what stands beside or below it no secret: only under
        `default` and the like does a value of the argument itself stand.
        """
        if isinstance(value, str):
            return self._redactor.text(value)
        if isinstance(value, Mapping):
            inner = {key: self.schemas(item) for key, item in value.items()}
            known = inner.get("properties")
            if isinstance(known, dict):
                inner["properties"] = {name: self._property(name, schema) for name, schema in known.items()}
            return inner
        return [self.schemas(item) for item in value] if isinstance(value, list | tuple) else value

    def facts(self, facts: AgentFacts) -> AgentFacts:
        """Return what is known of an agent without secrets, as far as it is written into files."""
        return replace(facts, profiles={name: self._profile(profile) for name, profile in facts.profiles.items()})

    def _profile(self, profile: Profile) -> Profile:
        return replace(
            profile,
            tools={name: self._tool(tool) for name, tool in profile.tools.items()},
            output_schema=self.schemas(profile.output_schema),
        )

    def _tool(self, tool: ToolFacts) -> ToolFacts:
        known = tool.declaration
        return replace(
            tool,
            declaration=known and Declaration(known.name, self.schemas(known.schema), open_ended=True),
            docstring=self.text(tool.docstring),
            returns=self.schemas(tool.returns),
            answers=self.schemas(tool.answers),
        )

    def _property(self, name: str, schema: Json) -> Json:
        """Take values out of the schema of an argument that are secrets by its name."""
        if not isinstance(schema, dict):
            return schema
        return {key: item for key, item in schema.items() if key not in _VALUES or self._is_plain(name, item)}

    def _is_plain(self, name: str, value: Json) -> bool:
        return bool(self._redactor.value({name: value}) == {name: value})
