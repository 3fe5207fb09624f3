"""Each private name of google-adk that evalkit relies on: what for, shown on ADK itself; and what a missing one is."""

import asyncio
import sys

import pytest
from google.adk.agents import LlmAgent, SequentialAgent
from google.adk.models import BaseLlm, LlmResponse
from google.adk.runners import InMemoryRunner
from google.adk.tools.agent_tool import AgentTool
from google.adk.tools.function_tool import FunctionTool
from google.adk.version import __version__ as adk_version
from google.adk.workflow import FunctionNode, Workflow, node
from google.genai import types
from pydantic import Field

from evalkit.adk import private
from evalkit.adk.edges import edges
from evalkit.errors import AdkVersionError

MODEL = "gemini-2.5-flash"


class Once(BaseLlm):
    """Calls one tool, and says that it is done after the reply; keeps the requests."""

    tool: str
    requests: list = Field(default_factory=list)

    async def generate_content_async(self, llm_request, stream=False):
        self.requests.append(llm_request)
        answered = any(part.function_response for content in llm_request.contents for part in content.parts)
        call = types.Part.from_function_call(name=self.tool, args={"n": 1})
        yield LlmResponse(content=types.ModelContent("done" if answered else [call]))


def run(agent, *messages):
    """Run an agent on ADK alone and return its events."""

    async def play():
        runner = InMemoryRunner(agent=agent)
        session = await runner.session_service.create_session(app_name=runner.app_name, user_id="u")
        events = []
        for message in messages or (types.UserContent("go"),):
            made = message(events) if callable(message) else message
            events += [e async for e in runner.run_async(user_id="u", session_id=session.id, new_message=made)]
        return events

    return asyncio.run(play())


def plain(n: int) -> dict:
    """Do it."""
    return {"by": "plain"}


async def later(n: int) -> dict:
    """Do it."""
    return {"by": "later"}


def generator(n: int):
    """Do it."""
    yield {"by": "generator"}


def replies(events):
    return [reply.response for event in events for reply in event.get_function_responses()]


@pytest.mark.parametrize(
    ("function", "name"),
    [(plain, private.INVOKE_CALLABLE), (later, private.INVOKE_CALLABLE), (generator, private.RUN_GENERATOR)],
    ids=["function", "coroutine", "generator"],
)
def test_a_function_tool_reaches_its_function_through_one_method(monkeypatch, function, name):
    async def instead(self, *args, **kwargs):
        return {"by": "us"}

    agent = LlmAgent(name="one", model=Once(model="m", tool=function.__name__), tools=[function])
    assert replies(run(agent)) == [{"by": function.__name__}]
    monkeypatch.setattr(FunctionTool, name, instead)
    assert replies(run(agent)) == [{"by": "us"}]


def test_a_nodes_children_are_told_by_one_method():
    inner = LlmAgent(name="inner", model=MODEL)
    with pytest.warns(DeprecationWarning, match="SequentialAgent is deprecated"):
        sequence = SequentialAgent(name="sequence", sub_agents=[inner])
    flow = Workflow(name="flow", edges=[("START", FunctionNode(func=plain))])
    root = LlmAgent(name="root", model=MODEL, sub_agents=[sequence], tools=[flow])
    assert [child.name for child in private.static_children(root)] == ["sequence", "flow"]
    assert [child.name for child in private.static_children(sequence)] == ["inner"]
    assert [child.name for child in private.static_children(flow)] == ["plain"]


def test_a_tool_declares_its_arguments_by_one_method():
    declared = private.declaration(FunctionTool(plain))
    assert declared.name == "plain"
    assert declared.parameters_json_schema["properties"]["n"]["type"] == "integer"


def test_every_request_is_labelled_with_the_agent_that_asks():
    model = Once(model="m", tool="plain")
    run(LlmAgent(name="one", model=model, tools=[plain]))
    labels = [request.config.labels[private.AGENT_NAME_LABEL] for request in model.requests]
    assert set(labels) == {"one"}


