"""Expected periods and dates, which a model finds by itself where anything speaks of time."""

import pytest

RULE = "value-from-nowhere"


@pytest.fixture(scope="module")
def agent(make):
    return make.facts(
        make.tool("error_rate", app="", minutes=5.0, cpu_minutes=3),
        make.tool("get_errors", app="", since_hours=int),
        make.tool("get_oncall", team="", day=None, start=""),
        make.tool("get_shift", team="", day=str),
    )


def nowhere(lint, agent, *turns, **fields):
    return [problem.path.partition(".args.")[2] for problem in lint.case(agent, *turns, only=RULE, **fields)]


@pytest.mark.parametrize(
    ("prompt", "tool", "args"),
    [
        ("What is the error rate of web?", "error_rate", {"minutes": 15}),
        ("What is the error rate of web?", "error_rate", {"minutes": 37.5}),
        ("What is the error rate of web over the last 16 minutes?", "error_rate", {"minutes": 15}),
        ("Errors of web in the past 3 hours?", "get_errors", {"since_hours": 2}),
        ("Who is on call for shop?", "get_oncall", {"day": "2026-12-24"}),
    ],
)
def test_a_period_or_date_that_could_only_be_guessed_is_a_warning(prompt, tool, args, agent, make, lint):
    assert nowhere(lint, agent, make.turn(prompt, make.call(tool, **args))) == [*args]


@pytest.mark.parametrize(
    ("prompt", "tool", "args"),
    [
        ("What was the error rate of web recently?", "error_rate", {"minutes": 15}),
        ("What is the error rate of web since the deployment?", "error_rate", {"minutes": 37}),
        ("What is the error rate of web?", "error_rate", {"minutes": 5}),
        ("What is the error rate of web over a quarter of an hour?", "error_rate", {"minutes": 15.0}),
        ("Compare the last 15 minutes with those before.", "error_rate", {"minutes": 30}),
        ("Errors of web in the last 90 minutes?", "get_errors", {"since_hours": 2}),
        ("Errors of web?", "get_errors", {"since_hours": 2}),
        ("Who is on call for shop at Christmas?", "get_oncall", {"day": "2026-12-24"}),
        ("Who is on call for shop tomorrow?", "get_oncall", {"day": "2026-12-24"}),
        ("Who is on call for shop?", "get_oncall", {"start": "2026-12-24"}),
        ("Who works for shop?", "get_shift", {"day": "2026-12-24"}),
    ],
)
def test_where_anything_speaks_of_time_or_a_value_is_needed_it_is_not_looked_for(prompt, tool, args, agent, make, lint):
    assert nowhere(lint, agent, make.turn(prompt, make.call(tool, **args))) == []


def test_the_state_and_earlier_turns_may_speak_of_time_too(agent, make, lint):
    oncall = make.turn("Who is on call for shop?", make.call("get_oncall", day="2026-12-24"))
    assert nowhere(lint, agent, oncall, state={"planned": "2026-12-23"}) == []
    assert nowhere(lint, agent, make.turn("What is planned for Friday?"), oncall) == []
    assert nowhere(lint, agent, make.turn("What is planned?"), oncall) == ["day"]
