"""Whether an agent's own models can be asked from here: by the models of its whole team, and its environment."""

import pytest
from google.adk.agents import LlmAgent
from google.adk.models import BaseLlm, Gemini
from google.adk.tools.agent_tool import AgentTool

from evalkit.adk.access import models_in_use, out_of_reach
from evalkit.adk.environment import DISABLED
from evalkit.credentials import ModelInUse

GEMINI = "GOOGLE_API_KEY or GEMINI_API_KEY or GOOGLE_GENAI_USE_VERTEXAI=TRUE with GOOGLE_CLOUD_PROJECT"


class House(BaseLlm):
    """A model that only its owner knows."""

    async def generate_content_async(self, llm_request, stream=False):
        yield


@pytest.fixture
def team():
    """An agent with a sub-agent that has its model from it, and an agent tool with another one."""
    helper = LlmAgent(name="helper", model="openai/gpt-4o")
    member = LlmAgent(name="member")
    return LlmAgent(name="lead", model="gemini-2.5-flash", sub_agents=[member], tools=[AgentTool(helper)])


def test_every_agent_of_the_team_counts_with_the_model_that_it_has_or_inherits(team):
    assert {(one.agent, one.model, one.kind) for one in models_in_use(team)} == {
        ("lead", "gemini-2.5-flash", None),
        ("member", "gemini-2.5-flash", None),
        ("helper", "openai/gpt-4o", None),
    }


def test_an_agent_without_any_model_has_adks_default():
    (one,) = models_in_use(LlmAgent(name="bare"))
    assert one.model == LlmAgent.DEFAULT_MODEL


@pytest.mark.parametrize(
    ("model", "settled"),
    [
        (Gemini(model="gemini-2.5-flash"), False),
        (Gemini(model="gemini-2.5-flash", client_kwargs={"api_key": "k"}), True),
        (Gemini(model="gemini-2.5-flash", client_kwargs={"location": "global"}), False),
        (House(model="gemini-2.5-flash"), True),
    ],
    ids=["by variables", "own key", "own location", "own class"],
)
def test_a_model_with_a_key_or_a_class_of_its_own_is_settled(model, settled):
    kind = type(model).__name__
    (one,) = models_in_use(LlmAgent(name="a", model=model))
    assert one == ModelInUse(agent="a", model="gemini-2.5-flash", kind=kind, settled=settled)


def test_what_is_missing_is_said_by_model_with_the_agents_that_need_it(team, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    assert out_of_reach(models_in_use(team), tmp_path / "lead", {}) == (
        f"lead, member: gemini-2.5-flash needs {GEMINI}; helper: openai/gpt-4o needs OPENAI_API_KEY"
        " (looked in the environment and for a .env in lead and above it, where there is none)"
    )


def test_of_many_agents_the_first_are_named_and_the_rest_counted(tmp_path):
    members = [LlmAgent(name=f"member{number}") for number in range(5)]
    lead = LlmAgent(name="lead", model="openai/gpt-4o", sub_agents=members)

    reason = out_of_reach(models_in_use(lead), tmp_path, {})

    assert reason.startswith("lead, member0, member1 and 3 more: openai/gpt-4o needs OPENAI_API_KEY (")


def test_what_is_at_hand_is_left_out_and_the_env_file_is_named(team, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".env").write_text("")

    assert out_of_reach(models_in_use(team), tmp_path / "lead", {"GOOGLE_API_KEY": "k"}) == (
        "helper: openai/gpt-4o needs OPENAI_API_KEY (looked in the environment and in .env)"
    )


def test_switched_off_env_files_are_said_to_be(team, tmp_path, monkeypatch):
    monkeypatch.setenv(DISABLED, "1")

    assert f"and in no .env, since {DISABLED} is set" in out_of_reach(models_in_use(team), tmp_path, {})


def test_with_everything_at_hand_nothing_stands_in_the_way(team, tmp_path):
    assert out_of_reach(models_in_use(team), tmp_path, {"GOOGLE_API_KEY": "k", "OPENAI_API_KEY": "k"}) is None
