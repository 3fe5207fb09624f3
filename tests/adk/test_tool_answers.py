"""What a mock may do to a tool call: raise, write state, let the real thing run; and what ADK turns away before it."""

import pytest
from google.adk.agents import LlmAgent
from google.adk.tools.long_running_tool import LongRunningFunctionTool

from evalkit.mocks.backend import NEUTRAL_REPLY
from evalkit.traces import Failure

MODEL = "gemini-2.5-flash"


def get_lag(group: str, limit: int = 5) -> dict:
    """Return the lag of a consumer group."""
    return {"real": group}


def count(upto: int):
    """Count."""
    yield {"counted": upto}


def restart(broker: str) -> dict | None:
    """Restart a broker, which takes a while."""
    raise AssertionError(f"the real restart ran for {broker}")


@pytest.fixture
def play_lag(make, run):
    """Play one call of `get_lag` with these arguments and mocks; returns the outcome."""

    def play_lag(*routes, args=None, allowed=False, **fields):
        agent = LlmAgent(name="one", model=MODEL, tools=[get_lag], **fields)
        turn = make.turn(make.call("get_lag", "one", **(args or {"group": "a"})))
        return run.one(agent, turn, mocks=routes, passthrough=allowed)

    return play_lag


TIMEOUT = ("TimeoutError", "broker unreachable")


def test_a_mock_that_raises_ends_the_case_as_a_tool_does(make, run, play_lag):
    outcome = play_lag(make.route("get_lag", raises=TIMEOUT))
    assert outcome.failure == Failure(kind="tool_error", message="TimeoutError: broker unreachable")
    assert run.tools(outcome, "status", "error", "reply") == [("raised", "TimeoutError: broker unreachable", None)]


def test_a_callback_may_handle_what_a_mock_raises(make, run, play_lag):
    def handle(tool, args, tool_context, error):
        assert isinstance(error, TimeoutError)
        return {"status": "error", "message": str(error)}

    outcome = play_lag(make.route("get_lag", raises=TIMEOUT), on_tool_error_callback=handle)
    assert outcome.failure is None
    (made,) = outcome.trace.turns[0].tools
    assert (made.status, made.error) == ("raised", "TimeoutError: broker unreachable")
    assert made.reply == {"status": "error", "message": "broker unreachable"}
    assert outcome.trace.turns[0].final.text == "the end"


def test_a_callback_that_raises_is_the_agents_error_with_its_place(play_lag):
    def explode(tool, args, tool_context):
        raise KeyError("x")

    outcome = play_lag(before_tool_callback=explode)
    assert outcome.failure.kind == "agent_error"
    assert outcome.failure.message == "KeyError: 'x'"
    assert outcome.failure.where.startswith(f"{__file__}:")
    assert outcome.failure.where.endswith("in explode")


def test_a_mock_writes_into_the_sessions_state(make, run):
    agent = LlmAgent(name="one", model=MODEL, tools=[get_lag], instruction="Last: {last?}")
    replies = [make.reply({"n": 1}, state={"last": "a", "temp:x": 1}), make.reply({"n": 2}, state={"last": "b"})]
    calls = [make.call("get_lag", group="a"), make.call("get_lag", group="b")]
    outcome = run.one(agent, make.turn(*calls), make.turn(), mocks=[make.route("get_lag", *replies, repeat_last=False)])
    assert outcome.trace.states == ({"last": "b"}, {"last": "b"})


def test_a_sequence_is_used_up_across_turns_and_then_missed(make, run):
    agent = LlmAgent(name="one", model=MODEL, tools=[get_lag])
    turns = [make.turn(make.call("get_lag", group="a")) for _ in range(3)]
    outcome = run.one(agent, *turns, mocks=[make.route("get_lag", {"n": 1}, {"n": 2}, repeat_last=False)])
    replies = [played.tools[0].reply for played in outcome.trace.turns]
    assert replies == [{"n": 1}, {"n": 2}, NEUTRAL_REPLY]
    (miss,) = outcome.trace.misses
    assert (miss.turn, miss.differences) == (2, ("sequence exhausted: its 2 replies are used up",))


def test_the_real_tool_runs_where_a_route_and_the_command_line_let_it(make, run, play_lag):
    outcome = play_lag(make.route("get_lag", passthrough=True), allowed=True)
    assert run.tools(outcome, "status", "reply", "route") == [("real", {"real": "a"}, "m.yaml get_lag")]


