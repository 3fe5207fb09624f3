"""Agents that have to answer in a shape: through text, through `set_model_response`, through `finish_task`."""

import json

import pytest
from google.adk.agents import LlmAgent
from google.adk.tools.agent_tool import AgentTool
from google.adk.workflow import Workflow
from google.genai import types
from pydantic import BaseModel, Field

MODEL = "gemini-2.5-flash"


class Lag(BaseModel):
    """A lag with limits that a neutral line has to respect."""

    group: str = Field(min_length=8)
    total: int = Field(ge=3)
    notes: list[str] = Field(min_length=1)
    owner: str | None = None


class Coded(BaseModel):
    """Something that no neutral line can meet."""

    code: str = Field(pattern="^[A-Z]{3}-[0-9]{4}$")


ANSWER = {"group": "order-processor", "total": 75, "notes": ["a"]}


def get_lag(group: str) -> dict:
    """Return the lag of a consumer group."""
    raise AssertionError(f"the real get_lag ran for {group}")


@pytest.fixture
def play_lag(make, run):
    return lambda root, *turns: run.one(root, *turns, mocks=[make.route("get_lag")])


def agent(name="one", **fields):
    return LlmAgent(name=name, model=MODEL, **fields)


def neutral_words(outcome):
    return {said.agent: said.text for said in outcome.trace.turns[0].said}


def test_without_tools_the_answer_is_said_as_text(make, play_lag):
    outcome = play_lag(agent(output_schema=Lag, output_key="lag"), make.turn(final=json.dumps(ANSWER)))
    assert outcome.failure is None
    assert json.loads(outcome.trace.turns[0].final.text) == ANSWER
    assert outcome.trace.state["lag"]["total"] == 75


def test_with_tools_the_answer_goes_through_set_model_response(make, run, play_lag):
    root = agent(output_schema=Lag, tools=[get_lag])
    outcome = play_lag(root, make.turn(make.call("get_lag", group="a"), final=json.dumps(ANSWER)))
    assert run.tools(outcome, "name", "args", "status", "added") == [
        ("get_lag", {"group": "a"}, "answered", False),
        ("set_model_response", ANSWER, "control", True),
    ]
    assert json.loads(outcome.trace.turns[0].final.text) == ANSWER
    assert outcome.trace.turns[0].golden.final_given
    assert [made.name for made in outcome.trace.turns[0].adk_calls] == ["get_lag", "set_model_response"]


def test_a_recorded_set_model_response_is_played_as_it_is(make, run, play_lag):
    calls = [make.call("get_lag", group="a"), make.call("set_model_response", **ANSWER)]
    outcome = play_lag(agent(output_schema=Lag, tools=[get_lag]), make.turn(*calls, final=json.dumps(ANSWER)))
    assert run.tools(outcome, "name", "golden") == [("get_lag", "$[0]"), ("set_model_response", "$[1]")]
    assert outcome.trace.turns[0].golden.leftover == ()
    assert not outcome.trace.turns[0].golden.changed


@pytest.mark.parametrize("schema", [list[Lag], list[str], dict[str, int], {"type": "object"}], ids=str)
def test_a_schema_that_is_no_single_model_is_wrapped_in_its_argument(make, run, play_lag, schema):
    answer = {list[Lag]: [ANSWER], list[str]: ["a", "b"]}.get(schema if not isinstance(schema, dict) else None)
    answer = {"a": 1} if answer is None else answer
    outcome = play_lag(agent(output_schema=schema, tools=[get_lag]), make.turn(final=json.dumps(answer)))
    name, args = run.tools(outcome, "name", "args")[0]
    assert name == "set_model_response"
    assert list(args.values()) == [answer]
    assert json.loads(outcome.trace.turns[0].final.text) == answer


@pytest.mark.parametrize(
    "schema",
    [Lag, list[Lag], Lag.model_json_schema(), types.Schema(type="OBJECT", properties={"n": {"type": "INTEGER"}})],
    ids=["model", "list", "dict", "Schema"],
)
@pytest.mark.parametrize("tools", [[], [get_lag]], ids=["text", "set_model_response"])
def test_a_neutral_line_is_valid_under_the_schema(make, play_lag, schema, tools):
    first = agent("first", output_schema=schema, tools=tools)
    graph = Workflow(name="graph", edges=[("START", first, agent("last"))])
    outcome = play_lag(graph, make.turn())
    assert outcome.failure is None
    assert outcome.trace.turns[0].golden.faults == ()
    value = json.loads(neutral_words(outcome)["first"])
    if schema is Lag:
        assert Lag.model_validate(value).total == 3


def test_a_neutral_line_of_an_agent_tool_is_valid_too(make, run, play_lag):
    root = agent(tools=[AgentTool(agent("inner", output_schema=Lag))])
    outcome = play_lag(root, make.turn(make.call("inner", request="?")))
    assert run.tools(outcome, "status", "reply")[0][0] == "agent"
    assert Lag.model_validate(run.tools(outcome, "reply")[0][0])


def test_the_recorded_reply_of_an_agent_tool_fills_its_schema(make, run, play_lag):
    root = agent(tools=[AgentTool(agent("inner", output_schema=Lag))])
    outcome = play_lag(root, make.turn(make.call("inner", request="?"), replies={"inner": ANSWER}))
    assert run.tools(outcome, "reply") == [(ANSWER,)]


@pytest.mark.parametrize("text", ["75", '"quoted"', "plain"])
def test_a_reply_that_only_looks_like_json_stays_text_where_text_is_wanted(make, run, play_lag, text):
    helper = agent("helper", mode="task", description="helps")
    outcome = play_lag(
        agent(sub_agents=[helper]), make.turn(make.call("helper", request="?"), replies={"helper": {"result": text}})
    )
    assert run.tools(outcome, "name", "args")[-1] == ("finish_task", {"result": text})
    assert outcome.trace.turns[0].golden.misfits == ()


def test_a_task_finishes_with_a_neutral_value_of_its_schema(make, run, play_lag):
    helper = agent("helper", mode="task", description="helps", output_schema=Lag)
    outcome = play_lag(agent(sub_agents=[helper]), make.turn(make.call("helper", request="?")))
    name, args = run.tools(outcome, "name", "args")[-1]
    assert name == "finish_task"
    assert Lag.model_validate(args).total == 3


def test_a_neutral_line_that_cannot_be_made_up_is_an_error_that_says_what_to_record(make, play_lag):
    graph = Workflow(name="graph", edges=[("START", agent("first", output_schema=Coded), agent("last"))])
    outcome = play_lag(graph, make.turn())
    assert outcome.failure.kind == "case_error"
    assert outcome.failure.message.startswith(
        "first has to say something that fits its output_schema, and nothing neutral could be made up ("
    )
    assert outcome.failure.message.endswith(
        "; record what it said: an event of the turn by first, or the reply of the agent tool"
    )


def test_what_was_recorded_is_said_where_nothing_could_be_made_up(make, play_lag):
    graph = Workflow(name="graph", edges=[("START", agent("first", output_schema=Coded), agent("last"))])
    outcome = play_lag(graph, make.turn(make.said("first", '{"code": "ABC-1234"}')))
    assert outcome.failure is None
    assert neutral_words(outcome)["first"] == '{"code": "ABC-1234"}'


def test_an_answer_that_does_not_fit_the_schema_is_reported_as_such(make, play_lag):
    outcome = play_lag(agent(output_schema=Lag, tools=[get_lag]), make.turn(final='{"group": "order-processor"}'))
    report = outcome.trace.turns[0].golden
    assert report.misfits[0] == "`set_model_response` needs the argument `total`"
    assert report.changed
