import pytest

from evalkit.cases import CallPattern

TRAJECTORY = "$.eval_cases[0].evalkit.expect[0].trajectory"


@pytest.fixture(scope="module")
def kafka(make):
    return make.facts(make.tool("get_lag", group_id=str), make.tool("delete_topic", topic=str))


@pytest.mark.parametrize(
    ("rule", "path"),
    [
        ({"forbid": (CallPattern(name="delete_topics"),)}, ".forbid[0]"),
        ({"optional": (CallPattern(name="get_lag"), CallPattern(name="delete_topics"))}, ".optional[1]"),
        ({"blocked": (CallPattern(name="delete_topics"),)}, ".blocked[0]"),
        ({"any_of": ((CallPattern(name="get_lag"),), (CallPattern(name="delete_topics"),))}, ".any_of[1][0]"),
        ({"worked": (CallPattern(name="delete_topics"),)}, ".worked[0]"),
        ({"args": {"delete_topics": {}}}, ".args.delete_topics"),
        ({"args": {"delete_topics": [{"topic": 1}, {"topic": 2}]}}, ".args.delete_topics"),
        ({"args": {"delete_topics": "ignore"}}, ".args.delete_topics"),
    ],
    ids=["forbid", "optional", "blocked", "any_of", "worked", "args", "args of each call", "args_match"],
)
def test_a_tool_that_does_not_exist_is_an_error_wherever_it_is_named(rule, path, kafka, make, lint):
    (problem,) = lint.case(kafka, make.turn("Go", **rule))
    assert (problem.rule, problem.path) == ("unknown-tool", TRAJECTORY + path)
    assert problem.hint == "did you mean `delete_topic`?"


@pytest.mark.parametrize(
    ("rule", "path"),
    [
        ({"forbid": (CallPattern(name="delete_topic", args={"topics": "a"}),)}, ".forbid[0].args.topics"),
        ({"any_of": ((CallPattern(name="delete_topic", args={"topics": "a"}),),)}, ".any_of[0][0].args.topics"),
        ({"args": {"delete_topic": {"topics": {"$any": True}}}}, ".args.delete_topic.topics"),
        ({"args": {"delete_topic": [{"topic": "a"}, {"topics": "b"}]}}, ".args.delete_topic[1].topics"),
    ],
    ids=["forbid", "any_of", "args", "args of each call"],
)
def test_an_argument_that_does_not_exist_is_an_error_too(rule, path, kafka, make, lint):
    (problem,) = lint.case(kafka, make.turn("Go", **rule))
    assert (problem.rule, problem.path) == ("misfit-arguments", TRAJECTORY + path)
    assert problem.message == "`delete_topic` takes no argument `topics`"
    assert problem.hint == "did you mean `topic`?"


def test_what_exists_is_clean_and_control_tools_do(kafka, make, lint):
    forbid = (CallPattern(name="transfer_to_agent", args={"agent_name": "x"}), CallPattern(name="delete_topic"))
    rule = {"forbid": forbid, "args": {"get_lag": {"group_id": {"$regex": "^a"}}}}
    assert lint.case(kafka, make.turn("Lag of a?", make.call("get_lag", group_id="a"), **rule)) == []


def test_arguments_are_not_judged_where_one_of_the_tools_may_take_any(make, lint):
    agent = make.facts(make.tool("query", undeclared=True))
    assert lint.case(agent, make.turn("Go", forbid=(CallPattern(name="query", args={"x": 1}),))) == []


def test_a_value_that_no_call_can_have_is_told_wherever_it_is_expected(kafka, make, lint):
    rule = {
        "args": {"get_lag": [{}, {"group_id": {"$oneof": ["a", 7]}}]},
        "any_of": ((CallPattern(name="delete_topic", args={"topic": 5}),),),
        "forbid": (CallPattern(name="delete_topic", args={"topic": {"$gte": 5}}),),
    }
    lag = make.call("get_lag", group_id="a")
    problems = lint.case(kafka, make.turn("Lag of a?", lag, lag, **rule), only="misfit-pattern")
    assert [(problem.path, problem.message, problem.hint) for problem in problems] == [
        (
            f"{TRAJECTORY}.args.get_lag[1].group_id.$oneof[1]",
            "`group_id` is a string, so no call that keeps to the declaration has 7",
            'put it in quotes: "7"',
        ),
        (
            f"{TRAJECTORY}.forbid[0].args.topic.$gte",
            "`topic` is a string, so no call that keeps to the declaration has a value of at least 5",
            'write $gte: "5"',
        ),
        (
            f"{TRAJECTORY}.any_of[0][0].args.topic",
            "`topic` is a string, so no call that keeps to the declaration has 5",
            'put it in quotes: "5"',
        ),
    ]


def test_what_is_forbidden_may_list_choices_that_no_call_can_have(kafka, make, lint):
    """A model may send what is not declared, and forbidding it does no harm."""
    forbid = (CallPattern(name="delete_topic", args={"topic": {"$oneof": ["a", None, 5]}}),)
    assert lint.case(kafka, make.turn("Go", forbid=forbid)) == []


def test_patterns_for_a_call_that_is_not_made_and_that_fit_one_that_is_are_told_of_elsewhere(kafka, make, lint):
    turn = make.turn("Group a", make.call("get_lag", group_id="a"), args={"delete_topic": {"group_id": {"$any": True}}})
    assert lint.case(kafka, turn, only="misfit-arguments") == []


def test_patterns_that_fit_no_call_at_all_are_an_error_of_theirs(kafka, make, lint):
    turn = make.turn("Group a", make.call("get_lag", group_id="a"), args={"delete_topic": {"force": {"$any": True}}})
    (problem,) = lint.case(kafka, turn, only="misfit-arguments")
    assert problem.path == f"{TRAJECTORY}.args.delete_topic.force"
