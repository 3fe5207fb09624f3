import pytest

from evalkit.models.declarations import Declaration
from evalkit.models.facts import ToolFacts

RULE = "left-out-argument"

LOGS = """Read logs.

Args:
    app: Whose.
    tail: How many lines.
    since: A date such as 2026-11-01.
    minutes: How far back.
    labels: Only these.
"""

TEXT = {"anyOf": [{"type": "string"}, {"type": "null"}]}
COUNT = {"type": "integer"}


def a_tool(name, doc="", **parameters):
    """A tool whose arguments, but the first, may be left out."""
    schema = {"type": "object", "properties": parameters, "required": [next(iter(parameters))]}
    defaults = {"tail": 100, "minutes": 60} if "tail" in parameters else {}
    return ToolFacts(name=name, declaration=Declaration(name, schema), defaults=defaults, docstring=doc)


@pytest.fixture(scope="module")
def agent(make):
    pairs = {"type": "object", "additionalProperties": {"type": "string"}}
    level = {"type": "string", "enum": ["info", "error2"]}
    return make.facts(
        a_tool("get_logs", LOGS, app=TEXT, tail=COUNT, since=TEXT, labels=pairs, level=level, host=TEXT),
        a_tool("error_rate", app=TEXT, minutes={"type": "number"}, timeout_minutes=COUNT),
        a_tool("rollback", app=TEXT, to_version=TEXT, reason=TEXT),
        a_tool("query", app=TEXT, start_date=TEXT, end_date=TEXT),
        a_tool("top", app=TEXT, limit={**COUNT, "description": "How many rows."}, depth=COUNT),
    )


def found(lint, agent, turn):
    return [(problem.message.split('"')[1], problem.hint) for problem in lint.case(agent, turn, only=RULE)]


def test_a_stated_argument_that_is_left_out_is_a_warning_with_what_to_add(agent, make, lint):
    turn = make.turn("Roll web back to version 0.8.7.", make.call("rollback", app="web"))
    (problem,) = lint.case(agent, turn, only=RULE)
    assert problem.severity == "warning"
    assert problem.path == "$.eval_cases[0].conversation[0].intermediate_data.tool_uses[0].args"
    assert problem.message == (
        'the prompt says "to version 0.8.7", so the model passes `to_version`; the expected call of `rollback` leaves'
        " it out"
    )
    assert problem.hint == 'add "to_version": "0.8.7"'


@pytest.mark.parametrize(
    ("tool", "prompt", "expected"),
    [
        ("get_logs", "Show the last 20 error lines of web.", ("20 error lines", 'add "tail": 20')),
        ("get_logs", "Logs of web, tail=20", ("tail=20", 'add "tail": 20')),
        ("get_logs", "Logs of web with tail: 20, please", ("tail: 20", 'add "tail": 20')),
        ("get_logs", "Logs of web since 2026-11-01?", ("since 2026-11-01", 'add "since": "2026-11-01"')),
        ("get_logs", "Logs of web from 2026-11-01 on", ("from 2026-11-01", 'add "since": "2026-11-01"')),
        ("get_logs", "Logs of web on host db-7.", ("host db-7", 'add "host": "db-7"')),
        ("get_logs", "Logs with the label team=shop", ("label team=shop", 'add "labels": {"team": "shop"}')),
        ("error_rate", "Errors of web over the last 15 minutes", ("15 minutes", 'add "minutes": 15')),
        ("error_rate", "Errors of web in the past 90 seconds", ("90 seconds", 'add "minutes": 1.5')),
        ("rollback", "Roll web back to the version v2", ("to the version v2", 'add "to_version": "v2"')),
    ],
)
def test_dates_numbers_periods_pairs_and_names_count_as_stated(tool, prompt, expected, agent, make, lint):
    said = [(words, hint) for words, hint in found(lint, agent, make.turn(prompt, make.call(tool, app="web")))]
    assert said == [expected]


@pytest.mark.parametrize(
    ("tool", "prompt"),
    [
        ("get_logs", "Show the last 100 lines of web."),  # that is the default, of which another rule speaks
        ("get_logs", "Why did the last 3 requests to web fail?"),
        ("get_logs", "The last 3 requests per line failed"),
        ("get_logs", "The release of 2026-11-01 broke web. Show its logs."),
        ("get_logs", "Logs of web since 2026-11-01, not those since 2026-10-01"),
        ("get_logs", "Why does web end with exit=137?"),
        ("get_logs", "The host 3 times refused web"),
        ("get_logs", "Logs of web since v2 runs"),
        ("get_logs", "What is level 3 of web?"),
        ("error_rate", "It took 15 minutes. Why?"),
        ("error_rate", "Was it the last 15 minutes, or the last hour?"),
        ("rollback", "Roll web back from version 0.8.7"),
        ("rollback", "Roll web back, the version 0.8.7 is broken"),
        ("query", "What happened on 2026-11-01?"),
        ("top", "web has a limit of 50 requests, depth 3 at 20 %"),
    ],
)
def test_what_speaks_of_something_else_or_could_mean_two_arguments_does_not(tool, prompt, agent, make, lint):
    assert found(lint, agent, make.turn(prompt, make.call(tool, app="web"))) == []


