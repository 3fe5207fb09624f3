import pytest

from evalkit.models.declarations import Declaration
from evalkit.models.facts import ToolFacts
from evalkit.models.tree import Agent

DATA = "$.eval_cases[0].conversation[0].intermediate_data"


@pytest.fixture(scope="module")
def kafka(make):
    """An agent with two tools of its own, and another below it."""
    return make.facts(
        make.tool("get_consumer_lag", group_id=str, topic_name="orders"),
        make.tool("list_kafka_topics", include_internal=False),
        others=[make.profile("k8s", make.tool("list_pods", namespace=str, limit=10))],
    )


def said(problems):
    return [(problem.rule, problem.path, problem.message, problem.hint) for problem in problems]


def test_calls_that_fit_are_clean(kafka, make, lint):
    lag = make.call("get_consumer_lag", group_id="orders-eu")
    pods = make.call("list_pods", namespace="shop", limit=5)
    assert lint.case(kafka, make.turn("Lag of group orders-eu, and 5 pods of namespace shop?", lag, pods)) == []


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("get_lag", "did you mean `get_consumer_lag`?"),
        ("getConsumerLag", "did you mean `get_consumer_lag`?"),
        ("get_consumer_lags", "did you mean `get_consumer_lag`?"),
        ("restart", "its tools: get_consumer_lag, list_kafka_topics, list_pods"),
        ("delete_kafka_topics", "its tools: get_consumer_lag, list_kafka_topics, list_pods"),
        ("k8s", '`k8s` is an agent: write {"name": "transfer_to_agent", "args": {"agent_name": "k8s"}}'),
    ],
)
def test_a_tool_that_no_agent_has_is_an_error_with_the_one_that_was_meant(name, hint, kafka, make, lint):
    problems = lint.case(kafka, make.turn("Go", make.call(name)))
    message = f"no agent has a tool named `{name}`"
    assert said(problems) == [("unknown-tool", f"{DATA}.tool_uses[0].name", message, hint)]
    assert problems[0].severity == "error"


def test_a_tool_that_may_be_one_of_a_toolset_is_only_noted(make, lint):
    agent = make.facts(make.tool("get_lag"), unlisted=["toolset 1 of agent root (stdio: server)"])
    (note,) = lint.case(agent, make.turn("Go", make.call("query")))
    assert (note.rule, note.severity) == ("unlisted-tool", "note")
    assert "toolset 1 of agent root (stdio: server) may bring it in" in note.message


def test_a_tool_that_is_just_mistyped_is_an_error_also_beside_a_toolset(make, lint):
    agent = make.facts(make.tool("get_lag"), unlisted=["toolset 1"])
    assert [problem.rule for problem in lint.case(agent, make.turn("Go", make.call("get_lags")))] == ["unknown-tool"]


def test_a_recorded_author_needs_the_tool_itself(kafka, make, lint):
    turn = make.turn("Pods of namespace shop", make.call("list_pods", namespace="shop"), author="root")
    (problem,) = lint.case(kafka, turn)
    assert problem.message == "root has no tool named `list_pods`; k8s has"
    assert problem.hint == 'write "author": "k8s", or a tool of root'


@pytest.mark.parametrize("name", ["exit_loop", "adk_request_confirmation"])
def test_adks_own_tools_need_no_agent_that_has_them(name, kafka, make, lint):
    assert lint.case(kafka, make.turn("Go", make.call(name))) == []


@pytest.mark.parametrize(
    ("args", "path", "expected"),
    [
        ({"group": "a"}, ".group", ("`get_consumer_lag` takes no argument `group`", "did you mean `group_id`?")),
        ({"groupId": "a"}, ".groupId", ("`get_consumer_lag` takes no argument `groupId`", "did you mean `group_id`?")),
        ({}, "", ("`get_consumer_lag` needs the argument `group_id`", 'add "group_id": …')),
        (
            {"group_id": 7},
            ".group_id",
            ('`get_consumer_lag` argument `group_id`: 7 is not of type "string"', 'write "7"'),
        ),
        (
            {"group_id": "a", "since": "x"},
            ".since",
            ("`get_consumer_lag` takes no argument `since`", "its arguments: group_id, topic_name"),
        ),
    ],
)
def test_arguments_that_do_not_fit_are_one_error_each(args, path, expected, kafka, make, lint):
    turn = make.turn("Group a, 7, since x", make.call("get_consumer_lag", **args))
    problems = lint.case(kafka, turn, only="misfit-arguments")
    assert said(problems) == [("misfit-arguments", f"{DATA}.tool_uses[0].args{path}", *expected)]


