"""Together in one run: whatever becomes of one case is an outcome of its own, in time, and the others go on."""

import asyncio

import pytest
from google.adk.agents import LlmAgent

from evalkit.traces import Failure

MODEL = "gemini-2.5-flash"


def get_lag(group: str) -> dict:
    """Return the lag of a consumer group."""
    raise AssertionError(f"the real get_lag ran for {group}")


async def misbehave(tool, args, tool_context):
    """Do what the group's name says."""
    match args["group"]:
        case "raise":
            raise KeyError("no such group")
        case "block":
            while True:
                pass
        case "wait":
            await asyncio.Event().wait()


@pytest.fixture(scope="module")
def outcomes(make, run):
    agent = LlmAgent(name="one", model=MODEL, tools=[get_lag], before_tool_callback=misbehave)
    names = ("raise", "tool", "miss", "block", "wait", "fine")
    cases = [make.case(name, make.turn(make.call("get_lag", group=name)), make.turn(final="more")) for name in names]
    routes = [make.route("get_lag", args={"group": {"$oneof": ["fine", "block"]}})]
    routes.append(make.route("get_lag", args={"group": "tool"}, raises=("TimeoutError", "broker")))
    return run.cases(agent, cases, routes, timeout=6.0, concurrency=3)


def test_an_agent_that_raises_is_an_error_with_its_place(outcomes):
    failure = outcomes["raise"].failure
    assert (failure.kind, failure.message) == ("agent_error", "KeyError: 'no such group'")
    assert failure.where.endswith("in misbehave")


def test_a_tool_that_raises_is_an_error_of_the_tool(outcomes):
    assert outcomes["tool"].failure == Failure(kind="tool_error", message="TimeoutError: broker")


def test_a_miss_is_no_failure_of_the_play(outcomes):
    assert outcomes["miss"].failure is None
    assert [miss.tool for miss in outcomes["miss"].trace.misses] == ["get_lag"]
    assert outcomes["miss"].trace.turns[1].final.text == "more"


@pytest.mark.parametrize("how", ["block", "wait"])
def test_what_takes_for_ever_is_cut_in_time_with_the_trace_so_far(outcomes, how):
    outcome = outcomes[how]
    assert outcome.failure == Failure(kind="timeout_exceeded", message="the case used up its 6 s")
    (turn,) = outcome.trace.turns
    assert [(made.name, made.status) for made in turn.tools] == [("get_lag", "unanswered")]
    assert turn.final is None
    assert turn.golden.changed


def test_the_one_that_is_fine_is_fine(outcomes):
    assert outcomes["fine"].failure is None
    assert [turn.final.text for turn in outcomes["fine"].trace.turns] == ["the end", "more"]


def test_a_model_that_ends_in_an_error_is_a_model_error(make, run):
    def fail(callback_context, llm_response):
        llm_response.content = None
        llm_response.error_code, llm_response.error_message = "SAFETY", "blocked by the filter"

    outcome = run.one(LlmAgent(name="one", model=MODEL, after_model_callback=fail), make.turn())
    assert outcome.failure == Failure(kind="model_error", message="one: SAFETY: blocked by the filter")


def test_a_turn_that_says_nothing_has_no_answer(make, run):
    def silence(callback_context, llm_response):
        llm_response.content.parts = []

    outcome = run.one(LlmAgent(name="one", model=MODEL, after_model_callback=silence), make.turn())
    assert outcome.failure is None
    assert outcome.trace.turns[0].final is None
    assert outcome.trace.turns[0].golden.changed
