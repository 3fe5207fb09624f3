"""Looking at an agent without running it."""

import pytest
from google.adk.agents import BaseAgent, LlmAgent
from google.adk.tools.agent_tool import AgentTool
from google.adk.tools.base_toolset import BaseToolset
from google.adk.tools.function_tool import FunctionTool
from google.adk.workflow import FunctionNode, Workflow, node
from google.genai import types

from evalkit.adk.survey import agent_in, declaration_of, survey, toolsets_of_agent_tools
from evalkit.adk.target import AdkTarget
from evalkit.models.tree import Agent

MODEL = "gemini-2.5-flash"


def get_lag(group: str, limit: int = 5) -> dict:
    """Return the lag of a consumer group."""


class Toolset(BaseToolset):
    async def get_tools(self, readonly_context=None):
        return []

    async def close(self):
        pass


def agent(name, **fields):
    return LlmAgent(name=name, model=MODEL, **fields)


def test_the_crew_is_described_as_it_is(crew):
    agents = survey(crew.root).agents
    assert agents["crew"] == Agent(
        name="crew",
        tools=("kafka", "whoami", "once", "task"),
        agent_tools={"kafka": "kafka", "once": "once", "task": "task"},
        transfers=("k8s", "triage", "repair"),
    )
    assert agents["k8s"].transfers == ("crew", "triage", "repair")
    assert agents["triage"] == Agent(name="triage", kind="sequence", members=("checks", "summary"), parent="crew")
    assert agents["checks"] == Agent(
        name="checks", kind="parallel", members=("check_lag", "check_disk"), parent="triage"
    )
    assert agents["repair"].repeats
    assert agents["verifier"] == Agent(name="verifier", tools=("whoami", "exit_loop"), parent="repair")
    assert (agents["task"].task, agents["once"].task, agents["kafka"].parent) == (True, False, "crew")


def test_no_member_of_a_workflow_can_transfer_out_of_it(crew):
    agents = survey(crew.root).agents
    assert {name: agents[name].transfers for name in ("check_lag", "summary", "actor")} == {
        "check_lag": (),
        "summary": (),
        "actor": (),
    }


def test_the_graph_is_described_with_the_nodes_that_run_last(graph):
    tree = survey(graph.root)
    assert tree.get("graph") == Agent(name="graph", kind="graph", members=("collect", "report"), last=("report",))


def test_what_leads_to_a_function_at_the_end_of_a_graph_speaks_last():
    first, last = agent("first"), agent("last")
    flow = Workflow(name="flow", edges=[("START", first, last, FunctionNode(func=get_lag))])
    assert survey(flow).get("flow").last == ("last",)


def test_every_end_of_a_graph_may_speak_last():
    flow = Workflow(name="flow", edges=[("START", agent("a")), ("START", agent("b"))])
    assert set(survey(flow).get("flow").last) == {"a", "b"}


def test_a_graph_with_a_circle_repeats():
    first, second = agent("first"), agent("second")
    straight = Workflow(name="flow", edges=[("START", first, second)])
    circle = Workflow(name="flow", edges=[("START", first, second), (second, {"again": first})])
    assert (survey(straight).get("flow").repeats, survey(circle).get("flow").repeats) == (False, True)


def test_a_parallel_workers_node_is_found():
    flow = Workflow(name="flow", edges=[("START", node(agent("inner", tools=[get_lag]), parallel_worker=True))])
    assert survey(flow).holders("get_lag") == ("inner",)


def test_an_agent_of_another_kind_runs_its_sub_agents_by_itself():
    class Own(BaseAgent):
        pass

    tree = survey(Own(name="own", sub_agents=[agent("inner", tools=[get_lag])]))
    assert tree.get("own") == Agent(name="own", kind="custom", members=("inner",))


@pytest.mark.parametrize(
    ("tool", "name"),
    [
        (AgentTool(agent("inner")), "inner"),
        (Workflow(name="flow", edges=[("START", agent("inner"))], input_schema=str), "flow"),
        (FunctionNode(func=get_lag), None),
        (FunctionTool(get_lag), None),
        (get_lag, None),
        (Toolset(), None),
    ],
    ids=["agent tool", "workflow", "function node", "function tool", "function", "toolset"],
)
def test_which_tools_are_agents(tool, name):
    found = agent_in(tool)
    assert (found and found.name) == name


def test_two_agents_that_are_each_others_tool_do_not_go_round_for_ever():
    first, second = agent("first"), agent("second")
    first.tools.append(AgentTool(second))
    second.tools.append(AgentTool(first))
    assert list(survey(first).agents) == ["first", "second"]


def test_toolsets_that_adks_runner_does_not_know_are_those_of_agent_tools():
    own, nested, shared = Toolset(), Toolset(), Toolset()
    inner = agent("inner", tools=[nested, shared])
    assert toolsets_of_agent_tools(agent("root", tools=[own, shared, AgentTool(inner)])) == [nested]


def test_a_declaration_is_what_the_model_is_told():
    declared = declaration_of(FunctionTool(get_lag))
    assert (declared.name, list(declared.parameters)) == ("get_lag", ["group", "limit"])
    assert declared.misfits({"group": "a", "x": 1}) == (
        "`get_lag` takes no argument `x` (its arguments: group, limit)",
    )


def test_a_declaration_in_geminis_own_schema_is_understood_too():
    class Own(FunctionTool):
        def _get_declaration(self):
            schema = types.Schema(type="OBJECT", properties={"n": types.Schema(type="INTEGER")}, required=["n"])
            return types.FunctionDeclaration(name="own", parameters=schema)

    tool = Own(get_lag)
    assert declaration_of(tool).misfits({}) == ("`get_lag` needs the argument `n`",)
    assert declaration_of(tool).misfits({"n": "x"}) == ('`get_lag` argument `n`: "x" is not of type "integer"',)


def test_a_tool_that_the_models_backend_runs_declares_nothing():
    class Search(FunctionTool):
        def _get_declaration(self):
            return None

    assert declaration_of(Search(get_lag)) is None


def test_the_tools_that_coverage_counts_leave_out_agents_and_control_tools(crew):
    tools = AdkTarget(crew).tools()
    assert tools["crew"] == ("whoami",)
    assert tools["verifier"] == ("whoami",)
    assert tools["kafka"] == ("get_lag", "list_pods")
    assert "triage" not in tools