@pytest.mark.parametrize(
    ("parameter", "value", "hint"),
    [
        (int, "30", "write 30"),
        (bool, "True", "write true"),
        (str, 7, 'write "7"'),
        (list, "a", 'write ["a"]'),
        (list, "anna, ben", 'write ["anna", "ben"]'),
        (list, "anna, and then ben", 'write ["anna, and then ben"]'),
        (int, "thirty", None),
    ],
)
def test_a_value_of_another_type_comes_with_how_to_write_it(parameter, value, hint, make, lint):
    agent = make.facts(make.tool("get_logs", what=parameter))
    turn = make.turn(f"Show {value}", make.call("get_logs", what=value))
    assert [problem.hint for problem in lint.case(agent, turn)] == [hint]


def test_an_argument_that_is_wrong_inside_is_shown_there(make, lint):
    inner = {"type": "object", "properties": {"age": {"type": "integer"}}, "required": ["age"]}
    schema = {"type": "object", "properties": {"filter": inner}}
    tool = make.facts(ToolFacts(name="find", declaration=Declaration("find", schema)))
    problems = lint.case(tool, make.turn("Age 3", make.call("find", filter={"age": "3"})))
    assert [(problem.path.partition(".args")[2], problem.hint) for problem in problems] == [(".filter.age", "write 3")]
    (problem,) = lint.case(tool, make.turn("Go", make.call("find", filter={})))
    assert problem.path.endswith(".args.filter")
    assert problem.message == "`find` needs the argument `age` in `filter`"


@pytest.mark.parametrize(("name", "rule"), [("delete_lag", "unlisted-tool"), ("get_lagg", "unknown-tool")])
def test_a_tool_that_changes_something_is_no_slip_of_one_that_looks(name, rule, make, lint):
    agent = make.facts(make.tool("get_lag"), unlisted=["toolset 1"])
    assert [problem.rule for problem in lint.case(agent, make.turn("Go", make.call(name)))] == [rule]


def test_two_tools_of_one_name_are_both_considered(make, lint):
    agent = make.facts(
        make.tool("query", text=str), others=[make.profile("other", make.tool("query", text=str, limit=5))]
    )
    turn = make.turn("Text a, limit 9", make.call("query", text="a", limit=9), route=["other"])
    assert lint.case(agent, turn) == []


def test_what_a_tool_takes_is_not_guessed_where_nothing_declares_it(make, lint):
    agent = make.facts(make.tool("google_search", undeclared=True))
    assert lint.case(agent, make.turn("Go", make.call("google_search", anything=1))) == []


def test_a_transfer_names_an_agent_that_is_there(kafka, make, lint):
    turn = make.turn("Go", make.call("transfer_to_agent", agent_name="k8"))
    assert said(lint.case(kafka, turn)) == [
        ("unknown-agent", f"{DATA}.tool_uses[0].args.agent_name", "no agent is named k8", "did you mean `k8s`?")
    ]
    assert lint.case(kafka, make.turn("Go", make.call("transfer_to_agent", agent_name="k8s"))) == []


def test_a_transfer_without_an_agent_says_what_to_add(kafka, make, lint):
    (problem,) = lint.case(kafka, make.turn("Go", make.call("transfer_to_agent")))
    assert (problem.rule, problem.path) == ("misfit-arguments", f"{DATA}.tool_uses[0].args")
    assert problem.hint == 'add "agent_name": "…", one of root, k8s'


@pytest.mark.parametrize(
    ("route", "hint"),
    [
        (["kubernetes"], "its agents: k8s, root"),
        (["root", "k8s_"], "did you mean `k8s`?"),
        (["list_pods"], "`list_pods` is a tool, here stands an agent"),
    ],
)
def test_a_route_names_agents_that_are_there(route, hint, kafka, make, lint):
    (problem,) = lint.case(kafka, make.turn("Go", route=route))
    index = len(route) - 1
    assert (problem.rule, problem.path) == ("unknown-agent", f"$.eval_cases[0].evalkit.expect[0].route[{index}]")
    assert problem.hint == hint


def test_an_author_that_is_not_there_is_an_error_at_the_event(kafka, make, lint):
    turn = make.turn("Group a", make.call("get_consumer_lag", group_id="a"), author="rooot")
    assert said(lint.case(kafka, turn)) == [
        ("unknown-agent", f"{DATA}.invocation_events[0].author", "no agent is named rooot", "did you mean `root`?")
    ]


def test_the_user_may_be_an_author(kafka, make, lint):
    assert lint.case(kafka, make.turn("Hello", author="user")) == []


def test_an_agent_that_code_may_bring_in_is_only_noted(make, lint):
    agent = make.facts(make.tool("a"), unlisted=["the code of router"])
    (note,) = lint.case(agent, make.turn("Go", route=["specialist"]))
    assert (note.rule, note.severity) == ("unlisted-tool", "note")


