"""Who was brought into play, from ADK's real runner to the score: entries, nesting, order of words, expected texts."""

import json
from dataclasses import replace

import pytest
from google.adk.agents import LlmAgent, SequentialAgent
from google.adk.models.llm_response import LlmResponse
from google.adk.tools.agent_tool import AgentTool
from google.genai import types

from evalkit.cases import Criterion
from evalkit.formats import evalset
from evalkit.scorers import load
from evalkit.scorers.routing import ROUTES
from evalkit.traces import KnownAgent

MODEL = "gemini-2.5-flash"
TRANSFER = "transfer_to_agent"
TOOLS = ("get_lag", "list_pods", "get_disk", "whoami", "write_note")


def lookup(name: str) -> dict:
    """Look a name up."""
    raise AssertionError(f"the real lookup ran for {name}")


def score(metric, case, outcome):
    return load(metric)(case, outcome.trace, Criterion(name=metric, threshold=1.0))


@pytest.fixture
def routed(make, run, crew):
    """Play turns on an agent, and score a metric; returns the score and what happened in the first turn."""

    def routed(*turns, agent=crew, metric="route"):
        case = make.case("one", *turns)
        mocks = [make.route(tool) for tool in (*TOOLS, "lookup")]
        outcome = run.cases(agent, [case], mocks=mocks)["one"]
        assert outcome.failure is None
        return score(metric, case, outcome), outcome.trace.turns[0]

    return routed


def route_of(found, turn=0):
    return found.details[ROUTES][turn]["actual"]


def test_the_trace_knows_every_agent_of_the_tree(run, make, crew):
    known = {agent.name: agent for agent in run.one(crew, make.turn()).trace.agents}
    assert next(iter(known)) == "crew"
    assert known["crew"] == KnownAgent(
        name="crew",
        agent_tools={"kafka": "kafka", "once": "once", "task": "task"},
        tools=("kafka", "whoami", "once", "task"),
    )
    assert known["triage"] == KnownAgent(name="triage", kind="sequence", members=("checks", "summary"))
    assert {"k8s", "check_lag", "verifier"} < known.keys()


def test_a_transfer_that_a_callback_answers_is_blocked_and_brings_nobody_into_play(run, make):
    def guard(tool, args, tool_context):
        return {"error": "stay here"} if tool.name == TRANSFER else None

    other = LlmAgent(name="other", model=MODEL, description="Other")
    desk = LlmAgent(name="desk", model=MODEL, sub_agents=[other], before_tool_callback=guard)
    outcome = run.one(desk, make.turn(make.call(TRANSFER, agent_name="other")))
    assert run.tools(outcome, "name", "status", "reply") == [(TRANSFER, "blocked", {"error": "stay here"})]
    assert outcome.trace.turns[0].final.text == "the end"


def test_agent_tools_single_turn_agents_tasks_and_transfers_are_entries(routed, make):
    calls = [make.call("kafka", request="?"), make.call("once", request="?"), make.call("task", request="?")]
    found, _ = routed(make.turn(*calls, make.call(TRANSFER, agent_name="k8s"), make.call("list_pods", namespace="x")))
    assert (found.value, route_of(found)) == (1.0, ["kafka", "once", "task", "k8s"])
    assert found.by_construction


@pytest.mark.parametrize("route", [("triage",), ("summary",), ("check_lag", "check_disk", "summary")])
def test_a_workflow_counts_with_its_members(routed, make, route):
    calls = [make.call(TRANSFER, agent_name="triage"), make.call("get_lag", "check_lag", group="a")]
    found, _ = routed(make.turn(*calls, route=route))
    assert (found.value, route_of(found)) == (1.0, list(route))


def test_a_golden_run_of_the_wrong_agent_is_red_although_it_replays(routed, make):
    calls = [make.call("kafka", request="?"), make.call("list_pods", "kafka", namespace="x")]
    found, _ = routed(make.turn(*calls, route=("k8s",)))
    assert (found.value, found.by_construction) == (0.0, False)
    assert found.reason.splitlines() == [
        "evalkit.expect[0].route: expected k8s, actual kafka: kafka came in place of k8s",
        '  crew: kafka(request="?")',
        '      kafka: list_pods(namespace="x")',
        '      kafka: "Done."',
        '  crew: "the end"',
    ]


