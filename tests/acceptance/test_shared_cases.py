"""Behaviours that real users asked for, from the shared collection: mocks as the agent meets them, and files as read.

The cases with mocks are played together by the real command, golden replay over an agent whose own tools refuse.
"""

import json
import subprocess
import sysconfig
from pathlib import Path

import pytest

AGENT = '''
from google.adk.agents import LlmAgent
from google.adk.tools import FunctionTool


def get_price(ticker: str) -> dict:
    """Return a price."""
    raise AssertionError("live call")


def get_node(name: str) -> dict:
    """Return a node."""
    raise AssertionError("live call")


def drop_table(name: str) -> dict:
    """Drop a table."""
    raise AssertionError("live call")


def explain(tool, args, tool_context, error):
    return {"error": f"{type(error).__name__}: {error}"}


root_agent = LlmAgent(
    name="desk",
    model="gemini-2.5-flash",
    tools=[get_price, get_node, FunctionTool(drop_table, require_confirmation=True)],
    on_tool_error_callback=explain,
)
'''
REFUSED = "This tool call requires confirmation"


@pytest.fixture(scope="module")
def read(shared):
    """Read one example by its number."""

    def read(number):
        (path,) = (shared / "cases").glob(f"{number}_*.json")
        return json.loads(path.read_text(encoding="utf-8"))

    return read


def as_reply(written):
    """Write a reply of an example as one of a mocks file."""
    if "error" not in written:
        return {"returns": written["response"]}
    error = written["error"]
    return {"raises": {"type": error["type"], "message": f"{error['status']} {error['message']}"}}


def as_route(mock):
    replies = {"sequence": [*map(as_reply, mock["sequence"])]} if "sequence" in mock else as_reply(mock)
    return {"args": mock["args"], **replies}


def write_example(folder, given, **criteria):
    """Write an example's evalset with its mocks and its criteria."""
    folder.mkdir(parents=True)
    routes = {mock["tool"]: [as_route(mock)] for mock in given["mocks"]}
    (folder / "mocks.json").write_text(json.dumps({"tools": routes}))
    (folder / "test_config.json").write_text(json.dumps({"criteria": criteria or given["test_config"]["criteria"]}))
    (folder / "case.evalset.json").write_text(json.dumps(given["evalset"]))


@pytest.fixture(scope="module")
def played(read, tmp_path_factory, clean_env):
    """Play the examples 13, 14 and 16, and give by case its verdict, its reasons, its scores and its tool calls."""
    root = tmp_path_factory.mktemp("examples")
    (root / "agents/desk").mkdir(parents=True)
    (root / "agents/desk/__init__.py").write_text("from . import agent\n")
    (root / "agents/desk/agent.py").write_text(AGENT)
    sequence = read("14")["input"]
    third = json.loads(json.dumps(sequence["evalset"]["eval_cases"][0] | {"eval_id": "once_more"}))
    third["conversation"][0]["intermediate_data"]["tool_uses"].append(sequence["scripted_calls"][0])
    sequence["evalset"]["eval_cases"].append(third)
    write_example(root / "evals/13", read("13")["input"])
    write_example(root / "evals/14", sequence)
    write_example(root / "evals/16", read("16")["input"], trajectory=1.0)
    _run(root, clean_env)
    results = json.loads((root / "out/results.json").read_text())
    lines = (root / "out/outcomes.jsonl").read_text().splitlines()
    tools = {line["eval_id"]: line["trace"]["turns"][0]["tools"] for line in map(json.loads, lines)}
    cases = {case["eval_id"]: case for group in results["files"] for case in group["cases"]}
    return {eval_id: (case, tools[eval_id]) for eval_id, case in cases.items()}


def _run(root, env):
    command = [Path(sysconfig.get_path("scripts"), "evalkit"), "run", "evals", "--agent", "agents/desk"]
    subprocess.run([*command, "--report", "out"], cwd=root, env=env, capture_output=True, timeout=120, check=False)


def scores(case):
    return {criterion["name"]: criterion["value"] for criterion in case["criteria"]}


def test_13_a_call_that_no_mock_answers_is_a_miss_and_the_live_tool_never_runs(played, read):
    case, (hit, miss) = played["price"]
    assert (hit["status"], hit["reply"]) == ("answered", read("13")["expect"]["ACME"])
    assert (miss["status"], miss["args"]) == ("missed", {"ticker": "ZZZ"})
    assert "live call" not in json.dumps([hit, miss])
    assert case["verdict"] == "inconclusive"
    (reason,) = case["reasons"]
    assert 'get_price(ticker="ZZZ"), which no mock answers' in reason
    assert 'wanted "ACME", found "ZZZ"' in reason


def test_14_a_recorded_error_is_seen_by_the_agent_and_the_next_call_gets_data(played, read):
    case, (first, second) = played["flaky_api"]
    assert (first["status"], first["reply"]) == ("raised", {"error": "HTTPError: 503 upstream busy"})
    assert (second["status"], second["reply"]) == ("answered", read("14")["expect"]["call_2"])
    assert (case["verdict"], scores(case)["tool_trajectory_avg_score"]) == ("passed", 1.0)


def test_14_a_sequence_that_is_used_up_is_a_miss(played):
    case, calls = played["once_more"]
    assert [call["status"] for call in calls] == ["raised", "answered", "missed"]
    assert case["verdict"] == "inconclusive"
    assert "its 2 replies are used up" in case["reasons"][0]


def test_16_a_mock_does_not_skip_the_confirmation(played, read):
    expect = read("16")["expect"]
    case, (call, request) = played["drop"]
    assert (call["status"], call.get("route") is not None) == ("waiting", expect["mock_used"])
    assert call["reply"]["error"].startswith(REFUSED)
    assert (request["name"], request["status"]) == ("adk_request_confirmation", "control")
    assert scores(case)["trajectory"] == expect["trajectory_with_control_calls_excluded"]


def test_23_old_keys_in_a_new_file_are_named_with_the_new_ones(read, tmp_path, run_evalkit):
    example = read("23")
    (tmp_path / "half.evalset.json").write_text(json.dumps(example["input"]["evalset"]))
    done = run_evalkit("check", "half.evalset.json")
    assert done.returncode == 2
    assert all(name in done.stdout for name in example["expect"]["message_must_name"])


def test_27_a_config_whose_criteria_are_misspelt_never_passes(read, tmp_path, run_evalkit):
    given = read("27")["input"]
    (tmp_path / "cfg.evalset.json").write_text(json.dumps(given["evalset"]))
    (tmp_path / "test_config.json").write_text(json.dumps(given["test_config"]))
    (tmp_path / "agents/desk").mkdir(parents=True)
    (tmp_path / "agents/desk/__init__.py").write_text("from . import agent\n")
    (tmp_path / "agents/desk/agent.py").write_text(AGENT)
    done = run_evalkit("run", "cfg.evalset.json", "--agent", "agents/desk")
    assert done.returncode == 2
    assert "unknown key `criterion`" in done.stdout + done.stderr
    assert "`criteria`" in done.stdout + done.stderr
