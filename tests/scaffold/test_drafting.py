"""What cases an agent needs, from hand-made facts."""

from dataclasses import replace

import pytest

from evalkit.errors import SelectionError
from evalkit.models.facts import ToolFacts
from evalkit.models.tree import Agent
from evalkit.scaffold.drafting import draft_cases

GROUP = {"type": "string"}


@pytest.fixture
def get_lag(make_tool):
    text = "Measure the lag of a group.\n\nReturns:\n    `total_lag` and `topics`.\n"
    return replace(make_tool("get_lag", text, ("group",), group=GROUP), reply_keys=("total_lag", "topics"))


@pytest.fixture
def team(make_facts, make_tool, get_lag):
    """A desk with a specialist as a tool, one to transfer to, and one without tools."""
    desk = Agent(name="desk", tools=("kafka", "whoami"), agent_tools={"kafka": "kafka"}, transfers=("k8s", "greeter"))
    kafka = Agent(name="kafka", tools=("get_lag",), parent="desk")
    k8s = Agent(name="k8s", tools=("get_lag", "list_pods"), parent="desk", transfers=("desk",))
    ask = make_tool("kafka", "Knows Kafka.", ("request", "depth"), request=GROUP, depth={"type": "integer"})
    return make_facts(
        (desk, (ask, make_tool("whoami"))),
        (kafka, (get_lag,)),
        (k8s, (get_lag, make_tool("list_pods"))),
        (Agent(name="greeter", parent="desk"), ()),
    )


def calls(draft):
    return [(one.agent, one.tool.name, dict(one.args)) for one in draft.exchanges]


def test_each_tool_of_each_agent_has_a_case_and_so_has_an_agent_without_tools(team):
    drafted = draft_cases(team)
    assert [draft.eval_id for draft in drafted.drafts] == [
        "whoami", "kafka_get_lag", "k8s_get_lag", "list_pods", "ask_greeter", "small_talk",
    ]  # fmt: skip
    assert drafted.left_out == {}


def test_a_case_asks_calls_and_answers_by_what_the_tool_says_of_itself(make_facts, get_lag):
    draft = draft_cases(make_facts((Agent(name="kafka", tools=("get_lag",)), (get_lag,)))).drafts[0]
    assert (draft.prompt, draft.answer) == ("Measure the lag of a group (group: example-group).", "The total lag is 3.")
    assert calls(draft) == [("kafka", "get_lag", {"group": "example-group"})]
    assert draft.exchanges[0].reply == {"status": "success", "total_lag": 3, "topics": ["example-topic"]}
    assert (draft.must_say, draft.route) == ("3", None)


def test_calls_that_lead_to_the_agent_come_first(team):
    by_id = {draft.eval_id: draft for draft in draft_cases(team).drafts}
    prompt = "Measure the lag of a group (group: example-group)."
    assert calls(by_id["kafka_get_lag"]) == [
        ("desk", "kafka", {"request": prompt, "depth": 3}),
        ("kafka", "get_lag", {"group": "example-group"}),
    ]
    assert calls(by_id["k8s_get_lag"]) == [
        ("desk", "transfer_to_agent", {"agent_name": "k8s"}),
        ("k8s", "get_lag", {"group": "example-group"}),
    ]
    assert [by_id[name].route for name in ("whoami", "kafka_get_lag", "ask_greeter")] == [(), ("kafka",), ("greeter",)]


def test_small_talk_calls_nobody_and_nothing(team):
    talk = draft_cases(team).drafts[-1]
    assert (talk.exchanges, talk.route, talk.forbidden) == ((), (), ("kafka", "whoami", "transfer_to_agent"))


