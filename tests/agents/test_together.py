"""What holds for all specialists at once: each stands alone, and one orchestrator can hold the tools of all."""

import ast
import asyncio
import importlib
from collections import Counter
from pathlib import Path

import pytest

AGENTS = Path(__file__).parents[2] / "agents"
SPECIALISTS = ("docker_agent", "k8s_health", "kafka_health", "observability")


def _tool_names(agent, monkeypatch):
    monkeypatch.syspath_prepend(str(AGENTS))
    root = importlib.import_module(agent).agent.root_agent
    return [tool.name for tool in asyncio.run(root.canonical_tools())]


def _imports(folder):
    """The top-level names that a package's modules import absolutely."""
    for file in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Import):
                yield from (alias.name.split(".")[0] for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                yield node.module.split(".")[0]


def test_no_two_agents_have_a_tool_of_the_same_name(monkeypatch):
    names = Counter(name for agent in SPECIALISTS for name in _tool_names(agent, monkeypatch))

    assert [name for name, count in names.items() if count > 1] == []


@pytest.mark.parametrize("agent", SPECIALISTS)
def test_an_agent_imports_no_other_agent_and_nothing_of_evalkit(agent):
    theirs = {folder.name for folder in AGENTS.iterdir()} | {"agents", "evalkit"}

    assert theirs.isdisjoint(_imports(AGENTS / agent))


@pytest.mark.parametrize("agent", SPECIALISTS)
def test_the_readme_of_an_agent_lists_its_tools_and_no_others(agent, monkeypatch):
    rows = [line for line in (AGENTS / agent / "README.md").read_text().splitlines() if line.startswith("| `")]

    assert sorted(row.split("`")[1] for row in rows) == sorted(_tool_names(agent, monkeypatch))
