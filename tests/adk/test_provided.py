"""Tools that mocks give to an agent: offered and answered like its own, for their cases only, and gone afterwards."""

import asyncio

import pytest
from google.adk.agents import LlmAgent, SequentialAgent
from google.adk.models import BaseLlm, LlmResponse
from google.adk.runners import InMemoryRunner
from google.adk.tools.base_toolset import BaseToolset
from google.adk.tools.function_tool import FunctionTool
from google.genai import types
from pydantic import Field

from evalkit.adk.edges import edges
from evalkit.adk.in_place import InPlace
from evalkit.adk.played import Scene
from evalkit.adk.target import AdkTarget
from evalkit.adk.toolset_checks import Mocks
from evalkit.formats import mocks as mocks_format
from evalkit.mocks.backend import NEUTRAL_REPLY
from evalkit.play import Job, PlayOptions, play
from evalkit.routes import MockSet, ProvidedTool
from evalkit.targets.base import LiveOptions

MODEL = "gemini-2.5-flash"

SCHEMA = {
    "type": "object",
    "properties": {"kind": {"type": "string"}, "namespace": {"type": ["string", "null"]}},
    "required": ["kind"],
}
DESCRIBE = ProvidedTool(name="describe", description="Describe a resource.", parameters=SCHEMA)
NODES = ProvidedTool(name="top_nodes", description="Show what nodes use.")

NOTE = "bare was given tools that it does not have itself, by `provides` of its mocks: describe"


class Curious(BaseLlm):
    """Calls the first tool it is offered, then says what came back; keeps what it was offered."""

    offered: list = Field(default_factory=list)

    async def generate_content_async(self, llm_request, stream=False):
        tools = [one for tool in llm_request.config.tools or () for one in tool.function_declarations or ()]
        self.offered.append(tools)
        last = llm_request.contents[-1].parts[-1]
        if tools and last.text:
            call = types.Part.from_function_call(name=tools[0].name, args={"kind": last.text})
            yield LlmResponse(content=types.ModelContent([call]))
        else:
            reply = last.function_response
            yield LlmResponse(content=types.ModelContent(str(reply and reply.response)))


def describe(kind: str) -> dict:
    """Describe a resource of the agent's own."""
    raise AssertionError("the real tool ran")


@pytest.fixture
def bare():
    return LlmAgent(name="bare", model=MODEL, instruction="Look into it.")


def replay(run, agent, *turns, **options):
    outcome = run.one(agent, *turns, provides=[DESCRIBE], **options)
    assert outcome.failure is None, outcome.failure
    return outcome


def test_a_golden_call_of_a_provided_tool_is_answered_by_its_route(bare, make, run):
    route = make.route("describe", {"status": "Running"}, args={"kind": "pod"})
    outcome = replay(run, bare, make.turn(make.call("describe", kind="pod", namespace=None)), mocks=[route])

    (event,) = outcome.trace.turns[0].tools
    assert (event.agent, event.status, event.reply) == ("bare", "answered", {"status": "Running"})
    golden = outcome.trace.turns[0].golden
    assert (golden.faults, golden.misfits, golden.leftover) == ((), (), ())
    assert outcome.trace.notes == (NOTE,)


def test_golden_arguments_have_to_fit_what_is_declared(bare, make, run):
    outcome = replay(run, bare, make.turn(make.call("describe", kind=3, group="apps")), mocks=[make.route("describe")])
    assert outcome.trace.turns[0].golden.misfits == (
        '$[0]: `describe` argument `kind`: 3 is not of type "string"',
        "$[0]: `describe` takes no argument `group` (its arguments: kind, namespace)",
    )


def test_a_call_that_no_route_answers_is_a_miss(bare, make, run):
    outcome = replay(
        run, bare, make.turn(make.call("describe", kind="job")), mocks=[make.route("describe", args={"kind": "pod"})]
    )
    assert outcome.trace.turns[0].tools[0].reply == NEUTRAL_REPLY
    assert [miss.tool for miss in outcome.trace.misses] == ["describe"]


def test_the_model_is_offered_the_declaration_as_it_is_written(make, run):
    model = Curious(model="curious")
    agent = LlmAgent(name="bare", model=model)
    outcome = run.one(agent, make.turn(user="pod"), provides=[DESCRIBE], mocks=[make.route("describe")], golden=False)

    (offered,) = model.offered[0]
    assert (offered.name, offered.description, offered.parameters_json_schema) == (
        "describe",
        "Describe a resource.",
        SCHEMA,
    )
    assert outcome.trace.turns[0].final.text == "{'describe': 'ok'}"
    assert run.tools(outcome, "name", "args", "status") == [("describe", {"kind": "pod"}, "answered")]


def test_arguments_of_a_live_call_that_are_not_declared_are_told_and_answered(make, run):
    agent = LlmAgent(name="bare", model=Curious(model="curious"))
    outcome = run.one(agent, make.turn(user="pod"), provides=[NODES], mocks=[make.route("top_nodes")], golden=False)
    assert run.tools(outcome, "status") == [("answered",)]
    assert outcome.trace.notes[1:] == (
        "the mocks were asked although `top_nodes` takes no argument `kind` (its arguments: none)",
    )


def test_a_tool_without_parameters_takes_none(make, run):
    model = Curious(model="curious")
    run.one(LlmAgent(name="bare", model=model), make.turn(user="go"), provides=[NODES], golden=False)
    assert model.offered[0][0].parameters_json_schema == {"type": "object", "properties": {}}