def test_a_call_that_two_agents_could_make_says_how_to_tell(make, lint):
    both = [make.profile(name, make.tool("list_pods", namespace=str)) for name in ("east", "west")]
    agent = make.facts(make.tool("whoami"), others=both)
    turn = make.turn("Pods of namespace shop", make.call("list_pods", namespace="shop"))
    (problem,) = lint.case(agent, turn)
    assert (problem.rule, problem.path) == ("unplayable-turn", f"{DATA}.tool_uses[0]")
    assert problem.message == "`list_pods` can be called by east and west"
    assert problem.hint.startswith('say who does it: write `evalkit.expect[0].route: ["east"]`')
    transfer = make.call("transfer_to_agent", agent_name="west")
    assert lint.case(agent, make.turn("Pods of namespace shop", transfer, *turn["calls"])) == []


def test_the_agent_that_an_earlier_turn_left_in_charge_makes_the_call(make, lint):
    both = [
        make.profile("east", make.tool("list_pods", namespace=str), make.tool("only_east")),
        make.profile("west", make.tool("list_pods", namespace=str)),
    ]
    agent = make.facts(make.tool("whoami"), others=both)
    turns = [make.turn("Go east", make.call("only_east")), make.turn("shop", make.call("list_pods", namespace="shop"))]
    assert lint.case(agent, *turns) == []


def test_a_workflow_that_was_transferred_to_is_not_in_charge_of_the_next_turn(make, lint):
    both = [make.profile(name, make.tool("list_pods", namespace=str)) for name in ("east", "west")]
    line = Agent(name="line", kind="sequence", members=("east",), parent="root")
    root = Agent(name="root", transfers=("line", "west"))
    agent = make.facts(others=both, tree={"root": root, "line": line, "east": Agent(name="east", tools=("list_pods",))})
    first = make.turn("Run the line", make.call("transfer_to_agent", agent_name="line"))
    (problem,) = lint.case(agent, first, make.turn("shop?", make.call("list_pods", namespace="shop")))
    assert (problem.rule, problem.message) == ("unplayable-turn", "`list_pods` can be called by east and west")


def test_an_agent_that_nobody_can_transfer_to_is_told(make, lint):
    agent = make.facts(make.tool("a"), tree={"inner": Agent(name="inner", parent="root")})
    (problem,) = lint.case(agent, make.turn("Go", make.call("transfer_to_agent", agent_name="inner")))
    assert (problem.rule, problem.message) == ("unplayable-turn", "no agent can transfer to inner")


@pytest.mark.parametrize("value", ["...", "…", "<...>", " ... "])
def test_a_literal_placeholder_is_a_warning_with_the_matcher_to_write(value, kafka, make, lint):
    (problem,) = lint.case(kafka, make.turn("Lag?", make.call("get_consumer_lag", group_id=value)))
    assert (problem.rule, problem.severity) == ("placeholder-argument", "warning")
    assert problem.path == f"{DATA}.tool_uses[0].args.group_id"
    assert '"args": {"get_consumer_lag": {"group_id": {"$any": true}}}' in problem.hint


def test_a_placeholder_of_the_wrong_type_is_said_once(kafka, make, lint):
    call = make.call("list_kafka_topics", include_internal="...")
    assert [problem.rule for problem in lint.case(kafka, make.turn("Topics?", call))] == ["placeholder-argument"]


def test_dots_within_a_text_are_no_placeholder(kafka, make, lint):
    assert lint.case(kafka, make.turn("Group a...b", make.call("get_consumer_lag", group_id="a...b"))) == []


def test_a_case_that_is_skipped_is_left_alone(kafka, make, lint):
    turn = make.turn("Go", make.call("get_lag"))
    assert lint.case(kafka, turn, skip="the tool is not built yet") == []


def test_a_file_for_another_agent_is_one_error(kafka, make, lint):
    turn = make.turn("Go", make.call("draw_circle"), make.call("paint_it"), make.call("draw_circle"))
    assert said(lint.case(kafka, turn)) == [
        (
            "unknown-tool",
            "$",
            "no agent below root has any of the tools here: draw_circle, paint_it",
            "its tools: get_consumer_lag, list_kafka_topics, list_pods; is the file for another agent?",
        )
    ]


@pytest.mark.parametrize(
    ("args", "hint"),
    [
        ({"who": "a"}, "write `group_id` for `who`"),
        ({"who": 7}, "its arguments: group_id, topic_name"),
        ({"who": "a", "what": "b"}, "its arguments: group_id, topic_name"),
    ],
)
def test_the_only_argument_that_is_missing_is_meant_by_the_only_unknown_one_that_fits(args, hint, kafka, make, lint):
    turn = make.turn("Group a, 7, b", make.call("get_consumer_lag", **args))
    problems = lint.case(kafka, turn, only="misfit-arguments")
    assert problems[0].hint == hint
    assert len(problems) == 1 if hint.startswith("write") else len(problems) > 1


def test_a_transfer_whose_agent_has_another_key_is_told_at_that_key(kafka, make, lint):
    (problem,) = lint.case(kafka, make.turn("Go", make.call("transfer_to_agent", name="k8s")), only="misfit-arguments")
    assert problem.path == f"{DATA}.tool_uses[0].args.name"
    assert problem.hint == "write `agent_name` for `name`"
