"""A YAML document as HolmesGPT reads it: by YAML 1.1, where `yes` is true, `12:30` is 750, and `2025-06-12` a date."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import yaml

from evalkit.cases import Json
from evalkit.errors import Problem
from evalkit.formats.documents import Document
from evalkit.formats.paths import JsonPath, write_path
from evalkit.formats.yaml_nodes import TAG, YamlPositions

_LONGEST = 40
"""Characters of the longest text that is something else in YAML 1.1; a date with a time has some 30."""
_IN_WORDS = {"bool": "true or false", "int": "a number", "float": "a number", "timestamp": "a date"}
"""What a text without quotes is, by its tag in YAML 1.1."""


@dataclass(frozen=True, slots=True)
class Bare:
    """A text without quotes that is none in YAML 1.1: how it is written, and what it is."""

    text: str
    about: str


def as_yaml_1_1(document: Document) -> tuple[Document, Mapping[str, Bare]]:
    """Read a document's plain scalars again, and tell by path which became something else than text.

    A date is nothing that JSON has; it becomes an object, which no text, number or flag takes.
    """
    bare = dict(_bare(document.value, (), document.positions))
    if not bare:
        return document, {}
    value = _converted(document.value, (), bare)
    return replace(document, value=value), {write_path(path): found for path, found in bare.items()}


def explain_bare(problem: Problem, bare: Mapping[str, Bare]) -> Problem:
    """Say of a value with a wrong type that it only lacks its quotes."""
    found = bare.get(problem.path)
    if found is None or problem.rule != "wrong-type":
        return problem
    message = f"{found.text} without quotes is {found.about} in YAML 1.1, which HolmesGPT reads, and no text"
    return replace(problem, message=message, hint=f'write "{found.text}"')


def _bare(value: Json, path: JsonPath, positions: Any) -> Iterator[tuple[JsonPath, Bare]]:
    if isinstance(value, dict | list):
        for step, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _bare(inner, (*path, step), positions)
        return
    about = _about(value) if isinstance(value, str) and isinstance(positions, YamlPositions) else None
    if about and positions.plain(path) is not None:
        yield path, Bare(value, about)


def _about(text: str) -> str | None:
    """What a plain scalar is in YAML 1.1, in words; None if it is text."""
    if not text or len(text) > _LONGEST:
        return None
    tag = yaml.resolver.Resolver().resolve(yaml.ScalarNode, text, (True, False))  # type: ignore[no-untyped-call]
    return _IN_WORDS.get(str(tag).removeprefix(TAG))


def _converted(value: Json, path: JsonPath, bare: Mapping[JsonPath, Bare]) -> Json:
    if isinstance(value, dict):
        return {key: _converted(inner, (*path, key), bare) for key, inner in value.items()}
    if isinstance(value, list):
        return [_converted(inner, (*path, index), bare) for index, inner in enumerate(value)]
    return _loaded(value) if path in bare else value


def _loaded(text: str) -> Json:
    try:
        found: Any = yaml.safe_load(text)
    except (yaml.YAMLError, ValueError):  # the 31st of June
        found = None
    return found if isinstance(found, bool | int | float) else {"date": text}
