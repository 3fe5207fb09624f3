"""Mocks in place around runners that a test starts itself."""

import asyncio

import pytest
from google.adk.agents import LlmAgent
from google.adk.models import BaseLlm, LlmResponse
from google.adk.runners import InMemoryRunner
from google.adk.tools.agent_tool import AgentTool
from google.genai import types

from evalkit.adk.in_place import InPlace, UnansweredError
from evalkit.adk.played import Part, Scene
from evalkit.adk.playing import CURRENT
from evalkit.adk.toolset_checks import Mocks
from evalkit.errors import FakeError
from evalkit.models.owners import UnplayableCaseError
from evalkit.routes import MockSet

REAL = []


def lag(group: str) -> dict:
    """Say how far behind a group is."""
    REAL.append(group)
    return {"lag": "real"}


class Asks(BaseLlm):
    """Asks for the lag of what the user says, and repeats the answer."""

    async def generate_content_async(self, llm_request, stream=False):
        parts = [part for content in llm_request.contents for part in content.parts]
        if parts[-1].function_response:
            yield LlmResponse(content=types.ModelContent(str(parts[-1].function_response.response)))
        else:
            call = types.Part.from_function_call(name="lag", args={"group": parts[-1].text})
            yield LlmResponse(content=types.ModelContent([call]))


@pytest.fixture(autouse=True)
def _nothing_real():
    """No test here lets the tool run while mocks are in place."""
    REAL.clear()


@pytest.fixture
def agent():
    return LlmAgent(name="kafka", model=Asks(model="asks"), tools=[lag])


@pytest.fixture
def scene(make):
    """A mocks file that knows one group."""
    routes = (
        make.route("lag", {"lag": 75}, {"lag": 80}, args={"group": "orders"}),
        make.route("lag", args={"group": "x"}),
    )
    return Scene(mocks=Mocks(own=MockSet(file="m.yaml", routes=routes)))


async def say(agent, *messages):
    """Talk with the agent in a session of its own; return its answers."""
    runner = InMemoryRunner(agent=agent)
    session = await runner.session_service.create_session(app_name=runner.app_name, user_id="u")
    answers = []
    for text in messages:
        where = {"user_id": "u", "session_id": session.id}
        events = [event async for event in runner.run_async(**where, new_message=types.UserContent(text))]
        answers.append(events[-1].content.parts[0].text)
    return answers


def test_mocks_answer_the_agents_own_model_and_what_was_called_can_be_read(agent, scene):
    with InPlace(scene) as played:
        assert asyncio.run(say(agent, "orders")) == ["{'lag': 75}"]

    assert [(call.agent, call.name, call.args, call.status) for call in played.calls] == [
        ("kafka", "lag", {"group": "orders"}, "answered")
    ]
    assert played.unused_routes == ("m.yaml lag",)
    assert REAL == []


def test_each_session_has_fresh_mocks_and_its_turns_share_them(agent, scene):
    with InPlace(scene) as played:
        assert asyncio.run(say(agent, "orders", "orders")) == ["{'lag': 75}", "{'lag': 80}"]
        assert asyncio.run(say(agent, "orders")) == ["{'lag': 75}"]

    assert len(played.turns) == 3


def test_sessions_at_the_same_time_do_not_meet(agent, scene):
    async def together():
        return await asyncio.gather(*(say(agent, "orders", "orders") for _ in range(5)))

    with InPlace(scene):
        assert asyncio.run(together()) == [["{'lag': 75}", "{'lag': 80}"]] * 5


def test_an_unanswered_call_fails_the_test_at_the_end_and_never_reaches_the_tool(agent, scene):
    with pytest.raises(UnansweredError, match=r'kafka called lag\(group="nobody"\), which no mock answers'):  # noqa: SIM117 - the outer one watches the end
        with InPlace(scene):
            asyncio.run(say(agent, "nobody"))

    assert REAL == []


def test_a_test_may_look_at_the_misses_itself(agent, scene):
    with InPlace(scene, allow_misses=True) as played:
        asyncio.run(say(agent, "nobody"))

    assert [miss.args for miss in played.misses] == [{"group": "nobody"}]


def test_a_test_that_has_failed_already_fails_for_its_own_reason(agent, scene):
    def fail():
        asyncio.run(say(agent, "nobody"))
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), InPlace(scene):
        fail()