def test_a_route_that_the_tree_alone_decided_is_learned(routed, make):
    """Only the k8s agent can drain nodes here, so the case need not say that it does."""

    def drain() -> dict:
        """Drain a node."""
        raise AssertionError

    def restart() -> dict:
        """Restart a pod."""
        raise AssertionError

    nodes = LlmAgent(name="nodes", model=MODEL, description="Nodes", tools=[drain])
    pods = LlmAgent(name="pods", model=MODEL, description="Pods", tools=[restart])
    root = LlmAgent(name="root", model=MODEL, sub_agents=[nodes, pods])
    turn = make.turn(make.call("drain"), route=("nodes",))
    found, _ = routed(turn, agent=root)
    assert (found.value, found.by_construction) == (1.0, False)
    found, _ = routed(make.turn(make.call("drain"), route=("pods",)), agent=root)
    assert "expected pods, actual nodes" in found.reason


def test_a_callback_that_hands_over_on_its_own_is_seen(routed, make):
    k8s = LlmAgent(name="k8s", model=MODEL, description="Kubernetes")

    def hand_over(callback_context, llm_request):
        call = types.FunctionCall(name=TRANSFER, args={"agent_name": "k8s"})
        return LlmResponse(content=types.Content(role="model", parts=[types.Part(function_call=call)]))

    root = LlmAgent(name="root", model=MODEL, sub_agents=[k8s], before_model_callback=hand_over)
    assert routed(make.turn(route=()), agent=root)[0].value == 0.0
    found, _ = routed(make.turn(route=("k8s",)), agent=root)
    assert (found.value, found.by_construction) == (1.0, False)


def test_a_callback_that_answers_in_place_of_an_agent_brings_it_in(routed, make):
    def refuse(callback_context):
        return types.Content(role="model", parts=[types.Part(text="Not for you.")])

    k8s = LlmAgent(name="k8s", model=MODEL, description="Kubernetes", before_agent_callback=refuse)
    root = LlmAgent(name="root", model=MODEL, sub_agents=[k8s])
    found, happened = routed(make.turn(make.call(TRANSFER, agent_name="k8s"), route=("k8s",)), agent=root)
    assert (found.value, [said.agent for said in happened.said]) == (1.0, ["k8s"])


def test_the_agent_in_charge_from_an_earlier_turn_is_in_play(routed, make):
    first = make.turn(make.call(TRANSFER, agent_name="k8s"), make.call("list_pods", namespace="a"), route=("k8s",))
    second = make.turn(route=("k8s",))
    back = make.turn(make.call(TRANSFER, agent_name="crew"), make.call("kafka", request="?"), route=("kafka",))
    found, _ = routed(first, second, back)
    assert [route_of(found, turn) for turn in range(3)] == [["k8s"], ["k8s"], ["kafka"]]
    assert found.value == 1.0


def test_of_a_workflow_as_the_root_the_members_count(routed, make, graph):
    calls = [make.call("get_lag", group="a"), make.call("write_note", text="n")]
    found, _ = routed(make.turn(*calls, route=("collect", "report")), agent=graph)
    assert (found.value, found.by_construction) == (1.0, False)
    assert route_of(routed(make.turn(*calls, route=()), agent=graph)[0]) == ["collect", "report"]


@pytest.fixture(scope="module")
def nest():
    """A root whose agent tools hold an agent tool, a sequence, and a `single_turn` agent with an agent tool."""
    dns = LlmAgent(name="dns", model=MODEL, description="Names", tools=[lookup])
    deep = LlmAgent(name="deep", model=MODEL, description="Names", tools=[lookup])
    kafka = LlmAgent(name="kafka", model=MODEL, description="Kafka", tools=[AgentTool(dns)])
    members = [LlmAgent(name="one", model=MODEL), LlmAgent(name="two", model=MODEL, tools=[lookup])]
    with pytest.warns(DeprecationWarning, match="SequentialAgent is deprecated"):  # users still have them
        steps = SequentialAgent(name="steps", description="Steps", sub_agents=members)
    once = LlmAgent(name="once", model=MODEL, description="Once", mode="single_turn", tools=[AgentTool(deep)])
    return LlmAgent(name="root", model=MODEL, tools=[AgentTool(kafka), AgentTool(steps)], sub_agents=[once])


