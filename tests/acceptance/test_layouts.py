"""Projects as others have them: evals inside an agent's folder, and agents written without evalkit in mind."""

import copy
import json

import pytest

LAG_AGENT = '''
import os
from google.adk.agents import LlmAgent


def get_lag(group: str) -> dict:
    """Return the lag of a consumer group."""
    raise AssertionError("the real tool ran")


root_agent = LlmAgent(name="lag", model=os.environ["AGENT_MODEL"], tools=[get_lag])
'''

ONLY_TRAJECTORY = {"criteria": {"tool_trajectory_avg_score": 1.0}}
ALSO_GROUNDING = {"criteria": {"tool_trajectory_avg_score": 1.0, "grounding": 1.0}}


KAFKA = "agents/kafka-health"
QUEUE = "agents/queue-health"


@pytest.fixture
def fleet(project, make_case):
    """Two agents in folders with hyphens: one is a project around its package, the other the package itself.

    Their evals have equal file names and criteria of their own. What the tools answer stands in a mocks file beside the
    one, and as recorded tool responses in the other. Each agent has a `.env`.
    """
    wrong = make_case("wrong", answer="The lag is 99.")
    project.write(f"{KAFKA}/kafka_health/__init__.py", "from . import agent\n")
    project.write(f"{KAFKA}/kafka_health/agent.py", LAG_AGENT)
    project.write(f"{KAFKA}/kafka_health/.env", "AGENT_MODEL=gemini-2.5-flash\n")
    project.write(f"{KAFKA}/tests/test_kafka_eval.py", "def test_placeholder():\n    pass\n")
    project.write(f"{KAFKA}/tests/evals/test_config.json", json.dumps(ALSO_GROUNDING))
    project.write(
        f"{KAFKA}/tests/evals/mocks.yaml", "tools: {get_lag: [{args: {group: orders}, returns: {lag: 75}}]}\n"
    )
    project.evalset(make_case("right"), wrong, name=f"{KAFKA}/tests/evals/lag.test.json")

    recorded = copy.deepcopy(wrong)
    recorded["conversation"][0]["intermediate_data"]["tool_responses"] = [{"name": "get_lag", "response": {"lag": 75}}]
    project.write(f"{QUEUE}/agent.py", LAG_AGENT)
    project.write(f"{QUEUE}/.env", "AGENT_MODEL=gemini-2.5-pro\n")
    project.write(f"{QUEUE}/tests/evals/test_config.json", json.dumps(ONLY_TRAJECTORY))
    project.evalset(recorded, name=f"{QUEUE}/tests/evals/lag.test.json")
    return project


def test_evals_inside_the_agents_folders_run_unmoved_each_by_its_own_config_and_environment(fleet):
    done = fleet.evalkit("run", "agents")

    files = {file["file"].removesuffix("/tests/evals/lag.test.json"): file for file in fleet.results()["files"]}
    assert {agent: file["config"] for agent, file in files.items()} == {
        KAFKA: f"{KAFKA}/tests/evals/test_config.json",
        QUEUE: f"{QUEUE}/tests/evals/test_config.json",
    }
    verdicts = {agent: {case["eval_id"]: case["verdict"] for case in file["cases"]} for agent, file in files.items()}
    assert verdicts == {KAFKA: {"right": "passed", "wrong": "failed"}, QUEUE: {"wrong": "passed"}}, done.stderr
    models = fleet.results()["run"]["agents"].values()
    assert sorted(model["lag"] for model in models) == ["gemini-2.5-flash", "gemini-2.5-pro"]


TOOLS = '''
import os


def find_flights(origin: str, destination: str) -> dict:
    """Find flights from one city to another."""
    raise AssertionError(f"the real tool ran and asked {os.environ['FLIGHTS_URL']}")


def book_hotel(city: str, nights: int) -> dict:
    """Book a hotel in a city."""
    raise AssertionError("the real tool ran")
'''

PLUGIN = '''
from google.adk.plugins.base_plugin import BasePlugin


class Audit(BasePlugin):
    """Keeps in the state which tools were called."""

    async def after_tool_callback(self, *, tool, tool_args, tool_context, result):
        tool_context.state["audit"] = [*tool_context.state.get("audit", []), tool.name]
'''

APP = """
import os

from google.adk.agents import LlmAgent
from google.adk.apps import App

from .plugins import Audit
from .tools import book_hotel, find_flights

MODEL = os.environ["TRIP_MODEL"]


def no_long_stays(tool, args, tool_context):
    if args.get("nights", 0) > 14:
        return {"status": "error", "error": "Nobody may stay longer than 14 nights."}


hotels = LlmAgent(
    name="hotels",
    model=MODEL,
    description="Books hotels.",
    tools=[book_hotel],
    before_tool_callback=no_long_stays,
)
root_agent = LlmAgent(
    name="trip_planner",
    model=MODEL,
    instruction="Plan trips for {traveller}.",
    tools=[find_flights],
    sub_agents=[hotels],
)
app = App(name="trip_planner", root_agent=root_agent, plugins=[Audit(name="audit")])
"""

