"""`evalkit check` beside real agents, as a user types it; what each rule finds stands in `tests/agent_lint`."""

import json
import shutil

import pytest

KAFKA = "evalsets/kafka_health"


@pytest.fixture
def project(tmp_path, repo_root):
    """A copy of the Kafka agent and its evalsets; the returned function changes a file in it."""
    for folder in ("agents/kafka_health", KAFKA):
        shutil.copytree(repo_root / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "pyproject.toml").write_text('[tool.evalkit]\nagents = "agents"\n', encoding="utf-8")

    def change(file, before, after):
        path = tmp_path / file
        text = path.read_text(encoding="utf-8")
        assert text.count(before) >= 1
        path.write_text(text.replace(before, after, 1), encoding="utf-8")

    return change


def test_the_evalsets_here_give_no_error_and_no_warning(run_evalkit, repo_root):
    done = run_evalkit("check", "--with-agents", "evalsets", cwd=repo_root)
    assert {line.partition(": ")[2].partition("[")[0] for line in done.stdout.splitlines()} <= {"note"}
    assert done.returncode == 0
    assert ", 0 errors, 0 warnings" in done.stderr


def test_a_mistyped_tool_is_one_line_with_place_and_remedy(project, run_evalkit):
    project(f"{KAFKA}/kafka_lag.test.json", '"get_consumer_lag"', '"get_consumer_lags"')
    done = run_evalkit("check", "--agent", "agents/kafka_health", f"{KAFKA}/kafka_lag.test.json")
    assert done.returncode == 2
    assert done.stdout.splitlines()[0] == (
        f"{KAFKA}/kafka_lag.test.json:14:56: error[unknown-tool]"
        " $.eval_cases[0].conversation[0].intermediate_data.tool_uses[0].name:"
        " no agent has a tool named `get_consumer_lags` (did you mean `get_consumer_lag`?)"
    )


def test_json_holds_what_is_wrong_beside_the_agent(project, run_evalkit):
    project(f"{KAFKA}/kafka_lag.test.json", '"get_consumer_lag"', '"get_lag"')
    project("agents/kafka_health/agent.py", "root_agent =", 'print("loading")\nroot_agent =')
    done = run_evalkit("check", "--with-agents", KAFKA, "--format", "json")
    document = json.loads(done.stdout)
    assert document["error"] is None
    assert [problem["rule"] for problem in document["problems"] if problem["severity"] == "error"] == ["unknown-tool"]
    assert done.stderr.startswith("loading\n")


def test_an_agent_that_cannot_be_loaded_is_one_clear_line(project, run_evalkit):
    done = run_evalkit("check", "--agent", "agents/nope", f"{KAFKA}/kafka_lag.test.json")
    said = "evalkit: agents/nope: no such agent folder, and no module could be called that\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", said)


def test_the_other_agents_are_looked_at_all_the_same(project, run_evalkit, tmp_path):
    project(f"{KAFKA}/kafka_lag.test.json", '"get_consumer_lag"', '"get_lag"')
    for folder in (tmp_path / "agents" / "broken", tmp_path / "evalsets" / "broken"):
        folder.mkdir()
    (tmp_path / "agents/broken/agent.py").write_text("raise ValueError('no way')", encoding="utf-8")
    (tmp_path / "evalsets/broken/one.test.json").write_text(
        (tmp_path / KAFKA / "kafka_conversation.test.json")
        .read_text(encoding="utf-8")
        .replace("kafka_conversation", "other"),
        encoding="utf-8",
    )
    done = run_evalkit("check", "--with-agents", "evalsets", "--format", "json")
    document = json.loads(done.stdout)
    assert document["error"].startswith("broken: importing the agent failed: ValueError: no way")
    assert "unknown-tool" in {problem["rule"] for problem in document["problems"]}
    assert done.returncode == 2


def test_an_agent_without_a_model_is_named_with_what_it_falls_back_to(project, run_evalkit):
    project("agents/kafka_health/agent.py", '    model=os.environ.get("KAFKA_HEALTH_MODEL") or DEFAULT_MODEL,\n', "")
    done = run_evalkit("check", "--agent", "agents/kafka_health", f"{KAFKA}/kafka_conversation.test.json")
    assert done.stdout.startswith(
        "agents/kafka_health: warning[no-own-model] $: agent kafka_health has no model of its own"
    )
    assert done.returncode == 0


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (["--agent"], "requires an argument"),
        (["--agent", "agents/kafka_health", "--with-agents"], "give one"),
    ],
)
def test_flags_that_make_no_sense_are_refused(flags, said, run_evalkit, tmp_path):
    (tmp_path / "evals").mkdir()
    done = run_evalkit("check", "evals", *flags)
    assert done.returncode == 2
    assert said in done.stderr


def test_help_shows_how(run_evalkit):
    done = run_evalkit("check", "--help")
    assert "evalkit check --agent agents/kafka evals/" in done.stdout
    assert "--with-agents" in done.stdout
