"""Behaviours that real users asked for: inputs with the outcome that is right, from the shared collection."""

import json
from dataclasses import replace

import pytest

from evalkit.cases import CallPattern, Config, Criterion, Expectation, Message, ToolCall, TrajectoryRule
from evalkit.formats import evalset
from evalkit.score import JudgeOptions, judge
from evalkit.scorers import load
from evalkit.traces import GoldenReport, KnownAgent, Outcome, ToolEvent, Trace, TurnTrace

TRAJECTORY = Criterion(name="tool_trajectory_avg_score", threshold=1.0)
ROUGE = Criterion(name="response_match_score", threshold=0.8)


@pytest.fixture
def read(shared):
    """Read one example's data by its number."""

    def read(number):
        (path,) = (shared / "cases").glob(f"{number}_*.json")
        return json.loads(path.read_text(encoding="utf-8"))

    return read


@pytest.fixture
def example(read):
    """Read one example by its number: what is right, its case as we read it, and its trace as recorded there."""

    def example(number):
        data = read(number)
        (case,) = evalset.parse(json.dumps(data["input"]["evalset"]), file=f"{number}.evalset.json").value.cases
        (turn,) = data["input"]["actual"][case.eval_id]
        return data["expect"], case, trace_of(turn)

    return example


def trace_of(turn):
    calls = [event["function_call"] for event in turn["events"] if "function_call" in event]
    parts = turn.get("final_parts") or [{"text": turn["final_response"]}]
    happened = TurnTrace(
        user=Message(),
        adk_calls=tuple(ToolCall(name=call["name"], args=call["args"]) for call in calls),
        final=Message(parts=tuple(parts)),
    )
    return Trace(mode="live", turns=(happened,))


def events_of(data, case):
    """The calls of the example's one turn with their authors; those inside an agent tool under its call."""
    (turn,) = data["input"]["actual"][case.eval_id]
    calls = [(event["author"], event["function_call"]) for event in turn["events"] if "function_call" in event]
    seen = data["input"].get("plugin_seen") or [(author, call["name"], call["args"]) for author, call in calls]
    ids = {call["name"]: call["id"] for _, call in calls}
    return tuple(
        ToolEvent(
            id=ids.get(name, name),
            name=name,
            args=args,
            agent=agent,
            status="control" if name == "transfer_to_agent" else "agent" if "_agent" in name else "answered",
            parent=ids.get(agent),
            golden=next((call.where for call in case.turns[0].calls if call.name == name), None),
        )
        for agent, name, args in seen
    )


def expecting_route(case, route):
    (turn,) = case.turns
    return replace(case, turns=(replace(turn, expect=Expectation(route=tuple(route))),))


def trajectory(case, trace, match_type="EXACT"):
    criterion = Criterion(name=TRAJECTORY.name, threshold=1.0, options={"match_type": match_type})
    return load(TRAJECTORY.name)(case, trace, criterion)


def test_a_tool_without_parameters_may_leave_its_args_out(example):
    expect, case, trace = example("03")
    assert trajectory(case, trace).value == expect["strict"] == 1.0


def test_missing_and_extra_calls_are_told_apart(example):
    expect, case, trace = example("09")
    found = trajectory(case, trace)
    assert found.value == expect["strict"]
    rows = [line.strip().partition("(")[0] for line in found.reason.splitlines()]
    assert [row[2:] for row in rows if row.startswith("- ")] == expect["missing"]
    assert [row[2:] for row in rows if row.startswith("+ ")] == expect["extra"]


def test_parallel_calls_may_be_swapped_but_not_saved(example):
    expect, case, trace = example("11")
    assert trajectory(case, trace, "ANY_ORDER").value == expect["any_order"] == 1.0
    assert trajectory(case, trace).value == expect["strict"] == 0.0
    one_eu_less = Trace(mode="live", turns=(TurnTrace(user=Message(), adk_calls=trace.turns[0].adk_calls[:2]),))
    assert trajectory(case, one_eu_less, "ANY_ORDER").value == 0.0


