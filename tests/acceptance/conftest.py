"""A small project on disk, as a user has it: one agent, one evalset, criteria and mocks. And the samples, to break."""

import json
import re
import shutil
import textwrap
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from evalkit.evaluate import RunOptions, evaluate
from evalkit.formats.mocks import read as read_mocks
from evalkit.report.model import Report
from evalkit.results import CaseResult
from evalkit.settings import load_settings
from evalkit.traces import Outcome

AGENT = '''
import time
from google.adk.agents import LlmAgent


def get_lag(group: str) -> dict:
    """Return the lag of a consumer group."""
    raise AssertionError("the real tool ran")


def before_tool(tool, args, tool_context):
    if args.get("group") == "raise-in-callback":
        raise RuntimeError("the callback broke")
    while args.get("group") == "block":
        pass


root_agent = LlmAgent(name="lag", model="gemini-2.5-flash", tools=[get_lag], before_tool_callback=before_tool)
'''

MOCKS = """
tools:
  get_lag:
    - args: {group: orders}
      returns: {status: success, lag: 75}
    - args: {group: raise-in-tool}
      raises: {type: TimeoutError, message: broker unreachable}
"""


def case(eval_id: str, group: str = "orders", answer: str = "The lag of orders is 75.", **block: Any) -> dict[str, Any]:
    return {
        "eval_id": eval_id,
        "conversation": [
            {
                "user_content": {"role": "user", "parts": [{"text": f"How far behind is {group}?"}]},
                "intermediate_data": {"tool_uses": [{"name": "get_lag", "args": {"group": group}}]},
                "final_response": {"role": "model", "parts": [{"text": answer}]},
            }
        ],
        **({"evalkit": block} if block else {}),
    }


class Project:
    """A project folder that a test fills and runs evalkit in."""

    def __init__(self, root: Path, run: Callable[..., Any]) -> None:
        self.root = root
        self._run = run
        self.write("pyproject.toml", "[tool.evalkit]\n")
        self.write("agents/lag/__init__.py", "from . import agent\n")
        self.write("agents/lag/agent.py", AGENT)
        self.write("evalsets/lag/mocks.yaml", MOCKS)
        self.write("evalsets/lag/test_config.json", json.dumps({"criteria": {"grounding": 1.0}}))

    def write(self, name: str, text: str) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text), encoding="utf-8")
        return path

    def evalset(self, *cases: Mapping[str, Any], name: str = "evalsets/lag/lag.test.json") -> Path:
        return self.write(name, json.dumps({"eval_set_id": "lag", "eval_cases": cases}))

    def evalkit(self, *args: str, **options: Any) -> Any:
        return self._run(*args, cwd=self.root, **options)

    def results(self) -> dict[str, Any]:
        return json.loads((self.root / ".evalkit/runs/latest/results.json").read_text())


@pytest.fixture
def project(tmp_path: Path, run_evalkit: Callable[..., Any]) -> Project:
    return Project(tmp_path, run_evalkit)


@pytest.fixture(scope="session")
def new_project() -> Callable[[Path, Callable[..., Any]], Project]:
    """Make a project in a folder, for several tests to look at; it runs evalkit by the given function."""
    return Project


@pytest.fixture(scope="session")
def make_case() -> Callable[..., dict[str, Any]]:
    return case


@dataclass(frozen=True)
class Samples:
    """One run of all sample evalsets as they are.

    Attributes:
        evalsets: The folder that holds them, one subfolder an agent.
    """

    evalsets: Path
    report: Report
    outcomes: tuple[Outcome, ...]


@pytest.fixture(scope="session")
def samples(tmp_path_factory: pytest.TempPathFactory, repo_root: Path) -> Samples:
    """Play every evalset of the sample agents once."""
    evalsets = repo_root / "evalsets"
    agents = sorted(path.parent.name for path in repo_root.glob("agents/*/agent.py"))
    paths = tuple(str(evalsets / agent) for agent in agents)
    options = RunOptions(paths=paths, report_dir=tmp_path_factory.mktemp("samples") / "report", jobs=2)
    report, folder = evaluate(options, load_settings(repo_root))
    return Samples(evalsets, report, tuple(folder.outcomes()))


