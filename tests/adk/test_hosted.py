"""Cases that somebody else plays, as ADK's evaluation does, are taken down as if evalkit had played them."""

import asyncio

import pytest
from google.adk.agents import LlmAgent
from google.adk.runners import InMemoryRunner
from google.adk.tools.agent_tool import AgentTool
from google.adk.tools.base_toolset import BaseToolset
from google.adk.tools.function_tool import FunctionTool
from google.genai import types

from evalkit.adk.edges import edges
from evalkit.adk.hosted import HostedTarget, hosting
from evalkit.adk.load import LoadedAgent
from evalkit.adk.target import AdkTarget
from evalkit.adk.toolset_checks import Mocks
from evalkit.play import Job, PlayOptions, play
from evalkit.routes import MockSet

MODEL = "gemini-2.5-flash"


def lag(group: str) -> dict:
    """Say how far behind a group is."""
    raise AssertionError("the real tool ran")


def plain(text):
    return types.UserContent(text)


@pytest.fixture
def hosted(make):
    """Play cases through a host that sends the case's texts in a session of its own; returns outcomes by id."""

    def run(root, *cases, routes=(), host=None, timeout=20.0):
        agent = LoadedAgent(name="app", app=None, root=root, reset=None)
        mocks = MockSet(file="m.yaml", routes=tuple(routes))
        outcomes = {}

        async def sends(case):
            async with InMemoryRunner(agent=root) as runner:
                session = await runner.session_service.create_session(app_name=runner.app_name, user_id="u")
                for turn in case.turns:
                    said = {"user_id": "u", "session_id": session.id, "new_message": plain(turn.user.text)}
                    async for _ in runner.run_async(**said):
                        pass

        async def all_of_them():
            with edges(), hosting():
                target = AdkTarget(agent, mocks=[Mocks(None, mocks)])
                jobs = [Job(number=n, file="f", case=one, folder_mocks=mocks) for n, one in enumerate(cases)]
                wrapped = HostedTarget(target, host or sends)
                take = lambda job, outcome: outcomes.update({job.case.eval_id: outcome})  # noqa: E731 - it is one
                await play(jobs, wrapped, PlayOptions(timeout=timeout), take)

        asyncio.run(all_of_them())
        return outcomes

    return run


def test_each_message_is_a_turn_with_its_calls_and_its_state(hosted, make):
    one = make.case("one", make.turn(make.call("lag", group="a")), make.turn(make.call("lag", group="b"), final="done"))
    route = make.route("lag", {"n": 1}, {"n": 2})
    agent = LlmAgent(name="kafka", model=MODEL, tools=[lag], output_key="answer")
    trace = hosted(agent, one, routes=[route])["one"].trace

    assert [[(event.args, event.reply) for event in turn.tools] for turn in trace.turns] == [
        [({"group": "a"}, {"n": 1})],
        [({"group": "b"}, {"n": 2})],
    ]
    assert [state["answer"] for state in trace.states] == ["the end", "done"]
    assert [turn.golden.faults for turn in trace.turns] == [(), ()]


def test_a_run_inside_an_agent_tool_is_no_turn(hosted, make):
    inner = LlmAgent(name="inner", model=MODEL, tools=[lag])
    outer = LlmAgent(name="outer", model=MODEL, tools=[AgentTool(inner)])
    steps = (make.call("inner", request="go"), make.call("lag", agent="inner", group="a"))
    trace = hosted(outer, make.case("one", make.turn(*steps)), routes=[make.route("lag")])["one"].trace

    assert [(event.agent, event.name, event.parent is None) for event in trace.turns[0].tools] == [
        ("outer", "inner", True),
        ("inner", "lag", False),
    ]
    assert len(trace.turns) == 1


def test_what_the_agent_raises_is_the_outcome_though_the_host_hides_it(hosted, make):
    def breaks(callback_context):
        raise ZeroDivisionError("in a callback")

    async def quiet(case):
        try:
            async with InMemoryRunner(agent=agent) as runner:
                session = await runner.session_service.create_session(app_name=runner.app_name, user_id="u")
                async for _ in runner.run_async(user_id="u", session_id=session.id, new_message=plain("go")):
                    pass
        except Exception:  # noqa: BLE001 - as ADK's evaluation does
            return "something went wrong"

    agent = LlmAgent(name="kafka", model=MODEL, before_agent_callback=breaks)
    failure = hosted(agent, make.case("one", make.turn()), host=quiet)["one"].failure

    assert (failure.kind, failure.message) == ("agent_error", "ZeroDivisionError: in a callback")


def test_what_only_the_host_knows_is_the_outcome_too(hosted, make):
    async def fails(case):
        return "no session could be made"

    agent = LlmAgent(name="kafka", model=MODEL)
    assert hosted(agent, make.case("one", make.turn()), host=fails)["one"].failure.message == "no session could be made"


def test_a_case_that_takes_too_long_is_cut_where_it_is(hosted, make):
    ended = []

    async def waits(callback_context):
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            ended.append("cut")
            raise

    async def in_a_task_of_its_own(case):
        async def run():
            async with InMemoryRunner(agent=agent) as runner:
                session = await runner.session_service.create_session(app_name=runner.app_name, user_id="u")
                async for _ in runner.run_async(user_id="u", session_id=session.id, new_message=plain("go")):
                    pass

        await asyncio.wait([asyncio.ensure_future(run())])  # which lets go of the task when it is cancelled itself

    agent = LlmAgent(name="kafka", model=MODEL, before_agent_callback=waits)
    outcome = hosted(agent, make.case("one", make.turn()), host=in_a_task_of_its_own, timeout=2.0)["one"]

    assert outcome.failure.kind == "timeout_exceeded"
    assert ended == ["cut"]


def test_the_agents_toolsets_stay_open_from_case_to_case(hosted, make):
    closed = []

    class Counted(BaseToolset):
        async def get_tools(self, readonly_context=None):
            return [FunctionTool(lag)]

        async def close(self):
            closed.append("closed")

    agent = LlmAgent(name="kafka", model=MODEL, tools=[Counted()])
    cases = [make.case(name, make.turn(make.call("lag", group="a"))) for name in ("one", "two")]
    outcomes = hosted(agent, *cases, routes=[make.route("lag")])

    assert [[event.status for event in outcomes[name].trace.turns[0].tools] for name in ("one", "two")] == [
        ["answered"],
        ["answered"],
    ]
    assert closed == []
