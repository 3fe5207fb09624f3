"""The pipelines as a CI service reads them, and their command lines as our own commands read them."""

import shlex
from collections.abc import Callable, Iterator
from typing import Any

import click
import pytest
import yaml

from evalkit.cli.main import cli
from evalkit.templates import pipeline_text


@pytest.fixture(scope="session")
def pipeline() -> Callable[[str], Any]:
    """Return a service's pipeline, parsed."""
    return lambda service: yaml.safe_load(pipeline_text(service))


@pytest.fixture(scope="session")
def parsed() -> Callable[[str], list[tuple[str, dict[str, Any]]]]:
    """Let the real commands parse every `evalkit …` line of a script; return each command's name and parameters."""
    return lambda script: [*_parsed(script)]


def _parsed(script: str) -> Iterator[tuple[str, dict[str, Any]]]:
    for line in script.splitlines():
        program, *words = shlex.split(line.partition(" > ")[0]) or [""]
        if program == "evalkit":
            command = cli.get_command(click.Context(cli), words[0])
            assert command is not None, line
            yield words[0], command.make_context(words[0], words[1:]).params
