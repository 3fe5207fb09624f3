"""What a criterion demands of every turn is judged like what the turns demand themselves."""

import pytest

from evalkit.cases import CallPattern, Case, Criterion, Expectation, Message, ResponseRule, TrajectoryRule, Turn
from evalkit.scorers import load
from evalkit.scorers.demands import with_demands
from evalkit.traces import ToolEvent, Trace, TurnTrace

USER = Message(role="user", parts=({"text": "go"},))


def case(*expectations):
    turns = (Turn(index=index, user=USER, expect=one) for index, one in enumerate(expectations))
    return Case(eval_id="one", turns=tuple(turns), where="$.eval_cases[0]")


def trace(*answers, tools=()):
    finals = [Message(parts=({"text": answer},)) for answer in answers]
    return Trace(mode="live", turns=tuple(TurnTrace(user=USER, final=final, tools=tools) for final in finals))


def score(criterion, one, happened):
    return load(criterion.name)(with_demands(one, criterion), happened, criterion)


def test_a_demand_holds_for_every_turn_and_is_found_where_it_stands():
    criterion = Criterion(name="response", options={"contains": ["75"]})
    found = score(criterion, case(Expectation(), Expectation()), trace("75", "80"))

    assert [turn.value for turn in found.turns] == [1.0, 0.0]
    assert '$.criteria.response.contains: "75" is not in the answer' in found.reason


def test_a_demand_comes_on_top_of_the_turns_own():
    criterion = Criterion(name="response", options={"not_contains": ["healthy"], "json_schema": {"type": "object"}})
    own = Expectation(response=ResponseRule(contains=("75",), json_schema={"required": ["lag"]}))
    found = score(criterion, case(own), trace('{"status": "healthy"}'))

    assert found.value == 0.0
    assert found.reason.startswith("$.criteria.response or $.eval_cases[0].evalkit.expect[0].response.contains")


def test_calls_may_be_forbidden_for_all_turns():
    criterion = Criterion(name="forbid", options={"forbid": ["drop", {"name": "read", "args": {"all": True}}]})
    calls = (ToolEvent(id="1", name="read", args={"all": True}, agent="a", status="real"),)
    own = Expectation(trajectory=TrajectoryRule(forbid=(CallPattern(name="write"),)))
    found = score(criterion, case(own), trace("x", tools=calls))

    assert found.value == 0.0
    assert (
        "$.criteria.forbid.forbid or $.eval_cases[0].evalkit.expect[0].trajectory.forbid: a called read" in found.reason
    )


def test_a_route_of_the_turns_own_wins():
    criterion = Criterion(name="route", options={"route": ["kafka"]})
    given = with_demands(case(Expectation(route=("docker",)), Expectation()), criterion)

    assert [turn.expect.route for turn in given.turns] == [("docker",), ("kafka",)]


@pytest.mark.parametrize(
    "criterion",
    [
        Criterion(name="response"),
        Criterion(name="response", options={"depth": 2}),
        Criterion(name="grounding", options={"contains": ["75"]}),
        Criterion(name="response", options={"contains": ["75"]}, custom_function="mine.score"),
    ],
)
def test_a_criterion_that_demands_nothing_leaves_the_case_as_it_is(criterion):
    one = case(Expectation())

    assert with_demands(one, criterion) is one
