"""Opening an agent for a live run: which models it would ask, where they come from, and what stands in the way."""

import os
from textwrap import dedent

import pytest

from evalkit.cases import Case
from evalkit.errors import AgentLoadError
from evalkit.opening import opened_agent
from evalkit.play import Job, PlayOptions
from evalkit.protocol import Assignment

CODE = """
import os
from google.adk.agents import LlmAgent

root_agent = LlmAgent(name="lag", {arguments})
"""

BY_VARIABLE = 'model=os.environ.get("LAG_MODEL") or "gemini-2.5-flash"'


@pytest.fixture
def opened(tmp_path, monkeypatch):
    """Open an agent with these arguments, and return what is known of it; nothing is played."""
    monkeypatch.chdir(tmp_path)

    def look(arguments, *, env="", look_only=True, jobs=(), **fields):
        folder = tmp_path / "lag"
        folder.mkdir(exist_ok=True)
        (folder / "agent.py").write_text(dedent(CODE).format(arguments=arguments))
        (folder / "__init__.py").write_text("from . import agent\n")
        (folder / ".env").write_text(env)
        options = PlayOptions()
        asked = Assignment(agent="lag", jobs=jobs, options=options, look_only=look_only, **{"golden": False, **fields})
        with opened_agent(asked, lambda: None) as (_, ready):
            return ready

    return look


def told(ready):
    return [(one.agent, one.model, one.origin) for one in ready.models]


def test_a_model_by_the_agents_own_env_file_is_told_so(opened):
    assert told(opened(BY_VARIABLE, env="LAG_MODEL=house\n")) == [("lag", "house", f"LAG_MODEL in {_env()}")]


def _env():
    return os.path.join("lag", ".env")  # noqa: PTH118 - as a report writes it


def test_a_model_by_the_environment_wins_over_the_env_file(opened, monkeypatch):
    monkeypatch.setenv("LAG_MODEL", "gemini-2.0-flash")
    ready = opened(BY_VARIABLE, env="LAG_MODEL=house\n")
    assert told(ready) == [("lag", "gemini-2.0-flash", "LAG_MODEL in the environment")]


def test_a_model_in_code_and_one_that_is_inherited_are_told_apart(opened):
    ready = opened('model="gemini-2.5-flash", sub_agents=[LlmAgent(name="helper")]')
    assert told(ready) == [
        ("lag", "gemini-2.5-flash", "in code"),
        ("helper", "gemini-2.5-flash", "from lag, in code"),
    ]
    assert ready.unplayable == ()


def test_a_model_that_stands_in_for_a_variable_must_not_be_played(opened):
    (reason,) = opened(BY_VARIABLE).unplayable
    assert reason == (
        "lag: LAG_MODEL is set neither in the environment nor in lag/.env, so the model would be gemini-2.5-flash, a"
        " default at lag/agent.py:5; set LAG_MODEL in lag/.env, or name a model by `evalkit run --model`"
    )


def test_an_agent_without_a_model_must_not_be_played(opened):
    (reason,) = opened('instruction="go"').unplayable
    assert reason.startswith("lag: no model is named or inherited, so it would be ADK's default, gemini-")


def test_a_named_model_is_everybodys(opened):
    ready = opened('sub_agents=[LlmAgent(name="helper", model="openai/gpt-4o")]', model="gemini-2.5-pro")
    assert told(ready) == [("lag", "gemini-2.5-pro", "--model"), ("helper", "gemini-2.5-pro", "--model")]
    assert ready.unplayable == ()


def test_a_name_of_which_adk_knows_nothing_must_not_be_played(opened):
    (reason,) = opened('model="gemini-2.5-flash"', model="nope/x", env="GOOGLE_API_KEY=k\n").unplayable
    assert reason.startswith("lag: Model nope/x not found.")
    assert "pip install google-adk[extensions]" in reason


def test_without_credentials_the_variables_are_named_first(opened):
    ready = opened('model="openai/gpt-4o"')
    assert ready.out_of_reach == "lag: openai/gpt-4o needs OPENAI_API_KEY (looked in the environment and in lag/.env)"
    assert ready.unplayable == ()


def scenario(**simulator):
    case = Case(eval_id="one", scenario={"starting_prompt": "hi", "conversation_plan": "ask"})
    return (Job(number=0, file="f", case=case, simulator=simulator or None),)


@pytest.mark.parametrize(
    ("simulator", "model", "origin"),
    [
        ({}, "gemini-2.5-flash", "ADK's default"),
        ({"model": "gemini-2.5-pro"}, "gemini-2.5-pro", "user_simulator_config"),
    ],
)
def test_the_model_that_plays_a_scenarios_user_is_told_too(opened, simulator, model, origin):
    ready = opened('model="openai/gpt-4o"', env="OPENAI_API_KEY=k\n", jobs=scenario(**simulator))
    assert told(ready)[1:] == [("the simulated user", model, origin)]
    assert ready.out_of_reach is None
    assert ready.user_out_of_reach.startswith(f"the simulated user: {model} needs GOOGLE_API_KEY or GEMINI_API_KEY")


def test_what_must_not_be_played_is_not(opened):
    with pytest.raises(AgentLoadError, match="lag: lag: LAG_MODEL is set neither in the environment"):
        opened(BY_VARIABLE, look_only=False, jobs=scenario())


def test_a_replay_asks_no_model(opened):
    ready = opened(BY_VARIABLE, golden=True, look_only=False)
    assert (ready.models, ready.unplayable, ready.out_of_reach) == ((), (), None)


def test_neither_the_env_file_nor_what_the_agent_sets_outlives_it(opened):
    before = dict(os.environ)
    opened('model=os.environ.setdefault("LEFT", "house")', env="LAG_MODEL=house\n")
    assert dict(os.environ) == before
