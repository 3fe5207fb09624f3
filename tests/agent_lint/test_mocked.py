import pytest

from evalkit.routes import Reply

LAG = {"status": "success", "total_lag": 75, "partitions": []}
REPORT = {"type": "object", "properties": {"lag": {"type": "integer"}}, "required": ["lag"]}


@pytest.fixture(scope="module")
def kafka(make):
    return make.facts(
        make.tool("get_lag", group_id=str, keys=["total_lag", "partitions"]),
        make.tool("report", returns=REPORT),
        make.tool("motd", returns={"type": "string"}),
        others=[make.profile("k8s", make.tool("list_pods", namespace=str))],
    )


def rules(problems):
    return [(problem.rule, problem.path) for problem in problems]


def test_routes_and_replies_that_fit_are_clean(kafka, make, lint):
    routes = [
        make.route("get_lag", LAG, args={"group_id": "a"}),
        make.route("list_pods", {"pods": []}, agent="k8s"),
        make.route("report", {"lag": 3, "more": True}),
        make.route("motd", "hello"),
        make.route("transfer_to_agent", "x"),
    ]
    assert lint.mocks(make.mocks(*routes), kafka) == ()


def test_a_route_for_a_tool_that_does_not_exist_is_an_error_at_its_key(kafka, make, lint):
    (problem,) = lint.mocks(make.mocks(make.route("get_lags", LAG)), kafka)
    assert (problem.file, problem.rule, problem.path) == ("mocks.yaml", "dead-route", "$.tools.get_lags")
    assert (problem.message, problem.hint) == ("no agent has a tool named `get_lags`", "did you mean `get_lag`?")


def test_a_route_for_an_agent_that_does_not_exist_is_an_error(kafka, make, lint):
    (problem,) = lint.mocks(make.mocks(make.route("list_pods", {}, agent="k8")), kafka)
    assert (problem.rule, problem.path, problem.hint) == ("dead-route", "$.agents.k8", "did you mean `k8s`?")


def test_a_scoped_route_is_for_a_tool_of_that_agent(kafka, make, lint):
    (problem,) = lint.mocks(make.mocks(make.route("get_lag", LAG, agent="k8s")), kafka)
    assert (problem.rule, problem.path) == ("dead-route", "$.agents.k8s.tools.get_lag")
    assert problem.message == "k8s has no tool named `get_lag`; root has"


def test_a_route_for_an_argument_that_does_not_exist_answers_nothing(kafka, make, lint):
    (problem,) = lint.mocks(make.mocks(make.route("get_lag", LAG, args={"group": "a"})), kafka)
    assert (problem.rule, problem.path) == ("dead-route", "$.tools.get_lag[0].args.group")
    assert problem.message == "`get_lag` takes no argument `group`, so this route answers no call"
    assert problem.hint == "did you mean `group_id`?"


def test_a_route_that_is_content_without_the_argument_answers(kafka, make, lint):
    absent = make.route("get_lag", LAG, args={"group": {"$absent": True}})
    assert lint.mocks(make.mocks(absent), kafka) == ()


def test_what_a_toolset_may_have_is_only_noted(make, lint):
    agent = make.facts(make.tool("get_lag"), unlisted=["toolset 1 of agent root (stdio: server)"])
    problems = lint.mocks(make.mocks(make.route("query", {}), make.route("x", {}, agent="nobody")), agent)
    assert [problem.severity for problem in problems] == ["note", "note"]


def test_a_mocks_file_for_another_agent_is_one_error(kafka, make, lint):
    (problem,) = lint.mocks(make.mocks(make.route("draw_circle", {}), make.route("paint_it", {})), kafka)
    assert (problem.rule, problem.path) == ("unknown-tool", "$")


def test_toolsets_that_do_not_fit_are_errors_where_a_file_describes_them(make, lint):
    agent = make.facts(make.tool("get_lag"), toolset_faults=["toolsets.grafana in mocks.yaml belongs to no toolset"])
    assert rules(lint.mocks(make.mocks(toolsets={"grafana": {"tools": []}}), agent)) == [
        ("misfit-toolset", "$.toolsets")
    ]
    assert lint.mocks(make.mocks(), agent) == ()