class Workbench:
    """A copy of sample evalsets, to break them in."""

    number = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?![\w.]*\d)")
    """A number in a text, but no part of a version, an address or the like."""

    def __init__(self, root: Path, repo: Path) -> None:
        self._root = root
        self._repo = repo
        self.samples = repo / "evalsets"
        self.report = root / "report" / "report.md"

    def folder(self, home: Path, name: str = "") -> Path:
        """Return the copy of a folder of evalsets: all that belongs to it, but no evalset and no folder with its own.

        Args:
            home: The folder among the samples.
            name: Which copy of it; they lie side by side.
        """
        target = self._root / "evalsets" / home.relative_to(self.samples) / name
        if not (target / "test_config.json").exists():
            target.mkdir(parents=True, exist_ok=True)
            for item in home.iterdir():
                if item.is_file() and not item.name.endswith((".evalset.json", ".test.json")):
                    shutil.copy(item, target)
                elif item.is_dir() and not any(item.rglob("test_config.json")):
                    shutil.copytree(item, target / item.name)
        return target

    def evalset(self, folder: Path, name: str, *cases: Mapping[str, Any]) -> None:
        """Write an evalset into a copy."""
        text = json.dumps({"eval_set_id": name, "eval_cases": cases})
        (folder / f"{name}.evalset.json").write_text(text, encoding="utf-8")

    def evalsets(self) -> list[Path]:
        """Return every evalset of the sample agents."""
        agents = [path.parent.name for path in self._repo.glob("agents/*/agent.py")]
        forms = ("*.evalset.json", "*.test.json")
        return sorted(path for agent in agents for form in forms for path in (self.samples / agent).rglob(form))

    def places(self, mocks: Path) -> dict[str, tuple[str | int, ...]]:
        """Return where each route of a mocks file stands in it, by the route's label."""
        read = read_mocks(mocks).value
        below = [route for fake in read.fakes for route in getattr(fake, "routes", ())]
        labels = [route.label for route in (*read.routes, *below)]
        return dict(zip(labels, _routes_in(yaml.safe_load(mocks.read_text())), strict=True))

    def play(self) -> dict[str, dict[str, CaseResult]]:
        """Play everything that was written; return the results by evalset and case."""
        options = RunOptions(paths=(str(self._root / "evalsets"),), report_dir=self._root / "report", jobs=2)
        report, _ = evaluate(options, load_settings(self._repo))
        results: dict[str, dict[str, CaseResult]] = defaultdict(dict)
        for result in report.results:
            results[Path(result.file).name.partition(".")[0]][result.eval_id] = result
        return results


def _routes_in(mocks: Mapping[str, Any]) -> Iterator[tuple[str | int, ...]]:
    """Yield the place of each route, in the order in which a mocks file is read."""
    for tool, routes in mocks.get("tools", {}).items():
        yield from (("tools", tool, index) for index in range(len(routes)))
    for agent, scoped in mocks.get("agents", {}).items():
        for tool, routes in scoped["tools"].items():
            yield from (("agents", agent, "tools", tool, index) for index in range(len(routes)))
    for number, backend in enumerate(mocks.get("backends", [])):
        for kind, fake in backend.items():
            yield from (("backends", number, kind, "routes", index) for index in range(len(fake.get("routes", []))))


@pytest.fixture(scope="module")
def workbench(tmp_path_factory: pytest.TempPathFactory, repo_root: Path) -> Workbench:
    return Workbench(tmp_path_factory.mktemp("workbench"), repo_root)


@pytest.fixture(scope="session")
def said() -> Callable[[CaseResult], str]:
    """Tell everything that a result says of why."""
    return lambda result: "\n".join([*result.reasons, *(item.score.reason for item in result.criteria)])
