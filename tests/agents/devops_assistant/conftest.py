"""The team over systems in memory, played by ADK's real `Runner` with models that say what a test wants."""

import asyncio
import contextlib
import importlib
import logging
import warnings
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from google.adk.agents import LlmAgent
from google.adk.apps import App
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_response import LlmResponse
from google.adk.runners import Runner
from google.adk.sessions import InMemorySessionService
from google.adk.tools.agent_tool import AgentTool
from google.genai import types

AGENTS = Path(__file__).parents[3] / "agents"

MODELS = ("DEVOPS_ASSISTANT", "KAFKA_HEALTH", "K8S_HEALTH", "DOCKER_AGENT", "OBSERVABILITY")

ASK = "adk_request_confirmation"

NOTHING_LEFT = "(nothing left to say)"


class ScriptedModel(BaseLlm):
    """A model that says its turns one after the other: a text, or a list of calls made together.

    Attributes:
        turns: What is left to say.
        asked: What it was asked, in order.
    """

    turns: list[Any]
    asked: list[Any]

    async def generate_content_async(self, llm_request: Any, stream: bool = False) -> AsyncIterator[LlmResponse]:
        self.asked.append(llm_request)
        turn = self.turns.pop(0) if self.turns else NOTHING_LEFT
        parts = [_part(one) for one in (turn if isinstance(turn, list) else [turn])]
        yield LlmResponse(content=types.Content(role="model", parts=parts))


def _part(said: Any) -> types.Part:
    if isinstance(said, str):
        return types.Part(text=said)
    name, args = said
    return types.Part(function_call=types.FunctionCall(name=name, args=args))


def call(name: str, /, **args: Any) -> tuple[str, dict[str, Any]]:
    """A call, for a turn of a script."""
    return name, args


def transfer(agent: str) -> tuple[str, dict[str, Any]]:
    """A call that hands over to an agent."""
    return call("transfer_to_agent", agent_name=agent)


def agents_of(root: Any) -> dict[str, Any]:
    """Return every agent that runs below this one, itself included, by name."""
    found: dict[str, Any] = {}
    waiting = [root]
    while waiting:
        agent = waiting.pop()
        found[agent.name] = agent
        inside = [tool.agent for tool in getattr(agent, "tools", ()) if isinstance(tool, AgentTool)]
        waiting += [one for one in (*agent.sub_agents, *inside) if one.name not in found]
    return found


async def _play(app: App, messages: tuple[str | bool, ...], state: dict[str, Any]) -> SimpleNamespace:
    """Send the messages one after the other, a bool as the answer to the confirmation that is asked for."""
    runner = Runner(app=app, session_service=InMemorySessionService())
    known = {"app_name": app.name, "user_id": "someone"}
    session = await runner.session_service.create_session(**known, state=state)
    events: list[Any] = []
    failure = None
    for one in messages:
        new = types.Content(role="user", parts=[_answer(one, events) if isinstance(one, bool) else _part(one)])
        try:
            async for event in runner.run_async(user_id="someone", session_id=session.id, new_message=new):
                events.append(event)  # noqa: PERF401 - those before a failure count too
        except Exception as error:  # noqa: BLE001 - what a tool raises is a result here
            failure = error
            break
    stored = await runner.session_service.get_session(**known, session_id=session.id)
    assert stored is not None
    return SimpleNamespace(events=events, state=stored.state, failure=failure)


def _answer(confirmed: bool, events: list[Any]) -> types.Part:
    asked = [one for event in events for one in event.get_function_calls() if one.name == ASK]
    response = types.FunctionResponse(id=asked[-1].id, name=ASK, response={"confirmed": confirmed})
    return types.Part(function_response=response)


