"""Our metrics as ADK calls them: on invocations, by a dotted path, with options in the criterion."""

import pytest
from google.adk.evaluation.custom_metric_evaluator import _CustomMetricEvaluator
from google.adk.evaluation.eval_case import IntermediateData, Invocation, InvocationEvent, InvocationEvents
from google.adk.evaluation.eval_metrics import BaseCriterion, EvalMetric, EvalStatus
from google.genai import types

from evalkit.adk import metrics
from evalkit.adk.in_place import InPlace
from evalkit.adk.played import Scene
from evalkit.adk.toolset_checks import Mocks
from evalkit.formats.own_metrics import FUNCTIONS
from evalkit.scorers import SCORERS

PASSED, FAILED, NOT_EVALUATED = EvalStatus.PASSED, EvalStatus.FAILED, EvalStatus.NOT_EVALUATED

LAG = ("get_lag", {"group": "orders"}, {"lag": 75})


def content(*parts, role="model"):
    return types.Content(role=role, parts=[types.Part(**part) for part in parts])


def actual(*calls, answer="It is 75 behind.", said=(), author="kafka", user="How far behind is orders?"):
    """A turn as ADK's evaluation sees it: calls as (name, args, reply), words as (author, text)."""
    events = [InvocationEvent(author=name, content=content({"text": text})) for name, text in said]
    for index, (name, args, reply) in enumerate(calls):
        call = types.FunctionCall(id=f"c{index}", name=name, args=args)
        events.append(InvocationEvent(author=author, content=content({"function_call": call})))
        if reply is not None:
            response = types.FunctionResponse(id=f"c{index}", name=name, response=reply)
            events.append(InvocationEvent(author=author, content=content({"function_response": response}, role="user")))
    events.append(InvocationEvent(author=author))  # ADK's event for the answer, whose text stands elsewhere
    return Invocation(
        user_content=content({"text": user}, role="user"),
        final_response=content({"text": answer}) if answer else None,
        intermediate_data=InvocationEvents(invocation_events=events),
    )


def expected(*calls, answer="It is 75 behind.", listed=True, **data):
    uses = [types.FunctionCall(name=name, args=args) for name, args, _ in calls]
    return Invocation(
        user_content=content({"text": "How far behind is orders?"}, role="user"),
        final_response=content({"text": answer}) if answer else None,
        intermediate_data=IntermediateData(tool_uses=uses, **data) if listed else None,
    )


@pytest.fixture
def judge():
    """Have a metric judge turns, each a pair of what should and what did happen, as ADK's evaluator does."""

    async def call(function, *turns, threshold=1.0, **options):
        criterion = BaseCriterion(threshold=threshold, **options)
        metric = EvalMetric(metric_name="mine", threshold=threshold, criterion=criterion)
        evaluator = _CustomMetricEvaluator(metric, f"evalkit.adk.metrics.{function}")
        wanted = [want for want, _ in turns]
        return await evaluator.evaluate_invocations(
            [made for _, made in turns], None if None in wanted else wanted, None
        )

    return call


@pytest.fixture(autouse=True)
def _not_warned_yet():
    metrics._warn_of_real_tools.cache_clear()


def told(result):
    """The reason where ADK's results keep one."""
    return result.overall_rubric_scores[0].rationale


@pytest.mark.parametrize(
    ("function", "want", "made", "options", "value"),
    [
        ("tool_trajectory_avg_score", expected(LAG), actual(LAG), {}, 1.0),
        ("tool_trajectory_avg_score", expected(LAG), actual(), {}, 0.0),
        ("tool_trajectory_avg_score", expected(LAG), actual(("other", {}, {}), LAG), {"match_type": "IN_ORDER"}, 1.0),
        ("tool_trajectory_avg_score", expected(), actual(LAG), {"match_type": "ANY_ORDER"}, 0.0),
        ("trajectory", expected(LAG), actual(("other", {}, {}), LAG), {"order": "in_order"}, 1.0),
        ("trajectory", expected(LAG), actual(("get_lag", {}, {})), {"args": {"get_lag": "subset"}}, 1.0),
        ("trajectory", expected(LAG), actual(("other", {}, {}), LAG), {"optional": ["another"]}, 0.0),
        ("trajectory_f1", expected(LAG), actual(("other", {}, {}), LAG), {}, 2 / 3),
        ("efficiency", expected(LAG), actual(LAG, LAG), {}, 0.5),
        ("worked", expected(), actual(LAG), {"worked": ["get_lag"]}, 1.0),
        ("worked", expected(), actual(("get_lag", {}, {"error": "gone"})), {"worked": ["get_lag"]}, 0.0),
        ("budget", expected(), actual(LAG, LAG), {"tool_calls": 1}, 0.0),
        ("response_match_score", expected(), actual(), {}, 1.0),
        ("rouge", expected(), actual(answer="It is 75."), {}, 6 / 7),
        ("grounding", expected(), actual(LAG), {}, 1.0),
        ("grounding", expected(), actual(), {}, 0.0),
        ("forbid", expected(), actual(LAG), {"forbid": ["delete_group"]}, 1.0),
        ("forbid", expected(), actual(LAG), {"forbid": [{"name": "get_lag", "args": {"group": {"$glob": "o*"}}}]}, 0.0),
        ("response", expected(), actual(), {"contains": ["75"], "not_contains": ["80"]}, 1.0),
        ("response", expected(), actual(), {"contains": ["75", "orders"]}, 0.5),
        ("route", expected(), actual(("kafka_health", {}, {}), author="root"), {"route": ["kafka_health"]}, 1.0),
        (
            "route",
            expected(),
            actual(("docker", {}, {}), author="root"),
            {"route": ["kafka"], "agents": ["docker"]},
            0.0,
        ),
        ("route", expected(("docker", {}, {})), actual(("docker", {}, {})), {"agents": ["docker"]}, 1.0),
        (
            "intermediate_responses",
            expected(intermediate_responses=[("kafka", [types.Part(text="One moment.")])]),
            actual(said=[("kafka", "One moment.")]),
            {},
            1.0,
        ),
        (
            "tool_responses",
            expected(LAG, tool_responses=[types.FunctionResponse(name="get_lag", response={"lag": 80})]),
            actual(LAG),
            {},
            0.0,
        ),
    ],
)
async def test_a_metric_judges_what_adk_hands_over(judge, function, want, made, options, value):
    result = await judge(function, (want, made), **options)

    assert result.overall_score == pytest.approx(value)
    assert result.overall_eval_status is (PASSED if value == 1.0 else FAILED)
    assert [(one.score, one.eval_status) for one in result.per_invocation_results] == [
        (result.overall_score, result.overall_eval_status)
    ]


