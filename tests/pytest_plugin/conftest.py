"""A project as its users have it, in which pytest is run as they run it, in a process of its own."""

import json
import textwrap
import xml.etree.ElementTree as ET
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

MOCKS = """
tools:
  get_lag:
    - args: {group: orders}
      returns: {status: success, lag: 75}
    - args: {group: payments}
      raises: {type: TimeoutError, message: broker unreachable}
"""

AGENT = '''
from google.adk.agents import LlmAgent


def get_lag(group: str) -> dict:
    """Return the lag of a consumer group."""
    raise AssertionError("the real tool ran")


{code}

root_agent = LlmAgent(name="{name}", model={model}, tools=[get_lag], before_tool_callback={callback})
'''

OTHER_PLUGINS = ("no:asyncio", "no:anyio", "no:cov", "no:hypothesispytest", "no:cacheprovider")
"""They cost time, and have nothing to do with it."""


class Run:
    """What a run of pytest came to.

    Attributes:
        exit: Its exit code.
        counts: How many tests came to what, as pytest's last line says it.
        properties: The properties of each test, by its name, as the JUnit file has them.
    """

    def __init__(self, result: pytest.RunResult, junit: Path) -> None:
        self.exit = int(result.ret)
        self.out = result.stdout.str()
        self.err = result.stderr.str()
        self.counts = result.parse_summary_nouns(result.outlines) if "=" in self.out else {}
        self.properties = {}
        for case in ET.parse(junit).getroot().iter("testcase") if junit.exists() else ():  # noqa: S314 - pytest wrote it
            found = {one.get("name", ""): one.get("value", "") for one in case.iter("property")}
            self.properties[case.get("name", "")] = found

    def verdicts(self) -> dict[str, str]:
        """The verdict of each case, by its id."""
        return {name: found["evalkit_verdict"] for name, found in self.properties.items()}


class Project:
    """A project folder that a test fills and runs pytest in."""

    def __init__(self, pytester: pytest.Pytester) -> None:
        self._pytester = pytester
        self.root = pytester.path
        self.settings()
        self.agent("lag")

    def write(self, name: str, text: str) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text), encoding="utf-8")
        return path

    def settings(self, table: str = "", pytest_table: str = "") -> None:
        self.write("pyproject.toml", f"[tool.evalkit]\n{table}\n[tool.pytest.ini_options]\n{pytest_table}\n")

    def agent(self, name: str, *, code: str = "", model: str = '"gemini-2.5-flash"', callback: str = "None") -> None:
        source = AGENT.format(name=name, code=textwrap.dedent(code), model=model, callback=callback)
        self.write(f"agents/{name}/__init__.py", "from . import agent\n")
        self.write(f"agents/{name}/agent.py", source)

    def evalset(self, *cases: Mapping[str, Any], name: str = "evalsets/lag/lag.test.json") -> Path:
        path = self.write(name, json.dumps({"eval_set_id": "lag", "eval_cases": cases}))
        (path.parent / "mocks.yaml").write_text(MOCKS)
        (path.parent / "test_config.json").write_text(json.dumps({"criteria": {"grounding": 1.0}}))
        return path

    def say_whether_adk_is_loaded(self) -> None:
        """Let pytest print, at its end, whether its own process has loaded ADK."""
        said = 'print("ADK is loaded:", "google.adk" in sys.modules)'
        self.write("conftest.py", f"import sys\n\n\ndef pytest_sessionfinish():\n    {said}\n")

    def run(self, *args: str) -> Run:
        junit = self.root / "junit.xml"
        others = [part for plugin in OTHER_PLUGINS for part in ("-p", plugin)]
        result = self._pytester.runpytest_subprocess(*others, f"--junitxml={junit}", *args)
        return Run(result, junit)


@pytest.fixture
def project(pytester: pytest.Pytester) -> Project:
    return Project(pytester)


@pytest.fixture
def make_case() -> Any:
    def case(eval_id: str, group: str = "orders", answer: str = "The lag is 75.", **block: Any) -> dict[str, Any]:
        turn = {
            "user_content": {"role": "user", "parts": [{"text": f"How far behind is {group}?"}]},
            "intermediate_data": {"tool_uses": [{"name": "get_lag", "args": {"group": group}}]},
            "final_response": {"role": "model", "parts": [{"text": answer}]},
        }
        return {"eval_id": eval_id, "conversation": [turn], **({"evalkit": block} if block else {})}

    return case
