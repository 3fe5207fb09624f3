"""ADK's evaluation service with evalkit around it: cases are played over mocks, and results say what we say.

`LocalEvalService` infers evalset by evalset, then evaluates. Inference is handed to a host, case by case, so that each
has its own mocks and time limit, and all are played in the order of the file. What ADK then finds is handed to the host
too, and each result is amended before ADK counts, prints and stores it.
"""

from collections.abc import AsyncGenerator, Callable, Iterator, Mapping
from contextlib import aclosing, contextmanager
from typing import Any, Protocol

from google.adk.evaluation.base_eval_service import (
    EvaluateRequest,
    InferenceRequest,
    InferenceResult,
    InferenceStatus,
)
from google.adk.evaluation.eval_result import EvalCaseResult

from evalkit.adk import private
from evalkit.adk.eval_results import Judged, amend, found_by_adk
from evalkit.adk.hosted import Infer, hosting
from evalkit.adk.patches import Patches
from evalkit.cases import Case, Json
from evalkit.results import Score

Stream = Callable[..., AsyncGenerator[Any, None]]


class Host(Protocol):
    """Whoever plays and judges the cases that ADK's service is asked to evaluate."""

    async def play(self, eval_set_id: str, infer: Infer) -> None:
        """Play the cases of an evalset; `infer` lets ADK play one."""

    def is_left_to_adk(self, metric: str) -> bool:
        """Tell whether ADK is to compute a metric."""

    def judge(self, eval_set_id: str, eval_id: str, found: Mapping[str, Score]) -> Judged:
        """Judge a case that has been played, with what ADK found by the metrics that are left to it."""

    def hide(self, value: Json) -> Json:
        """Take the secrets out of a JSON value."""


@contextmanager
def hosted_by(host: Host) -> Iterator[None]:
    """Let a host play and judge whatever ADK's service evaluates while the block lasts.

    Raises:
        AdkVersionError: This google-adk's service has other methods.
    """
    from google.adk.evaluation.local_eval_service import LocalEvalService  # needs ADK's extra, loads for seconds

    private.check([(LocalEvalService, "perform_inference"), (LocalEvalService, "evaluate")])
    with Patches() as patches, hosting():
        patches.wrap(LocalEvalService, "perform_inference", _inferring(host))
        patches.wrap(LocalEvalService, "evaluate", _evaluating(host))
        yield


def _inferring(host: Host) -> Callable[[Stream], Stream]:
    def wrap(original: Stream) -> Stream:
        async def perform_inference(
            self: Any, inference_request: InferenceRequest
        ) -> AsyncGenerator[InferenceResult, None]:
            results: dict[str, InferenceResult] = {}

            async def infer(case: Case) -> str | None:
                results[case.eval_id] = _cut_short(inference_request, case)
                only = inference_request.model_copy(update={"eval_case_ids": [case.eval_id]})
                async with aclosing(original(self, inference_request=only)) as found:
                    async for result in found:
                        results[case.eval_id] = _checked(result, case)
                return results[case.eval_id].error_message

            await host.play(inference_request.eval_set_id, infer)
            for result in results.values():
                yield result

        return perform_inference

    return wrap


def _cut_short(request: InferenceRequest, case: Case) -> InferenceResult:
    """Make the result of a case that never comes to its end."""
    return InferenceResult(
        app_name=request.app_name,
        eval_set_id=request.eval_set_id,
        eval_case_id=case.eval_id,
        session_id="",
        status=InferenceStatus.FAILURE,
    )


def _checked(result: InferenceResult, case: Case) -> InferenceResult:
    """Mark a case with a turn without any event as failed: ADK would end the whole command over it."""
    if case.turns is not None and result.inferences is not None and len(result.inferences) != len(case.turns):
        result.status = InferenceStatus.FAILURE
    return result


def _evaluating(host: Host) -> Callable[[Stream], Stream]:
    def wrap(original: Stream) -> Stream:
        async def evaluate(self: Any, evaluate_request: EvaluateRequest) -> AsyncGenerator[EvalCaseResult, None]:
            config = evaluate_request.evaluate_config
            metrics = [one for one in config.eval_metrics if host.is_left_to_adk(one.metric_name)]
            narrowed = config.model_copy(update={"eval_metrics": metrics})
            request = evaluate_request.model_copy(update={"evaluate_config": narrowed})
            apps = {one.eval_set_id: one.app_name for one in request.inference_results}
            async with aclosing(original(self, evaluate_request=request)) as results:
                async for result in results:
                    judged = host.judge(result.eval_set_id, result.eval_id, found_by_adk(result))
                    amend(result, judged, apps[result.eval_set_id], host.hide)
                    yield result  # ADK stores this very object

        return evaluate

    return wrap
