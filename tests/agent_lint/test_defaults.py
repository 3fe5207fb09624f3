import pytest

RULE = "stated-default"

LOGS = """Read logs.

Args:
    minutes: How far back.
    tail: How many lines to return at most, from 1 to 500.
    since: When the period starts.
    level: Which kind.
"""


@pytest.fixture(scope="module")
def logs(make):
    return make.facts(
        make.tool("get_logs", LOGS, app="", tail=100, level="error", namespace="default", previous=False),
        make.tool("get_errors", minutes=60, replicas=3),
        make.tool("query", expression="", start="now-1h", end="now", step="1m"),
    )


def found(lint, agent, turn):
    return [(problem.message.split('"')[1], problem.hint) for problem in lint.case(agent, turn, only=RULE)]


def test_a_stated_default_that_is_left_out_is_a_warning_with_what_to_add(logs, make, lint):
    (problem,) = lint.case(logs, make.turn("Errors of the last 60 minutes?", make.call("get_errors")), only=RULE)
    assert problem.severity == "warning"
    assert problem.path == "$.eval_cases[0].conversation[0].intermediate_data.tool_uses[0].args"
    assert problem.message == (
        'the prompt says "60 minutes", so the model passes `minutes`; the expected call of `get_errors` leaves it out,'
        " as if its default were not stated"
    )
    assert problem.hint == 'add "minutes": 60'


@pytest.mark.parametrize(
    ("tool", "prompt", "expected"),
    [
        ("get_errors", "Errors of the last hour?", ("last hour", 'add "minutes": 60')),
        ("get_errors", "Errors within one hour?", ("one hour", 'add "minutes": 60')),
        ("get_errors", "Errors in the past 60m", ("60m", 'add "minutes": 60')),
        ("get_errors", "with 3 replicas", ("3 replicas", 'add "replicas": 3')),
        ("get_logs", "Show the last 100 lines.", ("100 lines", 'add "tail": 100')),
        ("get_logs", "Show the last 100 log lines.", ("100 log lines", 'add "tail": 100')),
        ("get_logs", "Set tail to 100", ("tail to 100", 'add "tail": 100')),
        ("get_logs", "Logs in the default namespace", ("default namespace", 'add "namespace": "default"')),
        ("get_logs", "Logs in namespace default", ("namespace default", 'add "namespace": "default"')),
        ("get_logs", "Logs of level error", ("level error", 'add "level": "error"')),
        ("query", "What happened in the last hour?", ("last hour", 'add "start": "now-1h"')),
        ("query", "What happened, in steps of one minute?", ("one minute", 'add "step": "1m"')),
    ],
)
def test_numbers_names_and_periods_count_as_stated(tool, prompt, expected, logs, make, lint):
    assert found(lint, logs, make.turn(prompt, make.call(tool))) == [expected]


@pytest.mark.parametrize(
    ("tool", "prompt"),
    [
        ("get_logs", "Why did 100 requests fail?"),
        ("get_logs", "Show the logs of web-100, lines and all"),
        ("get_logs", "100 requests per line failed"),
        ("get_logs", "Show the last 50 lines."),
        ("get_logs", "Is there an error?"),
        ("get_logs", "By default, what does the namespace hold?"),
        ("get_logs", "Logs before the crash, not the previous ones"),
        ("get_errors", "Errors as of this minute, as many as there are"),
        ("get_errors", "Errors of the last 30 minutes?"),
        ("get_errors", "Port 60 of minutes-api"),
        ("query", "What happened until now?"),
    ],
)
def test_a_number_or_word_that_speaks_of_something_else_does_not(tool, prompt, logs, make, lint):
    assert found(lint, logs, make.turn(prompt, make.call(tool))) == []


@pytest.mark.parametrize(
    ("prompt", "args"),
    [
        ("Errors of the last 60 minutes", {"minutes": 60}),
        ("Errors of the last 3 minutes with 3 replicas", {"minutes": 3}),
    ],
    ids=["it is passed", "another argument has the value"],
)
def test_what_is_passed_is_not_left_out(prompt, args, logs, make, lint):
    assert found(lint, logs, make.turn(prompt, make.call("get_errors", **args))) == []


def test_a_period_that_another_argument_has_is_not_left_out(logs, make, lint):
    turn = make.turn("The last minute", make.call("query", start="now-1m"))
    assert found(lint, logs, turn) == []


def test_a_period_that_two_arguments_could_mean_is_not_decided(make, lint):
    agent = make.facts(make.tool("query", start="now-1h", step="1h"))
    assert found(lint, agent, make.turn("The last hour", make.call("query"))) == []


def test_an_argument_that_the_expectation_replaces_is_not_left_out(logs, make, lint):
    turn = make.turn("The last 60 minutes", make.call("get_errors"), args={"get_errors": {"minutes": 60}})
    assert found(lint, logs, turn) == []
