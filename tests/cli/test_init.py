"""`evalkit init` as a user types it; what it makes of agents stands in `tests/scaffold`."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from evalkit.cli import init as command
from evalkit.errors import AgentLoadError
from evalkit.models.facts import ToolFacts
from evalkit.scaffold.drafts import Draft, Exchange
from evalkit.scaffold.files import new_file
from evalkit.scaffold.folders import Folder
from evalkit.scaffold.start import Start

AGENT = '''
from google.adk.agents import LlmAgent

print("loading")


def look(host: str) -> dict:
    """Look at a host."""


root_agent = LlmAgent(name="desk", model="gemini-2.5-flash", tools=[look])
'''


@pytest.fixture
def project(tmp_path, monkeypatch):
    (tmp_path / "agents" / "desk").mkdir(parents=True)
    (tmp_path / "agents" / "desk" / "agent.py").write_text(AGENT, encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text("[tool.evalkit]\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_files_are_written_checked_and_passed_over_until_edited(project, run_evalkit):
    done = run_evalkit("init", "agents/desk")
    assert done.returncode == 0
    assert done.stdout.startswith(
        "wrote evalsets/desk/desk.test.json  (2 cases)\nwrote evalsets/desk/test_config.json\n"
    )
    assert done.stdout.endswith("evalkit run evalsets/desk\n")
    assert done.stderr.splitlines()[0] == "loading"
    checked = run_evalkit("check", "evalsets")
    assert (checked.returncode, checked.stderr) == (0, "3 files, 0 errors, 0 warnings\n")
    ran = run_evalkit("run")
    assert ran.returncode == 0
    assert "2 skipped" in ran.stdout


@pytest.mark.parametrize("output", ["text", "json"])
def test_files_that_are_there_are_an_error_that_says_what_to_do(output, project, run_evalkit):
    place = project / "evalsets" / "desk" / "mocks.yaml"
    place.parent.mkdir(parents=True)
    place.write_text("tools: {}\n", encoding="utf-8")
    done = run_evalkit("init", "desk", "--format", output)
    assert (done.returncode, place.read_text()) == (2, "tools: {}\n")
    said = json.loads(done.stdout)["error"] if output == "json" else done.stderr.removeprefix("evalkit: ")
    assert said.rstrip().splitlines() == [
        "this file is there already, and nothing was written:",
        "  evalsets/desk/mocks.yaml",
        "--force replaces them, --out DIR writes somewhere else, --diff shows what would change",
    ]


@pytest.fixture
def invoke(tmp_path, monkeypatch):
    """Run the command on an agent that is ready, and return the result, with the options that it was made by."""
    asked = {}
    monkeypatch.chdir(tmp_path)

    def made(given):
        asked.update(given)
        exchange = Exchange(agent="desk", tool=ToolFacts(name="look"), args={})
        draft = Draft(eval_id="look", subject="look", agent="desk", prompt="?", exchanges=(exchange,), answer="!")
        files = (new_file(Path("out/desk.test.json"), "{}\n"), new_file(Path("out/mocks.yaml"), "tools: {}\n"))
        return Start(name="desk", target=Path("out"), folders=(Folder(drafts=(draft,)),), files=files)

    monkeypatch.setattr(command, "_made", made)

    def invoke(*args):
        result = CliRunner().invoke(command.init, ["desk", *args])
        return result, asked

    return invoke


def test_a_dry_run_says_what_would_be_written_and_writes_nothing(invoke):
    result, asked = invoke("--dry-run")
    assert result.output.startswith("would write out/desk.test.json  (1 case)\nwould write out/mocks.yaml\n")
    assert (Path("out").exists(), asked["may_replace"]) == (False, False)


def test_a_diff_shows_the_change_and_writes_nothing(invoke):
    Path("out").mkdir()
    Path("out/mocks.yaml").write_text("tools: {a: []}\n")
    result, asked = invoke("--diff")
    assert result.output.splitlines()[-4:] == ["+++ b/out/mocks.yaml", "@@ -1 +1 @@", "-tools: {a: []}", "+tools: {}"]
    assert (Path("out/mocks.yaml").read_text(), asked["may_replace"]) == ("tools: {a: []}\n", True)
    document = json.loads(invoke("--diff", "--format", "json")[0].output)
    assert (document["written"], document["files"][1]["replaces"]) == (False, True)
    assert document["files"][1]["diff"].endswith("+tools: {}\n")


def test_force_replaces_what_is_written_and_nothing_else(invoke):
    Path("out").mkdir()
    for name in ("mocks.yaml", "other.test.json"):
        Path("out", name).write_text("old")
    result, asked = invoke("--force", "--format", "json")
    assert json.loads(result.output)["written"] is True
    assert [path.read_text() for path in sorted(Path("out").iterdir())] == ["{}\n", "tools: {}\n", "old"]
    assert asked["may_replace"]


def test_options_reach_the_library(invoke):
    given = ("--out", "qa", "--tool", "a", "--tool", "b", "--timeout", "2", "--state", "role=admin", "--state", "n=[1]")
    _, asked = invoke(*given)
    assert asked == {
        "agent": "desk",
        "out": Path("qa"),
        "tools": ("a", "b"),
        "server_timeout": 2.0,
        "state": {"role": "admin", "n": [1]},
        "may_replace": False,
    }


@pytest.mark.parametrize("state", ["role", "=admin"])
def test_a_state_that_is_none_is_refused(state, invoke):
    result, _ = invoke("--state", state)
    assert result.exit_code == 2
    assert "is not KEY=VALUE, such as role=admin" in result.output


def test_a_program_reads_a_whole_document_also_when_the_agent_cannot_be_used(monkeypatch):
    def made(_given):
        raise AgentLoadError("the server is gone")

    monkeypatch.setattr(command, "_made", made)
    result = CliRunner().invoke(command.init, ["desk", "--format", "json"])
    assert json.loads(result.output) == {"schema": "evalkit.init/1", "error": "the server is gone", "written": False}
    assert isinstance(result.exception, AgentLoadError)


def test_help_shows_how(run_evalkit):
    done = run_evalkit("init", "--help")
    assert "evalkit init agents/kafka_health" in done.stdout
    assert '"skip": "edit me"' in done.stdout
