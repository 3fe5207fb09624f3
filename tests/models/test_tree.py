"""The agent tree: who runs with whom, who speaks last, and which transfer leads where."""

import pytest

from evalkit.models.tree import Agent, AgentTree


def tree(*agents: Agent) -> AgentTree:
    return AgentTree(root=agents[0].name, agents={agent.name: agent for agent in agents})


@pytest.fixture
def fleet() -> AgentTree:
    return tree(
        Agent(name="root", tools=("kafka",), agent_tools={"kafka": "kafka"}, transfers=("k8s", "triage", "repair")),
        Agent(name="kafka", tools=("get_lag",), parent="root"),
        Agent(name="k8s", tools=("list_pods",), transfers=("root",), parent="root"),
        Agent(name="triage", kind="sequence", members=("checks", "summary"), parent="root"),
        Agent(name="checks", kind="parallel", members=("lag", "disk"), parent="triage"),
        Agent(name="lag", tools=("get_lag",), parent="checks"),
        Agent(name="disk", tools=("get_disk",), parent="checks"),
        Agent(name="summary", parent="triage"),
        Agent(name="repair", kind="loop", members=("actor", "verifier"), repeats=True, parent="root"),
        Agent(name="actor", parent="repair"),
        Agent(name="verifier", parent="repair"),
    )


def test_an_llm_agent_is_the_head_of_its_own_scope(fleet):
    assert fleet.head("k8s") == "k8s"
    assert fleet.scope("k8s") == {"k8s"}


def test_a_member_runs_in_the_scope_of_the_outermost_workflow(fleet):
    assert fleet.head("lag") == "triage"
    assert fleet.scope("triage") == {"triage", "checks", "lag", "disk", "summary"}


@pytest.mark.parametrize(
    ("head", "leaving", "speakers"),
    [
        ("k8s", (), {"k8s"}),
        ("triage", (), {"summary"}),
        ("checks", (), {"lag", "disk"}),
        ("repair", (), {"verifier"}),
        ("repair", ("verifier",), {"actor"}),
    ],
)
def test_the_agents_that_may_speak_last(fleet, head, leaving, speakers):
    assert fleet.speakers(head, leaving) == speakers


def test_a_graph_speaks_through_its_last_nodes():
    graph = tree(
        Agent(name="graph", kind="graph", members=("a", "b"), last=("b",)),
        Agent(name="a", parent="graph"),
        Agent(name="b", parent="graph"),
    )
    assert graph.speakers("graph") == {"b"}


@pytest.mark.parametrize(
    ("start", "owner", "hop"),
    [
        ("root", "k8s", "k8s"),
        ("root", "disk", "triage"),
        ("k8s", "disk", "root"),
        ("root", "kafka", None),  # an agent tool is called, not transferred to
        ("lag", "summary", None),  # both run in the same workflow
        ("lag", "k8s", None),  # a member of a workflow cannot transfer out of it
    ],
)
def test_the_transfer_that_leads_to_an_agent(fleet, start, owner, hop):
    assert fleet.hop(start, owner) == hop


@pytest.mark.parametrize(
    ("one", "other", "turns"),
    [("actor", "verifier", True), ("lag", "disk", False), ("lag", "summary", False), ("root", "k8s", False)],
)
def test_only_members_of_a_loop_take_turns(fleet, one, other, turns):
    assert fleet.take_turns(one, other) is turns


def test_parallel_members_inside_a_loop_do_not_take_turns():
    nested = tree(
        Agent(name="loop", kind="loop", members=("both", "c"), repeats=True),
        Agent(name="both", kind="parallel", members=("a", "b"), parent="loop"),
        Agent(name="a", parent="both"),
        Agent(name="b", parent="both"),
        Agent(name="c", parent="loop"),
    )
    assert not nested.take_turns("a", "b")
    assert nested.take_turns("a", "c")


def test_an_agent_made_at_run_time_is_an_llm_agent_without_tools(fleet):
    assert fleet.get("made_later") == Agent(name="made_later")
