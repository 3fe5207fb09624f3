"""A change, from the model's call to the cluster: through ADK's own runner, with a model that says what it is told."""

import pytest
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_response import LlmResponse
from google.adk.runners import InMemoryRunner
from google.genai import types

CHANGE = {
    "namespace": "shop",
    "deployment_name": "web",
    "container": "web",
    "env": {"LOG_LEVEL": "debug"},
    "resources": {"cpu_limit": "1"},
}


class Scripted(BaseLlm):
    """A model that asks for one change, then says that it is done."""

    async def generate_content_async(self, llm_request, stream=False):
        asked = any(part.function_call for content in llm_request.contents for part in content.parts)
        call = types.Part.from_function_call(name="patch_deployment", args=CHANGE)
        yield LlmResponse(content=types.ModelContent([types.Part(text="done")] if asked else [call]))


@pytest.fixture
def say(tools, k8s_health):
    """Say something to the agent as a user of a role; returns the function calls and responses that follow."""
    agent = k8s_health.agent.root_agent.clone(update={"model": Scripted(model="scripted")})
    runner = InMemoryRunner(agent=agent, app_name="k8s_health")

    async def run(part, role):
        sessions = runner.session_service
        known = {"app_name": "k8s_health", "user_id": "ann", "session_id": "one"}
        if await sessions.get_session(**known) is None:
            await sessions.create_session(**known, state={"role": role})
        events = runner.run_async(user_id="ann", session_id="one", new_message=types.UserContent([part]))
        return [one async for event in events for one in (*event.get_function_calls(), *event.get_function_responses())]

    return run


def _answer(request, *, confirmed):
    response = types.FunctionResponse(id=request.id, name=request.name, response={"confirmed": confirmed})
    return types.Part(function_response=response)


async def test_a_change_reaches_the_cluster_once_the_user_has_confirmed_it(say, cluster):
    *_, request = [one for one in await say(types.Part(text="Debug it"), "admin") if "confirmation" in one.name]
    assert cluster.changes() == []

    (reply,) = await say(_answer(request, confirmed=True), "admin")

    assert (reply.name, reply.response["status"]) == ("patch_deployment", "success")
    (change,) = cluster.changes()
    assert change.body["spec"]["template"]["spec"]["containers"] == [
        {"name": "web", "env": [{"name": "LOG_LEVEL", "value": "debug"}], "resources": {"limits": {"cpu": "1"}}}
    ]


async def test_a_change_that_the_user_rejects_does_not_reach_the_cluster(say, cluster):
    *_, request = [one for one in await say(types.Part(text="Debug it"), "admin") if "confirmation" in one.name]

    await say(_answer(request, confirmed=False), "admin")

    assert cluster.requests == []


async def test_nobody_is_asked_to_confirm_what_the_role_forbids(say, cluster):
    call, reply = await say(types.Part(text="Debug it"), "operator")

    assert (call.name, reply.name) == ("patch_deployment", "patch_deployment")
    assert reply.response["error"].endswith("that needs the role admin.")
    assert cluster.requests == []