@pytest.mark.parametrize(
    ("nested", "route", "in_adks_view"),
    [
        (
            [("root", "kafka", None), ("kafka", "dns", "kafka"), ("dns", "lookup", "dns")],
            ["kafka", "dns"],
            ["kafka"],
        ),
        ([("root", "steps", None), ("two", "lookup", "steps")], ["steps"], ["steps"]),
        (
            [("root", "once", None), ("once", "deep", "once"), ("deep", "lookup", "deep")],
            ["once", "deep"],
            ["once", "deep"],
        ),
    ],
    ids=["agent tool in agent tool", "sequence as agent tool", "agent tool in single_turn agent"],
)
def test_nested_calls_stand_under_their_parent_at_every_depth(routed, make, nest, nested, route, in_adks_view):
    args = {"lookup": {"name": "broker"}}
    calls = [make.call(name, agent, **args.get(name, {"request": "?"})) for agent, name, _ in nested]
    found, happened = routed(make.turn(*calls, route=tuple(route)), agent=nest)
    names = {event.id: event.name for event in happened.tools}
    assert [(event.agent, event.name, names.get(event.parent)) for event in happened.tools] == nested
    assert [call.name for call in happened.adk_calls] == in_adks_view
    assert (found.value, route_of(found)) == (1.0, route)


def test_words_know_how_many_calls_came_before_them(routed, make):
    texts = [make.said("crew", "I ask kafka"), make.said("kafka", "looking"), make.said("kafka", "it is 75")]
    _, happened = routed(make.turn(make.call("kafka", request="?"), make.call("get_lag", group="a"), *texts))
    assert [(said.agent, said.text, said.after) for said in happened.said] == [
        ("crew", "I ask kafka", 0),
        ("kafka", "looking", 1),
        ("kafka", "it is 75", 2),
        ("crew", "the end", 2),
    ]


def test_expected_texts_of_an_agent_that_hands_back_are_played_and_found(routed, make):
    """As `adk web` records it: the agent speaks beside its calls and never gives the answer itself."""
    calls = [make.call(TRANSFER, agent_name="k8s"), make.call("list_pods", namespace="a")]
    calls += [make.call("list_pods", namespace="b"), make.call(TRANSFER, agent_name="crew")]
    texts = [make.said("crew", "over"), make.said("k8s", "I will look."), make.said("k8s", "Back to the crew.")]
    found, happened = routed(make.turn(*calls, *texts), metric="intermediate_responses")
    assert (found.value, found.by_construction, happened.final.text) == (1.0, True, "the end")


def test_an_expected_text_whose_author_is_never_asked_is_missing(routed, make):
    found, _ = routed(make.turn(make.said("kafka", "it is 75")), metric="intermediate_responses")
    assert (found.value, found.by_construction) == (0.0, False)


def test_replies_that_were_the_mocks_hold_by_construction_and_others_are_compared(make, run, crew):
    replies = {"get_lag": {"lag": 75}, "kafka": {"result": "75"}}
    case = make.case(
        "one", make.turn(make.call("kafka", request="?"), make.call("get_lag", group="a"), replies=replies)
    )
    itself = score("tool_responses", case, run.cases(crew, [case])["one"])
    assert (itself.value, itself.by_construction) == (1.0, True)
    mocked = run.cases(crew, [case], mocks=[make.route("get_lag", {"lag": 76})])["one"]
    found = score("tool_responses", case, mocked)
    assert (found.value, found.by_construction) == (0.0, False)
    assert found.reason.splitlines()[1:] == ["  $.lag: wanted 75, found 76"]


def test_a_mock_for_everything_spares_the_tools_that_steer_adk(shared, make, run):
    """Example 15 of the shared collection, on an agent built as it says."""
    (path,) = (shared / "cases").glob("15_*.json")
    data = json.loads(path.read_text(encoding="utf-8"))
    (case,) = evalset.parse(json.dumps(data["input"]["evalset"]), file=path.name).value.cases

    def list_pods(namespace: str) -> dict:
        """List the pods of a namespace."""
        raise AssertionError(namespace)

    k8s = LlmAgent(name="k8s_agent", model=MODEL, description="Kubernetes", tools=[list_pods])
    router = LlmAgent(name="router", model=MODEL, sub_agents=[k8s])
    mocks = [make.route(tool, data["input"]["mocks"][0]["response"]) for tool in (TRANSFER, "list_pods")]
    outcome = run.cases(router, [case], mocks=mocks)[case.eval_id]
    assert run.tools(outcome, "agent", "name", "status", "reply") == [
        ("router", TRANSFER, "control", {"result": None}),
        ("k8s_agent", "list_pods", "answered", data["expect"]["list_pods"]),
    ]
    assert score("tool_trajectory_avg_score", case, outcome).value == data["expect"]["trajectory"] == 1.0
    expecting = replace(case.turns[0], expect=replace(case.turns[0].expect, route=tuple(data["expect"]["routing"])))
    assert score("route", replace(case, turns=(expecting,)), outcome).value == 1.0
