"""A case's prior events: the session holds them when its first turn begins, and nobody is asked for them again."""

import asyncio
import dataclasses

import pytest
from google.adk.agents import LlmAgent, SequentialAgent
from google.adk.models import BaseLlm, LlmResponse
from google.adk.runners import InMemoryRunner
from google.genai import types
from pydantic import Field

from evalkit.adk.edges import edges
from evalkit.adk.hosted import HostedTarget, hosting
from evalkit.adk.in_place import InPlace
from evalkit.adk.played import Part, Scene
from evalkit.adk.seeding import history
from evalkit.adk.sessions import session_of
from evalkit.adk.target import AdkTarget
from evalkit.adk.toolset_checks import Mocks
from evalkit.play import Job, PlayOptions, play
from evalkit.setups import PriorEvent
from evalkit.targets.base import LiveOptions

MODEL = "gemini-2.5-flash"


def event(author, *parts):
    return PriorEvent(author=author, content={"parts": list(parts)})


HISTORY = (
    event("user", {"text": "Is web-1 well?"}),
    event("agent", {"text": "Let me see."}, {"function_call": {"name": "get_pod", "args": {"name": "web-1"}}}),
    event("agent", {"function_response": {"name": "get_pod", "response": {"phase": "Failed"}}}),
    event("agent", {"text": "No, it failed."}),
)
"""A question, a call and its reply, and an answer; no ids and no roles."""


class Listener(BaseLlm):
    """Answers `heard`, and keeps the conversation as it was sent."""

    heard: list = Field(default_factory=list)

    async def generate_content_async(self, llm_request, stream=False):
        self.heard.append(
            [(content.role, *map(_brief, content.parts)) for content in llm_request.contents if content.parts]
        )
        yield LlmResponse(content=types.ModelContent("heard"))


def _brief(part):
    if part.function_call:
        return ("call", part.function_call.name, part.function_call.args)
    if part.function_response:
        return ("reply", part.function_response.name, part.function_response.response)
    return part.text


AS_SENT = [
    ("user", "Is web-1 well?"),
    ("model", "Let me see.", ("call", "get_pod", {"name": "web-1"})),
    ("user", ("reply", "get_pod", {"phase": "Failed"})),
    ("model", "No, it failed."),
    ("user", "And why?"),
]


def later(make, *turns, prior=HISTORY, **fields):
    """A case that begins with a history."""
    turns = turns or (make.turn(user="And why?", final="heard"),)
    return dataclasses.replace(make.case("later", *turns, **fields), prior_events=prior)


def test_a_model_is_sent_what_was_said_called_and_answered_before(make, run):
    model = Listener(model="listener")
    run.cases(LlmAgent(name="one", model=model), [later(make)], golden=False)
    assert model.heard == [AS_SENT]


def test_what_was_before_is_not_played_and_the_state_is_kept(make, run):
    agent = LlmAgent(name="one", model=Listener(model="listener"))
    outcome = run.cases(agent, [later(make, state={"now": "noon"})], golden=False)["later"]

    (turn,) = outcome.trace.turns
    assert (turn.user.text, turn.tools, turn.final.text) == ("And why?", (), "heard")
    assert outcome.trace.state == {"now": "noon"}
    assert turn.usage.model_calls <= 1


def test_a_golden_turn_is_played_after_it(make, run):
    def get_pod(name: str) -> dict:
        """Show a pod."""
        raise AssertionError("the real tool ran")

    agent = LlmAgent(name="one", model=MODEL, tools=[get_pod])
    case = later(make, make.turn(make.call("get_pod", name="web-2"), user="And web-2?"))
    outcome = run.cases(agent, [case], mocks=[make.route("get_pod", {"phase": "Running"})])["later"]

    assert outcome.failure is None
    assert run.tools(outcome, "name", "args", "status") == [("get_pod", {"name": "web-2"}, "answered")]
    assert outcome.trace.turns[0].golden.leftover == ()


