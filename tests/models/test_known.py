"""The agent tree as a trace keeps it."""

from evalkit.codec.decoding import decode
from evalkit.codec.encoding import encode
from evalkit.models.known import known_agents, tree_of
from evalkit.models.tree import Agent, AgentTree
from evalkit.traces import KnownAgent, Trace

TREE = AgentTree(
    root="crew",
    agents={
        "kafka": Agent(name="kafka", tools=("get_lag",), parent="crew"),
        "crew": Agent(name="crew", tools=("ask",), agent_tools={"ask": "kafka"}, transfers=("triage",)),
        "triage": Agent(name="triage", kind="sequence", members=("check", "loop"), parent="crew"),
        "loop": Agent(name="loop", kind="loop", members=("act",), parent="triage"),
        "check": Agent(name="check", parent="triage"),
        "act": Agent(name="act", parent="loop"),
    },
)


def test_a_trace_keeps_the_root_first_and_what_tells_of_agents():
    assert known_agents(TREE)[:3] == (
        KnownAgent(name="crew", agent_tools={"ask": "kafka"}, tools=("ask",)),
        KnownAgent(name="kafka", tools=("get_lag",)),
        KnownAgent(name="triage", kind="sequence", members=("check", "loop")),
    )


def test_where_toolsets_may_offer_more_no_tool_is_said_to_be_known():
    assert [agent.tools for agent in known_agents(TREE, complete=False)] == [()] * len(TREE.agents)


def test_the_tree_comes_back_with_its_scopes_and_heads():
    trace = Trace(mode="live", agents=known_agents(TREE))
    tree = tree_of(decode(Trace, encode(trace)).agents)
    assert tree.root == "crew"
    assert tree.scope("triage") == {"triage", "check", "loop", "act"}
    assert [tree.head(name) for name in TREE.agents] == [TREE.head(name) for name in TREE.agents]
    assert tree.get("crew").agent_tools == {"ask": "kafka"}


def test_of_a_trace_without_agents_nobody_is_known():
    tree = tree_of(())
    assert (tree.agents, tree.scope("a"), tree.head("a")) == ({}, {"a"}, "a")
