"""A project that was really played once, for the commands that read stored runs."""

import json
import shutil
import subprocess
import sysconfig
import textwrap
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

AGENT = """
from google.adk.agents import LlmAgent


def get_lag(group: str) -> dict:
    '''Return the lag of a consumer group.'''
    raise AssertionError("the real tool ran")


def before_tool(tool, args, tool_context):
    if args.get("group") == "raise":
        raise RuntimeError("the callback broke")


root_agent = LlmAgent(name="lag", model="gemini-2.5-flash", tools=[get_lag], before_tool_callback=before_tool)
"""

MOCKS = """
tools:
  get_lag:
    - args: {group: orders}
      returns: {status: success, lag: 75}
"""

BEARER = "Bearer abc12345"
"""Too short for what evalkit hides wherever it writes."""

SCRIPT = "The lag of orders is 82. <script>document.title = 'taken'</script><img src=x onerror=alert(1)>"


def make_case(eval_id: str, answer: str = "The lag of orders is 75.", group: str = "orders", **block: Any) -> Any:
    """Make a case of one turn: a question, a call, and an answer."""
    turn = {
        "user_content": {"role": "user", "parts": [{"text": f"How far behind is {group}?"}]},
        "intermediate_data": {"tool_uses": [{"name": "get_lag", "args": {"group": group}}]},
        "final_response": {"role": "model", "parts": [{"text": answer}]},
    }
    return {"eval_id": eval_id, "conversation": [turn], **({"evalkit": block} if block else {})}


CASES = (
    make_case("steady"),
    make_case("wrong", "The lag of orders is 80."),
    make_case("unmocked", group="payments"),
    make_case("crash", group="raise"),
    make_case("script", SCRIPT),
    make_case("later", skip="not before the new broker is there"),
    make_case("known", "The lag of orders is 81.", known_failing="bug 12"),
)


class StoredProject:
    """A project folder with a stored run, `first`, and the command to work on it."""

    def __init__(self, root: Path, env: Mapping[str, str]) -> None:
        self.root = root
        self._env = env

    def write(self, name: str, text: str) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text), encoding="utf-8")
        return path

    def evalset(self, *cases: Any) -> None:
        self.write("evalsets/lag/lag.test.json", json.dumps({"eval_set_id": "lag", "eval_cases": cases}, indent=1))

    def criteria(self, **criteria: Any) -> None:
        self.write("evalsets/lag/test_config.json", json.dumps({"criteria": criteria}))

    def evalkit(self, *args: str | Path) -> subprocess.CompletedProcess[str]:
        command = Path(sysconfig.get_path("scripts"), "evalkit")
        return subprocess.run(
            [command, *args], cwd=self.root, env=self._env, stdin=subprocess.DEVNULL, capture_output=True, text=True,
            encoding="utf-8", timeout=120, check=False,
        )  # fmt: skip

    def results(self, run: str | Path) -> dict[str, Any]:
        return json.loads((self.root / run / "results.json").read_text(encoding="utf-8"))

    def verdicts(self, run: str | Path) -> dict[str, str]:
        return {case["eval_id"]: case["verdict"] for group in self.results(run)["files"] for case in group["cases"]}


@pytest.fixture(scope="session")
def played_once(tmp_path_factory: pytest.TempPathFactory, clean_env: Mapping[str, str]) -> Path:
    """Play a project's cases, each once and then two of them twice; nobody may change what is there.

    What the first run printed is in `first.txt`, and the JUnit report of the second, compared with it, in `twice.xml`.
    """
    project = StoredProject(tmp_path_factory.mktemp("stored") / "project", clean_env)
    project.write("pyproject.toml", "[tool.evalkit]\n")
    project.write("agents/lag/__init__.py", "from . import agent\n")
    project.write("agents/lag/agent.py", AGENT)
    project.write("evalsets/lag/mocks.yaml", MOCKS)
    project.criteria(grounding=1.0)
    project.evalset(*CASES)
    done = project.evalkit("run", "--report", "first")
    assert done.returncode == 1, done.stderr
    project.write("first.txt", done.stdout)
    done = project.evalkit(
        "run", "evalsets/lag/lag.test.json:steady,wrong", "--runs", "2", "--suite-min-pass-rate", "0.5",
        "--baseline", "first", "--report", "twice", "--junit", "twice.xml",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    _with_gold(project)
    done = project.evalkit("run", "blind", "--report", "gold")
    assert done.returncode == 1, done.stderr
    return project.root


def _with_gold(project: StoredProject) -> None:
    """Write cases whose expectation is kept apart, as HolmesGPT's fixtures become them."""
    expected = {"hit": "is 75", "miss": "is 90", "long": "ends well"}
    rubric = {"rubric_id": "expected_0", "type": "FINAL_RESPONSE_QUALITY", "needs_judge": False}
    gold = {
        eval_id: {
            "mode": "strict",
            "expected": [text],
            "rubrics": [{**rubric, "rubric_content": {"text_property": text}}],
        }
        for eval_id, text in expected.items()
    }
    source = {"system": "holmesgpt", "path": "test_ask_holmes/01_lag/test_case.yaml"}
    block = {"gold": "gold.json", "source": source, "tags": ["kafka"]}
    long = f"Token {BEARER}. " + "The lag of orders is 75. " * 100 + "It ends well."
    cases = [make_case("hit", **block), make_case("miss", **block), make_case("long", long, **block)]
    project.write("blind/gold.json", json.dumps({"version": 1, "cases": gold}))
    project.write("blind/mocks.yaml", f"agent: lag{MOCKS}")
    project.write("blind/blind.evalset.json", json.dumps({"eval_set_id": "blind", "eval_cases": cases}))
    criteria = {"holmes_correctness": {"threshold": 1.0}}
    project.write("blind/test_config.json", json.dumps({"criteria": criteria}))


@pytest.fixture
def stored(played_once: Path, tmp_path: Path, clean_env: Mapping[str, str]) -> StoredProject:
    """A copy of that project, with its runs, that a test may change."""
    return StoredProject(Path(shutil.copytree(played_once, tmp_path / "project")), clean_env)


@pytest.fixture
def in_project(stored: StoredProject, monkeypatch: pytest.MonkeyPatch) -> StoredProject:
    """The same, as the current folder of this process."""
    monkeypatch.chdir(stored.root)
    return stored


@pytest.fixture(scope="session")
def make_turn_case() -> Callable[..., Any]:
    """Make a case of one turn: id, answer, group, and by keyword what is in its `evalkit` block."""
    return make_case