def test_a_real_generator_runs_to_its_end_where_it_is_let_through(make, run):
    agent = LlmAgent(name="one", model=MODEL, tools=[count])
    turn = make.turn(make.call("count", upto=3))
    outcome = run.one(agent, turn, mocks=[make.route("count", passthrough=True)], passthrough=True)
    assert run.tools(outcome, "status", "reply") == [("real", {"counted": 3})]


def test_without_leave_a_passthrough_is_a_miss_and_says_what_it_needs(make, run, play_lag):
    outcome = play_lag(make.route("get_lag", passthrough=True))
    assert run.tools(outcome, "status", "reply") == [("missed", NEUTRAL_REPLY)]
    assert outcome.trace.notes == ("m.yaml get_lag passes through to the real tool, which needs --allow-passthrough",)


def test_a_call_without_a_mandatory_argument_is_refused_by_adk(make, run, play_lag):
    outcome = play_lag(make.route("get_lag"), args={"limit": 3})
    (made,) = outcome.trace.turns[0].tools
    assert made.status == "refused"
    assert made.reply["error"].startswith("Invoking `get_lag()` failed as the following mandatory input")
    assert outcome.trace.turns[0].golden.misfits == ("$[0]: `get_lag` needs the argument `group`",)


@pytest.mark.parametrize(
    ("args", "misfit"),
    [
        ({"group": "a", "limit": "3"}, '$[0]: `get_lag` argument `limit`: "3" is not of type "integer"'),
        ({"group": "a", "since": 1}, "$[0]: `get_lag` takes no argument `since` (its arguments: group, limit)"),
    ],
    ids=["wrong type", "unknown argument"],
)
def test_arguments_that_do_not_fit_the_declaration_are_reported(make, run, play_lag, args, misfit):
    outcome = play_lag(make.route("get_lag"), args=args)
    assert outcome.trace.turns[0].golden.misfits == (misfit,)
    assert run.tools(outcome, "args") == [(args,)]


def test_a_function_that_takes_any_argument_takes_undeclared_ones(make, run):
    def query(**labels) -> dict:
        """Query by label."""

    agent = LlmAgent(name="one", model=MODEL, tools=[query])
    outcome = run.one(agent, make.turn(make.call("query", job="kafka")), mocks=[make.route("query")])
    assert outcome.trace.turns[0].golden.misfits == ()


def test_a_tool_name_that_the_agent_does_not_have_is_told_so_by_adk(make, run):
    agent = LlmAgent(name="one", model=MODEL, tools=[get_lag])
    outcome = run.one(agent, make.turn(make.call("drop_all", "one")), mocks=[make.route("drop_all")])
    (made,) = outcome.trace.turns[0].tools
    assert made.status == "unknown"
    assert made.reply["error"].startswith("Invoking `drop_all()` failed as no tool with that name is available")


def test_a_long_running_tool_is_answered_and_may_be_answered_again_by_the_user(make, run):
    agent = LlmAgent(name="one", model=MODEL, tools=[LongRunningFunctionTool(restart)])
    turns = [
        make.turn(make.call("restart", broker="b1"), final="I will tell you."),
        make.turn(user=make.answers("restart", status="done"), final="It is done."),
    ]
    outcome = run.one(agent, *turns, mocks=[make.route("restart", {"status": "pending"})])
    assert outcome.failure is None
    assert run.tools(outcome, "status", "reply") == [("answered", {"status": "pending"})]
    (answer,) = outcome.trace.turns[1].user.function_responses
    assert answer == {"id": "call-1", "name": "restart", "response": {"status": "done"}}
    assert [played.final.text for played in outcome.trace.turns] == ["I will tell you.", "It is done."]


def test_a_long_running_tool_that_returns_nothing_yet_ends_the_turn(make, run):
    agent = LlmAgent(name="one", model=MODEL, tools=[LongRunningFunctionTool(restart)])
    turns = [
        make.turn(make.call("restart", broker="b1"), final=None),
        make.turn(user=make.answers("restart", status="done"), final="It is done."),
    ]
    outcome = run.one(agent, *turns, mocks=[make.route("restart", None)])
    assert run.tools(outcome, "status", "reply") == [("answered", None)]
    assert outcome.trace.turns[1].final.text == "It is done."
    assert [made.name for made in outcome.trace.turns[0].adk_calls] == ["restart"]