def test_a_reply_without_a_documented_key_is_a_warning_with_the_key_to_add(kafka, make, lint):
    (problem,) = lint.mocks(make.mocks(make.route("get_lag", {"status": "success", "lag": 75})), kafka)
    assert (problem.rule, problem.severity, problem.path) == ("misfit-reply", "warning", "$.tools.get_lag[0].returns")
    assert problem.message == (
        "`get_lag` never replies like this: its docstring names `total_lag`, `partitions` in every reply"
    )
    assert problem.hint == "add total_lag: …, partitions: …"


@pytest.mark.parametrize(
    "value",
    [
        {"status": "error", "error": "no such group"},
        {"status": "FAILED"},
        {"error_message": "no such group"},
        {"result": {"total_lag": 75, "partitions": []}},
        "a text, of which the docstring says nothing",
        {"$http": {"status": 500}},
    ],
    ids=["an error", "a failure", "a message", "deeper", "a text", "an answer over http"],
)
def test_replies_that_tell_of_an_error_or_say_it_deeper_are_let_through(value, kafka, make, lint):
    assert lint.mocks(make.mocks(make.route("get_lag", value)), kafka) == ()


@pytest.mark.parametrize(
    ("value", "what"),
    [
        ({"lag": "3"}, 'a whole number at `lag`, not "3"'),
        ({}, "the key `lag`"),
        ("lag is 3", 'an object, not "lag is 3"'),
        ([{"lag": "3"}, {"x": "y" * 60}], "an object, not a list"),
    ],
)
def test_a_reply_of_another_type_than_annotated_is_a_warning(value, what, kafka, make, lint):
    (problem,) = lint.mocks(make.mocks(make.route("report", value)), kafka)
    assert problem.message == f"`report` never replies like this: its return annotation wants {what}"
    assert problem.hint == "write {lag: …}"


def test_a_tool_that_returns_text_says_so(kafka, make, lint):
    (problem,) = lint.mocks(make.mocks(make.route("motd", {"text": "hello"})), kafka)
    assert problem.message.endswith('its return annotation wants a text, not {"text": "hello"}')
    assert problem.hint is None


def test_a_list_of_replies_is_sent_into_a_sequence(kafka, make, lint):
    (problem,) = lint.mocks(make.mocks(make.route("report", [{"lag": 3}, {"status": "error"}])), kafka)
    assert problem.message.endswith('wants an object, not [{"lag": 3}, {"status": "error"}]')
    assert problem.hint == "write `sequence:` with an entry `- returns: …` for each"


def test_every_reply_of_a_sequence_is_looked_at(kafka, make, lint):
    replies = (Reply(value=LAG), Reply(value={"x": 1}, where="$.tools.get_lag[0].sequence[1].returns"))
    (problem,) = lint.mocks(make.mocks(make.route("get_lag", replies=replies)), kafka)
    assert problem.path == "$.tools.get_lag[0].sequence[1].returns"


def test_what_raises_has_no_reply_to_look_at(kafka, make, lint):
    raising = make.route("report", replies=(Reply(raises="TimeoutError"),))
    assert lint.mocks(make.mocks(raising), kafka) == ()


def test_a_reply_has_to_fit_one_of_the_tools_of_that_name(make, lint):
    agent = make.facts(make.tool("query", keys=["rows"]), others=[make.profile("other", make.tool("query"))])
    assert lint.mocks(make.mocks(make.route("query", {"text": ""})), agent) == ()
    assert len(lint.mocks(make.mocks(make.route("query", {"text": ""}, agent="root")), agent)) == 1


def test_a_route_for_a_value_outside_the_declaration_is_a_warning_since_a_model_may_send_it(kafka, make, lint):
    (problem,) = lint.mocks(make.mocks(make.route("get_lag", LAG, args={"group_id": 5})), kafka)
    assert (problem.rule, problem.severity, problem.path) == (
        "misfit-pattern",
        "warning",
        "$.tools.get_lag[0].args.group_id",
    )
    assert problem.message == "`group_id` is a string, so no call that keeps to the declaration has 5"
    assert problem.hint == 'put it in quotes: "5"'


