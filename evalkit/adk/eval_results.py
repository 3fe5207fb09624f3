"""Our verdicts as ADK's results: what `adk eval` prints, and what its history and `adk web` show.

ADK's statuses are PASSED for passed, FAILED for failed and error, NOT_EVALUATED for the rest. A criterion that decides
nothing (`"gate": false`) is INFORMATIONAL. ADK has one place for a reason, the rationale of a rubric's score.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from google.adk.evaluation.eval_metrics import (
    BaseCriterion,
    EvalMetricResult,
    EvalMetricResultDetails,
    EvalMetricResultPerInvocation,
    EvalStatus,
)
from google.adk.evaluation.eval_result import EvalCaseResult
from google.adk.evaluation.eval_rubrics import RubricScore

from evalkit.adk.metrics import RUBRIC
from evalkit.adk.sessions import actual_invocation, eval_case, session_of
from evalkit.cases import Case, Json
from evalkit.results import CaseResult, CriterionResult, Score, Verdict
from evalkit.traces import Outcome

Hide = Callable[[Json], Json]

VERDICT = "evalkit_verdict"
"""A metric of the results that says why a case did not pass."""

STATUS: Mapping[Verdict, EvalStatus] = {
    "passed": EvalStatus.PASSED,
    "failed": EvalStatus.FAILED,
    "error": EvalStatus.FAILED,
    "inconclusive": EvalStatus.NOT_EVALUATED,
    "skipped": EvalStatus.NOT_EVALUATED,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A case, what happened in it, and what that means."""

    case: Case
    outcome: Outcome
    result: CaseResult


def found_by_adk(result: EvalCaseResult) -> dict[str, Score]:
    """Read what ADK found, by metric."""
    return {str(one.metric_name): _score(one) for one in result.overall_eval_metric_results}


def amend(given: EvalCaseResult, judged: Judged, app_name: str, hide: Hide) -> None:
    """Let a result of ADK's say what ours does; figures that only ADK has stay.

    Args:
        given: The result, which is changed, since ADK stores this very object.
        judged: What ours says.
        app_name: The agent's name in ADK.
        hide: Takes the secrets out of a JSON value.
    """
    own = case_result(judged, eval_set_id=given.eval_set_id, app_name=app_name)
    given.final_eval_status = own.final_eval_status
    given.overall_eval_metric_results = _with_others(own.overall_eval_metric_results, given.overall_eval_metric_results)
    if given.eval_metric_result_per_invocation:
        for of_adk, ours in zip(
            given.eval_metric_result_per_invocation, own.eval_metric_result_per_invocation, strict=False
        ):
            of_adk.eval_metric_results = _with_others(ours.eval_metric_results, of_adk.eval_metric_results)
    else:
        given.eval_metric_result_per_invocation = own.eval_metric_result_per_invocation
    given.session_details = given.session_details or own.session_details
    cleared = without_secrets(given, hide)
    for name in type(given).model_fields:
        setattr(given, name, getattr(cleared, name))


def without_secrets(result: EvalCaseResult, hide: Hide) -> EvalCaseResult:
    """Return a result from which the secrets have been taken; the same one if it has none."""
    written = result.model_dump(mode="json")
    cleared = hide(written)
    return result if cleared is written else EvalCaseResult.model_validate(cleared)


def case_result(judged: Judged, *, eval_set_id: str, app_name: str) -> EvalCaseResult:
    """Write a case of ours as a result of ADK's."""
    session = session_of(judged.case, judged.outcome, app_name)
    return EvalCaseResult(
        eval_set_file=eval_set_id,
        eval_set_id=eval_set_id,
        eval_id=judged.case.eval_id,
        final_eval_status=STATUS[judged.result.verdict],
        overall_eval_metric_results=[*_verdict(judged.result), *map(_overall, judged.result.criteria)],
        eval_metric_result_per_invocation=list(_per_invocation(judged)),
        session_id=session.id,
        session_details=session,
        user_id=session.user_id,
    )


def _score(found: EvalMetricResult) -> Score:
    """Read one metric's result; ADK's word on whether it passed wins over any comparison with a threshold."""
    if found.eval_status not in (EvalStatus.PASSED, EvalStatus.FAILED):
        return Score(state="not_judged", reason="ADK did not evaluate it; its log says why")
    passed = found.eval_status is EvalStatus.PASSED
    limit = 1.0 if found.threshold is None else found.threshold
    told = f"ADK's score is {found.score}" if found.score is not None else ""
    if found.score is not None and 0 <= found.score <= 1 and (found.score >= limit) == passed:
        return Score(value=found.score, reason=told)
    failing = 0.0 if limit > 0 else limit - 1
    return Score(value=max(limit, 1.0) if passed else failing, reason=told)


def _with_others(ours: list[EvalMetricResult], others: list[EvalMetricResult]) -> list[EvalMetricResult]:
    named = {one.metric_name for one in ours}
    return [*ours, *(one for one in others if one.metric_name not in named)]


def _verdict(result: CaseResult) -> Iterator[EvalMetricResult]:
    if result.verdict != "passed":
        reason = "\n".join((f"{result.verdict}: {'; '.join(result.reasons[:1])}", *result.reasons[1:]))
        value = 0.0 if STATUS[result.verdict] is EvalStatus.FAILED else None
        yield EvalMetricResult(
            metric_name=VERDICT, score=value, eval_status=STATUS[result.verdict], details=_details(reason, value)
        )


def _overall(item: CriterionResult) -> EvalMetricResult:
    return _metric(item, item.score.value, item.passed, item.score.reason)


def _per_invocation(judged: Judged) -> Iterator[EvalMetricResultPerInvocation]:
    trace = judged.outcome.trace
    expected = eval_case(judged.case).conversation or ()
    for index, happened in enumerate(trace.turns if trace else ()):
        yield EvalMetricResultPerInvocation(
            actual_invocation=actual_invocation(happened),
            expected_invocation=expected[index] if index < len(expected) else None,
            eval_metric_results=[_of_turn(item, index) for item in judged.result.criteria],
        )


def _of_turn(item: CriterionResult, index: int) -> EvalMetricResult:
    turn = next((one for one in item.score.turns if one.turn == index), None)
    limit = 1.0 if item.criterion.threshold is None else item.criterion.threshold
    if turn is None or turn.value is None:
        return _metric(item, None, None, turn.reason if turn else "")
    return _metric(item, turn.value, turn.value >= limit, turn.reason)


def _metric(item: CriterionResult, value: float | None, passed: bool | None, reason: str) -> EvalMetricResult:
    criterion = item.criterion
    threshold = 1.0 if criterion.threshold is None else criterion.threshold
    return EvalMetricResult(
        metric_name=criterion.name,
        threshold=threshold,
        criterion=BaseCriterion(threshold=threshold, **criterion.options),
        custom_function_path=criterion.custom_function,
        score=value,
        eval_status=_status(item, passed),
        details=_details(reason, value),
    )


def _status(item: CriterionResult, passed: bool | None) -> EvalStatus:
    if passed is None:
        return EvalStatus.NOT_EVALUATED
    if not item.criterion.gate:
        return EvalStatus.INFORMATIONAL
    return EvalStatus.PASSED if passed else EvalStatus.FAILED


def _details(reason: str, value: float | None) -> EvalMetricResultDetails:
    scores = [RubricScore(rubric_id=RUBRIC, rationale=reason, score=value)] if reason else None
    return EvalMetricResultDetails(rubric_scores=scores)
