"""A project whose cases `evalkit adk eval` runs, in this process: ADK's evaluation takes seconds to load."""

import json
import logging
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

AGENT = '''
from google.adk.agents import LlmAgent


def get_lag(group: str) -> dict:
    """Return the lag of a consumer group."""
    raise AssertionError("the real tool ran")


{code}

root_agent = LlmAgent(name="lagging", model="gemini-2.5-flash", tools=[get_lag], before_tool_callback={callback})
'''

MOCKS = """
tools:
  get_lag:
    - args: {group: orders}
      returns: {lag: 75}
    - args: {group: payments}
      raises: {type: TimeoutError, message: broker unreachable}
"""

TRAJECTORY = "tool_trajectory_avg_score"


class Project:
    """A folder with an agent called `lagging`, which a test fills with evalsets."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.agent()

    def write(self, name: str, text: str) -> str:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return name

    def agent(self, code: str = "", callback: str = "None") -> None:
        self.write("agents/lagging/__init__.py", "from . import agent\n")
        self.write("agents/lagging/agent.py", AGENT.format(code=code, callback=callback))

    def evalset(
        self,
        *cases: Mapping[str, Any],
        name: str = "evals/lag.test.json",
        set_id: str = "lag",
        config: Mapping[str, Any] | None = None,
    ) -> str:
        """Write an evalset, its mocks and its config (by default one criterion); return the evalset's path."""
        folder = Path(name).parent.as_posix()
        self.write(f"{folder}/mocks.yaml", MOCKS)
        self.write(f"{folder}/test_config.json", json.dumps(config or {"criteria": {TRAJECTORY: 1.0}}))
        return self.write(name, json.dumps({"eval_set_id": set_id, "eval_cases": cases}))

    def results(self) -> list[dict[str, Any]]:
        """Read the case results that ADK has stored, in the order of their files' names."""
        files = sorted((self.root / "agents/lagging/.adk/eval_history").glob("*.evalset_result.json"))
        return [case for file in files for case in json.loads(file.read_text())["eval_case_results"]]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.chdir(tmp_path)
    return Project(tmp_path)


@pytest.fixture
def make_case() -> Callable[..., dict[str, Any]]:
    """Make a case of one turn: a question about a group, a call and an answer."""

    def case(eval_id: str, group: str = "orders", answer: str = "It is 75 behind.", **fields: Any) -> dict[str, Any]:
        turn = {
            "user_content": {"role": "user", "parts": [{"text": "How far behind is it?"}]},
            "intermediate_data": {"tool_uses": [{"name": "get_lag", "args": {"group": group}}]},
            "final_response": {"role": "model", "parts": [{"text": answer}]},
        }
        return {"eval_id": eval_id, "conversation": [turn], **fields}

    return case


@pytest.fixture
def evalkit_command() -> Iterator[Callable[..., Result]]:
    """Run the `evalkit` command in this process; returns what click's runner does: `exit_code`, `stdout`, `stderr`."""
    from evalkit.cli.main import cli

    levels = {name: logging.getLogger(name).level for name in ("", "google_adk")}
    yield lambda *arguments: CliRunner().invoke(cli, [*map(str, arguments)])
    for name, level in levels.items():
        logging.getLogger(name).setLevel(level)  # ADK's command sets them for the process


@pytest.fixture
def adk_eval(project: Project, evalkit_command: Callable[..., Result]) -> Callable[..., Result]:
    """Run `evalkit adk eval agents/lagging …` in the project."""
    return lambda *arguments: evalkit_command("adk", "eval", "agents/lagging", *arguments)
