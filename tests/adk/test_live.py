"""An agent's own model, played for real: whose fault it is if no answer comes, and what a scenario's user says."""

import asyncio

import pytest
from google.adk.agents import LlmAgent
from google.adk.models import BaseLlm, LlmResponse
from google.adk.models.registry import LLMRegistry
from google.genai import types
from pydantic import Field

from evalkit.cases import Case
from evalkit.traces import Failure


class BusyError(Exception):
    """A server that wants to be asked again at once."""

    status_code = 429

    def __init__(self):
        super().__init__("busy")
        self.response = type("Response", (), {"headers": {"retry-after": "0"}})()


class House(BaseLlm):
    """A model that does one thing after the other: raises, waits for ever, or says something."""

    acts: list = Field(default_factory=list)

    async def generate_content_async(self, llm_request, stream=False):
        act = self.acts.pop(0)
        if isinstance(act, Exception):
            raise act
        if act is None:
            await asyncio.Event().wait()
        yield LlmResponse(content=types.ModelContent(act) if act else types.Content(role="model", parts=[]))


def agent(*acts, **fields):
    return LlmAgent(name="one", model=House(model="house-7b", acts=[*acts]), **fields)


def test_time_that_a_model_used_up_by_refusing_is_the_models_error(make, run):
    outcome = run.one(agent(BusyError(), None), make.turn(), golden=False, timeout=2.0)
    assert outcome.failure == Failure(
        kind="model_error", message="one asked house-7b: BusyError: busy (until the case's time was up)"
    )


def test_time_that_a_model_used_up_by_thinking_is_over_time(make, run):
    outcome = run.one(agent(BusyError(), "first", None), make.turn(), make.turn(), golden=False, timeout=4.0)
    assert outcome.failure.kind == "timeout_exceeded"


def test_a_model_that_was_asked_again_is_told_and_its_answer_counts(make, run):
    outcome = run.one(agent(BusyError(), BusyError(), "75"), make.turn(), golden=False)
    assert outcome.failure is None
    assert outcome.trace.turns[0].final.text == "75"
    assert outcome.trace.notes == ("house-7b answered 429 and was asked again, 2 times",)


def test_an_error_that_the_agent_makes_good_is_none(make, run):
    def instead(callback_context, llm_request, error):
        return LlmResponse(content=types.ModelContent("I cannot say."))

    outcome = run.one(agent(ValueError("down"), on_model_error_callback=instead), make.turn(), golden=False)
    assert outcome.failure is None
    assert outcome.trace.turns[0].final.text == "I cannot say."


def test_a_model_with_nothing_to_say_is_silent_and_not_in_error(make, run):
    outcome = run.one(agent(""), make.turn(), golden=False)
    assert outcome.failure is None
    assert (outcome.trace.turns[0].final, outcome.trace.turns[0].said) == (None, ())


def scenario(**given):
    return Case(
        eval_id="talk",
        scenario={"starting_prompt": "hi", "conversation_plan": "ask", **given},
        where="$.eval_cases[0]",
    )


def test_a_simulated_user_that_adk_does_not_know_is_the_cases_fault(run):
    outcome = run.cases(agent("75"), [scenario(user_persona="NOBODY")], golden=False)["talk"]
    assert outcome.failure.kind == "case_error"
    assert outcome.failure.message.startswith("$.eval_cases[0].conversation_scenario: ADK's user simulator: NOBODY not")


@pytest.mark.parametrize("limit", [1, 2])
def test_a_simulated_user_begins_with_the_scenarios_words_and_ends_at_adks_limit(run, monkeypatch, limit):
    monkeypatch.setattr(
        LLMRegistry, "resolve", lambda _self, _name: lambda model: House(model=model, acts=["and now?"])
    )
    simulator = {"model": "the-user", "max_allowed_invocations": limit}

    outcome = run.cases(agent("75", "76"), [scenario()], golden=False, simulator=simulator)["talk"]

    assert [turn.user.text for turn in outcome.trace.turns] == ["hi", "and now?"][:limit]
    assert outcome.trace.notes == ("the simulated user was cut off at its last allowed turn (max_allowed_invocations)",)