def test_a_refused_call_is_answered_in_these_words():
    def refuse(events):
        asked = next(call for event in events for call in event.get_function_calls() if call.name.startswith("adk_"))
        reply = types.FunctionResponse(id=asked.id, name=asked.name, response={"confirmed": False})
        return types.Content(role="user", parts=[types.Part(function_response=reply)])

    tool = FunctionTool(plain, require_confirmation=True)
    events = run(
        LlmAgent(name="one", model=Once(model="m", tool="plain"), tools=[tool]), types.UserContent("go"), refuse
    )
    assert private.REJECTED_REPLY in replies(events)


def test_a_model_that_answers_with_nothing_is_an_event_with_this_error_code():
    class Mute(BaseLlm):
        async def generate_content_async(self, llm_request, stream=False):
            yield LlmResponse(content=types.Content(role="model", parts=[]), finish_reason="STOP")

    (event,) = run(LlmAgent(name="one", model=Mute(model="mute")))
    assert event.error_code == private.NO_CONTENT


def test_a_parallel_worker_holds_its_node():
    inner = LlmAgent(name="inner", model=MODEL)
    worker = node(inner, parallel_worker=True)
    assert private.wrapped_node(worker).name == "inner"
    assert private.wrapped_node(inner) is None


def test_a_node_that_is_offered_as_a_tool_is_told_from_other_tools():
    async def only_tool():
        return (await LlmAgent(name="one", model=MODEL, tools=[FunctionNode(func=plain)]).canonical_tools())[0]

    assert private.node_in_tool(asyncio.run(only_tool())).name == "plain"
    assert private.node_in_tool(AgentTool(LlmAgent(name="one", model=MODEL))) is None


def test_the_agents_that_one_can_transfer_to_are_told_by_one_function():
    peer, other = LlmAgent(name="peer", model=MODEL), LlmAgent(name="other", model=MODEL, mode="single_turn")
    child = LlmAgent(name="child", model=MODEL)
    root = LlmAgent(name="root", model=MODEL, sub_agents=[child, peer, other])
    assert [target.name for target in private.transfer_targets(root)] == ["child", "peer"]
    assert [target.name for target in private.transfer_targets(child)] == ["root", "peer"]


def test_this_google_adk_has_every_name():
    private.check()


@pytest.mark.parametrize("owner_and_name", private._REQUIRED, ids=lambda pair: f"{pair[0].__name__}.{pair[1]}")
def test_a_name_that_is_gone_is_one_line_with_adks_version(monkeypatch, owner_and_name):
    owner, name = owner_and_name
    holder = next((base for base in getattr(owner, "__mro__", (owner,)) if name in vars(base)), owner)
    monkeypatch.delattr(holder, name)
    with pytest.raises(AdkVersionError) as caught, edges():
        pass
    assert str(caught.value) == (
        f"google-adk {adk_version} has no {owner.__name__}.{name}, which evalkit replaces while it plays a case;"
        " install a google-adk that this evalkit knows (2.13) or a newer evalkit"
    )


def test_a_litellm_model_keeps_what_it_hands_on_and_any_other_hands_on_nothing():
    pytest.importorskip("litellm", reason="needs LiteLLM, which comes with google-adk's eval extra")
    from google.adk.models.lite_llm import LiteLlm

    assert private.litellm_arguments(LiteLlm(model="openai/gpt-4o", api_key="k")) == {"api_key": "k"}
    assert private.litellm_arguments(Once(model="m", tool="plain")) == {}


def test_litellm_is_loaded_by_one_function_which_adk_calls_when_it_first_needs_it():
    pytest.importorskip("litellm", reason="needs LiteLLM, which comes with google-adk's eval extra")
    from google.adk.models import lite_llm

    private.load_litellm()
    assert lite_llm.litellm is sys.modules["litellm"]
