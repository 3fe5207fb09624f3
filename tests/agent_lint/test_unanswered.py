"""Expected calls beside the mocks of their tools."""

from dataclasses import replace

import pytest

from evalkit.cases import CallPattern, Message
from evalkit.fakes import PythonFake

RULE = "unanswered-call"


@pytest.fixture(scope="module")
def agent(make):
    disks = make.profile("disks", make.tool("get_disk", host=str), instruction="Look.")
    return make.facts(make.tool("get_lag", group=str, since=""), make.tool("whoami"), others=[disks])


def lag(make, *routes, **args):
    """A turn that expects one call, and mocks for it."""
    return make.turn("How far behind?", make.call("get_lag", **args)), make.mocks(*routes)


def test_a_call_that_is_like_no_mock_is_a_warning_with_the_closest_one(agent, make, lint):
    routes = [
        make.route("get_lag", 1, args={"group": "order"}, label="mocks.yaml:3 get_lag"),
        make.route("get_lag", 2, args={"group": "shop", "since": "1h"}, label="mocks.yaml:5 get_lag"),
    ]
    turn, mocks = lag(make, *routes, group="orders")
    (problem,) = lint.case(agent, turn, mocks=mocks, only=RULE)
    assert problem.severity == "warning"
    assert problem.path == "$.eval_cases[0].conversation[0].intermediate_data.tool_uses[0].args"
    assert problem.message == (
        'no mock answers this call: the closest is mocks.yaml:3 get_lag ($.group: wanted "order", found "orders")'
    )
    assert problem.hint == "write the arguments that the mock wants, let it want these, or add a mock for this call"


@pytest.mark.parametrize(
    "route",
    [
        {"args": {"group": {"$glob": "ord*"}}},
        {"args": {"group": "orders", "since": {"$absent": True}}},
        {},
        {"args": {"group": "order"}, "passthrough": True, "replies": ()},
        {"args": {"group": "order"}, "agent": "disks"},
    ],
    ids=["a pattern takes it", "nothing is wanted that it has", "any call", "the real tool runs", "not for this agent"],
)
def test_a_call_that_a_mock_takes_or_that_has_none_is_left_alone(route, agent, make, lint):
    turn, mocks = lag(make, make.route("get_lag", 1, **route), group="orders")
    assert lint.case(agent, turn, mocks=mocks, only=RULE) == []


def test_the_folders_mocks_and_recorded_replies_answer_too(agent, make, lint):
    turn, own = lag(make, make.route("get_lag", 1, args={"group": "order"}), group="orders")
    folder = replace(make.mocks(make.route("get_lag", 1)), file="folder.yaml")
    assert lint.case(agent, turn, mocks=(own, folder), only=RULE) == []
    recorded = make.turn("How far?", make.call("get_lag", group="orders"), replies={"get_lag": {"lag": 1}})
    assert lint.case(agent, recorded, mocks=own, only=RULE) == []


def test_a_sequence_may_answer_as_often_as_it_likes(agent, make, lint):
    once = make.route("get_lag", 1, repeat_last=False)
    calls = [make.call("get_lag", group="orders") for _ in range(3)]
    assert lint.case(agent, make.turn("How far?", *calls), mocks=make.mocks(once), only=RULE) == []


def test_a_call_that_may_not_come_to_its_tool_is_left_alone(agent, make, lint):
    turn, mocks = lag(make, make.route("get_lag", 1, args={"group": "order"}), group="orders")
    blocked = make.turn("How far?", make.call("get_lag", group="orders"), blocked=(CallPattern(name="get_lag"),))
    confirms = Message(role="user", parts=({"function_response": {"name": "x", "response": {}}},))
    assert lint.case(agent, blocked, mocks=mocks, only=RULE) == []
    assert lint.case(agent, turn, make.turn(confirms), mocks=mocks, only=RULE) == []
    assert len(lint.case(agent, turn, make.turn("Thanks"), mocks=mocks, only=RULE)) == 1


def test_over_fakes_the_tools_own_code_may_run(agent, make, lint):
    turn, mocks = lag(make, make.route("get_lag", 1, args={"group": "order"}), group="orders")
    fake = PythonFake(factory="fakes:client", patches=".tools:client")
    assert lint.case(agent, turn, mocks=replace(mocks, fakes=(fake,)), only=RULE) == []