@pytest.mark.parametrize(
    ("tool", "prompt"),
    [
        ("rollback", "The deploy of web to version 1.4.2 broke prod. Roll it back."),
        ("rollback", "Since the update to version 2.0.1 web fails, so roll back to the previous version"),
        ("rollback", "Roll web back to the previous version if prod is at version 2.0.1"),
        ("rollback", "Web runs at version 2.0.1; roll it back"),
        ("get_logs", "Which logs of web lack the label team=shop?"),
        ("get_logs", "Logs of web without the label team=shop"),
        ("get_logs", "Don't show logs of web with the label team=shop"),
        ("get_logs", "I'm after logs of web with the label team=shop"),
        ("get_logs", "Logs of web — team shop put it on host db-7"),
        ("error_rate", "We deployed web in the last 30 minutes. What is its current error rate?"),
        ("error_rate", "The errors of web that came up in the last 30 minutes"),
        ("get_logs", "In the last 3 lines of my report I need the logs"),
        ("get_logs", "Web was down on host db-7, show its logs"),
        ("get_logs", "web is up since 2026-11-01. Show me its newest log lines."),
        ("get_logs", "For the audit of the shop since 2026-11-01, show me the lines of web"),
        ("get_logs", 'Find "refused by host db-7" in web'),
    ],
)
def test_a_prompt_that_is_more_than_one_plain_request_states_nothing(tool, prompt, agent, make, lint):
    assert found(lint, agent, make.turn(prompt, make.call(tool, app="web"))) == []


@pytest.mark.parametrize(
    ("tool", "prompt", "hint"),
    [
        ("get_logs", "Show the last 20 error lines of web since 2026-11-01", 'add "since": "2026-11-01"'),
        ("rollback", "Please roll web back in prod to version 0.8.7!", 'add "to_version": "0.8.7"'),
        ("rollback", "In prod, roll the app named web back to version 0.8.7", 'add "to_version": "0.8.7"'),
        ("get_logs", "List the logs with the label team=not-found", 'add "labels": {"team": "not-found"}'),
        ("get_logs", "Show me the latest 20 lines of web", 'add "tail": 20'),
    ],
)
def test_a_plain_request_states_its_values(tool, prompt, hint, agent, make, lint):
    assert hint in [said for _, said in found(lint, agent, make.turn(prompt, make.call(tool, app="web")))]


@pytest.mark.parametrize(
    ("prompt", "calls"),
    [
        ("Logs since 2026-11-01", [("get_logs", {"app": "web", "since": "2026-11-01"})]),
        ("The last 20 lines", [("get_logs", {"app": "web", "labels": {"lines": "20"}})]),
        ("To version 2.1", [("rollback", {"app": "web", "reason": "back to 2.1"})]),
        ("To version 2.1", [("rollback", {"app": "web", "to_version": "2.1"}), ("rollback", {"app": "shop"})]),
        ("The last 15 minutes", [("error_rate", {"app": "web"}), ("get_logs", {"app": "web", "since": "now-15m"})]),
    ],
    ids=["it is passed", "in another argument", "in words", "by another call", "in another form"],
)
def test_what_some_call_of_the_turn_has_is_not_left_out(prompt, calls, agent, make, lint):
    turn = make.turn(prompt, *(make.call(name, **args) for name, args in calls))
    assert found(lint, agent, turn) == []


@pytest.mark.parametrize(
    "rule",
    [
        {"args": {"rollback": {"to_version": {"$regex": "^0"}}}},
        {"args": {"rollback": "ignore"}},
        {"args_match": "superset"},
        {"any_of": ((),)},
    ],
    ids=["a pattern is for it", "arguments do not count", "more arguments are fine", "another path is accepted"],
)
def test_where_the_expectation_accepts_the_argument_nothing_is_left_out(rule, agent, make, lint):
    turn = make.turn("Roll web back to version 0.8.7.", make.call("rollback", app="web"), **rule)
    assert found(lint, agent, turn) == []


def test_a_number_that_two_arguments_could_mean_is_not_decided(make, lint):
    doc = "Rank.\n\nArgs:\n    rows: How many rows.\n    most: How many rows at most.\n"
    agent = make.facts(a_tool("rank", doc, app=TEXT, rows=COUNT, most=COUNT))
    assert found(lint, agent, make.turn("The top 5 rows", make.call("rank", app="web"))) == []
