"""Each way to write a case that the crew cannot play: what is reported, word for word."""

import pytest
from google.adk.agents import LlmAgent
from google.adk.models import LlmResponse
from google.genai import types

from evalkit.traces import Failure, GoldenReport

TRANSFER = "transfer_to_agent"


@pytest.fixture(scope="module")
def mocks(make):
    return [make.route(tool) for tool in ("get_lag", "list_pods", "get_disk", "whoami", "write_note")]


@pytest.fixture
def replay(crew, mocks, run):
    """Play one turn on the crew and return its outcome."""
    return lambda *turns, agent=crew: run.one(agent, *turns, mocks=mocks)


@pytest.mark.parametrize(
    ("calls", "message"),
    [
        (
            [("list_pods", {"namespace": "x"})],
            (
                "$[0]: `list_pods` can be called by k8s and kafka; say who does it: write"
                ' `evalkit.expect[0].route: ["k8s"]`, or put the transfer_to_agent call before it,'
                " or record the turn as invocation_events with authors"
            ),
        ),
        (
            [("write_note", {"text": "x"})],
            (
                "$[0]: `write_note` can be called by summary and actor; say who does it: write"
                ' `evalkit.expect[0].route: ["summary"]`, or put the transfer_to_agent call before it,'
                " or record the turn as invocation_events with authors"
            ),
        ),
        (
            [(TRANSFER, {"agent_name": "k9s"})],
            "$[0]: no agent is named k9s (did you mean k8s?)",
        ),
        (
            [(TRANSFER, {"agent_name": "kafka"})],
            "$[0]: no agent can transfer to kafka; crew runs it by calling its agent tool `kafka`",
        ),
        (
            [(TRANSFER, {"agent_name": "once"})],
            "$[0]: no agent can transfer to once; crew runs it by calling its agent tool `once`",
        ),
    ],
    ids=["shared tool", "shared across workflows", "no such agent", "agent tool", "single_turn"],
)
def test_what_cannot_be_decided_before_the_turn_is_an_error_of_the_case(replay, make, calls, message):
    outcome = replay(make.turn(*(make.call(name, **args) for name, args in calls)))
    assert outcome.failure == Failure(kind="case_error", message=message)
    assert outcome.trace.turns == ()


@pytest.mark.parametrize(
    ("made", "left"),
    [
        (
            ("get_lagg", None, {"group": "a"}),
            "$[0]: no agent has a tool named `get_lagg` (did you mean get_lag?); asked were crew",
        ),
        (
            ("fly", None, {}),
            "$[0]: no agent has a tool named `fly`; asked were crew",
        ),
        (
            ("get_lag", "kafka", {"group": "a"}),
            (
                "$[0]: `get_lag` was not asked for: it belongs to kafka, which runs when crew calls its agent tool"
                " `kafka`: list that call before; asked were crew"
            ),
        ),
        (
            ("get_disk", "once", {"host": "h"}),
            (
                "$[0]: `get_disk` was not asked for: it belongs to once, which runs when crew calls its agent tool"
                " `once`: list that call before; asked were crew"
            ),
        ),
        (
            ("list_pods", "k9s", {"namespace": "x"}),
            "$[0]: `list_pods` was not asked for: no agent is named k9s (did you mean k8s?); asked were crew",
        ),
    ],
    ids=["misspelt tool", "unknown tool", "agent tool not called", "single_turn not called", "unknown author"],
)
def test_a_call_that_nobody_asks_for_is_left_over_and_the_answer_is_still_given(replay, make, run, made, left):
    name, author, args = made
    outcome = replay(make.turn(make.call(name, author, **args)))
    assert outcome.failure is None
    assert run.tools(outcome) == []
    assert outcome.trace.turns[0].golden == GoldenReport(leftover=(left,), final_given=True)


@pytest.mark.parametrize(
    ("name", "args", "misfit"),
    [
        ("kafka", {}, "$[0]: `kafka` needs the argument `request`"),
        ("kafka", {"request": 7}, '$[0]: `kafka` argument `request`: 7 is not of type "string"'),
        ("kafka", {"q": "?", "request": "?"}, "$[0]: `kafka` takes no argument `q` (its arguments: request)"),
        (TRANSFER, {"agent_name": "k8s", "why": 1}, None),
    ],
    ids=["missing", "wrong type", "unknown", "control tool"],
)
def test_arguments_that_do_not_fit_are_reported_with_their_place(replay, make, name, args, misfit):
    outcome = replay(make.turn(make.call(name, **args)))
    (found,) = outcome.trace.turns[0].golden.misfits
    assert found == (misfit or "$[0]: `transfer_to_agent` takes no argument `why` (its arguments: agent_name)")


def test_an_agent_that_never_stops_asking_is_cut(make, run):
    def again(callback_context, llm_response):
        llm_response.content.parts = [types.Part.from_function_call(name="whoami", args={})]

    def whoami() -> dict:
        """Return who is asking."""

    agent = LlmAgent(name="stubborn", model="gemini-2.5-flash", tools=[whoami], after_model_callback=again)
    outcome = run.one(agent, make.turn(), mocks=[make.route("whoami")])
    assert outcome.failure is None
    report = outcome.trace.turns[0].golden
    assert report.faults == (
        (
            "the agents asked for more than 20 model turns (0 golden calls and 20 to spare), lately stubborn;"
            " a loop ends with an `exit_loop` call or `max_iterations`"
        ),
    )
    assert report.changed
    assert len(run.tools(outcome)) == 20


def test_the_cut_reaches_out_of_an_agent_tool(replay, make, crew, monkeypatch):
    def again(callback_context, llm_response):
        llm_response.content.parts = [types.Part.from_function_call(name="get_lag", args={"group": "a"})]

    monkeypatch.setattr(crew.root.tools[0].agent, "after_model_callback", again)
    outcome = replay(make.turn(make.call("kafka", request="?")))
    assert outcome.failure is None
    assert "more than 21 model turns" in outcome.trace.turns[0].golden.faults[0]


def test_a_turn_that_a_callback_ends_early_never_gives_the_answer(make, run):
    def refuse(callback_context, llm_request):
        return LlmResponse(content=types.ModelContent("not today"))

    agent = LlmAgent(name="guarded", model="gemini-2.5-flash", before_model_callback=refuse)
    outcome = run.one(agent, make.turn())
    assert outcome.trace.turns[0].final.text == "not today"
    assert outcome.trace.turns[0].golden == GoldenReport(changed=True, final_given=False)


def test_an_answer_that_a_callback_changes_is_told_from_one_that_was_never_given(make, run):
    def shout(callback_context, llm_response):
        llm_response.content.parts[0].text = llm_response.content.parts[0].text.upper()

    agent = LlmAgent(name="loud", model="gemini-2.5-flash", after_model_callback=shout)
    outcome = run.one(agent, make.turn())
    assert outcome.trace.turns[0].final.text == "THE END"
    assert outcome.trace.turns[0].golden == GoldenReport(changed=True, final_given=True)


def test_the_case_goes_on_after_a_turn_with_leftovers(replay, make):
    outcome = replay(make.turn(make.call("fly")), make.turn(final="later"))
    assert [played.final.text for played in outcome.trace.turns] == ["the end", "later"]
    assert [bool(played.golden.leftover) for played in outcome.trace.turns] == [True, False]
