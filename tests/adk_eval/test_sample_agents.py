"""The sample agents: `evalkit run` and `evalkit adk eval` agree on every case, and ADK's own readers take the files."""

import json
import shutil
import sys
from pathlib import Path

import pytest

pytest.importorskip("pandas", reason="needs google-adk's eval extra: run `make test-adk`")
pytest.importorskip("confluent_kafka", reason="needs the extra `agents`")
pytest.importorskip("kubernetes", reason="needs the extra `agents`")

from google.adk.cli.cli_tools_click import cli_eval
from google.adk.evaluation.agent_evaluator import AgentEvaluator
from google.adk.models import LlmResponse
from google.adk.models.google_llm import Gemini
from google.genai import types

ROOT = Path(__file__).resolve().parent.parent.parent
AGENTS = sorted(path.parent.name for path in ROOT.glob("agents/*/agent.py"))
EVALSETS = sorted(
    path
    for agent in AGENTS
    for form in ("*.evalset.json", "*.test.json")
    for path in ROOT.glob(f"evalsets/{agent}/**/{form}")
)
PASSED, FAILED, NOT_EVALUATED = 1, 2, 3
STATUS = {"passed": PASSED, "failed": FAILED, "error": FAILED, "inconclusive": NOT_EVALUATED}

pytestmark = [
    pytest.mark.adk_eval,
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),  # of the libraries that ADK's evaluation loads
]


@pytest.fixture
def agents(tmp_path, monkeypatch, repo_root):
    """The agents' folders, copied: ADK writes its history into them."""
    monkeypatch.chdir(repo_root)
    copied = tmp_path / "agents"
    shutil.copytree(repo_root / "agents", copied, ignore=shutil.ignore_patterns("__pycache__", ".adk", ".env"))
    return copied


def verdicts(report):
    """The verdict of each case of a run by its file and id."""
    files = json.loads((report / "results.json").read_text())["files"]
    return {(file["file"], case["eval_id"]): case["verdict"] for file in files for case in file["cases"]}


def history(agent):
    """The status that ADK has stored for each case of an agent, by evalset and id."""
    files = [json.loads(path.read_text()) for path in (agent / ".adk/eval_history").glob("*.evalset_result.json")]
    return {
        (file["eval_set_id"], case["eval_id"]): case["final_eval_status"]
        for file in files
        for case in file["eval_case_results"]
    }


def test_both_come_to_the_same_verdicts_and_so_does_adks_history(run_evalkit, evalkit_command, agents, tmp_path):
    folders = [f"evalsets/{agent}" for agent in AGENTS]
    run_evalkit("run", *folders, "--mode", "golden", "--report", tmp_path / "run", cwd=ROOT)
    expected = verdicts(tmp_path / "run")
    set_of = {str(path.relative_to(ROOT)): json.loads(path.read_text())["eval_set_id"] for path in EVALSETS}

    found, stored = {}, {}
    for agent in AGENTS:
        report = tmp_path / agent
        done = evalkit_command("adk", "eval", agents / agent, f"evalsets/{agent}", "--evalkit-report", report)
        assert done.exit_code in (0, 1, 2), done.exception
        found |= verdicts(report)
        stored |= history(agents / agent)

    assert found == expected
    assert stored == {(set_of[file], case): STATUS[verdict] for (file, case), verdict in expected.items()}
    assert len(expected) > 50


# Plain ADK. The agents' model is a stand-in that calls no tool, so that nothing real runs.


@pytest.fixture
def speechless(monkeypatch):
    """Every Gemini model says the same, and calls nothing."""

    async def generate_content_async(self, llm_request, stream=False):
        yield LlmResponse(content=types.ModelContent("I have not looked."), model_version=self.model)

    monkeypatch.setattr(Gemini, "generate_content_async", generate_content_async)


@pytest.fixture
def _no_agent_is_loaded(monkeypatch):
    """ADK imports each agent as a module called `agent`, and never again one that it finds loaded."""
    before = set(sys.modules)
    yield
    for name in set(sys.modules) - before:
        if name.split(".")[0] in ("agent", *AGENTS):
            del sys.modules[name]


@pytest.mark.usefixtures("_no_agent_is_loaded", "speechless")
@pytest.mark.parametrize("evalset", EVALSETS, ids=lambda path: path.name)
def test_plain_adk_eval_runs_and_judges_every_case_with_the_config_beside_it(agents, evalset, capfd):
    agent = agents / evalset.relative_to(ROOT / "evalsets").parts[0]
    cases = json.loads(evalset.read_text())["eval_cases"]

    with pytest.raises(SystemExit) as end:
        cli_eval.main([str(agent), str(evalset), "--log_level", "CRITICAL"], standalone_mode=False)

    assert end.value.code == 1  # since the agent says nothing that it should
    (stored,) = (agent / ".adk/eval_history").glob("*.evalset_result.json")
    results = json.loads(stored.read_text())["eval_case_results"]
    assert {case["eval_id"] for case in results} == {case["eval_id"] for case in cases}
    judged = [case for case in results if case["overall_eval_metric_results"]]
    assert len(judged) > len(cases) / 2  # all but those that end with an answer to a request that nobody made
    for case in judged:
        statuses = {one["metric_name"]: one["eval_status"] for one in case["overall_eval_metric_results"]}
        assert NOT_EVALUATED not in statuses.values()
        assert statuses["grounding"] in (PASSED, FAILED)


@pytest.mark.usefixtures("_no_agent_is_loaded", "speechless")
@pytest.mark.parametrize(
    "evalset", [path for path in EVALSETS if path.name.endswith(".test.json")], ids=lambda p: p.name
)
async def test_agent_evaluator_runs_and_judges_every_test_file(agents, evalset, monkeypatch):
    monkeypatch.syspath_prepend(agents)
    agent = evalset.relative_to(ROOT / "evalsets").parts[0]

    with pytest.raises(AssertionError, match="Following are all the test failures") as failure:
        await AgentEvaluator.evaluate(agent, str(evalset), num_runs=1, print_detailed_results=False)

    assert "was not evaluated" not in str(failure.value)
    assert f"response_match_score for {agent} Failed" in str(failure.value)
