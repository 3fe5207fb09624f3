"""The bare agent: plain, without tools, with the model that somebody names."""

import asyncio
from pathlib import Path

import pytest

from evalkit.adk import bare
from evalkit.adk.facts import open_agent
from evalkit.adk.load import loaded_agent
from evalkit.adk.lookups import noted_lookups
from evalkit.adk.origins import Origins
from evalkit.adk.survey import llm_agents
from evalkit.adk.toolset_checks import Mocks
from evalkit.agent_lint import lint_agent, lint_mocks
from evalkit.routes import MockSet, ProvidedTool


def chosen():
    """Whose model it would ask, as a live run finds out."""
    with noted_lookups() as lookups, loaded_agent("evalkit.adk.bare") as agent:
        (only,) = llm_agents(agent.root)
        return Origins(folder=Path("evalkit.adk.bare"), lookups=tuple(lookups)).of(only)


@pytest.fixture(autouse=True)
def _anywhere(tmp_path, monkeypatch):
    """Every test runs in a folder that has nothing to do with evalkit."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(bare.MODEL_VARIABLE, raising=False)


def test_it_is_loaded_from_any_folder_and_has_no_tools():
    with loaded_agent("evalkit.adk.bare") as agent:
        assert (agent.name, agent.root.name, agent.root.tools, agent.root.sub_agents) == ("bare", "bare", [], [])
        assert agent.root.instruction == bare.INSTRUCTION


def test_each_load_makes_it_anew_with_the_model_of_that_moment(monkeypatch):
    monkeypatch.setenv(bare.MODEL_VARIABLE, "gemini-2.0-flash")
    first = chosen()
    monkeypatch.setenv(bare.MODEL_VARIABLE, "gemini-2.5-pro")
    second = chosen()
    assert [(one.given, one.origin, one.unchosen) for one in (first, second)] == [
        ("gemini-2.0-flash", "EVALKIT_BARE_MODEL in the environment", None),
        ("gemini-2.5-pro", "EVALKIT_BARE_MODEL in the environment", None),
    ]


def test_without_a_model_a_live_run_is_told_how_to_name_one():
    assert "name one in EVALKIT_BARE_MODEL, or by `evalkit run --model`" in chosen().unchosen


def test_adks_own_commands_find_it_in_a_folder_of_the_users():
    agent, to_close = asyncio.run(bare.get_agent_async())
    assert (agent.name, to_close) == ("bare", None)


def test_check_finds_nothing_wrong_with_it_and_knows_the_tools_that_mocks_give_it(make):
    declared = ProvidedTool(name="describe", parameters={"properties": {"kind": {"type": "string"}}})
    routes = (
        make.route("describe", args={"kind": "pod"}, where="$.tools.describe[0]"),
        make.route("describe", args={"knd": "pod"}, where="$.tools.describe[1]"),
        make.route("logs", where="$.tools.logs[0]"),
    )
    mocks = MockSet(file="m.yaml", provides=(declared,), routes=routes)
    with open_agent("evalkit.adk.bare") as view:
        facts = view.facts(Mocks(folder=mocks))
        assert lint_agent(facts) == ()
        assert {(one.rule, one.path) for one in lint_mocks(mocks, facts)} == {
            ("dead-route", "$.tools.describe[1].args.knd"),
            ("dead-route", "$.tools.logs"),
        }
        assert view.facts(Mocks()).tool_names == frozenset()
