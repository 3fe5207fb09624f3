"""Tools that ask the user first: asked, refused, granted, over two turns with the ids filled in."""

import pytest
from google.adk.agents import LlmAgent
from google.adk.tools.agent_tool import AgentTool
from google.adk.tools.function_tool import FunctionTool

from evalkit.traces import Failure

MODEL = "gemini-2.5-flash"
ASK = "adk_request_confirmation"


def drop(topic: str) -> dict:
    """Delete a topic."""
    raise AssertionError(f"the real drop ran for {topic}")


def needs_asking(topic: str) -> bool:
    """Tell whether the user is asked before this topic is deleted."""
    return topic != "scratch"


@pytest.fixture
def agent():
    return LlmAgent(name="one", model=MODEL, tools=[FunctionTool(drop, require_confirmation=True)])


@pytest.fixture
def play(make, run):
    """Play these turns with a mock for `drop` and return the outcome without failure."""

    def play(agent, *turns):
        outcome = run.one(agent, *turns, mocks=[make.route("drop", {"status": "ok"})])
        assert outcome.failure is None
        return outcome

    return play


def test_the_turn_ends_with_the_question(make, run, play, agent):
    outcome = play(agent, make.turn(make.call("drop", topic="a"), final=None))
    assert run.tools(outcome) == [("one", "drop", "waiting"), ("one", ASK, "control")]
    assert [made.name for made in outcome.trace.turns[0].adk_calls] == ["drop", ASK]
    assert outcome.trace.turns[0].golden.leftover == ()
    assert not outcome.trace.turns[0].golden.changed
    assert outcome.trace.misses == ()


def test_after_a_yes_the_call_goes_on_and_reaches_its_mock(make, run, play, agent):
    granted = make.turn(user=make.answers(ASK, confirmed=True), final="dropped")
    outcome = play(agent, make.turn(make.call("drop", topic="a"), final=None), granted)
    assert run.tools(outcome, "id", "name", "status", "reply", "resumed", turn=1) == [
        ("call-1", "drop", "answered", {"status": "ok"}, True),
    ]
    assert outcome.trace.turns[1].final.text == "dropped"
    asked, (answer,) = outcome.trace.turns[0].tools[1], outcome.trace.turns[1].user.function_responses
    assert answer["id"] == asked.id
    assert outcome.trace.turns[1].adk_calls == ()


def test_after_a_no_the_tool_is_not_reached(make, run, play, agent):
    refused = make.turn(user=make.answers(ASK, confirmed=False), final="as you wish")
    outcome = play(agent, make.turn(make.call("drop", topic="a"), final=None), refused)
    assert run.tools(outcome, "name", "status", "resumed", turn=1) == [("drop", "rejected", True)]
    assert outcome.trace.turns[1].tools[0].reply == {"error": "This tool call is rejected."}
    assert outcome.trace.turns[1].final.text == "as you wish"


def test_a_callback_that_steps_in_after_the_yes_blocks_the_call(make, run, play):
    def guard(tool, args, tool_context):
        return {"error": "not during the day"} if tool_context.tool_confirmation else None

    tool = FunctionTool(drop, require_confirmation=True)
    agent = LlmAgent(name="one", model=MODEL, tools=[tool], before_tool_callback=guard)
    granted = make.turn(user=make.answers(ASK, confirmed=True), final="no")
    outcome = play(agent, make.turn(make.call("drop", topic="a"), final=None), granted)
    assert run.tools(outcome, "name", "status", turn=1) == [("drop", "blocked")]


def test_two_questions_are_answered_in_the_order_in_which_they_were_asked(make, run, play, agent):
    both = make.event("one", make.call("drop", topic="a"), make.call("drop", topic="b"))
    answers = [make.answers(ASK, confirmed=yes).parts[0] for yes in (True, False)]
    user = type(make.answers(ASK))(role="user", parts=tuple(answers))
    outcome = play(agent, make.turn(both, final=None), make.turn(user=user))
    assert sorted(run.tools(outcome, "args", "status", turn=1), key=str) == [
        ({"topic": "a"}, "answered"),
        ({"topic": "b"}, "rejected"),
    ]


def test_only_some_arguments_may_need_asking(make, run, play):
    agent = LlmAgent(name="one", model=MODEL, tools=[FunctionTool(drop, require_confirmation=needs_asking)])
    outcome = play(agent, make.turn(make.call("drop", topic="scratch"), make.call("drop", topic="a"), final=None))
    assert run.tools(outcome, "args", "status")[:2] == [({"topic": "scratch"}, "answered"), ({"topic": "a"}, "waiting")]


def test_a_recorded_question_is_adks_own_and_not_the_models(make, run, play, agent):
    outcome = play(agent, make.turn(make.call("drop", topic="a"), make.call(ASK, x=1), final=None))
    assert run.tools(outcome, "name", "golden") == [("drop", "$[0]"), (ASK, None)]
    assert outcome.trace.turns[0].golden.leftover == ()


def test_a_recorded_question_that_adk_does_not_ask_is_left_over(make, run, play):
    agent = LlmAgent(name="one", model=MODEL, tools=[drop])
    outcome = play(agent, make.turn(make.call("drop", topic="a"), make.call(ASK)))
    assert run.tools(outcome) == [("one", "drop", "answered")]
    assert outcome.trace.turns[0].golden.leftover == (
        f"$[1]: ADK did not ask the user by `{ASK}`, as the case records",
    )


def test_an_answer_to_a_question_that_nobody_asked_is_an_error_of_the_case(make, run, agent):
    outcome = run.one(agent, make.turn(), make.turn(user=make.answers(ASK, confirmed=True)))
    assert outcome.failure == Failure(
        kind="case_error",
        message=(
            f"$.turn[1].user_content: the user answers `{ASK}`, but no such call is open (open: nothing); the turn"
            " before must end with the call that asks for it"
        ),
    )


def test_an_answer_given_to_the_tool_names_the_question_that_is_open(make, run, agent):
    turns = [make.turn(make.call("drop", topic="a"), final=None), make.turn(user=make.answers("drop", confirmed=True))]
    outcome = run.one(agent, *turns, mocks=[make.route("drop")])
    assert outcome.failure is not None
    assert f"`drop`, but no such call is open (open: {ASK})" in outcome.failure.message


def test_a_question_is_answered_only_once(make, run, play, agent):
    yes = make.turn(user=make.answers(ASK, confirmed=True))
    outcome = run.one(agent, make.turn(make.call("drop", topic="a"), final=None), yes, yes, mocks=[make.route("drop")])
    assert outcome.failure is not None
    assert "(open: nothing)" in outcome.failure.message


def test_inside_an_agent_tool_the_question_ends_in_adks_own_error(make, run, play, agent):
    root = LlmAgent(name="root", model=MODEL, tools=[AgentTool(agent)])
    outcome = play(root, make.turn(make.call("one", request="?"), make.call("drop", topic="a")))
    assert run.tools(outcome, "name", "status", "parent")[:2] == [("one", "agent", None), ("drop", "waiting", "call-1")]
    assert "which AgentTool cannot resume" in outcome.trace.turns[0].tools[0].reply["result"]
    assert outcome.trace.turns[0].final.text == "the end"
