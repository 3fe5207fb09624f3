"""Every metric that a config may name, in one table."""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from evalkit.formats.spelling import closest, either_spelling

MetricKind = Literal[
    "adk-deterministic",  # ADK computes it offline; so does evalkit, with the same number
    "adk-judge",  # ADK asks a model or a cloud service
    "adk-informational",  # ADK reports it on every run; it never gates and takes no threshold
    "evalkit",  # ours
]

Reference = Literal[
    "intermediate_data",
    "final_response",
    "conversation_scenario",
    "rubrics",
    "evalkit.expect[].trajectory.forbid",
    "evalkit.expect[].trajectory.blocked",
    "evalkit.expect[].trajectory.worked",
    "evalkit.expect[].trajectory.any_of or intermediate_data",
    "evalkit.expect[].response",
    "evalkit.expect[].state or final_session_state",
    "evalkit.expect[].route or intermediate_data",
    "intermediate_responses",
    "tool_responses",
    "evalkit.expect[].budget",
    "evalkit.gold",
]
"""What a metric compares with, as a user would find it in a case."""


class Metric(NamedTuple):
    """A metric that exists.

    Attributes:
        name: As a config writes it.
        kind: Who computes it, and how.
        reference: What a case must have for the metric to judge it; None if it judges any.
    """

    name: str
    kind: MetricKind
    reference: Reference | None = None


METRICS: Mapping[str, Metric] = {
    metric.name: metric
    for metric in (
        Metric("tool_trajectory_avg_score", "adk-deterministic", "intermediate_data"),
        Metric("response_match_score", "adk-deterministic", "final_response"),
        Metric("response_evaluation_score", "adk-judge"),
        Metric("final_response_match_v2", "adk-judge", "final_response"),
        Metric("safety_v1", "adk-judge"),
        Metric("hallucinations_v1", "adk-judge"),
        Metric("rubric_based_final_response_quality_v1", "adk-judge", "rubrics"),
        Metric("rubric_based_tool_use_quality_v1", "adk-judge", "rubrics"),
        Metric("rubric_based_multi_turn_trajectory_quality_v1", "adk-judge", "rubrics"),
        Metric("per_turn_user_simulator_quality_v1", "adk-judge", "conversation_scenario"),
        Metric("multi_turn_task_success_v1", "adk-judge"),
        Metric("multi_turn_trajectory_quality_v1", "adk-judge"),
        Metric("multi_turn_tool_use_quality_v1", "adk-judge"),
        Metric("tool_call_count_v1", "adk-informational"),
        Metric("inference_call_count_v1", "adk-informational"),
        Metric("token_usage_v1", "adk-informational"),
        Metric("invocation_duration_v1", "adk-informational"),
        Metric("replay", "evalkit"),
        Metric("grounding", "evalkit"),
        Metric("forbid", "evalkit", "evalkit.expect[].trajectory.forbid"),
        Metric("blocked", "evalkit", "evalkit.expect[].trajectory.blocked"),
        Metric("worked", "evalkit", "evalkit.expect[].trajectory.worked"),
        Metric("response", "evalkit", "evalkit.expect[].response"),
        Metric("response_checks", "evalkit", "evalkit.expect[].response"),
        Metric("state", "evalkit", "evalkit.expect[].state or final_session_state"),
        Metric("route", "evalkit", "evalkit.expect[].route or intermediate_data"),
        Metric("intermediate_responses", "evalkit", "intermediate_responses"),
        Metric("tool_responses", "evalkit", "tool_responses"),
        Metric("budget", "evalkit", "evalkit.expect[].budget"),
        Metric("trajectory", "evalkit", "evalkit.expect[].trajectory.any_of or intermediate_data"),
        Metric("trajectory_f1", "evalkit", "evalkit.expect[].trajectory.any_of or intermediate_data"),
        Metric("efficiency", "evalkit"),
        Metric("rouge", "evalkit", "final_response"),
        Metric("rubric", "evalkit", "rubrics"),
        Metric("holmes_correctness", "evalkit", "evalkit.gold"),
        Metric("evidence_touched", "evalkit"),
    )
}

_FROM_ELSEWHERE: Mapping[str, str] = {
    "tool_trajectory": "tool_trajectory_avg_score",
    "tool_trajectory_score": "tool_trajectory_avg_score",
    "rouge_1": "response_match_score",
    "rouge1": "response_match_score",
    "response_match": "response_match_score",
    "response_quality": "rubric_based_final_response_quality_v1",
    "final_response_quality": "rubric_based_final_response_quality_v1",
    "tool_use_quality": "rubric_based_tool_use_quality_v1",
    "hallucination": "hallucinations_v1",
    "hallucinations": "hallucinations_v1",
    "safety": "safety_v1",
    "latency": "budget",
    "cost": "budget",
}
"""What people call metrics, where the name itself is not near enough to be recognized."""


def suggest_metric(name: str) -> str | None:
    """Find the metric that was probably meant by a name that none has."""
    return _FROM_ELSEWHERE.get(name.lower()) or closest(name, METRICS)


def custom_metrics(value: Mapping[str, Any]) -> Mapping[str, Any]:
    """The metrics that a config defines itself, as far as it is one."""
    found = either_spelling(value, "custom_metrics")
    return found if isinstance(found, dict) else {}