def test_the_runners_thread_is_within_too(agent, scene):
    with InPlace(scene) as played:
        runner = InMemoryRunner(agent=agent)
        session = asyncio.run(runner.session_service.create_session(app_name=runner.app_name, user_id="u"))
        list(runner.run(user_id="u", session_id=session.id, new_message=types.UserContent("orders")))

    assert [call.status for call in played.calls] == ["answered"]
    assert REAL == []


def test_calls_within_an_agent_tool_belong_to_the_session_around_it(scene):
    class Delegates(Asks):
        async def generate_content_async(self, llm_request, stream=False):
            async for response in super().generate_content_async(llm_request, stream):
                for call in response.content.parts:
                    if call.function_call:
                        call.function_call = types.FunctionCall(name="inner", args={"request": "orders"})
                yield response

    inner = LlmAgent(name="inner", model=Asks(model="asks"), tools=[lag])
    outer = LlmAgent(name="outer", model=Delegates(model="asks"), tools=[AgentTool(inner)])
    with InPlace(scene) as played:
        asyncio.run(say(outer, "go"))

    assert [(call.agent, call.name, call.status) for call in played.calls] == [
        ("outer", "inner", "agent"),
        ("inner", "lag", "answered"),
    ]


def test_afterwards_everything_is_as_before(agent, scene):
    with InPlace(scene):
        assert CURRENT.get() is not None

    assert CURRENT.get() is None
    assert asyncio.run(say(agent, "orders")) == ["{'lag': 'real'}"]


def test_between_two_events_the_test_is_not_within_the_run(agent, scene):
    async def look():
        runner = InMemoryRunner(agent=agent)
        session = await runner.session_service.create_session(app_name=runner.app_name, user_id="u")
        where = {"user_id": "u", "session_id": session.id}
        before = CURRENT.get()
        return [CURRENT.get() is before async for _ in runner.run_async(**where, new_message=types.UserContent("x"))]

    with InPlace(scene):
        assert asyncio.run(look()) == [True, True, True]


def test_only_one_scene_is_in_place_at_a_time(scene):
    with InPlace(scene), pytest.raises(FakeError, match="in place already"), InPlace(scene):
        pass


# Golden scenes play the turns of cases.


@pytest.fixture
def golden(make):
    """Two cases, told apart by how they begin; one has its tool's reply recorded."""

    def part(eval_id, user, group, **fields):
        user = make.message(user, "user")
        case = make.case(eval_id, make.turn(make.call("lag", group=group), final=f"{group} it is", user=user, **fields))
        return Part(mocks=Mocks(folder=folder), case=case)

    folder = MockSet(file="m.yaml", routes=(make.route("lag", args={"group": "orders"}),))
    parts = (part("one", "First?", "orders"), part("two", "Second?", "x", replies={"lag": {"lag": 3}}))
    return Scene(mocks=Mocks(folder=folder), parts=parts, golden=True)


def test_golden_turns_are_played_by_how_a_session_begins(agent, golden):
    with InPlace(golden) as played:
        assert asyncio.run(say(agent, "Second?")) == ["x it is"]
        assert asyncio.run(say(agent, "First?")) == ["orders it is"]

    assert [(call.args["group"], call.status) for call in played.calls] == [("x", "answered"), ("orders", "answered")]


def test_a_session_that_begins_like_no_case_or_like_two_is_refused(agent, golden):
    with pytest.raises(FakeError, match="no case begins with 'Third"), InPlace(golden):
        asyncio.run(say(agent, "Third?"))
    twice = Scene(mocks=golden.mocks, parts=(golden.parts[0], golden.parts[0]), golden=True)
    with pytest.raises(FakeError, match="the cases one, one all begin with 'First"), InPlace(twice):
        asyncio.run(say(agent, "First?"))


def test_a_turn_more_than_the_case_has_is_refused(agent, golden):
    with pytest.raises(UnplayableCaseError, match="two has 1 turns; this is message 2"), InPlace(golden):
        asyncio.run(say(agent, "Second?", "And then?"))


def test_a_golden_call_that_nobody_makes_fails_the_test(golden):
    bare = LlmAgent(name="kafka", model="gemini-2.5-flash")
    with pytest.raises(UnansweredError, match="lag"), InPlace(golden):
        asyncio.run(say(bare, "First?"))