def test_identical_text_scores_one_in_every_script(read, make, score):
    data = read("18")
    for (said, wanted), expected in zip(data["input"]["texts"], data["expect"]["rouge1_f"], strict=True):
        value = score(ROUGE.name, make.case(make.turn(final=wanted)), make.trace(make.happened(final=said))).value
        assert value < 0.5 if expected == "<0.5" else value == expected


def test_thoughts_are_not_scored(example):
    expect, case, trace = example("19")
    assert load(ROUGE.name)(case, trace, ROUGE).value == expect["response_match"]
    assert trace.turns[0].final.text == expect["actual_text"]


def test_a_case_without_a_reference_text_passes_on_its_calls(example):
    expect, case, trace = example("21")
    config = Config(criteria=(TRAJECTORY, ROUGE), origin="ADK's defaults")
    outcome = Outcome(file="toolonly.evalset.json", eval_id=case.eval_id, trace=trace)
    judged = judge(case, outcome, config, JudgeOptions())
    assert [result.score.state for result in judged.criteria] == ["judged", "not_applicable"]
    assert (judged.verdict, expect["case_verdict"]) == ("passed", "PASS")


def test_right_calls_by_the_wrong_agent_fail_the_route_and_nothing_else(example, read):
    expect, case, trace = example("06")
    data = read("06")
    case = expecting_route(case, data["input"]["expected_route"])
    agents = tuple(KnownAgent(name=name) for name in ("router", "k8s_agent", "db_agent"))
    trace = replace(trace, agents=agents, turns=(replace(trace.turns[0], tools=events_of(data, case)),))
    assert trajectory(case, trace, "IN_ORDER").value == expect["trajectory"] == 1.0
    judged = judge(
        case, Outcome(file="f", eval_id="pods", trace=trace), Config(criteria=(), origin="c"), JudgeOptions()
    )
    (found,) = judged.criteria
    assert found.score.value == expect["routing"]["score"] == 0.0
    assert found.score.details["routes"][0]["expected"] == [expect["routing"]["expected"]]
    assert found.score.details["routes"][0]["actual"] == [expect["routing"]["actual"]]
    assert (judged.verdict, expect["case_verdict"]) == ("failed", "FAIL")


def test_a_call_inside_an_agent_tool_is_seen_under_its_parent_and_not_by_adk(example, read):
    expect, case, trace = example("08")
    data = read("08")
    tools = events_of(data, case)
    names = {event.id: event.name for event in tools}
    assert {event.name: names[event.parent] for event in tools if event.parent} == expect["nested_call_parent"]
    golden = replace(trace.turns[0], tools=tools, golden=GoldenReport(final_given=True))
    replay = load("replay")(case, Trace(mode="golden", turns=(golden,)), Criterion(name="replay"))
    assert replay.value == expect["strict_with_nested"] == 1.0
    found = trajectory(case, replace(trace, turns=(golden,)))
    assert (found.value, expect["adk_compatible_view"]) == (0.0, "outer call only")
    assert 'inside: run_sql(query="Q1")' in found.reason
    agents = (KnownAgent(name="boss", agent_tools={"billing_agent": "billing_agent"}), KnownAgent(name="billing_agent"))
    route = load("route")(case, Trace(mode="live", turns=(golden,), agents=agents), Criterion(name="route"))
    assert (route.value, route.details["routes"][0]["actual"]) == (1.0, ["billing_agent"])


def with_rule(case, **rule):
    (turn,) = case.turns
    return replace(case, turns=(replace(turn, expect=Expectation(trajectory=TrajectoryRule(**rule))),))


def by_own_rules(case, trace):
    """Score the paths that the case accepts, as where no config names the metric."""
    return load("trajectory")(case, trace, Criterion(name="trajectory"))


def patterns_of(rules):
    """Write the example's neutral notation for argument rules as patterns."""
    matchers = {"any": {"$any": True}}
    return {
        tool: {name: matchers.get(rule, {"$regex": rule.removeprefix("regex:")}) for name, rule in by_name.items()}
        for tool, by_name in rules.items()
    }