async def test_a_reason_stands_in_the_result_and_is_printed(judge, capsys):
    result = await judge("grounding", (expected(), actual()))

    assert "no tool reply and no word of the user has the number `75`" in told(result)
    assert result.per_invocation_results[0].rubric_scores[0].rationale in told(result)
    printed = capsys.readouterr().err
    assert 'evalkit: mine FAILED 0, below 1 in the conversation that begins "How far behind is orders?"' in printed
    assert "has the number `75`" in printed


async def test_turns_without_anything_to_judge_are_left_out_of_the_average(judge):
    result = await judge("grounding", (expected(), actual(LAG)), (expected(), actual(answer="You are welcome.")))

    assert (result.overall_score, result.overall_eval_status) == (1.0, PASSED)
    assert [(one.score, one.eval_status) for one in result.per_invocation_results] == [
        (1.0, PASSED),
        (None, NOT_EVALUATED),
    ]


@pytest.mark.parametrize(
    ("function", "why"),
    [
        ("forbid", "no turn forbids a call"),
        ("response", "no turn says what its response must contain"),
        ("state", "ADK hands a metric no session state"),
        ("blocked", "ADK does not tell a metric which calls a callback answered"),
        ("replay", "only golden replay has golden calls to look for"),
        ("holmes_correctness", "ADK hands a metric no gold file, which is read only after the answer"),
        ("evidence_touched", "ADK does not tell a metric which recordings there are"),
        ("tool_responses", "no turn has tool_responses"),
    ],
)
@pytest.mark.parametrize("threshold", [1.0, 0.0])
async def test_with_nothing_to_judge_a_metric_fails_and_says_why(judge, function, why, threshold):
    result = await judge(function, (expected(), actual()), (expected(), actual()), threshold=threshold)

    assert (result.overall_score, result.overall_eval_status) == (0.0, FAILED)
    assert [one.eval_status for one in result.per_invocation_results] == [FAILED, FAILED]
    assert told(result).startswith(f"nothing was judged: {why}")
    assert told(result).endswith("`evalkit run` and `evalkit adk eval` judge it")


async def test_a_scenario_has_nothing_to_compare_with(judge):
    assert (await judge("tool_trajectory_avg_score", (None, actual(LAG)))).overall_eval_status is FAILED
    assert (await judge("grounding", (None, actual(LAG)))).overall_eval_status is PASSED


async def test_time_and_tokens_are_those_that_adk_measured(judge):
    made = actual(LAG)
    made.duration = 7.0
    usage = types.GenerateContentResponseUsageMetadata(prompt_token_count=90, total_token_count=100)
    made.intermediate_data.invocation_events[0].usage_metadata = usage
    result = await judge("budget", (expected(), made), seconds=5, tokens=50)

    assert (result.overall_score, result.overall_eval_status) == (0.0, FAILED)
    assert "it took 7 s, 5 allowed" in told(result)
    assert "it took 100 tokens, 50 allowed" in told(result)


async def test_a_turn_without_expected_calls_is_not_applicable_as_in_a_run(judge):
    result = await judge("tool_trajectory_avg_score", (expected(listed=False), actual(LAG)))

    assert "no turn has intermediate_data" in told(result)


async def test_an_option_that_makes_no_sense_fails_with_its_reason(judge):
    result = await judge("tool_trajectory_avg_score", (expected(LAG), actual(LAG)), match_type="sideways")

    assert result.overall_eval_status is FAILED
    assert "it crashed: ValueError: match_type is 'sideways'" in told(result)


async def test_gate_is_no_option_of_a_metric(judge):
    result = await judge("grounding", (expected(), actual()), gate=False)

    assert result.overall_eval_status is FAILED  # ADK knows no informative criteria


async def test_that_real_tools_run_is_said_once(judge, capsys):
    for _ in range(3):
        await judge("grounding", (expected(), actual(LAG)))

    assert capsys.readouterr().err.count("evalkit: NO MOCKS") == 1


async def test_nothing_is_said_where_mocks_are_in_place(judge, capsys):
    with InPlace(Scene(mocks=Mocks())):
        await judge("grounding", (expected(), actual(LAG)))

    assert "NO MOCKS" not in capsys.readouterr().err


def test_every_scorer_has_a_function_and_every_function_can_be_called():
    assert set(SCORERS) <= set(FUNCTIONS)
    assert all(callable(getattr(metrics, name)) for name in FUNCTIONS)


def test_a_function_that_is_none_of_ours_is_told_from_those_that_are():
    with pytest.raises(AttributeError, match=r"evalkit has no metric 'groundin'; there are .*grounding"):
        _ = metrics.groundin