def play(app: App, *messages: str | bool, state: dict[str, Any] | None = None, **script: list[Any]) -> SimpleNamespace:
    """Play a conversation and return what happened.

    Args:
        app: The app.
        messages: What the user says, in order: a text, or True or False to the last question for a confirmation.
        state: The session's state before.
        script: The turns of each agent's model, by the agent's name.

    Returns:
        `events`: ADK's own, `calls`: pairs of agent and tool in order, `replies`: what each tool answered last, by its
        name, `said`: pairs of agent and text, `state`: the session's at the end, `asked`: the requests to each agent's
        model, `left`: what was not said, by agent, `failure`: what was raised, if anything was.
    """
    models = {
        name: ScriptedModel(model=name, turns=list(script.get(name, ())), asked=[])
        for name, agent in agents_of(app.root_agent).items()
        if isinstance(agent, LlmAgent)
    }
    assert set(script) <= set(models), f"no such agent: {set(script) - set(models)}"
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        for name, model in models.items():
            patch.setattr(agents_of(app.root_agent)[name], "model", model)
        # ADK makes its deprecated workflow agents anew at each run.
        warnings.filterwarnings("ignore", message="(Loop|Parallel|Sequential)Agent is deprecated")
        result = asyncio.run(_play(app, messages, state or {}))
    events = result.events
    result.calls = [(event.author, one.name) for event in events for one in event.get_function_calls()]
    result.replies = {one.name: one.response for event in events for one in event.get_function_responses()}
    result.said = [
        (event.author, part.text)
        for event in events
        for part in (event.content.parts if event.content else None) or ()
        if part.text
    ]
    result.asked = {name: model.asked for name, model in models.items()}
    result.left = {name: model.turns for name, model in models.items() if model.turns}
    return result


@pytest.fixture(scope="session")
def assistant() -> Iterator[ModuleType]:
    """The app's package, imported as `adk web` imports it, in an environment that says nothing about it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(AGENTS))
        for model in MODELS:
            patch.delenv(f"{model}_MODEL", raising=False)
        yield importlib.import_module("devops_assistant")


@pytest.fixture
def app(assistant: ModuleType) -> App:
    """The app."""
    return assistant.agent.app


@pytest.fixture
def siblings(assistant: ModuleType) -> SimpleNamespace:
    """The specialists' own packages."""
    names = ("kafka_health", "k8s_health", "docker_agent", "observability")
    return SimpleNamespace(**{name: assistant.siblings.sibling(name) for name in names})


@pytest.fixture
def systems(siblings: SimpleNamespace, monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """Kafka, a cluster, docker and Prometheus in memory, in place of what the specialists' tools reach them by.

    `done` lists what they were asked, `healthy` has what the deployment's status is at each look (then True).
    """
    made = SimpleNamespace(done=[], healthy=[])

    def put(module: ModuleType, name: str, label: str, data: Any) -> None:
        def answer(*args: Any, **kwargs: Any) -> Any:
            made.done.append((label, *(one for one in args if isinstance(one, str | int))))
            return data(*args) if callable(data) else data

        monkeypatch.setattr(module, name, answer)

    kafka, k8s = siblings.kafka_health.tools, siblings.k8s_health.tools
    docker, metrics = siblings.docker_agent.tools, siblings.observability.tools
    monkeypatch.setattr(kafka, "_admin_client", object)
    monkeypatch.setattr(k8s, "_api_client", contextlib.nullcontext)
    put(kafka.groups, "lag", "lag", {"total_lag": 75})
    put(k8s.pods, "listing", "pods", {"unhealthy_count": 1})
    put(k8s.events, "listing", "events", {"warning_count": 4})
    put(k8s.deployments, "status", "status", lambda *_: {"healthy": made.healthy.pop(0) if made.healthy else True})
    put(k8s.changes, "restart", "restart", {"restarted_at": "now"})
    put(k8s.changes, "scale", "scale", {"replicas": 3})
    put(docker.containers, "listing", "containers", {"container_count": 2})
    put(metrics.prometheus, "alerts", "alerts", {"firing_count": 1})
    return made


@pytest.fixture(scope="session")
def script() -> SimpleNamespace:
    """How to play conversations: `play`, and what scripts are written with."""
    return SimpleNamespace(play=play, call=call, transfer=transfer, agents_of=agents_of, NOTHING_LEFT=NOTHING_LEFT)


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    """Keep ADK from logging what these tests make go wrong on purpose."""
    logger = logging.getLogger("google_adk")
    level = logger.level
    logger.setLevel(logging.CRITICAL + 1)
    yield
    logger.setLevel(level)
