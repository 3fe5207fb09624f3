"""Secrets planted in a real run: in the environment, arguments, replies, headers, answers and exceptions.

Afterwards every byte that was written is searched for them, in every encoding.
"""

import json
import subprocess
import sysconfig
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from evalkit.runs import RunFolder
from evalkit.score import JudgeOptions, judge

AGENT = '''
import json
import os
import sys
from base64 import b64encode
from pathlib import Path
from urllib.parse import quote

from google.adk.agents import LlmAgent

os.environ["FETCHED_PASSWORD"] = "open-5esame-of-the-vault"


def said() -> str:
    """What only the environment knows, in all encodings, and what stands in a file."""
    known = [os.environ[name] for name in ("QUEUE_PASSWORD", "DEPLOY_TOKEN", "FETCHED_PASSWORD")]
    written = [
        text
        for one in known
        for text in (one, quote(one, safe=""), json.dumps(one), b64encode(one.encode()).decode(), one.encode().hex())
    ]
    return " ".join(written) + "\\n" + Path(__file__).with_name("said.txt").read_text()


def ask(question: str, options: dict) -> dict:
    """Ask the back office."""
    raise AssertionError("the real tool ran")


def before_tool(tool, args, tool_context):
    if args["question"] == "raise":
        raise RuntimeError(said())
    if args["question"] == "die":
        print(said(), file=sys.stderr, flush=True)
        os._exit(3)
    return None


def after_tool(tool, args, tool_context, tool_response):
    return {"environment": said()} if args["question"] == "environment" else None


root_agent = LlmAgent(
    name="office",
    model="gemini-2.5-flash",
    tools=[ask],
    before_tool_callback=before_tool,
    after_tool_callback=after_tool,
)
'''

ENVIRONMENT = {"QUEUE_PASSWORD": "horse-7/battery+staple?"}
OF_THE_AGENT = {"DEPLOY_TOKEN": "Zk39xPq7Lm22Vb"}
FETCHED = "open-5esame-of-the-vault"
NAMED = {"password": "kitten-4711", "X-Api-Key": "q1-w2-e3", "clientSecret": "pa55 with spaces & signs"}
HARMLESS = [
    "0b6f9c1e-8a3d-4f57-9f0e-2d8f1c3b5a79",
    "sha256:9f86d081884c7d659a2feaa0c55ad015",
    "broker-1.kafka.svc:9092",
]
VERDICTS = {
    "arguments": "passed",
    "answer": "passed",
    "environment": "passed",
    "differs": "failed",
    "raise": "error",
    "die": "error",
    "miss": "inconclusive",
}


class Planted:
    """A project with secrets at every place, and what was left of them.

    Args:
        root: Its folder.
        secrets: All that were planted.
    """

    def __init__(self, root: Path, secrets: list[str]) -> None:
        self.root = root
        self.secrets = secrets
        self.run = root / ".evalkit" / "runs" / "latest"

    def write(self, name: str, text: str) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text), encoding="utf-8")

    def written(self) -> Iterator[Path]:
        """Yield every file that is none of the project's own."""
        own = ("agents", "evalsets", "pyproject.toml")
        files = (path for path in self.root.rglob("*") if path.is_file() and not path.is_symlink())
        return (path for path in files if path.relative_to(self.root).parts[0] not in own)


def case(eval_id, question, options, answer="It is done.", **expected):
    turn = {
        "user_content": {"role": "user", "parts": [{"text": f"Please {question}."}]},
        "intermediate_data": {"tool_uses": [{"name": "ask", "args": {"question": question, "options": options}}]},
        "final_response": {"role": "model", "parts": [{"text": answer}]},
    }
    return {
        "eval_id": eval_id,
        "conversation": [turn],
        "evalkit": {"expect": [{"response": expected}]} if expected else {},
    }


@pytest.fixture(scope="module")
def planted(tmp_path_factory, shaped, surrounded, spellings):
    """A project with secrets at every place where a user may have some."""
    texts = ["".join(parts) for parts in surrounded.values()]
    secrets = [*shaped.values(), *(secret for _, secret, _ in surrounded.values()), *NAMED.values()]
    project = Planted(
        tmp_path_factory.mktemp("planted"), [*secrets, *ENVIRONMENT.values(), *OF_THE_AGENT.values(), FETCHED]
    )
    options = {"notes": [*shaped.values(), *texts], "headers": NAMED, "harmless": HARMLESS}
    answer = f"{' '.join(shaped.values())} {NAMED['password']} {HARMLESS[0]}"
    cases = [
        case("arguments", "arguments", options),
        case("answer", "answer", {}, answer, contains=[shaped["GitHub"], NAMED["password"]]),
        case("environment", "environment", {}),
        case("differs", "answer", {}, answer, contains=[shaped["Vault"][:-1] + "?"], not_contains=[shaped["AWS"]]),
        *(case(question, question, options if question == "miss" else {}) for question in ("raise", "die", "miss")),
    ]
    reply = {"spelled": [list(spellings(secret).values()) for secret in secrets], "headers": NAMED, "also": HARMLESS}
    routes = [{"args": {"question": "miss", "options": {"notes": list(shaped.values())[:3]}}, "returns": {}}]
    routes += [{"args": {"question": "arguments"}, "returns": reply}]
    routes += [{"args": {"question": name}, "returns": {}} for name in ("answer", "environment", "raise", "die")]
    project.write("pyproject.toml", "[tool.evalkit]\n")
    project.write("agents/office/__init__.py", "from . import agent\n")
    project.write("agents/office/agent.py", AGENT)
    project.write("agents/office/said.txt", "\n".join([*shaped.values(), *texts, shaped["private key"]]))
    project.write("agents/office/.env", "".join(f"{name}={value}\n" for name, value in OF_THE_AGENT.items()))
    project.write("evalsets/office/mocks.yaml", yaml.safe_dump({"tools": {"ask": routes}}))
    project.write("evalsets/office/test_config.json", json.dumps({"criteria": {"tool_trajectory_avg_score": 1.0}}))
    project.write("evalsets/office/all.evalset.json", json.dumps({"eval_set_id": "all", "eval_cases": cases}))
    return project