WORKFLOW = """
import os

from google.adk.agents import LlmAgent
from google.adk.workflow import Workflow

from .tools import book_hotel, find_flights

flights = LlmAgent(name="flights", model=os.environ["TRIP_MODEL"], tools=[find_flights])
hotels = LlmAgent(name="hotels", model=os.environ["TRIP_MODEL"], tools=[book_hotel])
root_agent = Workflow(name="trip_planner", edges=[("START", flights, hotels)])
"""

TRIP_MOCKS = """
tools:
  find_flights:
    - args: {origin: Oslo, destination: Rome}
      returns: {flights: [{number: DY1872, price_eur: 214}]}
  book_hotel:
    - args: {city: Rome, nights: 3}
      returns: {booked: true, hotel: Villa Pinciana, price_eur: 587}
"""


def call(name, **args):
    return {"name": name, "args": args}


def turn(text, answer, *calls):
    return {
        "user_content": {"role": "user", "parts": [{"text": text}]},
        "intermediate_data": {"tool_uses": list(calls)},
        "final_response": {"role": "model", "parts": [{"text": answer}]},
    }


FLIGHT = call("find_flights", origin="Oslo", destination="Rome")
HOTEL = call("book_hotel", city="Rome", nights=3)


@pytest.fixture
def third_party(project):
    """Somebody else's package, outside the folder of agents, whose model needs a library that is not there."""

    def write(agent: str) -> None:
        for name, text in (
            ("__init__", "from . import agent\n"),
            ("agent", agent),
            ("tools", TOOLS),
            ("plugins", PLUGIN),
        ):
            project.write(f"vendor/trips/trip_planner/{name}.py", text)
        project.write(
            "vendor/trips/trip_planner/.env", "TRIP_MODEL=openai/gpt-4o\nFLIGHTS_URL=https://flights.example\n"
        )
        project.write("pyproject.toml", '[tool.evalkit.agent_for]\n"evals/trips" = "vendor/trips/trip_planner"\n')
        project.write("evals/trips/mocks.yaml", TRIP_MOCKS)
        project.write("evals/trips/test_config.json", '{"criteria": {"grounding": 1.0}}')

    return write


@pytest.fixture
def without_litellm(project):
    """An environment in which importing litellm fails, as where it is not installed."""
    project.write("absent/litellm.py", "raise ModuleNotFoundError(\"No module named 'litellm'\", name='litellm')\n")
    return {"PYTHONPATH": str(project.root / "absent")}


def trip(eval_id, *turns, **block):
    session = {"app_name": "trip_planner", "user_id": "ops", "state": {"traveller": "Kim"}}
    return {"eval_id": eval_id, "conversation": turns, "session_input": session, "evalkit": block}


FLIGHT_THEN_HOTEL = trip(
    "flight then hotel",
    turn("Find a flight from Oslo to Rome.", "Flight DY1872 costs 214 EUR.", FLIGHT),
    turn("Book a hotel in Rome for 3 nights.", "Villa Pinciana costs 587 EUR.", HOTEL),
    expect=[
        {"state": {"audit": ["find_flights"]}},
        {"state": {"audit": ["find_flights", "transfer_to_agent", "book_hotel"]}},
    ],
)
TOO_LONG = trip(
    "too long a stay",
    turn(
        "Book a hotel in Rome for 20 nights.",
        "That is not possible: nobody may stay longer than 14 nights.",
        call("book_hotel", city="Rome", nights=20),
    ),
    expect=[{"trajectory": {"blocked": ["book_hotel"]}}],
)
BOTH = trip(
    "flight and hotel",
    turn("From Oslo to Rome, 3 nights.", "Flight DY1872 costs 214 EUR, Villa Pinciana 587 EUR.", FLIGHT, HOTEL),
)
WRONG_PRICE = trip(
    "wrong price",
    turn("From Oslo to Rome, 3 nights.", "Flight DY1872 costs 215 EUR, Villa Pinciana 587 EUR.", FLIGHT, HOTEL),
)


@pytest.mark.parametrize(
    ("agent", "good", "names"),
    [
        pytest.param(APP, [FLIGHT_THEN_HOTEL, TOO_LONG], {"trip_planner", "hotels"}, id="app"),
        pytest.param(WORKFLOW, [BOTH], {"flights", "hotels"}, id="workflow"),
    ],
)
def test_a_third_partys_agent_runs_as_it_is(project, third_party, without_litellm, agent, good, names):
    third_party(agent)
    project.evalset(*good, WRONG_PRICE, name="evals/trips/trips.evalset.json")

    done = project.evalkit("run", "evals", env=without_litellm)

    verdicts = {case["eval_id"]: case["verdict"] for case in project.results()["files"][0]["cases"]}
    assert verdicts == {**{case["eval_id"]: "passed" for case in good}, "wrong price": "failed"}, done.stdout
    assert "no tool reply and no word of the user has the number `215`" in done.stdout
    (models,) = project.results()["run"]["agents"].values()
    assert models == dict.fromkeys(names, "openai/gpt-4o")
