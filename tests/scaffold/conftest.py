"""A project to start evaluations in, one worker for all rehearsals, and hand-made facts of agents."""

import textwrap
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from evalkit.models.declarations import Declaration
from evalkit.models.facts import AgentFacts, Profile, ToolFacts
from evalkit.models.tree import Agent, AgentTree
from evalkit.scaffold.files import write
from evalkit.scaffold.rehearsal import Player, in_a_worker
from evalkit.scaffold.start import InitOptions, Start, start
from evalkit.settings import load_settings


@pytest.fixture(scope="session")
def play() -> Iterator[Player]:
    """What rehearsals are played with: a process that has ADK loaded already."""
    with in_a_worker() as player:
        yield player


class Project:
    """A project folder, the current one for the time of a test."""

    def __init__(self, root: Path, play: Player) -> None:
        self.root = root
        self._play = play
        self.said: list[str] = []
        (root / "pyproject.toml").write_text("[tool.evalkit]\n", encoding="utf-8")

    def agent(self, name: str, source: str, **files: str) -> Path:
        """Write an agent; further files by their names without `.py`."""
        folder = self.root / "agents" / name
        folder.mkdir(parents=True)
        for file, text in {"agent": source, **files}.items():
            (folder / f"{file}.py").write_text(textwrap.dedent(text), encoding="utf-8")
        return folder

    def start(self, agent: str, player: Callable[[], Any] | None = None, **options: Any) -> Start:
        """Make the files for an agent, without writing them."""
        player = player or (lambda: nullcontext(self._play))
        return start(InitOptions(agent=agent, **options), load_settings(self.root), self.said.append, player)

    def written(self, agent: str, **options: Any) -> Start:
        """Make the files for an agent, and write them."""
        made = self.start(agent, **options)
        write(made.files)
        return made


@pytest.fixture
def project(tmp_path: Path, play: Player, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.chdir(tmp_path)
    return Project(tmp_path, play)


def tool(name: str, docstring: str = "", required: tuple[str, ...] = (), **properties: Any) -> ToolFacts:
    """A tool whose arguments have these schemas."""
    schema = {"type": "object", "properties": properties, "required": [*required]}
    return ToolFacts(name=name, docstring=docstring, declaration=Declaration(name, schema))


def facts(*agents: tuple[Agent, tuple[ToolFacts, ...]]) -> AgentFacts:
    """Agents with their tools; the first is the root."""
    tree = AgentTree(root=agents[0][0].name, agents={agent.name: agent for agent, _ in agents})
    profiles = {
        agent.name: Profile(name=agent.name, tools={one.name: one for one in tools})
        for agent, tools in agents
        if agent.kind == "llm"
    }
    return AgentFacts(reference="agents/desk", tree=tree, profiles=profiles)


@pytest.fixture(scope="session")
def make_tool() -> Callable[..., ToolFacts]:
    return tool


@pytest.fixture(scope="session")
def make_facts() -> Callable[..., AgentFacts]:
    return facts