def test_the_agent_that_spoke_last_goes_on(make, run):
    helper = LlmAgent(name="helper", model=MODEL, description="Helps.", tools=[show])
    root = LlmAgent(name="root", model=MODEL, sub_agents=[helper])
    prior = (*HISTORY[:1], event("helper", {"text": "I am on it."}))
    case = later(make, make.turn(make.call("show"), user="And?"), prior=prior)

    outcome = run.cases(root, [case], mocks=[make.route("show")])["later"]

    assert outcome.failure is None
    assert run.tools(outcome, "agent", "name") == [("helper", "show")]  # and no transfer before it
    assert outcome.trace.turns[0].golden.added == ()


def show() -> dict:
    """Show it."""
    raise AssertionError("the real tool ran")


@pytest.mark.filterwarnings("ignore:SequentialAgent is deprecated")
def test_in_a_workflow_it_is_what_another_agent_said(make, run):
    model = Listener(model="listener")
    flow = SequentialAgent(name="flow", sub_agents=[LlmAgent(name="first", model=model)])
    run.cases(flow, [later(make, prior=(*HISTORY[:1], *HISTORY[3:]))], golden=False)

    (heard,) = model.heard
    assert heard[0] == ("user", "Is web-1 well?")
    assert "[flow] said:" in heard[1][-1]
    assert "No, it failed." in heard[1][-1]
    assert heard[-1][-1] == "And why?"


def test_cases_do_not_see_each_others_history(make, run):
    model = Listener(model="listener")
    other = dataclasses.replace(make.case("other", make.turn(user="Hello.")))
    run.cases(LlmAgent(name="one", model=model), [later(make), other], golden=False)
    assert model.heard == [AS_SENT, [("user", "Hello.")]]


def test_a_case_that_adks_evaluation_plays_begins_with_it_too(make):
    model = Listener(model="listener")
    agent = LlmAgent(name="one", model=model)
    case = later(make, make.turn(user="And why?"), make.turn(user="Really?"))
    outcomes = []

    async def sends(case):
        async with InMemoryRunner(agent=agent) as runner:
            session = await runner.session_service.create_session(app_name=runner.app_name, user_id="u")
            for turn in case.turns:
                said = types.UserContent(turn.user.text)
                async for _ in runner.run_async(user_id="u", session_id=session.id, new_message=said):
                    pass

    async def played():
        with edges(), hosting():
            target = HostedTarget(AdkTarget(make.loaded(agent), live=LiveOptions(timeout=20.0)), sends)
            job = Job(number=0, file="f", case=case)
            await play([job], target, PlayOptions(timeout=20.0), lambda _job, outcome: outcomes.append(outcome))

    asyncio.run(played())
    assert outcomes[0].failure is None
    assert model.heard == [AS_SENT, [*AS_SENT, ("model", "heard"), ("user", "Really?")]]


def test_a_session_of_a_tests_own_that_turns_out_to_be_the_case_begins_with_it(make):
    model = Listener(model="listener")
    agent = LlmAgent(name="one", model=model)
    scene = Scene(mocks=Mocks(), parts=(Part(mocks=Mocks(), case=later(make)),))

    async def say():
        runner = InMemoryRunner(agent=agent)
        session = await runner.session_service.create_session(app_name=runner.app_name, user_id="u")
        said = types.UserContent("And why?")
        return [one async for one in runner.run_async(user_id="u", session_id=session.id, new_message=said)]

    with InPlace(scene):
        asyncio.run(say())
    assert model.heard == [AS_SENT]


def test_the_stored_session_shows_it_before_the_first_turn(make, run):
    case = later(make)
    outcome = run.cases(LlmAgent(name="one", model=MODEL), [case])["later"]
    session = session_of(case, outcome, "app")
    assert [(one.author, one.invocation_id) for one in session.events] == [
        ("user", "prior-1"),
        ("one", "prior-1"),
        ("one", "prior-1"),
        ("one", "prior-1"),
        ("user", "turn-1"),
        ("one", "turn-1"),
    ]


def test_each_message_of_the_user_begins_an_invocation_and_calls_have_ids():
    events = list(history((*HISTORY, *HISTORY[:2]), "root"))
    assert [one.invocation_id for one in events] == ["prior-1"] * 4 + ["prior-2"] * 2
    call, reply = events[1].content.parts[1].function_call, events[2].content.parts[0].function_response
    assert call.id == reply.id is not None
    assert [one.content.role for one in events[:4]] == ["user", "model", "user", "model"]
