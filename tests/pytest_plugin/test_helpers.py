"""The fixture `evalkit` in test functions that people write themselves; here with this repository's own evalsets."""

import asyncio
import os

import pytest
from google.adk.runners import InMemoryRunner
from google.genai import types

pytest.importorskip("confluent_kafka", reason="needs the extra `agents`")

LAG = "evalsets/kafka_health/kafka_lag.test.json:lag_of_a_group"
QUESTION = "How far behind is consumer group order-processor over all of its topics?"


async def ask(agent, question):
    runner = InMemoryRunner(agent=agent)
    session = await runner.session_service.create_session(app_name=runner.app_name, user_id="u")
    message = types.UserContent(question)
    return [event async for event in runner.run_async(user_id="u", session_id=session.id, new_message=message)]


def test_a_case_is_played_through_a_runner_of_the_tests_own(evalkit):
    with evalkit.mocks(LAG, agent="kafka_health", golden=True) as played:
        events = asyncio.run(ask(played.root_agent, QUESTION))

    assert "75 records behind" in events[-1].content.parts[0].text
    assert [(call.name, call.args) for call in played.calls] == [("get_consumer_lag", {"group_id": "order-processor"})]
    assert played.calls[0].reply["total_lag"] == 75


async def test_an_async_test_may_do_so_too(evalkit):
    with evalkit.mocks(LAG, agent="agents/kafka_health", golden=True) as played:
        await ask(played.root_agent, QUESTION)

    assert len(played.calls) == 1


def test_the_environment_of_the_agent_is_there_for_the_length_of_the_block(evalkit, tmp_path, monkeypatch):
    folder = tmp_path / "bare"
    folder.mkdir()
    (folder / ".env").write_text("EVALKIT_TEST_WHO=bare\n")
    (folder / "agent.py").write_text("from google.adk.agents import LlmAgent\nroot_agent = LlmAgent(name='bare')\n")
    (tmp_path / "mocks.yaml").write_text("tools: {}\n")

    with evalkit.mocks(tmp_path / "mocks.yaml", agent=folder) as played:
        assert played.root_agent.name == "bare"
        assert os.environ["EVALKIT_TEST_WHO"] == "bare"
    assert "EVALKIT_TEST_WHO" not in os.environ


def test_files_are_checked(evalkit):
    assert evalkit.check("evalsets/kafka_health").count("error") == 0


@pytest.mark.parametrize(
    ("use", "told"),
    [
        (lambda evalkit: evalkit.check("nowhere"), r"nowhere: no such file or folder \(looked in "),
        (lambda evalkit: evalkit.check("tests/invalid/evalset/duplicate-id.evalset.json"), r"error\[duplicate-id\]"),
        (lambda evalkit: evalkit.mocks("evalsets/kafka_health/mocks.yaml", golden=True), "has no golden turns"),
        (lambda evalkit: evalkit.mocks(f"{LAG}s"), "no case 'lag_of_a_groups'; did you mean lag_of_a_group"),
        (lambda evalkit: evalkit.mocks(LAG, agent="kafka_helth"), "there is no agent 'kafka_helth'"),
    ],
    ids=["no file", "faulty file", "golden mocks", "no case", "no agent"],
)
def test_what_cannot_be_used_fails_the_test_with_the_reason(evalkit, use, told):
    with pytest.raises(pytest.fail.Exception, match=told) as caught:
        use(evalkit)
    assert caught.value.pytrace is False


OWN = """
import asyncio

from google.adk.runners import InMemoryRunner
from google.genai import types


def test_own(evalkit):
    with evalkit.mocks("evalsets/lag/lag.test.json", agent="lag", golden=True) as played:
        runner = InMemoryRunner(agent=played.root_agent)
        asyncio.run(runner.run_debug("How far behind is nobody?", quiet=True))


def test_files(evalkit):
    evalkit.check("evalsets/lag/bad.test.json")
"""


def test_a_failure_points_at_the_test_and_not_into_evalkit(project, make_case):
    project.evalset(make_case("nobody", group="nobody"))
    project.write("evalsets/lag/bad.test.json", "[")
    project.write("tests/test_own.py", OWN)

    done = project.run()

    assert done.counts == {"failed": 2}
    assert '>       with evalkit.mocks("evalsets/lag/lag.test.json", agent="lag", golden=True) as played:' in done.out
    assert 'UnansweredError: lag called get_lag(group="nobody"), which no mock answers' in done.out
    assert "tests/test_own.py:9: UnansweredError" in done.out
    assert "evalsets/lag/bad.test.json:1:" in done.out
    assert "helpers.py" not in done.out