def test_the_agents_own_tool_stays_and_nothing_is_told(make, run):
    model = Curious(model="curious")
    agent = LlmAgent(name="own", model=model, tools=[describe])
    outcome = run.one(agent, make.turn(user="pod"), provides=[DESCRIBE], mocks=[make.route("describe")], golden=False)

    assert [one.description for one in model.offered[0]] == ["Describe a resource of the agent's own."]
    assert run.tools(outcome, "status") == [("answered",)]
    assert outcome.trace.notes == ()


class LateTools(BaseToolset):
    """Tells its tools only when it is asked."""

    async def get_tools(self, readonly_context=None):
        return [FunctionTool(describe)]


def test_a_tool_that_only_a_toolset_could_tell_of_stays_too(make, run):
    model = Curious(model="curious")
    agent = LlmAgent(name="own", model=model, tools=[LateTools()])
    outcome = run.one(agent, make.turn(user="pod"), provides=[DESCRIBE], mocks=[make.route("describe")], golden=False)

    assert [one.description for one in model.offered[0]] == ["Describe a resource of the agent's own."]
    assert run.tools(outcome, "status") == [("answered",)]


def test_what_a_sub_agent_has_is_not_given_to_the_root(make, run):
    model = Curious(model="curious")
    helper = LlmAgent(name="helper", model=MODEL, description="Describes.", tools=[describe])
    root = LlmAgent(name="root", model=model, sub_agents=[helper], disallow_transfer_to_parent=True)
    run.one(root, make.turn(user="pod"), provides=[DESCRIBE], golden=False)
    assert "describe" not in [one.name for one in model.offered[0]]


@pytest.mark.filterwarnings("ignore:SequentialAgent is deprecated")
def test_the_first_agent_with_a_model_of_a_workflow_gets_them(make, run):
    flow = SequentialAgent(
        name="flow", sub_agents=[LlmAgent(name="first", model=MODEL), LlmAgent(name="second", model=MODEL)]
    )
    outcome = replay(run, flow, make.turn(make.call("describe", kind="pod")), mocks=[make.route("describe")])
    assert run.tools(outcome) == [("first", "describe", "answered")]


def test_a_route_cannot_pass_through_to_a_tool_that_is_only_declared(bare, make, run):
    outcome = run.one(
        bare,
        make.turn(make.call("describe", kind="pod")),
        provides=[DESCRIBE],
        mocks=[make.route("describe", passthrough=True)],
        passthrough=True,
    )
    assert "describe is only declared, under `provides` of the mocks" in outcome.failure.message


def test_cases_side_by_side_have_each_their_own_and_afterwards_none_is_left(make):
    model = Curious(model="curious")
    agent = LlmAgent(name="bare", model=model)
    files = [
        MockSet(file="a.yaml", provides=(DESCRIBE,), routes=(make.route("describe", {"a": 1}),)),
        MockSet(file="b.yaml", provides=(NODES,), routes=(make.route("top_nodes", {"b": 2}),)),
        MockSet(file="c.yaml"),
    ]
    jobs = [
        Job(number=number, file="f", case=make.case(f"case {number}", make.turn(user=f"u{number}")), case_mocks=file)
        for number, file in enumerate(files)
    ]
    answers = {}
    with edges():
        live = LiveOptions(timeout=20.0)
        target = AdkTarget(make.loaded(agent), live=live, mocks=[Mocks(file) for file in files])
        take = lambda job, outcome: answers.update({job.number: outcome.trace.turns[0].final.text})  # noqa: E731 - it is one
        asyncio.run(play(jobs, target, PlayOptions(timeout=20.0, concurrency=3), take))

    assert answers == {0: "{'a': 1}", 1: "{'b': 2}", 2: "None"}
    assert agent.tools == []


def test_over_fakes_below_the_tools_a_provided_one_without_a_route_is_a_miss(tmp_path):
    file = b"{backends: [{http: {env: LAG_URL, routes: []}}], provides: [{name: describe}]}"
    mocks = mocks_format.parse(file, file="m.yaml", folder=tmp_path).value
    agent = LlmAgent(name="bare", model=Curious(model="curious"))
    with InPlace(Scene(mocks=Mocks(own=mocks)), allow_misses=True) as played:
        assert asyncio.run(say(agent, "pod")) == str(NEUTRAL_REPLY)
    assert [miss.tool for miss in played.misses] == ["describe"]


async def say(agent, text):
    """Ask the agent in a runner of the test's own; return the last thing it says."""
    runner = InMemoryRunner(agent=agent)
    session = await runner.session_service.create_session(app_name=runner.app_name, user_id="u")
    run = runner.run_async(user_id="u", session_id=session.id, new_message=types.UserContent(text))
    return [event async for event in run][-1].content.parts[0].text


def test_a_test_with_a_runner_of_its_own_gets_them_while_mocks_are_in_place(make):
    agent = LlmAgent(name="bare", model=Curious(model="curious"))
    mocks = MockSet(file="m.yaml", provides=(DESCRIBE,), routes=(make.route("describe"),))

    with InPlace(Scene(mocks=Mocks(own=mocks))) as played:
        assert asyncio.run(say(agent, "pod")) == "{'describe': 'ok'}"
    assert played.notes == (NOTE,)
    assert agent.tools == []
    assert asyncio.run(say(agent, "pod")) == "None"
