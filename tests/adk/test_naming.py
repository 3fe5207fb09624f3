"""`--model`: every agent asks the named model, and one that was made keeps its class and settings if it can."""

import pytest
from google.adk.agents import LlmAgent
from google.adk.models import BaseLlm, Gemini

from evalkit.adk.naming import models_named, renamed


class House(BaseLlm):
    """A model that only its owner knows."""

    address: str = "http://house"

    async def generate_content_async(self, llm_request, stream=False):
        yield


@pytest.mark.parametrize("given", ["gemini-2.5-flash", "openai/gpt-4o"])
def test_a_name_is_replaced_by_the_name(given):
    assert renamed(given, "gemini-2.5-pro") == "gemini-2.5-pro"


def test_a_model_that_was_made_keeps_its_settings_under_a_name_of_its_class():
    model = renamed(Gemini(model="gemini-2.5-flash", base_url="http://here"), "gemini-2.5-pro")
    assert (type(model), model.model, model.base_url) == (Gemini, "gemini-2.5-pro", "http://here")


def test_a_class_that_adk_does_not_know_makes_its_own_of_an_unknown_name():
    model = renamed(House(model="house-7b", address="http://cellar"), "house-70b")
    assert (type(model), model.model, model.address) == (House, "house-70b", "http://cellar")


def test_a_name_of_another_class_replaces_the_model():
    assert renamed(House(model="house-7b"), "gemini-2.5-pro") == "gemini-2.5-pro"


def test_every_agent_asks_the_named_model_also_one_that_is_made_at_run_time():
    member = LlmAgent(name="member")
    lead = LlmAgent(name="lead", model="gemini-2.5-flash", sub_agents=[member])
    with models_named("gemini-2.5-pro"):
        late = LlmAgent(name="late", model="openai/gpt-4o")
        assert {agent.canonical_model.model for agent in (lead, member, late)} == {"gemini-2.5-pro"}
        assert lead.canonical_model is member.canonical_model
    assert lead.canonical_model.model == "gemini-2.5-flash"
