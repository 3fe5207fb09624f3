"""Gold stays out of sight: a real agent whose tool looks everywhere finds nothing of what is expected of it.

Two cases share one gold file, as the prompts of one HolmesGPT fixture do. The agent runs in ADK's own runner; its tool
runs for real and hands back all that it can see.
"""

import json
import subprocess
import sys
import textwrap

import pytest

SECRET = ["the spindle of drum forty-two is cracked", "nobody ever oiled it", "must not blame the weather"]

AGENT = '''
import os, sys
from pathlib import Path

from google.adk.agents import LlmAgent
from google.adk.tools import ToolContext

OPENED = []
sys.addaudithook(lambda event, args: OPENED.append(str(args[0])) if event == "open" else None)


def look_everywhere(tool_context: ToolContext) -> dict:
    """Look at all that can be seen from here."""
    session = tool_context._invocation_context.session
    return {
        "prompt": [part.text for event in session.events for part in event.content.parts if part.text],
        "instruction": root_agent.instruction,
        "state": dict(session.state),
        "environment": dict(os.environ),
        "arguments": sys.argv,
        "folder": str(Path.cwd()),
        "files": {str(path): path.read_text(errors="replace") for path in Path.cwd().rglob("*") if path.is_file()},
        "opened": [path for path in OPENED if "gold" in path],
    }


root_agent = LlmAgent(name="spy", model="gemini-2.5-flash", instruction="Find out.", tools=[look_everywhere])
'''

# Runs the command with a look at what is opened when, in the process that judges.
PROGRAM = """
import sys
from pathlib import Path

def answered():
    return sum(len(path.read_bytes().splitlines()) for path in Path("run").glob("outcomes.jsonl"))

def watch(event, args):
    if event == "open" and str(args[0]).endswith("gold.json"):
        print(f"gold opened after {answered()} outcomes", file=sys.stderr)

sys.addaudithook(watch)
from evalkit.cli.main import main
sys.argv = ["evalkit", "run", "evals", "--agent", "agents/spy", "--allow-passthrough", "--report", "run"]
main()
"""


def case(number, answer):
    turn = {
        "user_content": {"role": "user", "parts": [{"text": f"What ails machine {number}?"}]},
        "intermediate_data": {"tool_uses": [{"name": "look_everywhere", "args": {}}]},
        "final_response": {"role": "model", "parts": [{"text": answer}]},
    }
    session = {"app_name": "spy", "user_id": "user", "state": {"now": "2031-06-03"}}
    gold = {"gold": "gold.json"}
    return {"eval_id": f"ails[{number}]", "conversation": [turn], "session_input": session, "evalkit": gold}


@pytest.fixture(scope="module")
def run(tmp_path_factory, clean_env):
    """The run of a right answer and of a wrong one: its results, what the tool saw, and what was told."""
    project = tmp_path_factory.mktemp("project")
    for folder in ("agents/spy", "evals"):
        (project / folder).mkdir(parents=True)
    (project / "pyproject.toml").write_text("[tool.evalkit]\n")
    (project / "agents/spy/__init__.py").write_text("from . import agent\n")
    (project / "agents/spy/agent.py").write_text(textwrap.dedent(AGENT))
    cases = [case(0, "I see: the spindle of drum 42 is cracked."), case(1, "I do not know.")]
    files = {
        "spy.evalset.json": {"eval_set_id": "spy", "eval_cases": cases},
        "test_config.json": {"criteria": {"holmes_correctness": {"threshold": 1.0}}},
        "mocks.json": {"tools": {"look_everywhere": [{"passthrough": True}]}},
        "gold.json": {
            "version": 1,
            "cases": {"ails[0]": {"expected": SECRET[:1]}, "ails[1]": {"expected": SECRET[1:]}},
        },
    }
    for name, value in files.items():
        (project / "evals" / name).write_text(json.dumps(value))
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=project,
        env={**clean_env, "EVALKIT_TEST": "seen"},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 1, done.stdout + done.stderr
    outcomes = [json.loads(line) for line in (project / "run/outcomes.jsonl").read_text().splitlines()]
    results = json.loads((project / "run/results.json").read_text())
    return {
        "project": project,
        "told": done.stderr,
        "seen": [outcome["trace"]["turns"][0]["tools"][0]["reply"] for outcome in outcomes],
        "outcomes": outcomes,
        "cases": {one["eval_id"]: one for one in results["files"][0]["cases"]},
    }


def test_a_right_answer_passes_and_a_wrong_one_fails(run):
    assert {name: one["verdict"] for name, one in run["cases"].items()} == {"ails[0]": "passed", "ails[1]": "failed"}


def test_the_tool_really_looked(run):
    (seen, _) = run["seen"]

    assert seen["prompt"][0] == "What ails machine 0?"
    assert seen["state"]["now"] == "2031-06-03"
    assert seen["environment"]["EVALKIT_TEST"] == "seen"


def test_it_saw_nothing_of_what_is_expected(run):
    everything = json.dumps(run["seen"]).casefold()

    assert [text for text in SECRET if text in everything] == []
    assert [(seen["files"], seen["opened"]) for seen in run["seen"]] == [({}, []), ({}, [])]


def test_neither_stored_outcomes_nor_stored_cases_have_it(run):
    stored = "".join((run["project"] / "run" / name).read_text() for name in ("outcomes.jsonl", "cases.jsonl"))

    assert [text for text in SECRET if text in stored] == []


def test_the_gold_file_is_opened_only_after_the_last_answer_that_it_is_about(run):
    opened = [line for line in run["told"].splitlines() if line.startswith("gold opened")]

    assert opened
    assert set(opened) == {"gold opened after 2 outcomes"}


def test_the_audit_says_when_and_where(run):
    audits = [one["audit"] for one in run["cases"].values()]

    assert [(one["answered_first"], one["exposed"]) for one in audits] == [(True, []), (True, [])]
    assert all(one["answered_at"] < one["scored_at"] for one in audits)
    assert {one["gold"] for one in audits} == {"evals/gold.json"}
    assert [one["workdir"] for one in audits] == [seen["folder"] for seen in run["seen"]]
    assert not any(one["workdir"].startswith(str(run["project"])) for one in audits)
