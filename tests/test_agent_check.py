"""Files beside their agents, in one process: the real Kafka agent and its evalsets, broken in one place at a time."""

import json
import shutil
from pathlib import Path

import pytest

from evalkit.agent_check import check_with_agents
from evalkit.errors import SelectionError
from evalkit.settings import Settings

KAFKA = "evalsets/kafka_health"
AGENT = "agents/kafka_health"


@pytest.fixture
def project(tmp_path, repo_root, monkeypatch):
    """A copy of the Kafka agent and its evalsets as the current folder; the returned function changes a file in it."""
    for folder in (AGENT, KAFKA):
        shutil.copytree(repo_root / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.chdir(tmp_path)

    def change(file, before, after):
        text = Path(file).read_text(encoding="utf-8")
        assert before in text
        Path(file).write_text(text.replace(before, after, 1), encoding="utf-8")

    return change


def serious(*paths, agent=AGENT):
    """What is worse than a note, as `file:line rule severity`."""
    report, refusals = check_with_agents(paths, Settings(), agent)
    assert refusals == ()
    found = [problem for problem in report.problems if problem.severity != "note"]
    return [(f"{problem.file}:{problem.line}", problem.rule, problem.severity) for problem in found]


@pytest.mark.parametrize("agent", [AGENT, None], ids=["this agent", "each its own"])
def test_the_kafka_evalsets_are_clean(agent, project):
    assert serious(KAFKA, agent=agent) == []


BREAKAGES = [
    ("kafka_lag.test.json", '"name": "get_consumer_lag"', '"name": "get_consumer_lags"', "unknown-tool"),
    ("kafka_lag.test.json", '"group_id": "order-processor"', '"group": "order-processor"', "misfit-arguments"),
    ("kafka_lag.test.json", '"order-processor"}}', "17}}", "misfit-arguments"),
    ("kafka_lag.test.json", '"order-processor"}}', '"..."}}', "placeholder-argument"),
    ("kafka_lag.test.json", '["delete_kafka_topic"]', '["delete_topics"]', "unknown-tool"),
    ("kafka_lag.test.json", '"author": "kafka_health"', '"author": "kafka"', "unknown-agent"),
    ("kafka_lag.test.json", '"forbid": [', '"args": {"get_lag": {}}, "forbid": [', "unknown-tool"),
    (
        "kafka_lag.test.json",
        '"forbid": [',
        '"args": {"get_consumer_lag": {"group": {"$any": true}}}, "forbid": [',
        "misfit-arguments",
    ),
    ("kafka_conversation.test.json", '"blocked": [{"name": "del', '"blocked": [{"name": "dele', "unknown-tool"),
    ("kafka_conversation.test.json", '"trajectory": {"bl', '"route": ["me"], "trajectory": {"bl', "unknown-agent"),
]


@pytest.mark.parametrize(("file", "before", "after", "rule"), BREAKAGES, ids=[f"{b} {d}" for _, b, _, d in BREAKAGES])
def test_an_evalset_that_is_broken_in_one_place_says_so_there(file, before, after, rule, project):
    line = line_of(file, before)
    project(f"{KAFKA}/{file}", before, after)
    assert [(place, name) for place, name, _ in serious(KAFKA)] == [(f"{KAFKA}/{file}:{line}", rule)]


def test_a_prompt_that_lacks_a_name_is_shown_at_the_argument(project):
    project(f"{KAFKA}/kafka_lag.test.json", "group order-processor over", "group over")
    line = line_of("kafka_lag.test.json", '"order-processor"}}')
    assert serious(KAFKA) == [(f"{KAFKA}/kafka_lag.test.json:{line}", "value-from-nowhere", "warning")]


def line_of(file, text):
    return Path(KAFKA, file).read_text(encoding="utf-8").partition(text)[0].count("\n") + 1


REPLIES = "agent: kafka_health\ntools:\n  list_kafka_brokers:\n    - returns: {controller_id: 1, brokers: []}\n"


def write_mocks(text, name="mocks.yaml"):
    Path("alone").mkdir(exist_ok=True)
    Path("alone", name).write_text(text, encoding="utf-8")


def test_a_mocks_file_without_an_evalset_is_compared_too(project):
    write_mocks(REPLIES)
    assert serious("alone") == []
    assert serious("alone", agent=None) == []
    write_mocks(REPLIES.replace("controller_id", "controller"))
    assert serious("alone", agent=None) == [("alone/mocks.yaml:4", "misfit-reply", "warning")]
    write_mocks(REPLIES.replace("list_kafka_brokers", "list_kafka_broker"))
    assert serious("alone", agent=None) == [("alone/mocks.yaml:3", "dead-route", "error")]


def one_case(name, tool, app):
    turn = {
        "user_content": {"role": "user", "parts": [{"text": "Go."}]},
        "intermediate_data": {"tool_uses": [{"name": tool, "args": {}}]},
    }
    case = {
        "eval_id": "one",
        "conversation": [turn],
        "session_input": {"app_name": app, "user_id": "ops", "state": {}},
        "evalkit": {"mocks": "own.yaml"},
    }
    Path("shared").mkdir(exist_ok=True)
    Path("shared", f"{name}.evalset.json").write_text(json.dumps({"eval_set_id": name, "eval_cases": [case]}))


def test_a_route_that_one_of_several_agents_can_use_is_not_dead(project):
    """Two agents' evalsets share a folder: its mocks are wrong only where they are wrong for both."""
    other = Path("agents/other")
    other.mkdir()
    source = (
        "from google.adk.agents import LlmAgent\n\n\n"
        "def look_around() -> dict:\n    'Look.'\n\n\n"
        "root_agent = LlmAgent(name='other', model='gemini-2.5-flash', tools=[look_around])\n"
    )
    (other / "agent.py").write_text(source, encoding="utf-8")
    one_case("kafka", "list_kafka_brokers", "kafka_health")
    one_case("other", "look_around", "other")
    own = "tools:\n  look_around: [{returns: {}}]\n  list_kafka_brokers: [{returns: {controller_id: 1, brokers: []}}]\n"
    Path("shared/own.yaml").write_text(own + "  nobody_has_this: [{returns: {}}]\n", encoding="utf-8")
    assert serious("shared", agent=None) == [("shared/own.yaml:4", "dead-route", "error")]


APP = """from google.adk.agents import LlmAgent
from google.adk.apps import App


def look_around() -> dict:
    'Look.'


root_agent = LlmAgent(name='scout', model='gemini-2.5-flash', tools=[look_around])
app = App(name='releaseops', root_agent=root_agent)
"""


def test_the_name_of_the_agents_own_app_is_right_though_the_folder_is_spelled_otherwise(project):
    Path("agents/release_ops").mkdir()
    Path("agents/release_ops/agent.py").write_text(APP, encoding="utf-8")
    Path("shared").mkdir()
    Path("shared/own.yaml").write_text("tools:\n  look_around: [{returns: {}}]\n", encoding="utf-8")
    one_case("own", "look_around", "releaseops")
    assert serious("shared/own.evalset.json", agent="agents/release_ops") == []
    one_case("slip", "look_around", "release-ops")
    assert [rule for _, rule, _ in serious("shared/slip.evalset.json", agent="agents/release_ops")] == ["misspelt-app"]


def test_files_with_faults_of_their_own_are_reported_and_not_compared(project):
    project(f"{KAFKA}/kafka_lag.test.json", '"name": "get_consumer_lag"', '"nam": "get_consumer_lags"')
    assert {rule for _, rule, _ in serious(f"{KAFKA}/kafka_lag.test.json")} == {"unknown-key"}


def test_a_config_alone_has_nothing_to_compare(project):
    assert serious(f"{KAFKA}/test_config.json") == []


def test_a_path_that_is_not_there_is_refused(project):
    with pytest.raises(SelectionError, match="nope"):
        check_with_agents(["nope"], Settings(), AGENT)


def test_agents_that_cannot_be_looked_at_are_told_and_the_others_compared(project):
    Path("agents/broken").mkdir()
    Path("agents/broken/agent.py").write_text("raise ValueError('no way')", encoding="utf-8")
    one_case("kafka", "list_brokers", "kafka_health")
    one_case("broken", "anything", "broken")
    one_case("lost", "anything", "nobody")
    Path("shared/own.yaml").write_text("tools: {}\n", encoding="utf-8")
    report, refusals = check_with_agents(["shared"], Settings())
    assert [problem.file for problem in report.problems if problem.rule == "unknown-tool"] == [
        "shared/kafka.evalset.json"
    ]
    assert [line.partition(" (at")[0].partition("? ")[0] for line in sorted(refusals)] == [
        "broken: importing the agent failed: ValueError: no way",
        "shared/lost.evalset.json: which agent is this for",
    ]


def test_an_operator_without_its_sign_is_told_once_where_the_declaration_says_more(project):
    routes = "agent: kafka_health\ntools:\n  get_consumer_lag:\n    - args: {group_id: {regex: ^pay}}\n      returns: "
    write_mocks(routes + "{group_id: payments, topics: [], total_lag: 3}\n")
    assert [found for found in serious("alone") if found[1] != "misfit-reply"] == [
        ("alone/mocks.yaml:4", "misfit-pattern", "warning")
    ]
    write_mocks(routes + "{status: error, error: no such group}\n")
    assert serious("alone") == [("alone/mocks.yaml:4", "bare-operator", "warning")]


def test_a_value_that_no_call_can_have_is_told_in_place_of_the_contradiction_that_follows(project):
    demand = '"args": {"get_consumer_lag": {"group_id": {"$gt": 5}}}, "forbid": ['
    project(f"{KAFKA}/kafka_lag.test.json", '"forbid": [', demand)
    assert [rule for _, rule, _ in serious(KAFKA)] == ["misfit-pattern"]


def test_a_slip_in_the_name_of_the_agent_is_told_though_another_is_named(project):
    write_mocks(REPLIES.replace("agent: kafka_health", "agent: kafka_heath"))
    report, refusals = check_with_agents(["alone"], Settings(), AGENT)
    (problem,) = report.problems
    assert refusals == ()
    assert (problem.rule, problem.line, problem.hint) == ("unknown-agent", 1, "did you mean `kafka_health`?")


@pytest.mark.parametrize("name", ["kafka_health", "agents/kafka_health", "payments", "kafka_healths"])
def test_another_agent_than_the_one_that_is_named_may_be_there(name, project):
    Path("agents/kafka_healths").mkdir()
    write_mocks(REPLIES.replace("agent: kafka_health", f"agent: {name}"))
    assert serious("alone") == []
