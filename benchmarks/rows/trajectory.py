"""`tool_trajectory_avg_score`, EXACT, against ADK's `TrajectoryEvaluator`, and from stored traces.

ADK's time has what it makes for each pair in a run: the expected invocation read from a case, the actual one out of
an event for each call and each answer, as its generator makes it. The pairs are scored in batches, since a run scores
each case as soon as it was played.
"""

import copy
import random
from collections.abc import Iterator
from typing import Any

from google.adk.evaluation.eval_case import Invocation, InvocationEvent, InvocationEvents
from google.adk.evaluation.trajectory_evaluator import TrajectoryEvaluator
from google.genai import types
from measure import Bench, Figure, Pairs, cpu, duration, median, pairs

from evalkit.cases import Case, Criterion, Message, Step, ToolCall, Turn
from evalkit.runs import RunFolder, RunInfo
from evalkit.scorers.trajectory import score
from evalkit.traces import Outcome, Trace, TurnTrace

CALLS = 5
BATCH = 100
PAIRS_A_SECOND = 10_000
CRITERION = Criterion(name="tool_trajectory_avg_score", threshold=1.0)
USER = Message(role="user", parts=({"text": "Well?"},))
FINAL = Message(role="model", parts=({"text": "All is well."},))

Calls = list[dict[str, Any]]


def measure(bench: Bench) -> Iterator[Figure]:
    """Score pairs of lists of five calls with nested arguments: equal ones, and ones of which one call differs."""
    times = bench.size(20, 3)
    equal = [_pair(number, differs=False) for number in range(BATCH)]
    different = [_pair(number, differs=True) for number in range(BATCH)]
    rounds = bench.size(7, 3)
    what = f"exact trajectory score / ADK's with its models, {times:,} times {BATCH} pairs"
    yield _timed(equal, times, rounds).faster(what, aim=100.0)
    what = "the same where calls differ, reasons included (ADK gives none)"
    yield _timed(different, times, rounds).faster(what, aim=None)
    yield _from_storage(bench, _ours([_pair(number, differs=False) for number in range(bench.size(2_000, 300))]))


def _timed(lists: list[tuple[Calls, Calls]], times: int, rounds: int) -> Pairs:
    ours = _ours(lists)

    def our_values() -> list[float | None]:
        return [score(case, trace, CRITERION).value for _ in range(times) for case, trace in ours]

    def adks_values() -> list[float | None]:
        return [_adks_value(expected, actual) for _ in range(times) for expected, actual in lists]

    assert our_values() == adks_values()
    return pairs(cpu(our_values), cpu(adks_values), rounds=rounds)


def _ours(lists: list[tuple[Calls, Calls]]) -> list[tuple[Case, Trace]]:
    return [(_case(expected), _trace(actual)) for expected, actual in lists]


def _from_storage(bench: Bench, ours: list[tuple[Case, Trace]]) -> Figure:
    folder = RunFolder.create(bench.folder / "runs", RunInfo.begin("live"))
    for number, (_, trace) in enumerate(ours):
        folder.append(Outcome(file="bench.evalset.json", eval_id=str(number), trace=trace))
    folder.close()

    def read_and_score() -> None:
        for (case, _), outcome in zip(ours, folder.outcomes(), strict=True):
            assert outcome.trace
            score(case, outcome.trace, CRITERION)

    seconds = median(cpu(read_and_score), rounds=bench.size(5, 2))
    rate = len(ours) / seconds
    return Figure(
        what=f"exact trajectory score from stored traces, {len(ours):,} pairs",
        ours=duration(seconds),
        result=f"{rate:,.0f}/s",
        aim=f"{PAIRS_A_SECOND:,}/s",
        met=rate >= PAIRS_A_SECOND,
    )


def _pair(number: int, *, differs: bool) -> tuple[Calls, Calls]:
    chance = random.Random(number)  # noqa: S311 - sample data
    expected = [_call(chance) for _ in range(CALLS)]
    actual = copy.deepcopy(expected)
    if differs:
        actual[chance.randrange(CALLS)] = _call(chance)
    return expected, actual


def _call(chance: random.Random) -> dict[str, Any]:
    filters = [{"field": "severity", "in": ["high", "low"]}, {"field": "age", "below": chance.randrange(1_000)}]
    args = {"namespace": f"team-{chance.randrange(1_000)}", "query": {"filters": filters, "limit": 20}}
    return {"name": f"tool_{chance.randrange(20)}", "args": args}


def _case(calls: Calls) -> Case:
    steps = tuple(Step(calls=(ToolCall(name=call["name"], args=call["args"]),)) for call in calls)
    return Case(eval_id="case", turns=(Turn(index=0, user=USER, steps=steps, final=FINAL),))


def _trace(calls: Calls) -> Trace:
    made = tuple(ToolCall(name=call["name"], args=call["args"]) for call in calls)
    return Trace(mode="live", turns=(TurnTrace(user=USER, adk_calls=made, final=FINAL),))


def _adks_value(expected: Calls, actual: Calls) -> float | None:
    case = {
        "user_content": {"role": "user", "parts": [{"text": "Well?"}]},
        "final_response": {"role": "model", "parts": [{"text": "All is well."}]},
        "intermediate_data": {"tool_uses": expected},
    }
    played = Invocation(
        invocation_id="e-1",
        user_content=types.Content(role="user", parts=[types.Part(text="Well?")]),
        final_response=types.Content(role="model", parts=[types.Part(text="All is well.")]),
        intermediate_data=InvocationEvents(
            invocation_events=[event for call in actual for event in (_called(call), _answered(call))]
        ),
    )
    evaluator = TrajectoryEvaluator(threshold=1.0)
    return evaluator.evaluate_invocations([played], [Invocation.model_validate(case)]).overall_score


def _called(call: dict[str, Any]) -> InvocationEvent:
    part = types.Part(function_call=types.FunctionCall(id="c-1", **call))
    return InvocationEvent(author="agent", content=types.Content(role="model", parts=[part]))


def _answered(call: dict[str, Any]) -> InvocationEvent:
    answer = types.FunctionResponse(id="c-1", name=call["name"], response={"status": "success"})
    part = types.Part(function_response=answer)
    return InvocationEvent(author="agent", content=types.Content(role="user", parts=[part]))
