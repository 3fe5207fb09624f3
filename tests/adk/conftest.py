"""Cases in short notation, played on ADK's real runner with nothing but the two edges in place."""

import asyncio
import logging
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from evalkit.adk.edges import edges
from evalkit.adk.load import LoadedAgent, loaded_agent
from evalkit.adk.target import AdkTarget
from evalkit.adk.toolset_checks import Mocks
from evalkit.cases import Case, Expectation, Message, SessionInput, Step, ToolCall, ToolReply, Turn
from evalkit.play import Job, PlayOptions, play
from evalkit.routes import MockSet, Reply, Route
from evalkit.targets.base import LiveOptions

HERE = Path(__file__).parent


def message(text, role="model"):
    return Message(role=role, parts=({"text": text},))


def call(name, /, agent=None, **args):
    """A golden call; `turn` gives it its place."""
    return ToolCall(name=name, args=args, agent=agent)


def said(agent, text):
    """A step in which an agent only speaks."""
    return Step(agent=agent, message=message(text))


def event(agent, *calls, text=None):
    """A recorded event: calls that were made together, perhaps with text beside them."""
    return Step(agent=agent, calls=calls, message=message(text) if text else None)


def answers(name, **fields):
    """What the user says to a call that waits, such as a confirmation: a function response without an id."""
    return Message(role="user", parts=({"function_response": {"name": name, "response": fields}},))


def turn(*steps, final="the end", user="go", route=None, replies=(), recorded=True):
    """A turn of a case: calls, events and speech; each call's place is `$[n]` in the order of writing.

    `replies` are recorded tool responses: a dict by tool, or pairs.
    """
    numbers = iter(range(100))
    made = [_step(step, numbers) for step in steps]
    pairs = replies.items() if isinstance(replies, dict) else replies
    made += [Step(replies=(ToolReply(name=name, response=response),)) for name, response in pairs]
    return {
        "user": user if isinstance(user, Message) else message(user, "user"),
        "final": message(final) if isinstance(final, str) else final,
        "steps": tuple(made) if recorded else None,
        "layout": "events" if any(isinstance(step, Step) and step.calls for step in steps) else "flat",
        "expect": Expectation(route=route),
    }


def _step(step, numbers):
    if isinstance(step, ToolCall):
        step = Step(agent=step.agent, calls=(step,))
    placed = (
        ToolCall(name=one.name, args=one.args, agent=step.agent, where=f"$[{next(numbers)}]") for one in step.calls
    )
    return Step(agent=step.agent, calls=tuple(placed), message=step.message, replies=step.replies)


def case(eval_id, *turns, state=None, session_id=None):
    session = SessionInput(app_name="app", user_id="user", state=state, session_id=session_id) if state else None
    numbered = tuple(Turn(index=index, where=f"$.turn[{index}]", **one) for index, one in enumerate(turns))
    return Case(eval_id=eval_id, turns=numbered, session=session)


def route(tool, *replies, raises=None, **fields):
    """A mock: the values that it returns in turn, `{"<tool>": "ok"}` if none is given."""
    made = [one if isinstance(one, Reply) else Reply(value=one) for one in replies or ({tool: "ok"},)]
    if raises:
        kind, text = raises
        made = [Reply(raises=kind, message=text)]
    return Route(tool=tool, replies=tuple(made), label=f"m.yaml {tool}", **fields)


def loaded(root, **fields):
    """An agent that a test has made itself, as loading would hand it over."""
    return LoadedAgent(name="app", root=root, **{"app": None, "reset": None, **fields})


def play_cases(
    agent,
    cases,
    mocks=(),
    *,
    case_mocks=(),
    timeout=20.0,
    concurrency=1,
    golden=True,
    passthrough=False,
    toolsets=None,
    provides=(),
    simulator=None,
):
    """Play cases on a loaded agent, or on a bare one, and return each case's outcome by its id."""
    agent = agent if isinstance(agent, LoadedAgent) else loaded(agent)
    folder = MockSet(file="m.yaml", routes=tuple(mocks), toolsets=toolsets or {}, provides=tuple(provides))
    own = MockSet(file="own.yaml", routes=tuple(case_mocks)) if case_mocks else None
    files = {"file": "f", "case_mocks": own, "folder_mocks": folder, "simulator": simulator}
    jobs = [Job(number=number, case=one, **files) for number, one in enumerate(cases)]
    outcomes = {}
    with edges(), warnings.catch_warnings():
        warnings.filterwarnings(
            "ignore", message="(Loop|Parallel|Sequential)Agent is deprecated"
        )  # says so at each run
        live = None if golden else LiveOptions(timeout=timeout)
        target = AdkTarget(agent, live=live, passthrough=passthrough, mocks=[Mocks(own, folder)])
        options = PlayOptions(timeout=timeout, concurrency=concurrency)
        asyncio.run(play(jobs, target, options, lambda job, outcome: outcomes.update({job.number: outcome})))
    return {one.eval_id: outcomes[number] for number, one in enumerate(cases)}


def play_one(agent, *turns, state=None, **options):
    """Play one case of these turns and return its outcome."""
    return play_cases(agent, [case("one", *turns, state=state)], **options)["one"]


def tools(outcome, *fields, turn=0):
    """What was called in a turn, a tuple of these fields each (by default agent, name, status)."""
    fields = fields or ("agent", "name", "status")
    return [tuple(getattr(event, field) for field in fields) for event in outcome.trace.turns[turn].tools]


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    """Keep ADK from logging what these tests make go wrong on purpose."""
    logger = logging.getLogger("google_adk")
    level = logger.level
    logger.setLevel(logging.CRITICAL + 1)
    yield
    logger.setLevel(level)


@pytest.fixture(scope="session")
def make():
    """The builders by name."""
    return SimpleNamespace(
        answers=answers,
        call=call,
        case=case,
        event=event,
        loaded=loaded,
        message=message,
        reply=lambda value, **fields: Reply(value=value, **fields),
        route=route,
        said=said,
        turn=turn,
    )


@pytest.fixture(scope="session")
def run():
    """What plays cases, and reads what happened."""
    return SimpleNamespace(cases=play_cases, one=play_one, tools=tools)


@pytest.fixture(scope="module")
def crew():
    """The orchestrator in `crew/`, loaded once a module."""
    with loaded_agent(str(HERE / "crew")) as agent:
        yield agent


@pytest.fixture(scope="module")
def graph():
    """The workflow in `graph/`, loaded once a module."""
    with loaded_agent(str(HERE / "graph")) as agent:
        yield agent