def test_an_argument_may_be_free_or_fit_a_pattern_while_the_others_count(example, read):
    expect, case, trace = example("02")
    case = with_rule(case, args=patterns_of(read("02")["input"]["arg_rules"]))
    assert by_own_rules(case, trace).value == expect["with_rules"] == 1.0
    (call,) = trace.turns[0].adk_calls
    in_prod = replace(call, args={**call.args, "database": "prod"})
    found = by_own_rules(case, replace(trace, turns=(replace(trace.turns[0], adk_calls=(in_prod,)),)))
    assert (found.value, found.reason.splitlines()[-1]) == (0.0, '      database: expected "billing", actual "prod"')


def test_a_literal_text_is_no_wildcard(example):
    _, case, trace = example("02")
    assert by_own_rules(with_rule(case, order="exact"), trace).value == 0.0


def test_right_calls_get_partial_credit(example):
    expect, case, trace = example("09")
    found = load("trajectory_f1")(case, trace, Criterion(name="trajectory_f1", threshold=0.7))
    figures = {name: found.details[name] for name in ("precision", "recall", "f1")}
    assert figures == {name: expect[name] for name in figures}
    (turn,) = found.details["turns"]
    assert (turn["missing"], turn["extra"]) == (expect["missing"], expect["extra"])


def test_calls_of_one_model_turn_may_be_swapped_but_not_saved(example):
    """What the example says in words: parallel calls of one model turn, the duplicate one included."""
    _, case, trace = example("11")
    tools = tuple(
        ToolEvent(id=f"c{index}", name=call.name, args=call.args, agent="sre", status="answered", group=1)
        for index, call in enumerate(trace.turns[0].adk_calls)
    )
    values = {}
    for name, made in (("all", tools), ("one eu less", tools[:2])):
        happened = replace(trace, turns=(replace(trace.turns[0], tools=made),))
        values[name] = [by_own_rules(with_rule(case, order=order), happened).value for order in ("exact", "any_order")]
    assert values == {"all": [1.0, 1.0], "one eu less": [0.0, 0.0]}


def test_a_call_that_failed_first_has_worked_when_it_was_made_again(read):
    """The example's tool answers 503 once, then data: the path has both calls, and one of them worked."""
    data = read("14")
    (case,) = evalset.parse(json.dumps(data["input"]["evalset"]), file="14.evalset.json").value.cases
    replies = [data["input"]["mocks"][0]["sequence"][0], data["input"]["mocks"][0]["sequence"][1]["response"]]
    tools = tuple(
        ToolEvent(id=f"c{index}", name=call["name"], args=call["args"], agent="sre", status="answered", reply=reply)
        for index, (call, reply) in enumerate(zip(data["input"]["scripted_calls"], replies, strict=True))
    )
    get_node = (CallPattern(name="get_node", args={"name": "n1"}),)
    case = with_rule(case, order="exact", worked=get_node)

    def judged(*made):
        trace = Trace(mode="live", turns=(TurnTrace(user=Message(), tools=made),))
        worked = load("worked")(case, trace, Criterion(name="worked"))
        return by_own_rules(case, trace).value, worked.value, load("efficiency")(case, trace, TRAJECTORY).value

    assert judged(*tools) == (data["expect"]["trajectory"], 1.0, 1.0)
    assert judged(tools[0], tools[0]) == (1.0, 0.0, 1.0)


def test_a_confirmation_that_adk_asks_for_is_no_call_of_the_agents(example):
    expect, case, trace = example("16")
    found = load("trajectory")(case, trace, Criterion(name="trajectory", threshold=1.0))
    assert found.value == expect["trajectory_with_control_calls_excluded"] == 1.0


def test_a_listed_call_inside_an_agent_tool_is_found(example, read):
    expect, case, trace = example("08")
    happened = replace(trace, turns=(replace(trace.turns[0], tools=events_of(read("08"), case)),))
    assert by_own_rules(with_rule(case, order="exact"), happened).value == expect["strict_with_nested"] == 1.0