@pytest.fixture(scope="module")
def done(planted, clean_env):
    """One run of it, with everything that it can write."""
    command = [Path(sysconfig.get_path("scripts"), "evalkit"), "run", "--junit", "junit.xml", "--github"]
    environment = {**clean_env, **ENVIRONMENT, "GITHUB_STEP_SUMMARY": str(planted.root / "summary.md")}
    return subprocess.run(
        command, cwd=planted.root, env=environment, capture_output=True, text=True, check=False, timeout=300
    )


def test_the_cases_are_judged_by_what_happened(planted, done):
    results = json.loads((planted.run / "results.json").read_text(encoding="utf-8"))
    verdicts = {one["eval_id"]: one["verdict"] for one in results["files"][0]["cases"]}
    assert verdicts == VERDICTS, done.stdout + done.stderr


def test_no_secret_is_left_in_any_file(planted, done, left_of):
    files = list(planted.written())
    expected = {
        "run.json",
        "cases.jsonl",
        "criteria.json",
        "outcomes.jsonl",
        "results.json",
        "report.md",
        "junit.xml",
        "summary.md",
    }
    assert expected <= {path.name for path in files}
    for path in files:
        text = path.read_bytes().decode()
        assert {secret: left for secret in planted.secrets if (left := left_of(text, secret))} == {}, path


def test_no_secret_is_left_in_what_was_printed(planted, done, left_of):
    for text in (done.stdout, done.stderr):
        assert {secret: left for secret in planted.secrets if (left := left_of(text, secret))} == {}


def test_what_is_written_tells_which_secret_was_there_and_keeps_the_rest(planted, done):
    outcomes = (planted.run / "outcomes.jsonl").read_text(encoding="utf-8")
    for name in ("QUEUE_PASSWORD", "DEPLOY_TOKEN", "FETCHED_PASSWORD", "a GitHub token", "password (base64)"):
        assert f"[secret: {name}" in outcomes
    for text in HARMLESS:
        assert outcomes.count(text) > 1


def test_a_stored_run_that_is_judged_again_has_the_same_verdicts(planted, done):
    folder = RunFolder.open(planted.run)
    cases = {one.eval_id: one for case_set in folder.case_sets() for one in case_set.cases}
    (config,) = folder.configs().values()
    again = {one.eval_id: judge(cases[one.eval_id], one, config, JudgeOptions()).verdict for one in folder.outcomes()}
    assert again == VERDICTS


def test_an_agent_that_cannot_be_loaded_tells_no_secret(planted, run_evalkit, left_of):
    planted.write("agents/broken/__init__.py", "from . import agent\n")
    planted.write("agents/broken/.env", "DEPLOY_TOKEN=Zk39xPq7Lm22Vb\n")
    planted.write("agents/broken/agent.py", 'import os\n\nraise KeyError(os.environ["DEPLOY_TOKEN"])\n')
    done = run_evalkit("run", "--agent", "agents/broken", "--format", "json", cwd=planted.root)
    assert done.returncode == 2
    for text in (done.stdout, done.stderr):
        assert "KeyError: '[secret: DEPLOY_TOKEN]'" in text
        assert left_of(text, OF_THE_AGENT["DEPLOY_TOKEN"]) == []


def test_problems_of_files_tell_no_secret(planted, run_evalkit, left_of):
    token = planted.secrets[0]
    wrong = {
        "eval_set_id": "x",
        "eval_cases": [{"eval_id": "one", "conversation": [{token: ENVIRONMENT["QUEUE_PASSWORD"]}]}],
    }
    planted.write("wrong.evalset.json", json.dumps(wrong))
    done = run_evalkit("check", "wrong.evalset.json", cwd=planted.root, env=ENVIRONMENT)
    (planted.root / "wrong.evalset.json").unlink()
    assert "[secret: an AWS access key]" in done.stdout
    assert left_of(done.stdout + done.stderr, token) == []
