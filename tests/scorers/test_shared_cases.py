"""Behaviours that real users asked for: inputs with the outcome that is right, from the shared collection."""

import json

import pytest

from evalkit.cases import Config, Criterion, Message, ToolCall
from evalkit.formats import evalset
from evalkit.score import JudgeOptions, judge
from evalkit.scorers import load
from evalkit.traces import Outcome, Trace, TurnTrace

TRAJECTORY = Criterion(name="tool_trajectory_avg_score", threshold=1.0)
ROUGE = Criterion(name="response_match_score", threshold=0.8)


@pytest.fixture
def example(shared):
    """Read one example by its number: its data, its case as we read it, and its trace as recorded there."""

    def example(number):
        (path,) = (shared / "cases").glob(f"{number}_*.json")
        data = json.loads(path.read_text(encoding="utf-8"))
        (case,) = evalset.parse(json.dumps(data["input"]["evalset"]), file=path.name).value.cases
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


def test_identical_text_scores_one_in_every_script(shared, make, score):
    (path,) = (shared / "cases").glob("18_*.json")
    data = json.loads(path.read_text(encoding="utf-8"))
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