@pytest.mark.parametrize(
    "replies",
    [
        [Reply(value={"status": "error", "message": "no such level"})],
        [Reply(value={"error": "no such level"})],
        [Reply(value={"$http": {"status": 422}})],
        [Reply(raises="ValueError"), Reply(value={"error": "still no such level"})],
    ],
    ids=["a status", "an error", "an answer over http", "one raised and one told"],
)
def test_a_route_that_answers_a_models_bad_value_with_errors_is_meant(replies, kafka, make, lint):
    route = make.route("get_lag", replies=tuple(replies), args={"group_id": 5})
    assert lint.mocks(make.mocks(route), kafka) == ()
    recovered = make.route("get_lag", replies=(*replies, Reply(value=LAG)), args={"group_id": 5})
    assert rules(lint.mocks(make.mocks(recovered), kafka)) == [("misfit-pattern", "$.tools.get_lag[0].args.group_id")]


def test_an_unknown_argument_is_told_whatever_its_name_and_the_replies_are(kafka, make, lint):
    route = make.route("get_lag", {"error": "no filter"}, args={"$filter": "a"})
    (problem,) = lint.mocks(make.mocks(route), kafka)
    assert (problem.rule, problem.severity) == ("dead-route", "error")
    assert problem.message == "`get_lag` takes no argument `$filter`, so this route answers no call"


def test_a_route_with_another_choice_is_alive_and_told_of_the_one_that_is_none(kafka, make, lint):
    route = make.route("get_lag", LAG, args={"group_id": {"$oneof": ["a", 5]}})
    (problem,) = lint.mocks(make.mocks(route), kafka)
    assert (problem.rule, problem.severity) == ("misfit-pattern", "warning")
    assert problem.path == "$.tools.get_lag[0].args.group_id.$oneof[1]"


def test_a_value_that_one_of_two_tools_of_the_name_takes_is_let_alone(make, lint):
    agent = make.facts(make.tool("get", key=str), others=[make.profile("k8s", make.tool("get", key=int))])
    assert lint.mocks(make.mocks(make.route("get", {}, args={"key": 5})), agent) == ()
    assert rules(lint.mocks(make.mocks(make.route("get", {}, agent="k8s", args={"key": "a"})), agent)) == [
        ("misfit-pattern", "$.agents.k8s.tools.get[0].args.key")
    ]
    assert rules(lint.mocks(make.mocks(make.route("get", {}, args={"key": True})), agent)) == [
        ("misfit-pattern", "$.tools.get[0].args.key")
    ]


def test_a_tool_of_which_no_declaration_is_known_takes_any_value(make, lint):
    agent = make.facts(make.tool("get", undeclared=True), make.tool("put", key=1))
    routes = [make.route("get", {}, args={"key": 5}), make.route("put", {}, args={"key": "x"})]
    assert lint.mocks(make.mocks(*routes), agent) == ()


TYPED = {"count": {"type": "integer"}, "lines": {"type": "array", "items": {"type": "string"}}}


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"count": "2", "lines": []}, '`count` is a whole number, not "2"'),
        ({"count": 2, "lines": "refused"}, '`lines` is a list of texts, not "refused"'),
    ],
)
def test_a_reply_with_another_type_than_the_docstring_tells_is_a_warning(value, said, make, lint):
    agent = make.facts(make.tool("get_logs", keys=TYPED, types=TYPED))
    (problem,) = lint.mocks(make.mocks(make.route("get_logs", value)), agent)
    assert problem.message == f"`get_logs` never replies like this: its docstring says that {said}"


@pytest.mark.parametrize(
    "value", [{"count": 2, "lines": ["a"]}, {"count": None, "lines": []}, {"error": "no such pod"}]
)
def test_a_reply_of_the_told_types_and_one_with_nothing_there_are_fine(value, make, lint):
    agent = make.facts(make.tool("get_logs", keys=TYPED, types=TYPED))
    assert lint.mocks(make.mocks(make.route("get_logs", value)), agent) == ()


def test_a_key_that_is_almost_the_missing_one_is_named(kafka, make, lint):
    (problem,) = lint.mocks(make.mocks(make.route("get_lag", {"totallag": 75, "partitions": []})), kafka)
    assert problem.hint == "write `total_lag` for `totallag`"
