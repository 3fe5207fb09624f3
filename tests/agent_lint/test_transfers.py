"""Calls of other agents beside the transfers that lead to them."""

import pytest

from evalkit.cases import Criterion
from evalkit.models.tree import Agent
from evalkit.setups import PriorEvent

RULE = "missing-transfer"
EXACT = Criterion(name="tool_trajectory_avg_score", threshold=1.0)


@pytest.fixture(scope="module")
def team(make):
    """The agent `root` with a specialist, and one that the specialist has."""
    oncall = make.profile("oncall", make.tool("get_oncall"))
    pager = make.profile("pager", make.tool("page"))
    agents = {
        "root": Agent(name="root", tools=("whoami",), transfers=("oncall",)),
        "oncall": Agent(name="oncall", tools=("get_oncall",), parent="root", transfers=("pager", "root")),
        "pager": Agent(name="pager", tools=("page",), parent="oncall", transfers=("oncall",)),
    }
    return make.facts(make.tool("whoami"), others=[oncall, pager], tree=agents)


def found(lint, agent, *turns, criteria=(EXACT,), **fields):
    problems = lint.case(agent, *turns, criteria=criteria, only=RULE, **fields)
    return [problem.path.rpartition("conversation")[2] for problem in problems]


def transfer(make, name):
    return make.call("transfer_to_agent", agent_name=name)


def test_a_call_without_the_transfer_to_its_agent_is_a_warning_with_what_to_write(team, make, lint):
    turn = make.turn("Page whoever is on call.", make.call("whoami"), make.call("page"))
    (problem,) = lint.case(team, turn, criteria=[EXACT], only=RULE)
    assert problem.severity == "warning"
    assert problem.path == "$.eval_cases[0].conversation[0].intermediate_data.tool_uses[1]"
    assert problem.message == (
        "`page` is called by pager, and the turn lists no transfer to oncall, pager, which"
        " `tool_trajectory_avg_score` counts as a call that is not expected"
    )
    assert problem.hint == (
        'write {"name": "transfer_to_agent", "args": {"agent_name": "oncall"}},'
        ' {"name": "transfer_to_agent", "args": {"agent_name": "pager"}} before it, or "match_type": "IN_ORDER"'
    )


def test_the_way_back_is_a_transfer_too(team, make, lint):
    turn = make.turn("Who, and who am I?", transfer(make, "oncall"), make.call("get_oncall"), make.call("whoami"))
    assert found(lint, team, turn) == ["[0].intermediate_data.tool_uses[2]"]


def test_with_its_transfer_or_by_whoever_is_in_charge_a_call_is_fine(team, make, lint):
    first = make.turn("Who is on call?", make.call("whoami"), transfer(make, "oncall"), make.call("get_oncall"))
    assert found(lint, team, first, make.turn("And for shop?", make.call("get_oncall"))) == []
    assert found(lint, team, make.turn("Who am I?", make.call("whoami"))) == []


@pytest.mark.parametrize(
    "criterion",
    [
        Criterion(name="tool_trajectory_avg_score", threshold=1.0, options={"match_type": "IN_ORDER"}),
        Criterion(name="tool_trajectory_avg_score", threshold=1.0, options={"match_type": 2}),
        Criterion(name="tool_trajectory_avg_score", threshold=0.5),
        Criterion(name="tool_trajectory_avg_score", threshold=1.0, gate=False),
        Criterion(name="trajectory", threshold=1.0),
    ],
)
def test_where_a_further_call_does_not_fail_the_case_nothing_is_missing(criterion, team, make, lint):
    turn = make.turn("Who is on call?", make.call("get_oncall"))
    assert found(lint, team, turn, criteria=[criterion]) == []
    assert len(found(lint, team, turn, criteria=[criterion, EXACT])) == 1


def test_where_another_agent_may_be_in_charge_already_nothing_is_missing(team, make, lint):
    prior = (PriorEvent(author="oncall", content={"parts": [{"text": "Hello"}]}),)
    assert found(lint, team, make.turn("Who is on call?", make.call("get_oncall")), prior_events=prior) == []


def test_members_of_a_workflow_need_no_transfer(make, lint):
    oncall = make.profile("oncall", make.tool("get_oncall"))
    agents = {
        "root": Agent(name="root", kind="sequence", members=("oncall",)),
        "oncall": Agent(name="oncall", tools=("get_oncall",), parent="root"),
    }
    agent = make.facts(others=[oncall], tree=agents)
    assert found(lint, agent, make.turn("Who is on call?", make.call("get_oncall"))) == []