def test_a_loop_is_left_and_a_task_is_finished(make_facts, make_tool):
    finish = make_tool("finish_task", required=("result",), result={"type": "string"})
    drafts = draft_cases(
        make_facts(
            (Agent(name="desk", agent_tools={"job": "job"}, tools=("job",), transfers=("loop",)), (make_tool("job"),)),
            (Agent(name="loop", kind="loop", members=("act", "check"), repeats=True), ()),
            (Agent(name="act", tools=("fix",), parent="loop"), (make_tool("fix"),)),
            (Agent(name="check", tools=("exit_loop",), parent="loop"), (make_tool("exit_loop"),)),
            (Agent(name="job", tools=("dig",), task=True, parent="desk"), (make_tool("dig"), finish)),
        )
    ).drafts
    by_id = {draft.eval_id: [name for _, name, _ in calls(draft)] for draft in drafts}
    assert by_id["fix"] == ["transfer_to_agent", "fix", "exit_loop"]
    assert by_id["exit_loop"] == ["transfer_to_agent", "exit_loop"]
    assert by_id["dig"] == ["job", "dig", "finish_task"]
    assert "finish_task" not in by_id


def test_what_an_instruction_orders_for_every_request_is_called_before(make_facts, make_tool):
    facts = make_facts((Agent(name="one", tools=("plan", "look")), (make_tool("plan"), make_tool("look"))))
    told = replace(facts.profiles["one"], instruction="Always start with plan.")
    drafts = draft_cases(replace(facts, profiles={"one": told})).drafts
    assert [[name for _, name, _ in calls(draft)] for draft in drafts[:2]] == [["plan"], ["plan", "look"]]


def test_an_answer_has_the_shape_that_the_agent_must_keep_to(make_facts, make_tool):
    facts = make_facts((Agent(name="one", tools=("look",)), (make_tool("look"),)))
    schema = {"type": "object", "properties": {"total": {"type": "integer"}}}
    told = replace(facts.profiles["one"], output_schema=schema)
    drafts = draft_cases(replace(facts, profiles={"one": told})).drafts
    assert [(draft.answer, draft.must_say) for draft in drafts] == [('{"total": 3}', None)] * 2


def test_tools_without_a_case_are_named_with_the_reason(make_facts, make_tool):
    search = ToolFacts(name="search")
    drafted = draft_cases(
        make_facts((Agent(name="one", tools=("search",)), (search,)), (Agent(name="lost"), (make_tool("look"),)))
    )
    assert [draft.eval_id for draft in drafted.drafts] == ["small_talk"]
    assert drafted.left_out == {
        "one.search": "it runs in the model's own backend, so no call of it reaches the agent",
        "lost.look": "no transfer and no agent tool leads to lost",
    }


@pytest.mark.parametrize(
    ("only", "expected"),
    [(["list_pods"], ["list_pods"]), (["get_lag"], ["kafka_get_lag", "k8s_get_lag"]), (["kafka"], ["ask_kafka"])],
)
def test_cases_may_be_asked_for_by_tool(team, only, expected):
    assert [draft.eval_id for draft in draft_cases(team, only).drafts] == expected


@pytest.mark.parametrize(
    ("name", "hint"), [("get_lags", "did you mean get_lag?"), ("zzz", "its tools: kafka, whoami, get_lag, list_pods")]
)
def test_a_tool_that_is_not_there_is_refused_with_those_that_are(team, name, hint):
    with pytest.raises(SelectionError) as caught:
        draft_cases(team, [name])
    assert str(caught.value) == f"--tool {name}: no agent of desk has a tool of this name; {hint}"


def test_ids_are_words_and_unique(make_facts, make_tool):
    names = ("read file", "read-file")
    facts = make_facts((Agent(name="one", tools=names), tuple(map(make_tool, names))))
    assert [draft.eval_id for draft in draft_cases(facts).drafts] == ["read_file", "read_file_2", "small_talk"]


def test_a_workflow_at_the_root_has_no_small_talk_and_no_route(make_facts, make_tool):
    drafts = draft_cases(
        make_facts(
            (Agent(name="flow", kind="sequence", members=("one", "two")), ()),
            (Agent(name="one", tools=("look",), parent="flow"), (make_tool("look"),)),
            (Agent(name="two", parent="flow"), ()),
        )
    ).drafts
    assert [(draft.eval_id, draft.route) for draft in drafts] == [("look", None)]
