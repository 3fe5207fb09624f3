"""How agents get their turn."""

import pytest

from evalkit.models.tree import TRANSFER, Agent, AgentTree
from evalkit.scaffold.ways import Entry, in_charge, loop_exits, ways


@pytest.fixture
def tree():
    agents = (
        Agent(name="desk", tools=("kafka",), agent_tools={"kafka": "kafka"}, transfers=("triage", "k8s")),
        Agent(name="kafka"),
        Agent(name="triage", kind="sequence", members=("repair", "summary")),
        Agent(name="repair", kind="loop", members=("act", "verify"), repeats=True),
        Agent(name="act", agent_tools={"helper": "helper"}),
        Agent(name="verify", tools=("exit_loop",)),
        Agent(name="summary"),
        Agent(name="k8s", transfers=("desk", "triage")),
        Agent(name="helper"),
        Agent(name="stranger"),
    )
    return AgentTree(root="desk", agents={agent.name: agent for agent in agents})


def test_each_agent_is_reached_the_shortest_way(tree):
    triage = Entry("desk", TRANSFER, "triage")
    assert ways(tree) == {
        "desk": (),
        "kafka": (Entry("desk", "kafka", "kafka"),),
        "triage": (triage,),
        "repair": (triage,),
        "act": (triage,),
        "verify": (triage,),
        "summary": (triage,),
        "k8s": (Entry("desk", TRANSFER, "k8s"),),
        "helper": (triage, Entry("act", "helper", "helper")),
    }


def test_an_agent_that_nothing_leads_to_has_no_way(tree):
    assert "stranger" not in ways(tree)


@pytest.mark.parametrize(("agent", "expected"), [("desk", "desk"), ("kafka", "desk"), ("helper", "triage")])
def test_the_last_transfer_decides_who_answers_the_user(tree, agent, expected):
    assert in_charge(tree, ways(tree)[agent]) == expected


@pytest.mark.parametrize(("agent", "expected"), [("desk", ()), ("act", ("verify",)), ("summary", ("verify",))])
def test_a_loop_that_runs_has_to_be_left(tree, agent, expected):
    assert loop_exits(tree, ways(tree)[agent]) == expected
